import Archive
import ChatModel
import Testing

@testable import Reading
@testable import Writing

@Suite struct NameTests {
    @Test func `renaming a user adds one row, and history shows either name`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append((0..<500).map { .said("\($0)", at: Int64($0), in: session) })
        let renamed = ArchiveFixture.day.advanced(byMicroseconds: 600)
        _ = try await writer.append([
            .userRenamed(
                session: session, fromKey: "alice", to: UserReference(key: "alicia", name: "alicia"), at: renamed),
            .said("after", at: 700, by: "alicia", in: session),
        ])
        #expect(try fixture.value("SELECT count(*) FROM user") == 1)
        #expect(try fixture.value("SELECT count(*) FROM user_name") == 2)
        func senders(_ names: MessageQuery.Names) async throws -> [String?] {
            try fixture.archive.reading().page(try fixture.query(limit: 2, names: names)).messages.map(
                \.sender?.name)
        }
        #expect(try await senders(.then) == ["alice", "alicia"])
        #expect(try await senders(.now) == ["alicia", "alicia"])
        try await writer.close()
    }

    @Test func `a person who takes another's earlier name is another user`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        func rename(_ from: String, _ to: String, at offset: Int64) -> ChatEvent {
            .userRenamed(
                session: session, fromKey: from, to: UserReference(key: to, name: to),
                at: ArchiveFixture.day.advanced(byMicroseconds: offset))
        }
        _ = try await writer.append([
            .said("1", at: 10, by: "alice", in: session), .said("2", at: 20, by: "bob", in: session),
            rename("bob", "alice", at: 30), .said("3", at: 40, by: "alice", in: session),
            .said("4", at: 50, by: "bob", in: session),
        ])
        let messages = try fixture.archive.reading().page(try fixture.query()).messages
        #expect(messages.map(\.sender?.name) == ["alice", "bob", "alice", "bob"])
        let ids = messages.compactMap(\.sender?.id)
        #expect(ids[1] == ids[2])
        #expect(Set([ids[0], ids[1], ids[3]]).count == 3)
        try await writer.close()
    }

    @Test func `a renamed room keeps its history under both names`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        var renamed = ArchiveFixture.lobby
        renamed.name = "교실"
        _ = try await writer.append([
            .said("old", at: 10, in: session), .said("new", at: 20, in: session, room: renamed),
        ])
        let then = try fixture.archive.reading().page(try fixture.query())
        #expect(then.messages.map(\.room) == ["lobby", "교실"])
        let now = try fixture.archive.reading().page(try fixture.query(names: .now))
        #expect(now.messages.map(\.room) == ["교실", "교실"])
        #expect(try fixture.archive.reading().rooms().map(\.name) == ["교실"])
        try await writer.close()
    }

    @Test func `a late message does not restore an earlier name`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        func said(_ name: String, at offset: Int64) -> ChatEvent {
            .message(
                IncomingMessage(
                    session: session, room: ArchiveFixture.lobby, kind: .message,
                    sender: UserReference(key: "u1", name: name), body: name,
                    receivedAt: ArchiveFixture.day.advanced(byMicroseconds: offset)))
        }
        _ = try await writer.append([said("now", at: 100), said("then", at: 50)])
        #expect(try fixture.value("SELECT group_concat(name) FROM user_name WHERE last_seen_us IS NULL") == "now")
        try await writer.close()
    }

    @Test func `names and texts keep every byte, except NUL`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let names = [
            "", "a\u{0}b", "e\u{301}", "\u{e9}", "\u{1b}[31m", String(repeating: "가", count: 300),
            "'; DROP TABLE message",
        ]
        _ = try await writer.append(names.enumerated().map { .said($1, at: Int64($0), by: $1, in: session) })
        let page = try fixture.archive.reading().page(try fixture.query())
        for (message, name) in zip(page.messages, names) {
            let expected = name == "a\u{0}b" ? "a\u{FFFD}b" : name
            #expect(message.sender.map { Array($0.name.utf8) } == Array(expected.utf8))
            #expect(message.body.map { Array($0.utf8) } == Array(expected.utf8))
        }
        try await writer.close()
    }

    @Test func `an export has the names of a page, through renames and ties`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        var archive = RandomArchive(seed: 6)
        try await archive.write(to: writer)
        try await writer.close()
        #expect(try fixture.value("SELECT count(*) > (SELECT count(*) FROM user) FROM user_name") == 1)
        let reading = fixture.archive.reading()
        let export = try AccountExport(of: "demo", in: reading)
        for room in try export.rooms() {
            let page = try reading.page(try fixture.query(.oldest, limit: 1000, room: room.id)).messages
            let exported = try export.messages(
                room: room.id, after: MessageID(microseconds: .min), before: MessageID(microseconds: .max), count: 1000)
            #expect(exported == page)
        }
        #expect(try !export.rooms().isEmpty)
    }
}
