import ChatModel
import Foundation
import GRDB
import Migrations
import SearchText
import Testing

@testable import Archive

/// Archives as earlier programs left them.
@Suite struct UpgradeTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    /// A row in every table of a schema, as far as that schema has them.
    private static let rows: [Int: String] = [
        1: """
        INSERT INTO account VALUES (1, 'demo', 'streamchat', 'e', 1);
        INSERT INTO room VALUES (1, '', 'server', 2);
        INSERT INTO room_name VALUES (1, 10, 20, 'hall'), (1, 20, NULL, 'lobby');
        INSERT INTO user VALUES (1, 'alice', 0), (2, '민수', 0), (3, 'me', 1);
        INSERT INTO user_name VALUES (1, 10, NULL, 'alice'), (2, 10, NULL, '민수'), (3, 10, NULL, 'me');
        INSERT INTO membership VALUES (1, 1, 10, NULL);
        INSERT INTO session VALUES (1, 10, 90, 90, 'stopped', NULL, 30, 30);
        INSERT INTO message (id, room_id, kind, sender_id, session_id, flags, remote_id, body)
          VALUES (50, 1, 0, 1, 1, 0, '1:0', 'hi'), (60, 1, 0, 2, 1, 4, '1:10', '안녕');
        INSERT INTO id_run VALUES (70, 75);
        INSERT INTO chunk VALUES (1, 0, 50, x'616c6963653a3a6869');
        INSERT INTO coverage VALUES (1, 1, 10, 90, 1);
        INSERT INTO gap_note VALUES (1, 90, 'stopped', 2, NULL);
        INSERT INTO failure VALUES (1, 1, 1, NULL, x'ff', 'why', 80, 80, 1);
        INSERT INTO change VALUES (1, 0, 50), (2, 0, 60), (3, 1, 1);
        """,
        2: "INSERT INTO read_marker VALUES (1, 50, 1, 80); INSERT INTO late VALUES (1, 2, 60);",
        4: """
        INSERT INTO message_version VALUES (50, 50, 'h');
        UPDATE message SET edited_at_us = 55 WHERE id = 50;
        UPDATE message SET deleted_at_us = 65 WHERE id = 60;
        INSERT INTO change VALUES (4, 3, 50), (5, 4, 60);
        """,
        5: """
        INSERT INTO workspace VALUES (1, 'w');
        INSERT INTO workspace_name VALUES (1, 10, NULL, 'work');
        UPDATE room SET workspace_id = 1, partner_id = 2, left_at_us = 90, gone_at_us = 91;
        INSERT INTO user_picture VALUES (1, 10, NULL, '/a.png');
        INSERT INTO message_raw VALUES (50, 55, x'7b7d');
        INSERT INTO attachment VALUES (1, 60, '/f.pdf', 'ab', 3, 1, NULL, NULL);
        """,
        6: "UPDATE attachment SET asked = 1, tried_at_us = 70, limit_bytes = 5, part_bytes = 2, part_tag = 't';",
        7: """
        UPDATE gap_note SET unfilled = 'refused', detail = 'no';
        INSERT INTO room_trouble VALUES (1, 0, 'banned', NULL, 90, NULL);
        UPDATE message SET reply_to = '1:0' WHERE id = 60;
        INSERT INTO reaction VALUES (1, '1:0', 2, '👍', 70, NULL);
        INSERT INTO change VALUES (6, 5, 50);
        """,
        8: "UPDATE session SET clock_lead_us = 3; UPDATE room SET asked_back_to_us = 5;",
        9: """
        INSERT INTO retraction VALUES (1, '1:10', 1, 70, 'spam', 0);
        UPDATE reaction SET own_id = 'r';
        """,
        10: "INSERT INTO imported_span VALUES (1, 30, 40);",
        12: "UPDATE session SET ahead_us = 3, booted_at_us = 4, boot = 'b';",
    ]

    /// Makes an account's file as the program with that schema did.
    private func makeArchive(schema: Int) throws -> String {
        let folder = fixture.archive.folder + "/accounts/demo-000000"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: folder + "/1.sqlite")
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            for (index, migration) in Migrations.all.prefix(schema).enumerated() {
                try db.execute(sql: migration.sql)
                try db.execute(sql: Self.rows[index + 1, default: ""])
            }
            try db.execute(
                sql: "PRAGMA application_id = \(Migrations.applicationID); PRAGMA user_version = \(schema)")
        }
        try queue.close()
        return folder
    }

    /// Every row of the tables that a schema had, its columns of then.
    private func contents(tables: [String: [String]]) throws -> [String: Set<[DatabaseValue]>] {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: try fixture.file(), configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { db in
            try tables.reduce(into: [:]) { found, table in
                let rows = try Row.fetchAll(
                    db, sql: "SELECT \(table.value.joined(separator: ", ")) FROM \"\(table.key)\"")
                found[table.key] = Set(rows.map { Array($0.databaseValues) })
            }
        }
    }

    private func tables() throws -> [String: [String]] {
        let queue = try DatabaseQueue(path: try fixture.file())
        defer { try? queue.close() }
        return try queue.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT s.name, c.name FROM sqlite_schema AS s, pragma_table_xinfo(s.name) AS c
                    WHERE s.type = 'table' AND rootpage > 0
                    """
            ).reduce(into: [:]) { $0[try $1.value(0), default: []].append(try $1.value(1)) }
        }
    }

    @Test(arguments: 1...Migrations.all.count)
    func `an archive of an earlier schema is read with every row that it had`(schema: Int) async throws {
        _ = try makeArchive(schema: schema)
        let tables = try tables()
        let before = try contents(tables: tables)
        #expect(before.filter { $0.value.isEmpty && schema == 1 }.isEmpty, "a row in every table")
        let page = try await fixture.archive.page(fixture.query())
        #expect(page.bodies == ["hi", "안녕"])
        #expect(try fixture.value("PRAGMA user_version") == Migrations.all.count)
        let after = try contents(tables: tables)
        for (table, rows) in before {
            // An index whose messages have files is made anew.
            if table == "search_index", schema == 5 { continue }
            #expect(
                table == "membership" ? after[table]?.isSuperset(of: rows) == true : after[table] == rows, "\(table)")
        }
    }

    @Test(arguments: [1, 2], [true, false])
    func `an earlier archive is indexed from its last message down, an empty one has nothing to index`(
        schema: Int, isEmpty: Bool
    ) async throws {
        _ = try makeArchive(schema: schema)
        if isEmpty { try fixture.execute("DELETE FROM message") }
        _ = try await fixture.archive.rooms()
        #expect(try fixture.value("SELECT from_us FROM search_index") == (isEmpty ? Int64.min : 61))
        #expect(try await fixture.archive.reading(.accounts(["demo"])).unindexed().count == (isEmpty ? 0 : 1))
        let hello = SearchScope(query: SearchQuery(parsing: "안녕") { _ in false })
        #expect(try await fixture.archive.page(fixture.query(room: nil), matching: hello).bodies.isEmpty)
        let writer = try await fixture.openWriter()
        #expect(try await writer.indexStep().added == (isEmpty ? 0 : 2))
        try await writer.close()
        #expect(
            try await fixture.archive.page(fixture.query(room: nil), matching: hello).bodies
                == (isEmpty ? [] : ["안녕"]))
        #expect(try fixture.archive.check().flatMap(\.problems).filter { $0.check.hasPrefix("search") }.isEmpty)
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
        #expect(try await writer.append([.edited(message)]) == [.version(50)])
        try await writer.close()
        #expect(try fixture.value("SELECT what || ' ' || subject_id FROM change ORDER BY seq DESC LIMIT 1") == "3 50")
        #expect(try fixture.value("PRAGMA integrity_check") == "ok")
        #expect(
            try fixture.value("SELECT sql LIKE '%BETWEEN 0 AND 5%' FROM sqlite_schema WHERE name = 'change'") == true)
        #expect(throws: DatabaseError.self) {
            try fixture.execute("INSERT INTO change (what, subject_id) VALUES (6, 1)")
        }
    }

    @Test func `whoever spoke in an earlier archive is a member afterwards`() async throws {
        _ = try makeArchive(schema: 1)
        _ = try await fixture.archive.rooms()
        #expect(
            try fixture.value("SELECT group_concat(user_id || ':' || ifnull(joined_at_us, '?')) FROM membership")
                == "1:10,2:?")
    }

    @Test func `an earlier archive that its program still writes is left to it, by name`() async throws {
        let folder = try makeArchive(schema: 1)
        var writer = try FileLock(path: folder + "/writer", mode: .exclusive)
        writer?.sign()
        let error = await #expect(throws: ArchiveError.self) { try await fixture.archive.page(fixture.query()) }
        #expect(error?.code == .schemaTooOld)
        #expect(error?.detail.contains("has schema 1") == true)
        #expect(error?.detail.contains("process \(getpid())") == true)
        #expect(try fixture.value("PRAGMA user_version") == 1)
        writer = nil
        #expect(try await fixture.archive.page(fixture.query()).bodies == ["hi", "안녕"])
    }
}
