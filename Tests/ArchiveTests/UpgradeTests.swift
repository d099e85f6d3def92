import ChatModel
import Foundation
import Migrations
import SQLite
import SearchText
import TestSupport
import Testing

@testable import Archive

/// Archives as earlier programs left them.
@Suite struct UpgradeTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    /// Makes an account's file as the program with that schema did.
    private func makeArchive(schema: Int) throws -> String {
        let folder = fixture.archive.folder + "/accounts/demo-000000"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: folder + "/1.sqlite")
        try queue.sync { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            let steps = Migrations.all.prefix(schema).map(\.sql)
            try db.execute(sql: EarlierSchema.sql(steps, applicationID: Migrations.applicationID))
        }
        try queue.close()
        return folder
    }

    /// The columns that `attachment` had before schema 20.
    private static let attachment = """
        (SELECT attachment.id, message_id, path, file.sha256, content.bytes, attempts, next_try_us, error, state, asked,
            tried_at_us, limit_bytes, part_bytes, part_tag
          FROM attachment JOIN file ON file.id = file_id LEFT JOIN content ON content.sha256 = file.sha256)
        """

    /// Every row of the tables that a schema had, its columns of then.
    private func contents(tables: [String: [String]], isMigrated: Bool = false) throws -> [String: Set<[DatabaseValue]>]
    {
        let queue = try DatabaseQueue(path: try fixture.file(), isReadOnly: true)
        defer { try? queue.close() }
        return try queue.read { db in
            try tables.reduce(into: [:]) { found, table in
                // Reactions mark their messages.
                let columns = table.value.map { $0 == "flags" ? "flags & ~\(MessageFlags.reacted.rawValue)" : $0 }
                let isJoined = table.key == "attachment" && table.value.contains("path")
                let rows = try db.all(
                    sql: "SELECT \(columns.joined(separator: ", ")) FROM "
                        + (isJoined && isMigrated ? Self.attachment : "\"\(table.key)\"")
                ) { $0.values }
                found[table.key] = Set(rows)
            }
        }
    }

    private func tables() throws -> [String: [String]] {
        let queue = try DatabaseQueue(path: try fixture.file())
        defer { try? queue.close() }
        return try queue.read { db in
            try db.all(
                sql: """
                    SELECT s.name, c.name FROM sqlite_schema AS s, pragma_table_xinfo(s.name) AS c
                    WHERE s.type = 'table' AND rootpage > 0
                    """
            ) { try (table: $0.text(0), column: $0.text(1)) }
            .reduce(into: [:]) { $0[$1.table, default: []].append($1.column) }
        }
    }

    @Test func `the name that an import gave to its owner becomes the first of the own names`() async throws {
        let folder = try makeArchive(schema: 32)
        let queue = try DatabaseQueue(path: folder + "/1.sqlite")
        try queue.write { db in try db.execute(sql: "UPDATE account SET network = 'log'") }
        try queue.close()
        #expect(try await fixture.archive.ownNames(in: "demo", from: .command) == ["me"])
        #expect(try fixture.value("SELECT group_concat(self_by) FROM user") == "0,0,2")
        let writer = try await fixture.archive.openWriter(AccountIdentity(name: "demo", network: "log"))
        try await writer.setOwnNames([], from: .command)
        try await writer.close()
        #expect(try fixture.value("SELECT is_self FROM user WHERE id = 3") == 1, "an export said so")
    }

    @Test func `a room of an earlier archive can become a group, and nothing unknown`() async throws {
        let folder = try makeArchive(schema: 36)
        _ = try await fixture.archive.reading().page(fixture.query())
        let queue = try DatabaseQueue(path: folder + "/1.sqlite")
        try queue.write { db in
            try db.execute(sql: "UPDATE room SET kind = 'group'")
            #expect(throws: DatabaseError.self) { try db.execute(sql: "UPDATE room SET kind = 'party'") }
        }
        try queue.close()
        #expect(try await fixture.archive.reading().rooms().map(\.kind) == [.group])
    }

    @Test func `a new account's file is the one that the migrations make, with the account`() async throws {
        try await fixture.openWriter("demo").close()
        let created = try DatabaseQueue(path: try fixture.file())
        let migrated = try DatabaseQueue(path: fixture.archive.folder + "/migrated.sqlite")
        try migrated.sync { db in
            try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL")
            try Schema.migrate(db, path: "migrated.sqlite", isNew: true)
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
            let new = try created.read { try $0.all(sql: sql) { $0.values } }
            let old = try migrated.read { try $0.all(sql: sql) { $0.values } }
            #expect(new == old, "\(sql)")
        }
        #expect(tables.count > 20)
    }

    @Test(arguments: 1...Migrations.all.count)
    func `an archive of an earlier schema is rescued, also without its first page`(schema: Int) async throws {
        let file = try makeArchive(schema: schema) + "/1.sqlite"
        for (folder, isHeadless) in [("rescued", false), ("headless", true)] {
            if isHeadless {
                let handle = try #require(FileHandle(forWritingAtPath: file))
                try handle.write(contentsOf: Data(count: 4096))
                try handle.close()
            }
            let target = Archive(folder: fixture.folder.path + "/" + folder)
            _ = try await target.rescue(file, as: AccountIdentity(name: "demo", network: "streamchat"))
            let page = try await target.reading().page(fixture.query())
            #expect(page.bodies == ["hi", "안녕"], "\(folder)")
            // These files never had the whole journal, nor the file's bytes.
            let problems = try await target.check().flatMap(\.problems)
                .filter { !["journal_ends", "files"].contains($0.check) }
            #expect(problems == [], "\(folder)")
        }
    }

    @Test(arguments: 1...Migrations.all.count)
    func `an archive of an earlier schema is read with every row that it had`(schema: Int) async throws {
        _ = try makeArchive(schema: schema)
        let tables = try tables()
        let before = try contents(tables: tables)
        #expect(before.filter { $0.value.isEmpty && schema == 1 }.isEmpty, "a row in every table")
        let page = try await fixture.archive.reading().page(fixture.query())
        #expect(page.bodies == ["hi", "안녕"])
        #expect(try fixture.value("PRAGMA user_version") == Migrations.all.count)
        let after = try contents(tables: tables, isMigrated: true)
        for (table, rows) in before {
            // An index whose messages have files is made anew.
            if table == "search_index", schema == 5 { continue }
            #expect(
                ["change", "membership", "file"].contains(table)
                    ? after[table]?.isSuperset(of: rows) == true : after[table] == rows, "\(table)")
        }
        let told = "SELECT subject_id FROM change WHERE what = 2"
        #expect(try fixture.value("SELECT count(*) FROM user WHERE id NOT IN (\(told))") == 0)
        #expect(try fixture.value("SELECT count(*) FROM room WHERE -id NOT IN (\(told))") == 0)
    }

    @Test(arguments: [1, 2], [true, false])
    func `an earlier archive is indexed from its last message down, an empty one has nothing to index`(
        schema: Int, isEmpty: Bool
    ) async throws {
        _ = try makeArchive(schema: schema)
        if isEmpty { try fixture.execute("DELETE FROM message") }
        _ = try await fixture.archive.reading().rooms()
        #expect(try fixture.value("SELECT from_us FROM search_index") == (isEmpty ? Int64.min : 61))
        #expect(try await fixture.archive.reading().unindexed(.accounts(["demo"])).count == (isEmpty ? 0 : 1))
        let hello = SearchScope(query: SearchQuery(parsing: "안녕"))
        #expect(try await fixture.archive.reading().page(fixture.query(room: nil), matching: hello).bodies.isEmpty)
        let writer = try await fixture.openWriter()
        #expect(try await writer.indexStep().added == (isEmpty ? 0 : 2))
        try await writer.close()
        #expect(
            try await fixture.archive.reading().page(fixture.query(room: nil), matching: hello).bodies
                == (isEmpty ? [] : ["안녕"]))
        #expect(try await fixture.archive.check().flatMap(\.problems).filter { $0.check.hasPrefix("search") }.isEmpty)
    }

    @Test(arguments: 1...8)
    func `the feed of an earlier archive takes edits, and its file is sound`(schema: Int) async throws {
        _ = try makeArchive(schema: schema)
        let writer = try await fixture.openWriter()
        while try await writer.indexStep().from != nil {}
        let message = IncomingMessage(
            session: SessionID(rawValue: 1), room: ArchiveFixture.lobby, kind: .message,
            sender: UserReference(key: "alice", name: "alice"), body: "hi!", remoteID: "1:0",
            receivedAt: Timestamp(microseconds: 85))
        #expect(try await writer.append([.message(message, .edit)]) == [.version(50)])
        try await writer.close()
        #expect(try fixture.value("SELECT what || ' ' || subject_id FROM change ORDER BY seq DESC LIMIT 1") == "3 50")
        #expect(try fixture.value("PRAGMA integrity_check") == "ok")
        #expect(
            try fixture.value("SELECT sql LIKE '%BETWEEN 0 AND 14%' FROM sqlite_schema WHERE name = 'change'") == true)
        #expect(throws: DatabaseError.self) {
            try fixture.execute("INSERT INTO change (what, subject_id) VALUES (15, 1)")
        }
    }

    @Test func `a reaction of an earlier archive is found once the index is made again, and a note says so before`()
        async throws
    {
        _ = try makeArchive(schema: 32)
        let reacted = SearchScope(query: SearchQuery(parsing: "has:reaction"))
        let reading = fixture.archive.reading()
        #expect(try await reading.page(fixture.query(room: nil), matching: reacted).bodies == [])
        #expect(reacted.needsMarks)
        #expect(try await reading.withoutMarks(.accounts(["demo"])) == ["demo"])
        let writer = try await fixture.openWriter()
        while try await writer.indexStep().from != nil {}
        try await writer.close()
        let again = fixture.archive.reading()
        #expect(try await again.page(fixture.query(room: nil), matching: reacted).bodies == ["hi"])
        #expect(try await again.withoutMarks(.accounts(["demo"])) == [])
        #expect(try await fixture.archive.check().flatMap(\.problems).filter { $0.check == "reactions" } == [])
    }

    @Test(arguments: [true, false])
    func `an index without anything new to find is not made again`(isReply: Bool) async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("hi", at: 1, in: session, remoteID: "m1")])
        try await writer.close()
        if isReply { try fixture.execute("UPDATE message SET reply_to = 'm0'") }
        let queue = try DatabaseQueue(path: try fixture.file())
        try queue.write { db in
            try db.execute(sql: "UPDATE search_index SET analyser = 3")
            let marks = try #require(Migrations.all.first { $0.name.hasSuffix("_marks") })
            try db.execute(sql: marks.sql)
            #expect(try Int.fetchOne(db, sql: "SELECT analyser FROM search_index") == (isReply ? 3 : 4))
        }
        try queue.close()
    }

    @Test func `whoever spoke in an earlier archive is a member afterwards`() async throws {
        _ = try makeArchive(schema: 1)
        _ = try await fixture.archive.reading().rooms()
        #expect(
            try fixture.value("SELECT group_concat(user_id || ':' || ifnull(joined_at_us, '?')) FROM membership")
                == "1:10,2:?")
    }

    @Test func `several readers at once get an earlier archive upgraded`() async throws {
        _ = try makeArchive(schema: 1)
        try await withThrowingTaskGroup(of: Page.self) { group in
            for _ in 0..<8 {
                group.addTask { [fixture] in
                    try await Archive(folder: fixture.archive.folder).reading().page(fixture.query())
                }
            }
            for try await page in group { #expect(page.bodies == ["hi", "안녕"]) }
        }
    }

    @Test(arguments: [32, 36])
    func `an account that an earlier program compressed is read from an upgraded copy, and stays compressed`(
        schema: Int
    ) async throws {
        let folder = try makeArchive(schema: schema)
        // As its program compressed it: the file keeps its schema.
        _ = try await fixture.archive.evict(account: "demo", level: 1)
        let before = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("sqlite") }
        #expect(before == ["1.sqlite.zst"])
        let several = Archive(folder: fixture.archive.folder, cold: .several)
        #expect(try await several.reading().rooms().map(\.account) == ["demo"])
        let copies = Archive(folder: fixture.archive.folder, cold: .copies)
        #expect(try await copies.reading().page(fixture.query()).bodies == ["hi", "안녕"])
        let server = Archive(folder: fixture.archive.folder, keepsCopies: true)
        #expect(try await server.reading().page(fixture.query()).bodies == ["hi", "안녕"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("sqlite") } == before)
    }

    @Test func `an earlier archive that its program still writes is left to it, by name`() async throws {
        let folder = try makeArchive(schema: 1)
        var writer = try FileLock(path: folder + "/writer", mode: .exclusive)
        writer?.sign()
        let error = await #expect(throws: ArchiveError.self) {
            try await fixture.archive.reading().page(fixture.query())
        }
        #expect(error?.code == .schemaTooOld)
        #expect(error?.detail.contains("has schema 1") == true)
        #expect(error?.detail.contains("process \(getpid())") == true)
        #expect(try fixture.value("PRAGMA user_version") == 1)
        writer = nil
        #expect(try await fixture.archive.reading().page(fixture.query()).bodies == ["hi", "안녕"])
    }
}
