import Archive
import ChatModel
import TestSupport
import Testing

@testable import Checks
@testable import Reading
@testable import Writing

/// What is taken back of what was known to be complete.
@Suite struct CoverageWithdrawalTests {
    private let fixture: ArchiveFixture
    private let room = RoomReference(key: "#a", name: "#a", kind: .channel)
    private let other = RoomReference(key: "#b", name: "#b", kind: .channel)

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func at(_ offset: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: offset)
    }

    private func spans(_ room: RoomReference) throws -> String? {
        let day = ArchiveFixture.day.microseconds
        return try fixture.value(
            """
            SELECT group_concat(span, ' ') FROM (SELECT (from_us - \(day)) || '-' || ifnull(to_us - \(day), '') AS span
              FROM coverage WHERE room_id = (SELECT id FROM room WHERE key = '\(room.key)') ORDER BY from_us)
            """)
    }

    private func message(
        _ session: SessionID, _ time: Int64, in room: RoomReference, by nick: String = "alice", isSelf: Bool = false
    ) -> ChatEvent {
        .message(
            IncomingMessage(
                session: session, room: room, kind: .message,
                sender: UserReference(key: nick, name: nick, isSelf: isSelf), body: "hi", sourceTime: at(time),
                receivedAt: at(time)))
    }

    @Test func `an outage is a gap from the last message of another person in any room`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: at(0))
        let status = RoomReference(key: "*status", name: "*status", kind: .direct)
        _ = try await writer.append([
            .roomLive(session: session, room: room, at: at(0)), .roomLive(session: session, room: other, at: at(5)),
            message(session, 10, in: room), message(session, 20, in: other),
            message(session, 30, in: room, by: "me", isSelf: true), message(session, 40, in: status, by: "*status"),
            .withdrawn(WithdrawnCoverage(room: room, from: nil, to: at(50), bouncerRooms: ["*status"])),
        ])
        #expect(try spans(room) == "0-20 50-" && spans(other) == "5-")
        _ = try await writer.append([
            .covered(session: session, room: room, from: at(10), to: at(50)),
            .withdrawn(
                WithdrawnCoverage(room: room, from: nil, to: at(50), bouncerRooms: ["*status"], isLost: true)),
        ])
        #expect(try spans(room) == "0-20 50-", "the same again is the same")
        #expect(try await writer.completeUntil(room: room).map { $0 > at(20) } == true, "it is not asked for again")
        let gaps = try fixture.archive.reading().gaps(scope: .accounts(["demo"])).filter {
            $0.room == "#a" && $0.to != nil
        }
        #expect(gaps.map(\.reason) == ["bouncer"] && gaps.map(\.missing?.unfilled) == ["bouncer"])
        #expect(gaps.map(\.state) == [.lost])
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `a room without proof of coverage is missing from its beginning`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: at(0))
        _ = try await writer.append([
            .roomLive(session: session, room: room, at: at(10)),
            .roomSilent(session: session, room: room, at: at(40), reason: .bouncer),
            .withdrawn(WithdrawnCoverage(room: room, from: nil, to: at(50))),
            .roomLive(session: session, room: room, at: at(60)),
        ])
        #expect(try spans(room) == "10-10 60-")
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `a room without claimed coverage has no gaps`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: at(0))
        _ = try await writer.append([
            .roomLive(session: session, room: room, at: at(0)),
            .sessionEnded(session: session, at: at(10), reason: .closed, detail: nil),
        ])
        #expect(try fixture.archive.reading().gaps(scope: .accounts(["demo"])).contains { $0.room == "#a" })
        _ = try await writer.append([.roomUncovered(room, at: at(20))])
        #expect(try !fixture.archive.reading().gaps(scope: .accounts(["demo"])).contains { $0.room == "#a" })
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `a span ends before the last millisecond of the network's clock`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: at(0))
        _ = try await writer.append([
            .networkClock(session: session, leadMicroseconds: 7),
            .roomLive(session: session, room: room, at: at(1_992)),
            .sessionEnded(session: session, at: at(5_600), reason: .closed, detail: nil),
        ])
        #expect(try spans(room) == "1999-4999")
        let next = try await writer.openSession(at: at(10_000))
        _ = try await writer.append([
            .networkClock(session: next, leadMicroseconds: 7), .roomLive(session: next, room: other, at: at(10_992)),
            .sessionEnded(session: next, at: at(10_500), reason: .closed, detail: nil),
        ])
        #expect(try spans(other) == "10999-10999", "less than a millisecond is none")
        try await writer.close()
    }
}
