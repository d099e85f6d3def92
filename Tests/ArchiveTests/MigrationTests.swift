import ChatModel
import Foundation
import Migrations
import SQLite
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Files
@testable import Schema
@testable import Writing

/// New files, and files that a second migration upgrades.
@Suite struct MigrationTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    @Test func `a new account's file is the one that the migrations make, with the account`() async throws {
        try await fixture.openWriter("demo").close()
        let created = try DatabaseQueue(path: try fixture.file())
        let migrated = try DatabaseQueue(path: fixture.archive.folder + "/migrated.sqlite")
        try migrated.sync { db in
            try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL")
            try Schema.account.migrate(db, path: "migrated.sqlite", isNew: true)
        }
        let settings = [
            "user_version", "application_id", "journal_mode", "page_size", "page_count", "encoding", "auto_vacuum",
            "freelist_count", "integrity_check",
        ].map { "PRAGMA \($0)" }
        let tables = try migrated.read { db in
            try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name <> 'account'")
        }
        let rows = tables.map { "SELECT * FROM \"\($0)\"" }
        for sql in settings + ["SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema"] + rows {
            let new = try created.read { try $0.allRows(sql: sql) { $0.values } }
            let old = try migrated.read { try $0.allRows(sql: sql) { $0.values } }
            #expect(new == old, "\(sql)")
        }
        #expect(tables.count > 20)
    }

    @Test func `the index of a new file needs no rebuild`() async throws {
        try await fixture.openWriter().close()
        #expect(try fixture.value("SELECT analyser FROM search_index") == Analyser.version)
    }

    private static func schema(with second: String) -> Schema {
        let steps = Schema.account.steps + [Migration(name: "0002_second", sql: second)]
        return Schema(
            title: Schema.account.title, applicationID: Schema.account.applicationID, last: Schema.account.last,
            steps: steps, views: Schema.account.views)
    }

    private static let second = schema(
        with: """
            ALTER TABLE hold ADD COLUMN set_by TEXT;
            CREATE TABLE mood (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
            INSERT INTO mood (name) SELECT DISTINCT body FROM message WHERE body IS NOT NULL;
            CREATE VIEW moods AS SELECT name FROM mood;
            """)

    private func migrate(to schema: Schema) throws {
        let queue = try DatabaseQueue(path: try fixture.file())
        try queue.sync { db in try schema.migrate(db, path: "1.sqlite") }
        try queue.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [true, false])
    func `a second migration upgrades a file in one transaction, also one of the last schema`(isLast: Bool) async throws
    {
        let rows = try await fixture.fillLastSchema()
        if !isLast { _ = try await fixture.allMessages() }
        try migrate(to: Self.second)
        #expect(try fixture.value("PRAGMA user_version") == Schema.account.current + 1)
        #expect(try fixture.value("SELECT count(*) > 0 FROM moods") == true)
        #expect(try fixture.lastSchemaRows() == rows)
        #expect(try fixture.value("SELECT name FROM sqlite_schema ORDER BY rowid DESC LIMIT 1") == "message_raw")
        #expect(try fixture.value("PRAGMA integrity_check") == "ok")
        let before = try fixture.statements()
        try migrate(to: Self.second)
        #expect(try fixture.statements() == before, "it runs once")
        let error = await #expect(throws: ArchiveError.self) { try await fixture.allMessages() }
        #expect(error?.code == .schemaTooNew)
    }

    @Test func `a new file has all migrations, and one that is filled between them has the same tables`() async throws {
        try await fixture.fillLastSchema()
        try migrate(to: Self.second)
        let upgraded = try fixture.statements()
        for first in [Self.second.current, Self.second.first] {
            let queue = try DatabaseQueue()
            let statements = try queue.sync { db in
                try Self.second.migrate(db, path: ":memory:", isNew: true, to: first)
                try Self.second.migrate(db, path: ":memory:")
                return try ArchiveFixture.statements(db)
            }
            #expect(statements == upgraded)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [true, false])
    func `a migration that fails on a value leaves the file as it was`(isLast: Bool) async throws {
        let rows = try await fixture.fillLastSchema()
        if !isLast { _ = try await fixture.allMessages() }
        let (version, before): (Int?, _) = try (fixture.value("PRAGMA user_version"), fixture.statements())
        let bad = Self.schema(with: "CREATE TABLE mood (id INTEGER); UPDATE message SET kind = 99;")
        let error = #expect(throws: ArchiveError.self) { try migrate(to: bad) }
        #expect(error?.code == .corrupt)
        #expect(error?.detail.contains("migration 0002_second of its schema \(version ?? 0) failed") == true)
        #expect(try fixture.value("PRAGMA user_version") == version)
        #expect(try fixture.statements() == before)
        #expect(try fixture.lastSchemaRows() == rows)
    }
}
