import ChatModel
import SearchText

@testable import Archive
@testable import Reading
@testable import Writing

/// A suite that searches in an archive of its own, with shorthand for it.
protocol SearchSuite {
    var fixture: ArchiveFixture { get }
}

extension SearchSuite {
    static var work: RoomReference { RoomReference(key: "#work", name: "#work", kind: .channel) }

    static var bodies: [String] {
        [
            "우리집 서버가 죽었다", "서버down again", "東京タワーに行った", "東京で食べた", "修改youer服务端", "youer is here",
            "C++20 is nice", "what's up", "foo-bar", "AND", "다", "배포 완료", "the server is down",
            "see https://example.org/x", "한\u{AE00}", "ハンバーグ", "Café", "100% sure_thing", "이거 보세요 👍", "ㅋㅋㅋ",
        ]
    }

    func query(_ text: String) -> SearchQuery {
        SearchQuery(parsing: text)
    }

    func found(
        _ text: String, limit: Int = 50, anchor: MessageQuery.Anchor = .latest, room: Int64? = nil,
        accounts: [String] = ["demo"]
    ) async throws -> Page {
        try await fixture.archive.reading().page(
            fixture.query(anchor, limit: limit, room: room, accounts: accounts),
            matching: scope(text))
    }

    /// The query with the rooms that its names of `in:` mean in each account.
    func scope(_ text: String, after: MessageID? = nil, before: MessageID? = nil) async throws -> SearchScope {
        var scope = SearchScope(query: query(text), after: after, before: before)
        let accounts = Dictionary(grouping: try fixture.archive.reading().namedRooms(), by: \.account)
        for name in scope.query.roomNames {
            scope.rooms[name] = accounts.values.flatMap { RoomArgument(name).rooms(among: $0) }
        }
        return scope
    }

    /// The bodies in the lobby, by alice and bob in turn.
    func fill(_ writer: AccountWriter) async throws -> SessionID {
        let session = try await writer.openSession()
        _ = try await writer.append(
            Self.bodies.enumerated().map { index, body in
                .said(body, at: Int64(index) * 10, by: index % 2 == 0 ? "alice" : "bob", in: session)
            })
        return session
    }
}
