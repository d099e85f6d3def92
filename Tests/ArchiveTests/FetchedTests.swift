import Archive
import ChatModel
import TestSupport
import Testing

@testable import Checks
@testable import Reading
@testable import Writing

/// What a listener that fetches history tells of it.
@Suite struct FetchedTests {
    private let fixture: ArchiveFixture
    private let room = ArchiveFixture.lobby

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func at(_ offset: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: offset)
    }

    /// All spans, as offsets into the day.
    private func spans() throws -> String? {
        let day = ArchiveFixture.day.microseconds
        return try fixture.value(
            """
            SELECT group_concat(span, ' ') FROM (SELECT (from_us - \(day)) || '-' || ifnull(to_us - \(day), '') AS span
              FROM coverage ORDER BY from_us)
            """)
    }

    private func notes() throws -> String? {
        let day = ArchiveFixture.day.microseconds
        return try fixture.value(
            "SELECT group_concat((from_us - \(day)) || reason, ' ') FROM (SELECT * FROM gap_note ORDER BY from_us)")
    }

    @Test func `history that meets live coverage joins it to one span, in whatever steps`() async throws {
        let writer = try await fixture.openWriter()
        let first = try await writer.openSession(at: at(100))
        _ = try await writer.append([.sessionEnded(session: first, at: at(200), reason: .lost, detail: nil)])
        let second = try await writer.openSession(at: at(500))
        #expect(try spans() == "100-200 500-")
        #expect(try await writer.completeUntil(room: room) == at(200))
        _ = try await writer.append([.covered(session: second, room: room, from: at(150), to: at(300))])
        #expect(try spans() == "100-300 500-" && notes() == "300lost", "what is left is missing for the same reason")
        #expect(try await writer.completeUntil(room: room) == at(300))
        _ = try await writer.append([.covered(session: second, room: room, from: at(300), to: at(499))])
        #expect(try spans() == "100-" && notes() == nil)
        _ = try await writer.append([
            .signOfLife(session: second, at: at(600)), .covered(session: second, room: room, from: at(0), to: at(550)),
        ])
        #expect(try spans() == "0-")
        #expect(try await writer.completeUntil(room: room) == at(600))
        #expect(
            try fixture.archive.reading().gaps(scope: .accounts(["demo"])).allSatisfy { $0.state == .current })
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `fetching random ranges covers exactly their instants`() async throws {
        var random = SeededGenerator(seed: 11)
        let day = ArchiveFixture.day.microseconds
        for round in 0..<40 {
            let writer = try await fixture.openWriter("a\(round)")
            let session = try await writer.openSession(at: at(50))
            _ = try await writer.append([.sessionEnded(session: session, at: at(55), reason: .lost, detail: nil)])
            var covered = Set<Int64>(50...55)
            for _ in 0..<12 {
                let from = Int64.random(in: 0...60, using: &random)
                let to = from + Int64.random(in: -1...12, using: &random)
                _ = try await writer.append([.covered(session: session, room: room, from: at(from), to: at(to))])
                if from <= to { covered.formUnion(from...to) }
            }
            try await writer.close()
            let stored: String? = try fixture.value(
                """
                WITH RECURSIVE instant(t) AS (SELECT 0 UNION ALL SELECT t + 1 FROM instant WHERE t < 80)
                SELECT group_concat(t, ' ') FROM instant
                WHERE EXISTS (SELECT 1 FROM coverage WHERE t + \(day) BETWEEN from_us AND to_us)
                """, account: "a\(round)")
            #expect(stored == covered.sorted().map { "\($0)" }.joined(separator: " "))
        }
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `a room that goes silent gets a gap, and other rooms continue`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: at(100))
        let other = RoomReference(key: "other", name: "other", kind: .channel)
        _ = try await writer.append([
            .roomLive(session: session, room: other, at: at(110)),
            .roomSilent(session: session, room: room, at: at(150), reason: .closed),
            .signOfLife(session: session, at: at(300)),
        ])
        #expect(try spans() == "100-150 110-" && notes() == "150closed")
        _ = try await writer.append([.roomLive(session: session, room: room, at: at(400))])
        #expect(try spans() == "100-150 110- 400-")
        try await writer.close()
    }

    @Test func `a repeated message with another text gets one more version`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        func snapshot(_ body: String?, receivedAt offset: Int64) -> ChatEvent {
            .message(
                IncomingMessage(
                    session: session, room: room, kind: .message, sender: UserReference(key: "7", name: "민수"),
                    body: body, remoteID: "c1", sourceTime: at(10), receivedAt: at(offset)), .snapshot)
        }
        let id = at(10).microseconds
        #expect(try await writer.append([snapshot("하나", receivedAt: 100)]) == [.new(id)])
        #expect(try await writer.append([snapshot("하나", receivedAt: 200)]) == [.known(id)])
        let versions = [snapshot("둘", receivedAt: 300), snapshot("하나", receivedAt: 400)]
        #expect(try await writer.append(versions) == [.version(id), .version(id)], "it was taken back")
        try await writer.close()
        guard case .found(let detail) = try fixture.archive.reading().message(MessageID(microseconds: id)) else {
            throw TestFailure()
        }
        #expect(detail.versions.map(\.body) == ["하나", "둘", "하나"])
        #expect(detail.versions.map(\.at) == [at(10), at(300), at(400)])
        #expect(try fixture.archive.reading().page(fixture.query()).messages.count == 1)
    }
}
