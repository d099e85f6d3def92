import ChatModel
import Foundation
import Migrations
import SQLite
import Testing

@testable import Archive

/// Files as schema 19 had them: a row for each message, whose facts could contradict those of another row.
@Suite struct AttachmentUpgradeTests {
    private let fixture: ArchiveFixture
    private static let hash = String(repeating: "a", count: 64)

    init() throws {
        fixture = try ArchiveFixture()
    }

    /// Makes an account's file of schema 19 with four messages and these rows: id, message, path, hash, bytes, state,
    /// attempts, time of the last try, time of the next, error, asked, limit, and the bytes and the tag of a part.
    private func migrate(_ rows: String) async throws {
        let folder = fixture.archive.folder + "/accounts/demo-000000"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: folder + "/1.sqlite")
        try queue.sync { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            try db.execute(sql: Migrations.all.prefix(19).map(\.sql).joined())
            try db.execute(
                sql: """
                    PRAGMA application_id = \(Migrations.applicationID); PRAGMA user_version = 19;
                    INSERT INTO account VALUES (1, 'demo', 'slp', 'e', 1);
                    INSERT INTO room (id, key, kind) VALUES (1, '', 'server');
                    INSERT INTO room_name VALUES (1, 1, NULL, 'lobby');
                    INSERT INTO message (id, room_id, kind) VALUES (1, 1, 0), (2, 1, 0), (3, 1, 0), (4, 1, 0);
                    INSERT INTO change (what, subject_id) SELECT 0, id FROM message;
                    INSERT INTO attachment (id, message_id, path, sha256, bytes, state, attempts, tried_at_us, next_try_us,
                      error, asked, limit_bytes, part_bytes, part_tag) VALUES
                    """ + rows.replacing("HASH", with: "'\(Self.hash)'"))
        }
        try queue.close()
        _ = try await fixture.archive.reading().rooms()
    }

    private func rows(_ sql: String) throws -> [String] {
        let queue = try DatabaseQueue(path: try fixture.file())
        defer { try? queue.close() }
        return try queue.read { db in
            try db.all(sql: sql) { row in
                row.values.map(\.description).joined(separator: " ")
            }
        }
    }

    private func problems() async throws -> [String] {
        try await fixture.archive.check().flatMap(\.problems).map(\.check).filter {
            $0 == "attachments" || $0 == "references"
        }
    }

    @Test func `rows keep their ids, and what rows of one path and of one hash have in common is there once`()
        async throws
    {
        try await migrate(
            """
            (3, 1, '/a', HASH, 5, 1, 2, 70, NULL, NULL, 0, NULL, NULL, NULL),
            (5, 2, '/a', HASH, 5, 1, 2, 70, NULL, NULL, 0, NULL, NULL, NULL),
            (6, 2, '/b', HASH, 5, 1, 1, 80, NULL, NULL, 0, NULL, NULL, NULL),
            (9, 3, '/c', NULL, NULL, 0, 3, 90, 95, 'no', 1, NULL, 2, 't');
            """)
        #expect(
            try rows("SELECT id, message_id, file_id, bytes FROM attachment") == [
                "3 1 3 NULL", "5 2 3 NULL", "6 2 6 NULL", "9 3 9 NULL",
            ])
        #expect(try rows("SELECT * FROM content") == [Self.hash + " 5"])
        #expect(
            try rows("SELECT id, path, sha256 IS NOT NULL, state, attempts, tried_at_us FROM file") == [
                "3 /a 1 1 2 70", "6 /b 1 1 1 80", "9 /c 0 0 3 90",
            ])
        #expect(
            try rows("SELECT next_try_us, error, asked, part_bytes, part_tag FROM file WHERE id = 9") == ["95 no 1 2 t"]
        )
        #expect(try await problems().isEmpty)
    }

    @Test func `of two sizes of one hash the more frequent one is right, and the other stays with its message`()
        async throws
    {
        try await migrate(
            """
            (1, 1, '/a', HASH, 6, 1, 1, 70, NULL, NULL, 0, NULL, NULL, NULL),
            (2, 2, '/a', HASH, 5, 1, 1, 70, NULL, NULL, 0, NULL, NULL, NULL),
            (3, 3, '/b', HASH, 5, 1, 1, 70, NULL, NULL, 0, NULL, NULL, NULL),
            (4, 4, '/b', HASH, NULL, 1, 1, 70, NULL, NULL, 0, NULL, NULL, NULL);
            """)
        #expect(try rows("SELECT bytes FROM content") == ["5"])
        #expect(try rows("SELECT id, bytes FROM attachment") == ["1 6", "2 NULL", "3 NULL", "4 NULL"])
        #expect(try rows("SELECT bytes FROM files") == ["5", "5", "5", "5"])
        #expect(try await problems().isEmpty)
    }

    @Test(arguments: [
        // The last try decides.
        (
            "3, 1, 70, NULL, 'gone', 0, NULL, 2, 't'", "0, 2, 60, 99, 'no', 0, NULL, NULL, NULL",
            "3 2 70 NULL gone 0 2 t"
        ),
        (
            "2, 1, 70, NULL, 'big', 0, 5, NULL, NULL", "3, 1, 80, NULL, 'gone', 0, NULL, NULL, NULL",
            "3 1 80 NULL gone 0 NULL NULL"
        ),
        // What came after the last try is due at once.
        (
            "3, 1, 70, NULL, 'gone', 0, NULL, NULL, NULL", "0, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL",
            "0 1 70 70 gone 0 NULL NULL"
        ),
        (
            "4, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL", "0, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL",
            "0 0 NULL NULL NULL 0 NULL NULL"
        ),
        // Somebody waits for it.
        (
            "2, 1, 70, NULL, 'big', 0, 5, NULL, NULL", "0, 1, 60, NULL, 'no', 1, NULL, NULL, NULL",
            "0 1 70 NULL big 1 NULL NULL"
        ),
        // A part with two tags can't be told.
        ("0, 1, 70, 90, 'no', 0, NULL, 3, 't'", "0, 1, 60, 80, 'no', 0, NULL, 4, 'u'", "0 1 70 90 no 0 NULL NULL"),
        // A stored file without a hash is not here.
        (
            "1, 1, 70, NULL, NULL, 0, NULL, NULL, NULL", "1, 1, 70, NULL, NULL, 0, NULL, NULL, NULL",
            "0 1 70 NULL NULL 0 NULL NULL"
        ),
    ])
    func `two states of one path are one by the last try, and wanted where one of them was`(
        first: String, second: String, file: String
    ) async throws {
        for (one, other) in [(first, second), (second, first)] {
            let fixture = try Self()
            try await fixture.migrate("(1, 1, '/a', NULL, 7, \(one)), (2, 2, '/a', NULL, 8, \(other));")
            #expect(
                try fixture.rows(
                    "SELECT state, attempts, tried_at_us, next_try_us, error, asked, part_bytes, part_tag FROM file")
                    == [file])
            #expect(
                try fixture.rows("SELECT ifnull(a.bytes, f.bytes) FROM attachment AS a JOIN file AS f") == ["7", "8"])
            #expect(try await fixture.problems().isEmpty)
        }
    }

    @Test func `contents that imports found under one name stay apart, beside what is not here`() async throws {
        try await migrate(
            """
            (1, 1, 'IMG.jpg', HASH, 5, 1, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL),
            (2, 2, 'IMG.jpg', 'bb', 6, 1, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL),
            (3, 3, 'IMG.jpg', NULL, 7, 4, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL),
            (4, 4, 'IMG.jpg', NULL, 8, 4, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL);
            """)
        #expect(try rows("SELECT id, file_id FROM attachment") == ["1 1", "2 2", "3 3", "4 3"])
        #expect(try rows("SELECT state, bytes FROM files") == ["here 5", "here 6", "elsewhere 7", "elsewhere 8"])
        #expect(try await problems().isEmpty)
    }

    @Test(arguments: ["message_id = 99", "state = 7", "path = NULL", "bytes = 'x'"])
    func `rows that no program wrote leave the whole file as it was`(damage: String) async throws {
        await #expect(throws: ArchiveError.self) {
            try await migrate(
                """
                (1, 1, '/a', NULL, 5, 0, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL);
                PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = replace(replace(sql, 'path        TEXT NOT NULL', 'path TEXT'), 'STRICT', '')
                  WHERE name = 'attachment';
                PRAGMA writable_schema = RESET;
                UPDATE attachment SET \(damage);
                """)
        }
        #expect(try rows("PRAGMA user_version") == ["19"])
        #expect(try rows("SELECT count(*) FROM attachment") == ["1"])
    }
}
