import ChatModel
import SearchText
import TestSupport
import Testing

@testable import Accounts
@testable import Archive
@testable import Reading
@testable import Writing

/// Following what matches a query.
@Suite struct FollowedQueryTests {
    private let fixture: ArchiveFixture
    private var archive: Archive { fixture.archive }

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func scope(_ text: String) async throws -> SearchScope {
        var scope = SearchScope(query: SearchQuery(parsing: text))
        let rooms = try archive.reading().namedRooms()
        for name in scope.query.roomNames { scope.rooms[name] = RoomArgument(name).rooms(among: rooms) }
        return scope
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: 1...6)
    func `a followed message matches exactly when search finds it`(seed: Int) async throws {
        let writer = try await fixture.openWriter()
        var script = RandomArchive(seed: UInt64(seed))
        try await script.write(to: writer, rounds: 80)
        let reader = try #require(try archive.reading().readers(of: .accounts(["demo"])).first)
        let all = try await fixture.walk(.oldest, limit: 1000, query: try fixture.query(room: nil))
        var hits = 0
        for text in [
            "text", "안녕 -\"text 3\"", "from:alice", "from:nick*", "in:lobby 녕", "in:bob OR from:bob", "has:file",
            "has:link", "has:image", "has:reaction", "is:reply -has:reaction", "-is:reply -has:file",
            "is:edited", "is:deleted -is:edited", "(from:alice OR is:edited) 3", "from:nobody", "in:nowhere text",
            "-text",
        ] {
            let scope = try await scope(text)
            let isHit = try reader.read { db in try scope.test(of: reader.account, db) }
            let query = try fixture.query(limit: 1000, room: nil)
            let found = try archive.reading().page(query, matching: scope).messages
            #expect(all.filter(isHit).map(\.id) == found.map(\.id), "\(text)")
            hits += found.count
        }
        #expect(hits > 100)
        try await writer.close()
    }

    @Test func `a follower gets only matches, after the last page of them`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: .now())
        _ = try await writer.append([
            .said("server down", at: 1, in: session), .said("lunch", at: 2, in: session),
        ])
        let search = try await scope("server OR 서버 from:alice")
        var items = archive.reading().feeds.follow(try fixture.query(room: nil), matching: search).makeAsyncIterator()
        guard case .history(let page, let gaps)? = try await items.next() else { throw TestFailure() }
        #expect(page.bodies == ["server down"] && gaps.isEmpty)
        _ = try await writer.append([
            .said("서버가 죽었다", at: 10, by: "bob", in: session), .said("dinner", at: 11, in: session),
            .said("서버가 죽었다", at: 12, in: session),
        ])
        guard case .messages(let new)? = try await items.next() else { throw TestFailure() }
        #expect(new.map(\.sender?.name) == ["alice"] && new.bodies == ["서버가 죽었다"])
        try await writer.close()
    }

    @Test func `without history, only messages from now on are followed`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: .now())
        _ = try await writer.append([.said("old", at: 1, in: session)])
        let stream = archive.reading().feeds.follow(try fixture.query(room: nil), skipsHistory: true)
        let first = Watched<Followed?>(nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var items = stream.makeAsyncIterator()
                let item = try await items.next()
                first.change { $0 = item }
            }
            // The follower begins at some time after its task.
            guard
                case .messages(let new) = try await eventually(
                    "a new message",
                    {
                        _ = try await writer.append([.said("new", at: 2, in: session)])
                        return first.value
                    })
            else { throw TestFailure() }
            #expect(Set(new.bodies) == ["new"])
            try await group.waitForAll()
        }
        try await writer.close()
    }
}
