import ChatModel
import Foundation
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Writing

/// The reader of some rooms knows people by the names that those rooms have seen.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SeenNameTests {
    private let fixture: ArchiveFixture
    private let open = RoomReference(key: "#open", name: "#open", kind: .channel)
    private let board = RoomReference(key: "#board", name: "#board", kind: .channel)

    init() throws { fixture = try ArchiveFixture() }

    private func at(_ second: Int64) -> Timestamp { ArchiveFixture.day.advanced(by: .seconds(second)) }

    private func said(
        _ body: String, _ second: Int64, as name: String, key: String = "u1", in room: RoomReference,
        _ session: SessionID, kind: MessageKind = .message
    ) -> ChatEvent {
        .message(
            IncomingMessage(
                session: session, room: room, kind: kind, sender: UserReference(key: key, name: name), body: body,
                remoteID: "m\(second)", sourceTime: at(second), receivedAt: at(second)))
    }

    private func fill() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            said("in the open", 100, as: "alice", in: open, session),
            said("on the board", 200, as: "hidden", in: board, session),
            said("as before", 250, as: "alice", in: open, session),
            said("later", 300, as: "alice2", in: open, session),
            .reaction(
                IncomingReaction(
                    session: session, room: open, target: "m100",
                    sender: UserReference(key: "u1", name: "alice2"), text: "👍", sourceTime: at(310),
                    receivedAt: at(310))),
            said("on the board", 400, as: "last", in: board, session),
            said("", 500, as: "silent", key: "u2", in: open, session, kind: .join),
            said("on the board", 600, as: "loud", key: "u2", in: board, session),
        ])
        try await writer.close()
    }

    private func room(_ name: String) async throws -> RoomKey {
        try #require(try fixture.archive.reading().namedRooms().first { $0.name == name }).key
    }

    /// Returns a reader of the open room.
    private func reading() async throws -> ArchiveReading {
        let key = try await room("#open")
        return fixture.archive.reading().restricted(to: ReadAccess(["demo": .rooms([key.id])]))
    }

    @Test func `a person has only the names that the reader's rooms have seen`() async throws {
        try await fill()
        let users = try await reading().users(scope: .accounts(["demo"]), countsMessages: true)
        let alice = try #require(users.first { $0.names.count == 2 })
        #expect(
            alice.names == [
                .init(name: "alice", firstSeen: at(100), lastSeen: at(300)),
                .init(name: "alice2", firstSeen: at(300), lastSeen: nil),
            ])
        #expect(alice.messages == 3)
        let silent = try #require(users.first { $0.id != alice.id })
        #expect(silent.names == [.init(name: "silent", firstSeen: at(500), lastSeen: nil)])
        let all = try fixture.archive.reading().users(scope: .accounts(["demo"]))
        #expect(all.flatMap(\.names).map(\.name).filter { ["hidden", "last", "loud"].contains($0) }.count == 3)
    }

    @Test func `current names, counts and reactions are from the reader's rooms`() async throws {
        try await fill()
        let reading = try await reading()
        let page = try reading.page(
            MessageQuery(scope: .accounts(["demo"]), hidden: [.joins], names: .now))
        #expect(page.messages.compactMap(\.sender?.name) == ["alice2", "alice2", "alice2"])
        #expect(page.messages[0].reactions == [.init(text: "👍", by: ["alice2"])])
        let counts = try reading.counts.hits(
            scope: .accounts(["demo"]), matching: SearchScope(query: SearchQuery(parsing: "-zebra")), by: .user)
        #expect(counts.map(\.name) == ["alice2"])
        let statistics = try reading.counts.statistics(
            scope: .accounts(["demo"]), after: nil, before: nil, zone: .gmt)
        #expect(statistics.counts[.user]?.map(\.name) == ["alice2"])
        #expect(try reading.roomList().map(\.lastSaid?.sender) == ["alice2"])
    }

    @Test(arguments: [
        ("from:alice", 3), ("from:alice2", 3), ("from:al*", 3), ("from:hidden", 0), ("from:last", 0), ("from:l*", 0),
        ("from:loud", 0), ("-from:hidden", 3), ("-from:alice", 0),
    ])
    func `a search finds people by the names that the reader's rooms have seen`(query: String, count: Int) async throws
    {
        try await fill()
        let scope = MessageQuery.Scope.accounts(["demo"])
        let search = SearchScope(query: SearchQuery(parsing: query))
        let found = try await reading().page(MessageQuery(scope: scope), matching: search)
        #expect(found.messages.count == count)
    }
}
