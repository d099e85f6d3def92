import ChatModel
import Foundation
import SQLite
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Files
@testable import Reading
@testable import Records
@testable import Schema
@testable import Writing

/// Damaged indices, and disks that refuse a batch.
extension SearchIndexTests {
    /// Says something now, and imports what was said at all times; one event that the store refuses among it.
    func disturb(
        _ writer: AccountWriter, _ session: SessionID, _ late: inout Int64, span: Int64
    ) async throws {
        let imported = (Int64(0)..<20).map { step in
            let time = ArchiveFixture.day.advanced(byMicroseconds: span / 20 * step + late)
            return ImportedLine.message(
                ImportedMessage(
                    room: "lobby", kind: .message, sender: "carol", body: "late \(late) \(step) 서버", time: time,
                    resolution: .microsecond, place: nil, remoteID: nil, receivedAt: nil))
        }
        #expect(try await writer.importLines(imported, at: ArchiveFixture.day.advanced(by: .seconds(86_400))).new == 20)
        late += 1
        let outcomes = try await writer.append([
            .said("word now \(late)", at: span + late * 10, in: session),
            .said("word refused", at: span + late * 10, in: session),
            .said("word after", at: span + late * 10, in: session),
        ])
        #expect(outcomes.count == 3)
    }

    /// Faults of the tables in which FTS5 keeps an index.
    private static let damages: [String] = {
        let tables = ["data", "idx", "config"]
        var random = SeededGenerator(seed: 7)
        let garbage = (0..<8).map { _ in
            "x'" + (0..<60).map { _ in String(format: "%02x", UInt8.random(in: 0...255, using: &random)) }.joined()
                + "'"
        }
        let blocks = ["x'0000'", "NULL", "zeroblob(length(block))"] + garbage
        let renamed = "PRAGMA ignore_check_constraints = ON; UPDATE search_index SET name = 'text'"
        return ["DROP TABLE message_search", "DELETE FROM search_index", renamed]
            + tables.flatMap { ["DROP TABLE message_search_\($0)", "DELETE FROM message_search_\($0)"] }
            + ["id = 10", "id > 10"].flatMap { rows in
                ["DELETE FROM message_search_data WHERE \(rows)"]
                    + blocks.map { "UPDATE message_search_data SET block = \($0) WHERE \(rows)" }
            } + [
                "UPDATE message_search_idx SET pgno = pgno + 4",
                "UPDATE message_search_config SET v = 99", "UPDATE message_search_config SET v = x'00'",
            ]
    }()

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a batch that a full disk refused is in both indexes once, and filling continues`()
        async throws
    {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let count = Int64(SearchFilling.batch) * 2
        _ = try await writer.append((0..<count).map { .said("word \($0)", at: $0, in: session) })
        #expect(try await writer.indexStep(rebuild: true).from != nil)
        // SQLITE_FULL, until the writer opens another connection.
        try await writer.read { db in
            try db.execute(sql: "PRAGMA max_page_count = \(Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0)")
        }
        await #expect(throws: ArchiveError.self) { try await writer.indexStep() }
        #expect(writer.indexTrouble?.contains("the disk is full") == true)
        let text = String(repeating: "long ", count: 200)
        _ = try await writer.append((0..<100).map { .said("서버 \($0) \(text)", at: count + $0, in: session) })
        while try await writer.indexStep().from != nil {}
        #expect(writer.indexTrouble == nil)
        #expect(try await found("서버", limit: 200).messages.count == 100)
        #expect(try fixture.archive.check().flatMap(\.problems) == [])
        try await expectWhole(writer)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: damages, [false, true])
    func `a damaged index blocks no message, is found by check, and is rebuilt`(
        damage: String, isWritten: Bool
    ) async throws {
        var writer = try await fixture.openWriter()
        let session = try await fill(writer)
        if !isWritten { try await writer.close() }
        try fixture.execute(damage)
        let told = try fixture.archive.check().flatMap(\.problems)
        #expect(!told.isEmpty && told.allSatisfy { $0.advice.contains("reindex --rebuild") }, "\(told)")
        try await expectAdvice()
        if !isWritten { writer = try await fixture.openWriter() }
        for number in 0..<3 {
            _ = try await writer.append([.said("서버 \(number)", at: 5000 + Int64(number), in: session)])
        }
        #expect(try fixture.value("SELECT count(*) FROM message WHERE id >= 1795219200005000") == 3)
        try await expectAdvice()
        var isAnew = true
        while try await writer.indexStep(rebuild: isAnew).from != nil { isAnew = false }
        #expect(try await found("서버").messages.count == 5)
        #expect(try fixture.archive.check().flatMap(\.problems) == [])
        try await expectWhole(writer)
    }

    /// A search finds something or nothing, or says what is damaged.
    private func expectAdvice() async throws {
        do {
            _ = try await found("서버")
            _ = try fixture.archive.reading().counts.hits(
                scope: .accounts(["demo"]), matching: SearchScope(query: query("서버")), by: .room)
        } catch let error as ArchiveError {
            #expect(error.code == .searchIndex, "\(error)")
        }
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            "DROP TABLE message_search", "DROP TABLE message_search_data", "DROP TABLE message_search_config",
            "DELETE FROM message_search_data", "DELETE FROM message_search_config", "DELETE FROM search_index",
            "UPDATE message_search_data SET block = NULL WHERE id = 10",
            "PRAGMA ignore_check_constraints = ON; UPDATE search_index SET name = 'text'",
        ])
    func `filling rebuilds an index that turns out damaged`(damage: String) async throws {
        let writer = try await fixture.openWriter()
        let session = try await fill(writer)
        try await writer.close()
        try fixture.execute("UPDATE search_index SET from_us = (SELECT max(id) FROM message); " + damage)
        let again = try await fixture.openWriter()
        while try await again.indexStep().from != nil {}
        _ = try await again.append([.said("서버 1", at: 5000, in: session)])
        #expect(try await found("서버").messages.count == 3)
        try await expectWhole(again)
    }

    /// SQLite's own check of the index, and that it has what one made of the rows has, token by token.
    func expectWhole(_ writer: AccountWriter) async throws {
        try await writer.close()
        let queue = try DatabaseQueue(path: try fixture.file())
        defer { try? queue.close() }
        try queue.sync { db in
            try db.execute(sql: "INSERT INTO message_search (message_search) VALUES ('integrity-check')")
            try db.execute(
                sql: """
                    CREATE VIRTUAL TABLE fresh USING fts5(text, chars, facets, content = '', tokenize = 'unicode61');
                    CREATE VIRTUAL TABLE temp.there USING fts5vocab(main, message_search, instance);
                    CREATE VIRTUAL TABLE temp.due USING fts5vocab(main, fresh, instance);
                    """)
            let entries = try db.all(sql: "SELECT \(SearchEntry.columns) FROM message WHERE noise = 0 ORDER BY id") {
                try SearchEntry($0)
            }
            var index = SearchIndex()
            try index.insert(entries, rows: entries.map { try SearchRows.row(of: $0.id, db) }, into: "fresh", db)
            let difference = try db.all(
                sql: """
                    SELECT * FROM (SELECT 'too much', * FROM temp.there EXCEPT SELECT 'too much', * FROM temp.due)
                    UNION ALL SELECT * FROM (SELECT 'missing', * FROM temp.due EXCEPT SELECT 'missing', * FROM temp.there)
                    LIMIT 5
                    """
            ) { $0.values }
            #expect(difference.isEmpty)
        }
    }
}
