import ChatModel
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Writing

/// Imported messages count as read, and change nothing about the others.
@Suite struct ReadArrivalTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func lines(_ seconds: Int..., room: String = "lobby") -> [ImportedLine] {
        fixture.source(
            seconds.map {
                ImportedMessage(
                    room: room, kind: .message, sender: "민수", body: "옛날 \($0)", time: ArchiveFixture.at($0),
                    resolution: .second)
            })
    }

    private func say(_ seconds: Int..., in session: SessionID, _ writer: AccountWriter) async throws {
        _ = try await writer.append(seconds.map { .said("live \($0)", at: Int64($0) * 1_000_000, in: session) })
    }

    private func unread(_ room: Int64 = 1) async throws -> Int64 {
        try #require(try fixture.archive.reading().unread(account: "demo", room: room).first).unread
    }

    private func load(_ lines: [ImportedLine], _ writer: AccountWriter, unread: Bool = false) async throws {
        _ = try await writer.importLines(lines, marksRead: !unread, at: ArchiveFixture.importTime)
    }

    @Test func `a log in its own room is read, and later live messages are unread`() async throws {
        let writer = try await fixture.openWriter()
        try await load(lines(10, 20, 30), writer)
        #expect(try await unread() == 0)
        try await load(lines(5, 25, 40), writer)
        #expect(try await unread() == 0)
        let session = try await writer.openSession()
        try await say(50, 60, in: session, writer)
        let live = try #require(try fixture.archive.reading().rooms().first { $0.kind == .server })
        #expect(try await unread(live.id) == 2)
        try await writer.close()
        #expect(try fixture.archive.check(accounts: ["demo"]).flatMap(\.problems) == [])
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [false, true])
    func `unread live messages stay unread, whatever log is imported around them`(
        isMarked: Bool
    ) async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        try await say(100, 200, 300, in: session, writer)
        if isMarked { try await writer.markRead(rooms: [1], through: MessageID(ArchiveFixture.at(100)), at: .now()) }
        let before = try await unread()
        #expect(before == (isMarked ? 2 : 3))
        try await load(lines(10, 150, 250, 400), writer)
        try await load(lines(20, 160, 260, 410), writer)
        #expect(try fixture.archive.reading().rooms().first?.messages == 11)
        #expect(try await unread() == before)
        try await writer.markRead(rooms: [1], through: nil, at: .now())
        #expect(try await unread() == 0)
        try await load(lines(30, 170, 420), writer)
        #expect(try await unread() == 0)
        try await say(500, in: session, writer)
        #expect(try await unread() == 1)
        try await writer.close()
        #expect(try fixture.archive.check(accounts: ["demo"]).flatMap(\.problems) == [])
    }

    @Test func `a log is unread on request, and a later log keeps that`() async throws {
        let writer = try await fixture.openWriter()
        try await load(lines(10, 20), writer, unread: true)
        #expect(try await unread() == 2)
        try await load(lines(5, 15, 30), writer)
        #expect(try await unread() == 2)
        try await load(lines(10, 20), writer)
        #expect(try await unread() == 2, "known messages stay as they are")
        try await writer.close()
    }

    @Test func `an earlier mark makes imported messages unread again`() async throws {
        let writer = try await fixture.openWriter()
        try await load(lines(10, 20, 30), writer)
        try await writer.markRead(rooms: [1], through: MessageID(ArchiveFixture.at(10)), at: .now())
        #expect(try await unread() == 2)
        try await writer.close()
    }

    @Test func `a list of rooms has the time of the last message from a person`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("hi", at: 1, in: session), .said("안녕", at: 2, by: "민수", in: session),
            .said("", at: 3, by: "민수", in: session, kind: .leave),
        ])
        let said = try #require(try fixture.archive.reading().roomList().first?.lastSaid)
        #expect(said.sender == "민수" && said.body == "안녕" && !said.isDeleted)
        #expect(try fixture.archive.reading().rooms().first?.lastSaid == nil)
        try await writer.close()
    }

    @Test func `each person's messages are counted, per room and in total`() async throws {
        let other = RoomReference(key: "#x", name: "#x", kind: .channel)
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("a", at: 1, in: session), .said("b", at: 2, in: session, room: other),
            .said("c", at: 3, by: "bob", in: session), .said("", at: 4, by: "bob", in: session, kind: .leave),
            .said("", at: 5, by: "eve", in: session, kind: .join),
        ])
        func counts(_ scope: MessageQuery.Scope) async throws -> [String: Int64?] {
            let users = try fixture.archive.reading().users(scope: scope, countsMessages: true)
            return Dictionary(uniqueKeysWithValues: users.map { ($0.name, $0.messages) })
        }
        #expect(try await counts(.accounts(["demo"])) == ["alice": 2, "bob": 1, "eve": 0])
        #expect(try await counts(.room(account: "demo", id: 1)) == ["alice": 1, "bob": 1, "eve": 0])
        try await writer.close()
    }
}
