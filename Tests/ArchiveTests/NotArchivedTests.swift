import ChatModel
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Writing

/// The time between the end of an imported log and the beginning of listening.
@Suite struct NotArchivedTests {
    private let fixture: ArchiveFixture
    private static let room = RoomReference(key: "#a", name: "#a", kind: .channel)

    init() throws {
        fixture = try ArchiveFixture()
    }

    private let at = ArchiveFixture.at

    /// Imports a log, with a message at both ends.
    private func log(from: Timestamp, to: Timestamp) async throws {
        let messages = [from, to].map {
            ImportedMessage(
                room: "#a", kind: .message, sender: "alice", body: "in the log", time: $0, resolution: .microsecond)
        }
        let span = ImportedSpan(room: "#a", roomKey: nil, from: from, to: to)
        _ = try await fixture.store(fixture.source(messages) + [.imported(span)], into: ArchiveFixture.account)
    }

    private func log(_ from: Int, _ to: Int) async throws { try await log(from: at(from), to: at(to)) }

    /// Listens between two seconds.
    private func listen(_ from: Int, _ to: Int, _ events: (SessionID) -> [ChatEvent] = { _ in [] }) async throws {
        let writer = try await fixture.openWriter()
        guard case .new(let id)? = try await writer.append([.sessionOpened(at: at(from))]).first else {
            throw TestFailure()
        }
        let session = SessionID(rawValue: id)
        _ = try await writer.append(
            [.roomLive(session: session, room: Self.room, at: at(from))] + events(session)
                + [.sessionEnded(session: session, at: at(to), reason: .stopped, detail: nil)])
        try await writer.close()
    }

    private func shown(_ gap: Gap) -> String {
        func second(_ time: Timestamp?) -> String {
            time.map { String($0.since(ArchiveFixture.day).components.seconds) } ?? ""
        }
        return (["\(second(gap.from))-\(second(gap.to))"] + [gap.reason, gap.missing?.unfilled].compactMap(\.self))
            .joined(separator: " ")
    }

    /// The gaps of the state, as seconds of the day.
    private func listed(_ state: Gap.State = .notArchived) async throws -> [String] {
        try fixture.archive.reading().gaps(scope: .accounts(["demo"])).filter { $0.state == state }.map(shown)
    }

    @Test(arguments: [true, false])
    func `the time between a log and listening is listed, in either order`(isLogFirst: Bool) async throws {
        if isLogFirst { try await log(10, 20) }
        try await listen(100, 200)
        if !isLogFirst { try await log(10, 20) }
        #expect(try await listed() == ["20-100"])
        #expect(try await listed(.imported) == ["10-20"])
        #expect(try await listed(.current) == ["200- stopped"])
        let status = try #require(try fixture.archive.reading().status().first)
        #expect(status.openGaps == 1, "status counts outages alone")
    }

    @Test(
        arguments: [
            ([(10, 150)], [(100, 200)], []),
            ([(10, 20), (30, 40)], [(100, 200)], ["40-100"]),
            ([(300, 400)], [(100, 200)], []),
            ([(10, 20), (300, 400)], [(100, 200)], ["20-100"]),
            ([(10, 20), (250, 260)], [(100, 200), (300, 400)], ["20-100"]),
            ([(10, 20)], [], []),
            ([], [(100, 200)], []),
        ] as [([(Int, Int)], [(Int, Int)], [String])])
    func `only a log that ends before the first span is followed by unarchived time`(
        logs: [(Int, Int)], spans: [(Int, Int)], expected: [String]
    ) async throws {
        for (from, to) in spans { try await listen(from, to) }
        for (from, to) in logs { try await log(from, to) }
        #expect(try await listed() == expected)
    }

    @Test(arguments: [(0, 0), (-1, 0), (-2, 1)])
    func `a log that touches the first span leaves no unarchived time`(microseconds: Int64, count: Int) async throws {
        try await listen(100, 200)
        try await log(from: at(10), to: at(100).advanced(byMicroseconds: microseconds))
        #expect(try await listed().count == count)
    }

    @Test(
        arguments: [
            (50, nil, ["20-50"]), (50, 30, ["20-50"]), (50, 15, ["20-50 limit"]), (15, 15, []), (20, nil, []),
        ] as [(Int, Int?, [String])])
    func `network history fills the unarchived time, or says where it ends`(
        first: Int, fetchedBackTo: Int?, expected: [String]
    ) async throws {
        try await log(10, 20)
        try await listen(100, 200) { session in
            [.covered(session: session, room: Self.room, from: at(first), to: at(100))]
                + (fetchedBackTo.map { [.fetchedBack(Self.room, to: at($0))] } ?? [])
        }
        #expect(try await listed() == expected)
    }

    @Test func `unarchived time ends by this machine's clock if the clock was ahead`() async throws {
        try await log(10, 20)
        try await listen(100, 200)
        try fixture.execute("UPDATE session SET ahead_us = 30000000")
        let gaps = try fixture.archive.reading().gaps(scope: .accounts(["demo"]))
        let gap = try #require(gaps.first { $0.state == .notArchived })
        #expect(gap.to == at(100) && gap.shownTo == at(70) && gap.length(at: at(999)) == .seconds(50))
        try fixture.execute("UPDATE session SET ahead_us = 80000000")
        #expect(try await listed() == [])
    }

    @Test func `a page shows unarchived time that reaches into it`() async throws {
        try await log(10, 20)
        try await listen(100, 200) { session in
            [110, 120].map { .said("heard", at: $0 * 1_000_000, in: session, room: Self.room) }
        }
        func page(_ anchor: MessageQuery.Anchor, _ limit: Int) async throws -> [String] {
            let page = try fixture.archive.reading().page(try fixture.query(anchor, limit: limit))
            return page.gaps.filter { $0.state == .notArchived }.map(shown)
        }
        let (end, heard) = (MessageID(at(20)), MessageID(at(110)))
        #expect(try await page(.latest, 2) == ["20-100"], "between the page and the older messages")
        #expect(try await page(.latest, 1) == [])
        #expect(try await page(.before(heard), 5) == ["20-100"])
        #expect(try await page(.before(end), 5) == [])
        #expect(try await page(.after(heard), 5) == [])
        #expect(try await page(.oldest, 1) == [])
        #expect(try await page(.oldest, 2) == ["20-100"])
    }

    @Test func `a page of several rooms shows unarchived time that begins in it`() async throws {
        try await log(10, 20)
        try await listen(100, 200) { [.said("heard", at: 110_000_000, in: $0, room: Self.room)] }
        let others = [50, 60].map {
            ImportedMessage(
                room: "#b", kind: .message, sender: "bob", body: "elsewhere", time: at($0), resolution: .microsecond)
        }
        _ = try await fixture.store(fixture.source(others), into: ArchiveFixture.account)
        for (limit, expected) in [(2, []), (4, ["20-100"])] as [(Int, [String])] {
            let page = try fixture.archive.reading().page(try fixture.query(limit: limit, room: nil))
            #expect(page.gaps.filter { $0.state == .notArchived }.map(shown) == expected)
        }
    }

    @Test func `the first live message follows the unarchived time`() async throws {
        try await log(10, 20)
        try await listen(100, 200) { [.said("heard", at: 110_000_000, in: $0, room: Self.room)] }
        guard case .found(let heard) = try fixture.archive.reading().message(MessageID(at(110))),
            case .covered(let from, _, let before, _) = heard.coverage.place,
            case .found(let logged) = try fixture.archive.reading().message(MessageID(at(20)))
        else { throw TestFailure() }
        #expect(from == at(100) && before.map(shown) == "20-100" && before?.state == .notArchived)
        #expect(logged.coverage.place == .notArchived)
    }

    /// 60 rooms with random spans of logs and of coverage, compared instant by instant.
    @Test func `unarchived time spans from the last logged instant before the first span`()
        async throws
    {
        try await log(10, 20)
        try await listen(100, 200)
        var random = SeededGenerator(seed: 23)
        var rooms: [(logs: [ClosedRange<Int64>], spans: [ClosedRange<Int64>])] = []
        for room in 2..<62 {
            let (logs, spans) = (Self.ranges(&random), Self.ranges(&random))
            rooms.append((logs, spans))
            try fixture.execute(
                """
                INSERT INTO room (id, key, kind) VALUES (\(room), 'r\(room)', 'channel');
                INSERT INTO room_name (room_id, first_seen_us, name) VALUES (\(room), 0, 'r\(room)');
                """
                    + logs.map {
                        "INSERT INTO imported_span VALUES (\(room), \($0.lowerBound), \($0.upperBound));"
                    }.joined()
                    + spans.map {
                        """
                        INSERT INTO coverage (room_id, from_us, to_us, session_id)
                        VALUES (\(room), \($0.lowerBound), \($0.upperBound), 1);
                        """
                    }.joined())
        }
        let reader = try #require(try fixture.archive.reading().readers(of: .accounts(["demo"])).first)
        for (number, room) in rooms.enumerated() {
            for _ in 0..<20 {
                let lower = Int64.random(in: 0..<60, using: &random)
                let upper = Int64.random(in: lower + 1...61, using: &random)
                let gaps = try reader.gaps(rooms: [Int64(number) + 2], from: lower, to: upper)
                    .filter { $0.state == .notArchived }
                    .map { [$0.from.microseconds, $0.to?.microseconds] }
                let first = (0..<60).first { instant in room.spans.contains { $0.contains(instant) } }
                let last = first.flatMap { first in
                    (0..<first).last { instant in room.logs.contains { $0.contains(instant) } }
                }
                var expected: [[Int64?]] = []
                if let first, let last, last + 1 < first, last < upper, first > lower { expected = [[last, first]] }
                #expect(gaps == expected, "room \(number + 2), \(lower) to \(upper): \(room)")
            }
        }
    }

    /// Returns up to three ranges of the instants 0 to 59, with at least one instant between two.
    private static func ranges(_ random: inout SeededGenerator) -> [ClosedRange<Int64>] {
        var ranges: [ClosedRange<Int64>] = []
        var start = Int64.random(in: 0..<40, using: &random)
        for _ in 0..<Int.random(in: 0...3, using: &random) where start < 60 {
            let end = min(59, start + Int64.random(in: 0..<15, using: &random))
            ranges.append(start...end)
            start = end + 2 + Int64.random(in: 0..<10, using: &random)
        }
        return ranges
    }

    @Test func `a follower gets messages, but no unarchived time when a listener begins`() async throws {
        let now = Timestamp.now()
        try await log(from: now.advanced(by: .seconds(-2000)), to: now.advanced(by: .seconds(-1000)))
        var items = fixture.archive.reading().feeds.follow(try fixture.query(limit: 5)).makeAsyncIterator()
        guard case .history(let page, let gaps)? = try await items.next() else { throw TestFailure() }
        #expect(page.count == 2 && gaps == [])
        let writer = try await fixture.openWriter()
        guard case .new(let id)? = try await writer.append([.sessionOpened(at: now)]).first else { throw TestFailure() }
        let session = SessionID(rawValue: id)
        let offset = now.microseconds - ArchiveFixture.day.microseconds
        _ = try await writer.append([
            .roomLive(session: session, room: Self.room, at: now),
            .said("heard", at: offset + 1, in: session, room: Self.room),
        ])
        guard case .messages(let new)? = try await items.next() else { throw TestFailure() }
        #expect(new.bodies == ["heard"])
        try await writer.close()
    }
}
