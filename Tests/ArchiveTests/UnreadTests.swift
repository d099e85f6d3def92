import ChatModel
import TestSupport
import Testing

@testable import Archive
@testable import Files
@testable import Reading
@testable import Writing

@Suite struct UnreadTests {
    private let fixture: ArchiveFixture
    private static let work = RoomReference(key: "#work", name: "#work", kind: .channel)

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func id(_ offset: Int64) -> MessageID {
        MessageID(ArchiveFixture.day.advanced(byMicroseconds: offset))
    }

    /// A message of the account's own person.
    private func ours(in session: SessionID) -> IncomingMessage {
        IncomingMessage(
            session: session, room: ArchiveFixture.lobby, kind: .message,
            sender: UserReference(key: "me", name: "me", isSelf: true), body: "hello",
            receivedAt: ArchiveFixture.day.advanced(byMicroseconds: 3))
    }

    private func lobby() async throws -> UnreadRoom {
        try #require(try fixture.archive.reading().unread(account: "demo", room: 1).first)
    }

    @Test func `without a marker, all messages of others except joins and leaves are unread`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("", at: 1, in: session, kind: .join), .said("hi", at: 2, in: session), .message(ours(in: session)),
            .said("notice", at: 4, in: session, kind: .notice), .said("", at: 5, in: session, kind: .leave),
        ])
        let room = try await lobby()
        #expect(room.unread == 2 && !room.hasMore && room.late == 0)
        #expect(room.firstUnread == id(2))
        #expect(room.readThrough == nil && room.markedAt == nil)
        try await writer.close()
    }

    @Test func `a list of rooms counts unread messages up to a limit`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append(
            (1...101).map { .said("\($0)", at: $0, in: session) }
                + (201...300).map { .said("\($0)", at: $0, in: session, room: Self.work) })
        func counts() async throws -> [UnreadCount?] {
            try fixture.archive.reading().roomList().sorted { $0.id < $1.id }.map(\.unread)
        }
        #expect(
            try await counts() == [UnreadCount(count: 100, hasMore: true), UnreadCount(count: 100, hasMore: false)])
        #expect(
            try fixture.archive.reading().rooms().allSatisfy { $0.unread == nil }, "only where it is asked for")
        try await writer.markRead(rooms: [1], through: id(90), at: ArchiveFixture.day)
        _ = try await writer.append([
            .said("late", at: 400, in: session, remoteID: "x", sourceTime: id(50).time)
        ])
        #expect(try await counts().first == UnreadCount(count: 12, hasMore: false))
        try await writer.close()
    }

    @Test func `messages that are stored after marking are unread, even with earlier times`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let day = ArchiveFixture.day
        _ = try await writer.append([.said("a", at: 100, in: session), .said("b", at: 200, in: session)])
        try await writer.markRead(rooms: [1], through: nil, at: day)
        #expect(try await lobby().unread == 0)
        #expect(try await lobby().readThrough == id(200))
        _ = try await writer.append([
            .said("late", at: 300, in: session, remoteID: "x", sourceTime: day.advanced(byMicroseconds: 150)),
            .said("c", at: 400, in: session),
        ])
        let room = try await lobby()
        #expect(room.unread == 2 && room.late == 1)
        #expect(room.firstUnread == id(400) && room.firstLate == id(150))
        try await writer.markRead(rooms: [1], through: nil, at: day)
        #expect(try await lobby().unread == 0)
        try await writer.close()
    }

    @Test func `marking up to a message keeps later ones unread, and can go back`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append((1...5).map { .said("\($0)", at: $0 * 10, in: session) })
        try await writer.markRead(rooms: [1], through: id(30), at: ArchiveFixture.day)
        #expect(try await lobby().unread == 2)
        #expect(try await lobby().firstUnread == id(40))
        try await writer.markRead(rooms: [1], through: id(10), at: ArchiveFixture.day)
        #expect(try await lobby().unread == 4)
        // A late one counts once, whichever side of the marker the marker is moved to.
        try await writer.markRead(rooms: [1], through: id(30), at: ArchiveFixture.day)
        _ = try await writer.append([
            .said("late", at: 60, in: session, sourceTime: ArchiveFixture.day.advanced(byMicroseconds: 35))
        ])
        #expect(try await lobby().unread == 3)
        #expect(try await lobby().late == 0)
        try await writer.close()
    }

    @Test func `messages of one instant are in order, and none is late`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append((0..<50).map { .said("\($0)", at: 10, in: session) })
        #expect(try fixture.value("SELECT count(*) FROM late") == 0)
        try await writer.markRead(rooms: [1], through: nil, at: ArchiveFixture.day)
        _ = try await writer.append((0..<50).map { .said("\($0)", at: 10, in: session) })
        #expect(try await lobby().unread == 50)
        try await writer.close()
    }

    @Test func `a room that is marked up to a future time has new messages unread`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("a", at: 1, in: session), .said("b", at: 20, in: session)])
        try await writer.markRead(rooms: [1], through: id(1000), at: ArchiveFixture.day)
        #expect(try await lobby().unread == 0)
        _ = try await writer.append([
            .said("c", at: 30, in: session), .said("late", at: 40, in: session, remoteID: "x", sourceTime: id(10).time),
        ])
        #expect(try await lobby().unread == 2)
        #expect(try await lobby().late == 1)
        try await writer.close()
    }

    @Test func `each room has its own marker`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("a", at: 1, in: session), .said("b", at: 2, in: session, room: Self.work),
        ])
        try await writer.markRead(rooms: [2], through: nil, at: ArchiveFixture.day)
        let rooms = try fixture.archive.reading().unread()
        #expect(rooms.map(\.room) == ["#work", "lobby"])
        #expect(rooms.map(\.unread) == [0, 1])
        try await writer.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `counting unread messages stops at ten thousand and says so`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append((1...10_001).map { .said("x", at: $0, in: session) })
        let room = try await lobby()
        #expect(room.unread == 10_000 && room.hasMore)
        try await writer.markRead(rooms: [1], through: id(1), at: ArchiveFixture.day)
        #expect(try await lobby().hasMore == false)
        try await writer.close()
    }

    @Test func `a removed message is not unread, and its marker stays`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("a", at: 1, in: session), .said("b", at: 2, in: session)])
        try await writer.markRead(rooms: [1], through: id(1), at: ArchiveFixture.day)
        _ = try await writer.append([
            .said("late", at: 3, in: session, sourceTime: ArchiveFixture.day.advanced(byMicroseconds: 0))
        ])
        try await writer.close()
        try fixture.execute("DELETE FROM message WHERE id <= \(id(1).microseconds)")
        let room = try await lobby()
        #expect(room.unread == 1 && room.late == 0)
    }

    @Test func `an unknown room can't be marked`() async throws {
        let writer = try await fixture.openWriter()
        let error = await #expect(throws: ArchiveError.self) {
            try await writer.markRead(rooms: [7], through: nil, at: ArchiveFixture.day)
        }
        #expect(error?.code == .unknownRoom)
        try await writer.close()
    }

    /// The unread messages of the lobby for a reader with marks.
    private func unread(_ marks: ReaderMarks) async throws -> Int64? {
        try fixture.archive.reading().restricted(to: ReadAccess.everything.with(marks: marks))
            .unread(account: "demo", room: 1).first?.unread
    }

    @Test func `a reader's own marks leave the owner's and late messages unread`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("hi", at: 2, in: session), .message(ours(in: session))])
        try await writer.markRead(rooms: [1], through: nil, at: ArchiveFixture.day)
        #expect(try await unread(ReaderMarks(since: id(2).time)) == 1)
        #expect(try await unread(ReaderMarks(since: id(1).time)) == 2)
        let key = RoomKey(account: "demo", id: 1)
        let found = try #require(
            try fixture.archive.reading().mark(key, through: nil, at: ArchiveFixture.day))
        var marks = ReaderMarks(since: id(1).time, marks: [found.account: [1: found.mark]])
        #expect(found.mark.through == id(3))
        #expect(try await unread(marks) == 0)
        _ = try await writer.append([.said("late", at: 400, in: session, remoteID: "x", sourceTime: id(1).time)])
        #expect(try await unread(marks) == 1)
        #expect(try await unread(ReaderMarks(since: id(3).time)) == 0, "what was said before the reader came is read")
        #expect(try await lobby().unread == 1)
        let other = ReaderMarks.Account("demo", createdAt: ArchiveFixture.day.advanced(by: .seconds(9)))
        marks.marks = [other: [1: found.mark]]
        #expect(try await unread(marks) == 2, "the marks are of an account that was made again")
        try await writer.close()
    }

    @Test func `a reader's mark ends at the newest message and needs a visible room`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("hi", at: 2, in: session), .said("work", at: 3, in: session, room: Self.work),
        ])
        let reading = fixture.archive.reading()
        let key = RoomKey(account: "demo", id: 1)
        #expect(try reading.mark(key, through: id(9), at: ArchiveFixture.day)?.mark.through == id(2))
        #expect(try reading.mark(key, through: id(1), at: ArchiveFixture.day)?.mark.through == id(1))
        let limited = reading.restricted(to: ReadAccess(["demo": .rooms([2])]))
        #expect(try limited.mark(key, through: nil, at: ArchiveFixture.day) == nil)
        try await writer.close()
    }
}
