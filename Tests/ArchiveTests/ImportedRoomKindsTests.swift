import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Writing

/// Imported rooms are groups or conversations of two.
@Suite struct ImportedRoomKindsTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func message(
        _ sender: String, _ body: String, at second: Int, room: String, key: String? = nil,
        kind: MessageKind = .message, roomKind: RoomReference.Kind = .channel
    ) -> ImportedMessage {
        ImportedMessage(
            room: room, roomKey: key, roomKind: roomKind, kind: kind, sender: sender, body: body,
            time: ArchiveFixture.at(second), resolution: .second)
    }

    /// Imports the messages of one room, and the span with which each source ends.
    private func store(_ messages: [ImportedMessage], into account: AccountIdentity = ArchiveFixture.log) async throws {
        let room = try #require(messages.first)
        let span = ImportedSpan(
            room: room.room, roomKey: room.roomKey, from: ArchiveFixture.at(0), to: ArchiveFixture.at(99),
            roomKind: messages.first { $0.roomKind != .channel }?.roomKind)
        _ = try await fixture.store(fixture.source(messages) + [.imported(span)], into: account)
    }

    private func kinds(_ account: String = "old") async throws -> [String: String] {
        let rooms = try fixture.archive.reading().rooms(account: account)
        return Dictionary(uniqueKeysWithValues: rooms.map { ($0.name, $0.kind.rawValue) })
    }

    @Test func `a room is direct when two people wrote in it and it has the name of one`() async throws {
        try await store([message("민수", "안녕", at: 1, room: "민수")])
        #expect(try await kinds() == ["민수": "channel"])
        let both = [message("민수", "안녕", at: 1, room: "민수"), message("지아", "응", at: 2, room: "민수")]
        try await store(both)
        #expect(try await kinds() == ["민수": "direct"])
        let rows = try fixture.rows("old")
        try await store(both)
        #expect(try fixture.rows("old") == rows, "the same again writes nothing")
        #expect(try fixture.archive.check(accounts: ["old"]).flatMap(\.problems) == [])
    }

    @Test func `a room with another name, more people or joins stays a group`() async throws {
        try await store([message("a", "x", at: 1, room: "family"), message("b", "y", at: 2, room: "family")])
        try await store(["a", "b", "c"].enumerated().map { message($1, "x", at: $0, room: "a") })
        try await store([
            message("d", "x", at: 1, room: "d"), message("e", "", at: 2, room: "d", kind: .join),
            message("e", "y", at: 3, room: "d"),
        ])
        try await store([
            message("f", "x", at: 1, room: "f", key: "C1"), message("g", "y", at: 2, room: "f", key: "C1"),
        ])
        #expect(try await kinds() == ["family": "channel", "a": "channel", "d": "channel", "f": "channel"])
    }

    @Test func `a room of an earlier import becomes direct when the source says so`() async throws {
        try await store([message("a", "x", at: 1, room: "a", key: "7")])
        #expect(try await kinds() == ["a": "channel"])
        try await store([message("a", "x", at: 1, room: "a", key: "7", roomKind: .direct)])
        #expect(try await kinds() == ["a": "direct"])
        try await store([message("a", "x", at: 1, room: "a", key: "7")])
        #expect(try await kinds() == ["a": "direct"], "a source that does not say it changes nothing")
    }

    @Test func `importing a group's export again turns the earlier channel into a group`() async throws {
        let messages = ["a", "b", "c"].enumerated().map { message($1, "x", at: $0, room: "family") }
        try await store(messages)
        #expect(try await kinds() == ["family": "channel"])
        let groups = messages.map { message in
            var message = message
            message.roomKind = .group
            return message
        }
        let changes = "SELECT count(*) FROM change"
        let before: Int? = try fixture.value(changes, account: "old")
        try await store(groups)
        #expect(try await kinds() == ["family": "group"])
        let after: Int? = try fixture.value(changes, account: "old")
        #expect(try #require(after) > #require(before), "followers learn it")
        let rows = try fixture.rows("old")
        try await store(groups)
        #expect(try fixture.rows("old") == rows, "the same again writes nothing")
        try await store(messages)
        #expect(try await kinds() == ["family": "group"], "a source that does not say it changes nothing")
        #expect(try fixture.archive.check(accounts: ["old"]).flatMap(\.problems) == [])
    }

    @Test func `a group becomes direct when its messages show it, and stays direct`() async throws {
        let both = [
            message("민수", "안녕", at: 1, room: "민수", roomKind: .group),
            message("지아", "응", at: 2, room: "민수", roomKind: .group),
        ]
        try await store([both[0]])
        #expect(try await kinds() == ["민수": "group"])
        try await store(both)
        #expect(try await kinds() == ["민수": "direct"])
        try await store([both[0]])
        #expect(try await kinds() == ["민수": "direct"])
    }

    @Test func `a listener's rooms keep the kind that their network gives`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let room = RoomReference(key: "lobby", name: "alice", kind: .channel)
        _ = try await writer.append([.said("live", at: 1, in: session, room: room)])
        try await writer.close()
        try await store(
            [
                message("alice", "x", at: 1, room: "alice", roomKind: .group),
                message("bob", "y", at: 2, room: "alice", roomKind: .direct),
            ],
            into: ArchiveFixture.account)
        #expect(try await kinds("demo")["alice"] == "channel")
    }
}
