import Archive
import ChatModel
import TestSupport
import Testing

@testable import Reading
@testable import Writing

@Suite struct PageTests {
    @Test(.disabled(if: QuickCheck.isRunning), arguments: [1, 2, 7, 1000])
    func `pages in both directions have every message once, in order, with a thousand equal times`(
        limit: Int
    ) async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        var random = SeededGenerator(seed: UInt64(limit))
        var time: Int64 = 0
        var events: [ChatEvent] = []
        let count = limit == 1 ? 300 : 1300
        for number in 0..<count {
            // A run of equal times in the middle, and a random walk around it.
            if !(100..<1100).contains(number) { time += Int64.random(in: 0...3, using: &random) }
            events.append(.said("\(number)", at: time, in: session, kind: number % 3 == 0 ? .join : .message))
        }
        for start in stride(from: 0, to: events.count, by: 97) {
            _ = try await writer.append(Array(events[start..<min(start + 97, events.count)]))
        }
        let base = try fixture.query()
        let expected = (0..<count).map { "\($0)" }
        let oldToNew = try await fixture.walk(.oldest, limit: limit, query: base)
        #expect(oldToNew.bodies == expected)
        #expect(try await fixture.walk(.latest, limit: limit, query: base) == oldToNew)
        let spoken = try fixture.query(hidesNoise: true)
        let quiet = oldToNew.filter { !$0.kind.isNoise }
        #expect(try await fixture.walk(.oldest, limit: limit, query: spoken) == quiet)
        #expect(try await fixture.walk(.latest, limit: limit, query: spoken) == quiet)
        let account = try fixture.query(room: nil, hidesNoise: true)
        #expect(try await fixture.walk(.latest, limit: limit, query: account) == quiet)
        try await writer.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [2, 3, 5], [1, 2, 5, 11])
    func `pages over accounts with equal ids repeat and miss nothing`(
        accounts: Int, limit: Int
    ) async throws {
        let fixture = try ArchiveFixture()
        let names = (0..<accounts).map { "account\($0)" }
        for name in names {
            let writer = try await fixture.openWriter(name)
            let session = try await writer.openSession()
            let events = (0..<40).map { number -> ChatEvent in
                .said("\(name) \(number)", at: Int64(number / 3) * 10, in: session)
            }
            _ = try await writer.append(events)
            try await writer.close()
        }
        let base = try fixture.query(room: nil, accounts: names)
        let forward = try await fixture.walk(.oldest, limit: limit, query: base)
        #expect(forward.count == 40 * accounts)
        #expect(Set(forward.bodies).count == 40 * accounts)
        #expect(forward == forward.sorted { ($0.id, $0.account) < ($1.id, $1.account) })
        #expect(try await fixture.walk(.latest, limit: limit, query: base) == forward)
        let page = try fixture.archive.reading().page(
            try fixture.query(.oldest, limit: limit, room: nil, accounts: names))
        #expect(page.messages.count <= limit + accounts - 1)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [1, 2, 3, 7, 40])
    func `pages over accounts list the gaps in their own time span, and no others`(limit: Int) async throws {
        let fixture = try ArchiveFixture()
        let names = ["a", "b", "c", "d"]
        var random = SeededGenerator(seed: UInt64(limit))
        func at(_ offset: Int64) -> Timestamp { ArchiveFixture.day.advanced(byMicroseconds: offset) }
        for name in names {
            let writer = try await fixture.openWriter(name)
            var start: Int64 = 0
            for round in 0..<5 {
                let session = try await writer.openSession(at: at(start))
                // So that there are gaps before the first message, too.
                let count = round == 0 ? 0 : Int64.random(in: 0...6, using: &random)
                _ = try await writer.append(
                    (0..<count).map { .said("\(name) \($0)", at: start + 1 + $0, in: session) }
                        + [.sessionEnded(session: session, at: at(start + 20), reason: .lost, detail: nil)])
                start += Int64.random(in: 25...60, using: &random)
            }
            try await writer.close()
        }
        let base = try fixture.query(room: nil, accounts: names)
        let ids = try await fixture.walk(.oldest, limit: 1000, query: base).map(\.id)
        let gaps = try fixture.archive.reading().gaps(scope: base.scope)
        let reading = try fixture.archive.reading(base.scope)
        let anchors = stride(from: Int64(-5), to: 300, by: 2).map { MessageID(at($0)) }.flatMap { id in
            [.before(id), .after(id), .around(id)] as [MessageQuery.Anchor]
        }
        for anchor in anchors + [.latest, .oldest] {
            let page = try reading.page(base.with(anchor: anchor, limit: limit))
            let (first, last) = (page.messages.first?.id, page.messages.last?.id)
            var lower = ids.last { $0 < first ?? $0 }
            var upper = ids.first { $0 > last ?? $0 }
            if case .after(let id) = anchor { lower = id }
            if case .before(let id) = anchor { upper = id }
            let expected = gaps.filter { gap in
                guard let to = gap.to, let lower else { return upper.map { gap.from < $0.time } ?? true }
                return to > lower.time && upper.map { gap.from < $0.time } ?? true
            }
            #expect(page.gaps == expected, "\(anchor)")
        }
    }

    @Test func `paging repeats and misses nothing while rows are appended and inserted`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let original = (0..<200).map { ChatEvent.said("old \($0)", at: Int64($0) * 100, in: session) }
        _ = try await writer.append(original)
        var anchor: MessageQuery.Anchor = .oldest
        var seen: [Message] = []
        var number = 0
        while true {
            let page = try fixture.archive.reading().page(try fixture.query(anchor, limit: 7))
            seen += page.messages
            guard let newer = page.newer else { break }
            anchor = .after(newer)
            if number < 20 {
                let middle = ChatEvent.said("late \(number)", at: Int64(number) * 1000 + 1, in: session)
                let end = ChatEvent.said("new \(number)", at: 30_000 + Int64(number), in: session)
                _ = try await writer.append([middle, end])
                number += 1
            }
        }
        #expect(seen.map(\.id) == Array(Set(seen.map(\.id))).sorted())
        #expect(seen.bodies.filter { $0.hasPrefix("old") } == (0..<200).map { "old \($0)" })
        #expect(seen.bodies.filter { $0.hasPrefix("new") } == (0..<20).map { "new \($0)" })
        try await writer.close()
    }

    @Test func `a page around a message is full at the first row, the last row and in between`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append((0..<21).map { .said("\($0)", at: Int64($0) * 10, in: session) })
        func around(_ offset: Int64, _ limit: Int) async throws -> Page {
            let id = MessageID(ArchiveFixture.day.advanced(byMicroseconds: offset))
            return try fixture.archive.reading().page(try fixture.query(.around(id), limit: limit))
        }
        #expect(try await around(0, 5).bodies == ["0", "1", "2", "3", "4"])
        #expect(try await around(0, 5).older == nil)
        #expect(try await around(200, 5).bodies == ["16", "17", "18", "19", "20"])
        #expect(try await around(200, 5).newer == nil)
        #expect(try await around(100, 5).bodies == ["8", "9", "10", "11", "12"])
        #expect(try await around(105, 4).bodies == ["9", "10", "11", "12"])
        #expect(try await around(100, 1).bodies == ["10"])
        #expect(try await around(-500, 3).bodies == ["0", "1", "2"])
        #expect(try await around(9999, 3).bodies == ["18", "19", "20"])
        let middle = try await around(100, 5)
        #expect(middle.older == middle.messages.first?.id)
        #expect(middle.newer == middle.messages.last?.id)
        #expect(try await around(100, 50).bodies.count == 21)
        try await writer.close()
    }

    @Test func `between excludes both ends and starts at the first instant`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append((0..<10).map { .said("\($0)", at: Int64($0) * 10, in: session) })
        func between(_ start: Int64, _ end: Int64, _ limit: Int) async throws -> Page {
            let ids = [start, end].map { MessageID(ArchiveFixture.day.advanced(byMicroseconds: $0)) }
            return try await fixture.archive.reading().page(try fixture.query(.between(ids[0], ids[1]), limit: limit))
        }
        #expect(try await between(20, 60, 50).bodies == ["3", "4", "5"])
        #expect(try await between(19, 61, 2).bodies == ["2", "3"])
        #expect(try await between(19, 61, 2).newer?.microseconds == ArchiveFixture.day.microseconds + 30)
        #expect(try await between(61, 19, 2).bodies == ["5", "6"])
        #expect(try await between(61, 19, 2).older?.microseconds == ArchiveFixture.day.microseconds + 50)
        #expect(try await between(20, 20, 2).bodies == [])
        try await writer.close()
    }

    @Test func `a cursor works after its row is removed, and its id is never reused`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let outcomes = try await writer.append((0..<5).map { .said("\($0)", at: Int64($0), in: session) })
        guard case .new(let gone) = outcomes[2] else { throw TestFailure() }
        try await writer.close()
        try fixture.execute("DELETE FROM message WHERE id = \(gone)")
        let reopened = try await fixture.openWriter()
        let cursor = MessageID(microseconds: gone)
        #expect(try fixture.archive.reading().page(try fixture.query(.before(cursor))).bodies == ["0", "1"])
        #expect(try fixture.archive.reading().page(try fixture.query(.after(cursor))).bodies == ["3", "4"])
        #expect(try fixture.archive.reading().rooms().first?.messages == 4)
        _ = try await reopened.append([.said("again", at: 2, in: session)])
        #expect(
            try fixture.archive.reading().page(try fixture.query()).messages.last?.id.microseconds == gone + 3)
        try await reopened.close()
    }

    @Test func `an empty page before or after all messages says where messages begin`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("only", at: 100, in: session)])
        let early = MessageID(ArchiveFixture.day)
        let late = MessageID(ArchiveFixture.day.advanced(by: .seconds(1)))
        let before = try fixture.archive.reading().page(try fixture.query(.before(early)))
        #expect(before.messages.isEmpty && before.older == nil)
        let newer = try #require(before.newer)
        #expect(try fixture.archive.reading().page(try fixture.query(.after(newer))).bodies == ["only"])
        let after = try fixture.archive.reading().page(try fixture.query(.after(late)))
        #expect(after.messages.isEmpty && after.newer == nil)
        let older = try #require(after.older)
        #expect(try fixture.archive.reading().page(try fixture.query(.before(older))).bodies == ["only"])
        try await writer.close()
    }
}
