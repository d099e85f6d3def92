import SQLite
import TestSupport
import Testing

@testable import Records
@testable import Schema

/// The rows of kept counts: their bytes, and where one ends.
@Suite struct CountRowTests {
    /// Counts of several quarters of an hour, in order.
    private static func entries(seed: UInt64, quarters: Int, people: Int64) -> [CountEntry] {
        var random = SeededGenerator(seed: seed)
        var quarter: Int64 = 1_994_688
        var entries: [CountEntry] = []
        for _ in 0..<quarters {
            quarter += Int64.random(in: 1...3, using: &random) * (Bool.random(using: &random) ? 1 : 400)
            let count = Int.random(in: 1...9, using: &random)
            let keys = Set((0..<count).map { _ in Int64.random(in: 0..<people, using: &random) })
            for key in keys.sorted() {
                let count: Int64 = [1, 1, 2, 3, 4, 5, 200, 1 << 20].randomElement(using: &random) ?? 1
                entries.append(CountEntry(quarter: quarter, key: CountKey(rawValue: key), count: count))
            }
        }
        return entries
    }

    private static func read(_ bytes: [UInt8], from first: Int64) -> [CountEntry]? {
        var row = CountRow()
        return bytes.withUnsafeBytes { row.read($0, from: first) } ? row.entries : nil
    }

    @Test(arguments: [1, 2, 60, 300], [Int64(1), 5, 4000, 1 << 60])
    func `a row has what was packed`(quarters: Int, people: Int64) throws {
        for seed in UInt64(0)..<20 {
            let entries = Self.entries(seed: seed, quarters: quarters, people: people)
            let first = try #require(entries.first).quarter
            #expect(Self.read(CountRow.pack(entries[...]), from: first) == entries)
        }
    }

    @Test func `each row of a split has its own counts, and together they have all`() throws {
        let entries = Self.entries(seed: 7, quarters: 3000, people: 300)
        let rows = CountRow.rows(of: entries)
        #expect(rows.count > 10 && rows.first?.lowerBound == 0 && rows.last?.upperBound == entries.count)
        #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        for row in rows {
            let part = entries[row]
            let (bytes, first) = (CountRow.pack(part), try #require(part.first).quarter)
            #expect(bytes.count < 4000 && Self.read(bytes, from: first) == Array(part))
        }
        let size = rows.reduce(0) { $0 + CountRow.pack(entries[$1]).count } / rows.count
        #expect((200...1500).contains(size), "\(size) bytes a row")
    }

    @Test func `no bytes are read as counts that are not packed so, and none trap`() throws {
        let entries = Self.entries(seed: 3, quarters: 12, people: 20)
        let first = try #require(entries.first).quarter
        let bytes = CountRow.pack(entries[...])
        for end in bytes.indices {
            #expect(Self.read(Array(bytes[..<end]), from: first) == nil)
        }
        for place in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[place] ^= 1 << bit
                if let found = Self.read(other, from: first) { #expect(found.allSatisfy { $0.count > 0 }) }
            }
        }
        let wrong: [[UInt8]] = [
            [], [0], [1], [1, 0], [1, 0, 0], [1, 0, 0, 1], [1, 0, 0, 1, 2], [1, 0, 0, 1, 2, 1], [1, 2, 0, 1, 2, 0],
            [1, 0, 0, 1, 2, 0, 0], [1, 1, 0, 0, 1, 2, 0, 0], [1, 1, 0, 0, 2, 2, 0, 0, 0],
            Array(repeating: 0xFF, count: 40),
        ]
        #expect(Self.read([1, 0, 0, 1, 2, 0], from: first)?.map(\.count) == [1])
        for bytes in wrong { #expect(Self.read(bytes, from: first) == nil, "\(bytes)") }
        #expect(Self.read(bytes, from: .max) == nil && Self.read(bytes, from: .min) == nil)
    }

    /// Runs changes on an empty file, in parts, and returns its rows.
    private static func rows(_ parts: [[CountChange]]) throws -> [[DatabaseValue]] {
        let queue = try DatabaseQueue()
        return try queue.sync { db in
            try Schema.account.migrate(db, path: ":memory:", isNew: true)
            for part in parts { try db.inTransaction { try MessageCounts.apply(part, db) } }
            return try db.allRows(sql: "SELECT id, counts, messages FROM message_count ORDER BY id") { $0.values }
        }
    }

    private static func change(_ entry: CountEntry, room: Int64, by count: Int64) -> CountChange? {
        CountChange(room: room, id: QuarterHour.start(of: entry.quarter) + 5, key: entry.key, by: count)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: UInt64(0)..<6)
    func `equal messages have equal rows, in whatever order they came and whatever went`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let entries = Self.entries(seed: seed, quarters: 700, people: 40)
        func changes(_ entries: [CountEntry], by sign: Int64 = 1) -> [CountChange] {
            entries.flatMap { entry in [1, 2].compactMap { Self.change(entry, room: $0, by: sign * entry.count) } }
        }
        let expected = try Self.rows([changes(entries)])
        #expect(expected.count > 5)
        func parts(_ changes: [CountChange], of size: Int) -> [[CountChange]] {
            stride(from: 0, to: changes.count, by: size).map { Array(changes[$0..<min($0 + size, changes.count)]) }
        }
        for size in [1, 7, 100] {
            #expect(try Self.rows(parts(changes(entries), of: size)) == expected)
            #expect(try Self.rows(parts(changes(entries).reversed(), of: size)) == expected)
            #expect(try Self.rows(parts(changes(entries).shuffled(using: &random), of: size)) == expected)
            let others = Self.entries(seed: seed + 100, quarters: 400, people: 40)
            let all =
                parts(changes(entries + others).shuffled(using: &random), of: size)
                + parts(changes(others, by: -1).shuffled(using: &random), of: size)
            #expect(try Self.rows(all) == expected)
        }
        #expect(try Self.rows([changes(entries), changes(entries, by: -1).shuffled(using: &random)]) == [])
    }

    @Test func `a count below 0 and a damaged row begin the counts again`() throws {
        let entries = Self.entries(seed: 1, quarters: 50, people: 9)
        let queue = try DatabaseQueue()
        try queue.sync { db in
            try Schema.account.migrate(db, path: ":memory:", isNew: true)
            let changes = entries.compactMap { Self.change($0, room: 1, by: $0.count) }
            try MessageCounts.apply(changes, db)
            let first = try #require(entries.first.flatMap { Self.change($0, room: 1, by: -$0.count - 1) })
            try MessageCounts.apply([first], db)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM message_count") == 0)
            try MessageCounts.apply(changes, db)
            try db.execute(sql: "UPDATE message_count SET counts = x'0001'")
            try MessageCounts.apply(changes, db)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM message_count") == 0)
        }
    }
}
