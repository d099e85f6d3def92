import ChatModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Accounts
@testable import Archive
@testable import Checks
@testable import Files
@testable import Moves
@testable import Reading
@testable import Rescue
@testable import Schema
@testable import Writing

/// Files of the last schema before the first migration, which are taken over.
@Suite struct UpgradeTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    /// Returns the problems of an archive but the files that nothing has stored.
    private func problems(in archive: Archive) async throws -> [AccountCheck.Problem] {
        try archive.check().flatMap(\.problems).filter { !$0.detail.contains("/attachments/") }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: UInt64(1)...4)
    func `a file of the last schema is taken over with every row, and has the statements of a new file`(
        seed: UInt64
    ) async throws {
        let rows = try await fixture.fillLastSchema(seed: seed)
        _ = try await fixture.allMessages()
        #expect(try fixture.value("PRAGMA user_version") == Schema.account.current)
        #expect(try fixture.lastSchemaRows() == rows)
        try await fixture.openWriter("new").close()
        #expect(try fixture.statements() == fixture.statements(of: "new"))
        #expect(try fixture.value("PRAGMA integrity_check") == "ok")
        #expect(try fixture.value("SELECT name FROM sqlite_schema ORDER BY rowid DESC LIMIT 1") == "message_raw")
        #expect(try await problems(in: fixture.archive) == [])
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: ArchiveFixture.after(RescueFixture.later))
        _ = try await writer.append([.said("after", at: RescueFixture.later + 1, in: session)])
        try await writer.close()
        #expect(try await problems(in: fixture.archive) == [])
    }

    @Test func `a connection that is open meanwhile reads on, and sees the new statements`() async throws {
        let rows = try await fixture.fillLastSchema()
        let queue = try DatabaseQueue(path: try fixture.file())
        let count = { (db: Database) in try Int.fetchOne(db, sql: "SELECT count(*) FROM messages") }
        let text = { (db: Database) in
            try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'account'")
        }
        let before = try (queue.read(count), queue.read(text))
        _ = try await fixture.allMessages()
        let after = try (queue.read(count), queue.read(text))
        #expect(after.0 == before.0 && after.1 != before.1)
        try queue.close()
        #expect(try fixture.lastSchemaRows() == rows)
    }

    @Test func `a cold account of the last schema is read from an upgraded copy, and is expanded whole`()
        async throws
    {
        let rows = try await fixture.fillLastSchema()
        _ = try fixture.archive.evict(account: "demo", level: 1)
        let folder = try fixture.file().parentFolder
        let files = { try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("sqlite") } }
        let compressed = FileManager.default.contents(atPath: try fixture.file() + ".zst")
        let several = Archive(folder: fixture.archive.folder, cold: .several)
        #expect(try several.reading().rooms().map(\.account).contains("demo"))
        let copied = try await fixture.allMessages(in: Archive(folder: fixture.archive.folder, cold: .copies))
        #expect(try await fixture.allMessages(in: Archive(folder: fixture.archive.folder, keepsCopies: true)) == copied)
        #expect(try await fixture.problems() == [])
        #expect(try files() == ["1.sqlite.zst"])
        #expect(FileManager.default.contents(atPath: try fixture.file() + ".zst") == compressed)
        #expect(try await fixture.allMessages() == copied)
        #expect(try files().contains("2.sqlite"))
        #expect(try fixture.lastSchemaRows(generation: 2) == rows)
        #expect(try fixture.value("PRAGMA user_version", generation: 2) == Schema.account.current)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [false, true])
    func `a backup of an account of the last schema has every row, and so has what is restored from it`(
        isCold: Bool
    ) async throws {
        let rows = try await fixture.fillLastSchema()
        if isCold { _ = try fixture.archive.evict(account: "demo", level: 1) }
        let backup = fixture.folder.path + "/backup"
        try fixture.archive.backup(in: backup, isNew: true).add(account: "demo")
        let elsewhere = Archive(folder: fixture.folder.path + "/new/data")
        _ = try elsewhere.backup(in: backup).restore(account: "demo")
        let restored = ArchiveFixture(elsewhere, in: fixture)
        // A restored account has another epoch.
        let before = rows.filter { !$0.hasPrefix("account ") }
        #expect(try restored.lastSchemaRows().filter { !$0.hasPrefix("account ") } == before)
        #expect(try await fixture.allMessages(in: elsewhere) == fixture.allMessages())
        #expect(try restored.value("PRAGMA user_version") == Schema.account.current)
        #expect(try restored.lastSchemaRows().filter { !$0.hasPrefix("account ") } == before)
        #expect(try await problems(in: elsewhere) == [])
    }

    @Test func `an account of the last schema is exported as it would be from the present one`() async throws {
        let writer = try await fixture.openWriter()
        var random = RandomArchive(seed: 3)
        try await random.write(to: writer)
        try await writer.close()
        try LastSchema.restore(try fixture.file())
        let expected = try await fixture.export()
        try LastSchema.restore(try fixture.file())
        #expect(try await fixture.export() == expected)
        #expect(!expected.isEmpty)
    }

    @Test func `a catalog of the last schema is taken over with every row`() async throws {
        try await fixture.fillLastSchema()
        _ = try fixture.archive.evict(account: "demo", level: 1)
        let path = fixture.archive.folder + "/catalog.sqlite"
        let row = """
            SELECT directory || name || network || generation || used || cold_sha256 || cold_bytes || seq FROM account
            """
        let before = try SQLiteFixture(path).texts(row)
        try LastSchema.restore(path, kind: "catalog")
        #expect(try SQLiteFixture(path).texts("PRAGMA user_version") == ["\(Schema.catalog.last)"])
        let archive = Archive(folder: fixture.archive.folder, cold: .copies)
        #expect(try archive.reading().accounts().map(\.name) == ["demo"])
        #expect(try SQLiteFixture(path).texts("PRAGMA user_version") == ["\(Schema.catalog.current)"])
        #expect(try SQLiteFixture(path).texts(row) == before && before.count == 1)
        let new = try DatabaseQueue()
        let sql = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name"
        let expected = try new.sync { db in
            try Schema.catalog.migrate(db, path: ":memory:", isNew: true)
            return try String.fetchAll(db, sql: sql)
        }
        #expect(try SQLiteFixture(path).texts(sql) == expected)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [false, true])
    func `a damaged file of the last schema is rescued, also without its first page`(isHeadless: Bool) async throws {
        try await fixture.fillLastSchema()
        let file = try fixture.file()
        let before = try await fixture.allMessages()
        try LastSchema.restore(file)
        let handle = try #require(FileHandle(forWritingAtPath: file))
        if isHeadless { try handle.write(contentsOf: Data(count: 4096)) }
        try handle.close()
        let target = Archive(folder: fixture.folder.path + "/rescued")
        _ = try target.rescue(file, as: AccountIdentity(name: "demo", network: "streamchat"))
        #expect(try await fixture.allMessages(in: target).map(\.body) == before.map(\.body))
        #expect(try await problems(in: target) == [])
    }

    @Test func `several readers at once get a file of the last schema taken over`() async throws {
        let rows = try await fixture.fillLastSchema()
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { _ = try await fixture.allMessages(in: Archive(folder: fixture.archive.folder)) }
            }
            try await group.waitForAll()
        }
        #expect(try fixture.lastSchemaRows() == rows)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a file of the last schema that its program still writes is left to it, by name`() async throws {
        try await fixture.fillLastSchema()
        var writer = try FileLock(path: try fixture.file().parentFolder + "/writer", mode: .exclusive)
        writer?.sign()
        let error = await #expect(throws: ArchiveError.self) { try await fixture.allMessages() }
        #expect(error?.code == .schemaTooOld && error?.hint == nil)
        #expect(error?.detail.contains("has schema \(Schema.account.last)") == true)
        #expect(error?.detail.contains("process \(getpid())") == true)
        #expect(try fixture.value("PRAGMA user_version") == Schema.account.last)
        writer = nil
        _ = try await fixture.allMessages()
    }

    @Test func `a file of the last schema with another table of that name is left as it was`() async throws {
        try await fixture.fillLastSchema()
        try fixture.vacuum(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(replace(sql, 'offset ', 'place '), ', offset)', ', place)')
            WHERE name = 'chunk';
            PRAGMA writable_schema = RESET;
            """)
        let before = try fixture.statements()
        let error = await #expect(throws: ArchiveError.self) { try await fixture.allMessages() }
        #expect(error?.code == .corrupt && error?.detail.contains("table chunk is not Scrollback's") == true)
        #expect(try fixture.value("PRAGMA user_version") == Schema.account.last)
        #expect(try fixture.statements() == before)
    }

    // MARK: Earlier files

    @Test func `an earlier file is refused with what to do, and is left as it is`() async throws {
        try await fixture.fillLastSchema()
        let last = Schema.account.last
        // A file with all tables would be rescued in spite of its number.
        try fixture.execute("DROP TABLE bridge; PRAGMA user_version = \(last - 1)")
        let file = try fixture.file()
        let before = FileManager.default.contents(atPath: file)
        for attempt in [
            { try await fixture.openWriter().close() },
            { _ = try await fixture.allMessages() },
            { _ = try Archive(folder: fixture.folder.path + "/rescued").rescue(file) },
        ] as [() async throws -> Void] {
            let error = await #expect(throws: ArchiveError.self) { try await attempt() }
            #expect(error?.code == .schemaTooOld && error?.hint == Schema.advice)
            let words = "has schema \(last - 1), but this scrollback upgrades only schema \(last) and later"
            #expect(error?.detail.contains(words) == true)
        }
        #expect(try await fixture.problems().map(\.advice) == [Schema.advice])
        #expect(FileManager.default.contents(atPath: file) == before)
    }

    @Test func `an earlier catalog is refused with what to do`() async throws {
        try await fixture.fillLastSchema()
        try SQLiteFixture(fixture.archive.folder + "/catalog.sqlite").execute("PRAGMA user_version = 3")
        let error = await #expect(throws: ArchiveError.self) {
            try await fixture.allMessages(in: Archive(folder: fixture.archive.folder))
        }
        #expect(error?.code == .schemaTooOld && error?.hint == Schema.advice)
    }
}
