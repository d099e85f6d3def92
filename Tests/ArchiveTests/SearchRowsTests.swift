import ChatModel
import Foundation
import SQLite
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Records
@testable import Schema
@testable import Writing

/// The numbers of messages in the search index.
@Suite(.disabled(if: QuickCheck.isRunning))
struct SearchRowsTests: SearchSuite {
    let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private static let second: Int64 = 1_000_000
    /// From the beginning of 1970 to that of ``ArchiveFixture/day``.
    private static let day = ArchiveFixture.day.microseconds

    /// Times alone in their slot and many in one, at its ends, before 1970 and after the last slot, in no order.
    private static func times(_ random: inout SeededGenerator) -> [Int64] {
        let slot: Int64 = 1 << 18
        let edges: [Int64] = [
            -slot, -1, 0, 1, slot - 1, slot, 3 * slot - 1, 3 * slot, 1 << 36, (1 << 36) + slot, (1 << 54) - 1, 1 << 54,
        ]
        let alone = (0..<40).map { _ in Self.day + Int64.random(in: 0..<30 * 86_400, using: &random) * second }
        let close = (0..<40).map { _ in Self.day + Int64.random(in: 0..<2 * second, using: &random) }
        return Set(edges + alone + close).sorted().shuffled(using: &random)
    }

    private static func body(_ time: Int64) -> String {
        "all" + (time % 3 == 0 ? " third" : "") + (time / 7 % 2 == 0 ? " 서버가 half" : "")
    }

    private func write(_ times: [Int64], _ random: inout SeededGenerator) async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        var rest = times[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Int.random(in: 1...9, using: &random))
            rest = rest.dropFirst(batch.count)
            _ = try await writer.append(
                batch.map { time in
                    .said(
                        Self.body(time), id: "m\(time)", at: time - Self.day, receivedAt: time - Self.day,
                        by: time % 2 == 0 ? "alice" : "bob", in: session)
                })
        }
        try await writer.close()
    }

    /// Compares pages in both directions, counts and relevant hits with the messages themselves.
    private func expectHits(_ comment: Comment) async throws {
        let all = try fixture.archive.reading().page(fixture.query(.oldest, limit: 1000, room: nil)).messages
        let ends: [MessageID?] = [nil, all[all.count / 3].id, all[all.count / 2].id]
        for (text, isHit) in [
            ("all", { _ in true }), ("third", { $0.contains("third") }), ("서버", { $0.contains("half") }),
            ("hal*", { $0.contains("half") }), ("-third", { !$0.contains("third") }), ("missing", { _ in false }),
        ] as [(String, (String) -> Bool)] {
            for after in ends {
                for before in ends.reversed() {
                    let scope = try await scope(text, after: after, before: before)
                    let expected = all.filter { message in
                        isHit(message.body ?? "") && after.map { message.id > $0 } ?? true
                            && before.map { message.id < $0 } ?? true
                    }
                    for limit in [3, 1000] {
                        let pages: [(MessageQuery.Anchor, [Message])] = [
                            (.oldest, Array(expected.prefix(limit))), (.latest, expected.suffix(limit)),
                        ]
                        for (anchor, page) in pages {
                            let found = try fixture.archive.reading().page(
                                fixture.query(anchor, limit: limit, room: nil), matching: scope)
                            #expect(found.messages.map(\.id) == page.map(\.id), "\(comment): \(text)")
                        }
                    }
                    let reading = fixture.archive.reading()
                    let accounts = MessageQuery.Scope.accounts(["demo"])
                    #expect(
                        try reading.counts.hits(scope: accounts, matching: scope, by: .all).map(\.count)
                            == [Int64(expected.count)])
                    let hours = try await reading.counts.hits(scope: accounts, matching: scope, by: .time(.hour, .gmt))
                    #expect(hours.reduce(0) { $0 + $1.count } == Int64(expected.count))
                }
            }
        }
    }

    @Test(arguments: 0..<3 as Range<UInt64>)
    func `messages of all times are found, even many in one moment`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let times = Self.times(&random)
        try await write(times, &random)
        try await expectHits("as written")
        let stored = try await numbers("SELECT id FROM message WHERE noise = 0 ORDER BY id")
        #expect(try await viewed() == stored)
        #expect(Set(stored) == Set(times))
        let rows = try await numbers("SELECT rowid FROM message_search ORDER BY 1")
        #expect(try await numbers("SELECT number FROM message_search_text ORDER BY 1") == rows)
        #expect(rows.count { (0..<1 << 36).contains($0) } > 40 && rows.contains { $0 < 0 })
        #expect(try await problems() == [])
    }

    @Test(arguments: 0..<3 as Range<UInt64>)
    func `messages in order are found, even beside earlier ones of a moment and before late ones`(
        seed: UInt64
    ) async throws {
        var random = SeededGenerator(seed: seed)
        var (times, last): ([Int64], Int64) = ([], Self.day)
        for number in 0..<200 {
            last += Int64.random(in: 1...150_000, using: &random)
            times.append(number % 50 == 49 ? last - Int64.random(in: 150_001...600_000, using: &random) : last)
        }
        try await write(times, &random)
        try await expectHits("in order")
        let rows = try await numbers("SELECT rowid FROM message_search ORDER BY 1")
        #expect(try await numbers("SELECT number FROM message_search_text ORDER BY 1") == rows)
        #expect(try fixture.value("SELECT count(*) FROM search_slot") ?? 0 > 10)
        #expect(try await problems() == [])
    }

    @Test(arguments: 0..<3 as Range<UInt64>)
    func `messages that reuse the numbers of removed ones are found`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let times = Self.times(&random)
        try await write(times, &random)
        let removed = Set(times.shuffled(using: &random).prefix(60))
        try await change { db in
            var removal = MessageRemoval()
            try removal.remove(try messages(db).filter { removed.contains($0.id) }, db)
        }
        try await expectHits("removed")
        #expect(try await viewed() == times.filter { !removed.contains($0) }.sorted())
        try await write(removed.sorted().shuffled(using: &random).filter { $0 % 2 == 0 }, &random)
        try await expectHits("others")
        #expect(try await problems() == [])
        try await change { db in
            var removal = MessageRemoval()
            try removal.remove(try messages(db), db)
        }
        #expect(try fixture.value("SELECT count(*) FROM search_slot") == 0)
    }

    @Test(arguments: 0..<3 as Range<UInt64>)
    func `an index of an earlier version is searched and extended until another replaces it`(seed: UInt64) async throws
    {
        var random = SeededGenerator(seed: seed)
        let times = Self.times(&random)
        try await write(Array(times.prefix(50)), &random)
        try await change { db in
            try db.execute(
                sql: """
                    INSERT INTO message_search (message_search) VALUES ('delete-all'); DELETE FROM search_slot;
                    UPDATE search_index SET analyser = 2;
                    """)
            let entries = try messages(db).map(\.searchEntry)
            var index = SearchIndex()
            try index.insert(entries, rows: entries.map(\.id), into: SearchIndex.name, db)
        }
        try await expectHits("earlier")
        try await write(Array(times.dropFirst(50)), &random)
        try await expectHits("added")
        #expect(try await problems() == [])
        let writer = try await fixture.openWriter()
        while try await writer.indexStep().from != nil {}
        try await writer.close()
        try await expectHits("rebuilt")
        #expect(try fixture.value("SELECT analyser FROM search_index") == Analyser.version)
        #expect(try await problems() == [])
    }

    /// Words of FTS5, with the bounds and the limit of ``SearchHits/ids(order:_:)``.
    private static let hit: StatementArguments = [Int64.min, Int64.max, "text : first", 20]

    @Test(arguments: [
        nil, "SELECT id FROM hits WHERE words MATCH ?3 AND id > ?1 AND id < ?2 ORDER BY id DESC LIMIT ?4",
    ])
    func `a hit is read without the other messages of its moment`(view: String?) async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        // The beginning of a slot.
        let moment = (Self.day >> 18 + 1) << 18 - Self.day
        _ = try await writer.append((0..<3000).map { .said($0 == 0 ? "first" : "more", at: moment + $0, in: session) })
        try await writer.close()
        #expect(try fixture.value("SELECT count(*) FROM search_slot") == 1)
        try await change { db in
            let sql = try view ?? SearchHits.ids(order: "DESC", ReadTransaction(db)).file
            let counter = StepCounter()
            counter.count(of: db)
            #expect(try Int64.fetchAll(db, sql: sql, arguments: Self.hit) == [Self.day + moment])
            #expect(counter.steps < 2000)
        }
    }

    /// The ids that other programs find.
    private func viewed() async throws -> [Int64] {
        try await numbers("SELECT id FROM hits WHERE words MATCH 'text : all' ORDER BY id")
    }

    private func problems() async throws -> [String] {
        try fixture.archive.check().flatMap(\.problems).filter { $0.check.hasPrefix("search") }.map(\.detail)
    }

    private func numbers(_ sql: String) async throws -> [Int64] {
        let queue = try DatabaseQueue(path: try fixture.file())
        defer { try? queue.close() }
        return try queue.read { db in try Int64.fetchAll(db, sql: sql) }
    }

    private func messages(_ db: Database) throws -> [StoredMessage] {
        try StoredMessage.all(after: .min, limit: .max, db).filter { !$0.kind.isNoise }
    }

    private func change(_ body: @escaping @Sendable (Database) throws -> Void) async throws {
        let queue = try DatabaseQueue(path: try fixture.file())
        defer { try? queue.close() }
        try queue.write(body)
    }
}
