import Archive
import ChatModel
import Foundation
import Moves
import SQLite
import TestSupport

/// A data folder whose tables all have rows, and copies of it in which one column says what no program wrote.
struct DamagedArchive {
    /// One value in one column: of the file of the account `damaged`, or of the catalog.
    struct Damage: Sendable, Hashable, CustomStringConvertible {
        var isOfCatalog: Bool
        var table: String
        var column: String
        /// As SQL.
        var value: String

        var description: String { "\(isOfCatalog ? "catalog " : "")\(table).\(column) = \(value)" }
    }

    private struct EmptyTables: Error {
        var names: [String]
    }

    /// A wrong type, NULL, the ends of the range, what is no text, what is long, and times out of every calendar.
    static let values = [
        "NULL", "'text'", "''", "x''", "x'FF00FE'", "CAST(x'C328FF' AS TEXT)", "1e308", "-1.5", "0", "-1", "7", "'7'",
        "9223372036854775807", "-9223372036854775808", "-9223372036854775807", "4611686018427387904",
        "288230376151711744", "-62135596800000001", "253402300800000000", "hex(zeroblob(100000))",
    ]

    static let accounts = ["cold", "damaged", "healthy", "sealed"]
    /// The account `sealed` counts as encrypted, and nobody here has its key.
    private static let encrypted = """
        INSERT INTO encrypted
          SELECT directory, cold_sha256, hex(zeroblob(32)), 'epoch', 0, 1 FROM account WHERE name = 'sealed';
        INSERT INTO file_key VALUES (1, zeroblob(32));
        """
    static let lobby = RoomReference(key: "", name: "lobby", kind: .server)

    let template: Program
    /// Every damage there is, in the order of the schema.
    let damages: [Damage]

    /// - Parameter isLast: True to give the damaged account's file the last schema before the first migration, and to damage
    ///   only that file.
    init(isLast: Bool = false) async throws {
        template = try Program()
        for account in Self.accounts {
            let said = (0..<12).map { StoredRoom.Said(name: ["alice", "bob"][$0 % 2], text: "word \($0) 서버") }
            try await StoredRoom.store(said, as: account, for: template)
        }
        let data = template.data
        let damaged = try Self.file(of: "damaged", in: data)
        try Self.change(damaged, Self.rest)
        try Self.change(
            data + "/catalog.sqlite",
            """
            INSERT INTO purged VALUES ('damaged', 1, zeroblob(16), 1);
            INSERT INTO applied_rule VALUES ('damaged', 1, 'max_age = "1d"', 1);
            INSERT INTO forgotten_key VALUES ('damaged', zeroblob(32), 1);
            INSERT INTO forgotten VALUES ('damaged', zeroblob(16));
            """)
        if isLast { try LastSchema.restore(damaged) }
        for account in ["cold", "sealed"] {
            _ = try Archive(folder: data).evict(account: account, level: 3, progress: { _ in })
        }
        try Self.change(data + "/catalog.sqlite", Self.encrypted)
        let file = try Self.columns(of: damaged, isCatalog: false)
        let catalog = isLast ? [] : try Self.columns(of: data + "/catalog.sqlite", isCatalog: true)
        damages = (file + catalog).flatMap { damage in
            Self.values.map {
                Damage(isOfCatalog: damage.isOfCatalog, table: damage.table, column: damage.column, value: $0)
            }
        }
    }

    /// Some of the damages, the same ones for the same seed; all of them in `make torture`.
    func some(_ count: Int, seed: UInt64) -> [Damage] {
        Torture.isWhole ? damages : sample(count, seed: seed)
    }

    /// Some of the damages, the same ones for the same seed.
    func sample(_ count: Int, seed: UInt64) -> [Damage] {
        var random = SeededGenerator(seed: seed)
        return Array(damages.shuffled(using: &random).prefix(count))
    }

    static func file(of account: String, in data: String) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: data + "/accounts")
        return data + "/accounts/" + (names.first { $0.hasPrefix(account + "-") } ?? account) + "/1.sqlite"
    }

    /// Does the damage.
    ///
    /// - Returns: false where SQLite can't be brought to it, as with a text for a number that is the row's own.
    static func damage(_ damage: Damage, in file: String) throws -> Bool {
        do {
            try change(
                file,
                """
                CREATE TEMP TABLE old AS SELECT name, sql FROM sqlite_schema WHERE name = '\(damage.table)';
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = replace(replace(replace(replace(sql, 'STRICT', '/**/'), '/**/, WITHOUT', 'WITHOUT'),
                  '/**/', ''), 'NOT NULL', '') WHERE name = '\(damage.table)';
                PRAGMA writable_schema = RESET;
                UPDATE OR IGNORE "\(damage.table)" SET "\(damage.column)" = \(damage.value);
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = (SELECT sql FROM old) WHERE name = '\(damage.table)';
                PRAGMA writable_schema = RESET;
                """)
            return true
        } catch is DatabaseError {
            return false
        }
    }

    /// Adds an account to a data folder: the damaged one under another name, with that damage.
    ///
    /// - Returns: false where SQLite can't be brought to do the damage.
    func add(_ name: String, with damage: Damage, to data: String) throws -> Bool {
        let from = (try Self.file(of: "damaged", in: template.data) as NSString).deletingLastPathComponent
        let folder = "\(data)/accounts/\(name)-000000"
        try FileManager.default.copyItem(atPath: from, toPath: folder)
        try Self.change(folder + "/1.sqlite", "UPDATE account SET name = '\(name)'")
        return try Self.damage(damage, in: folder + "/1.sqlite")
    }

    /// Runs SQL with whatever it says against the rules of the schema.
    static func change(_ file: String, _ sql: String) throws {
        let queue = try DatabaseQueue(path: file, prepare: { try $0.execute(sql: "PRAGMA foreign_keys = OFF") })
        try queue.sync { db in
            try db.execute(sql: "PRAGMA ignore_check_constraints = ON; PRAGMA recursive_triggers = OFF; " + sql)
            try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try queue.close()
    }

    /// The schema of a file that nobody has open; nil where the file has none.
    static func schema(of file: String) -> UInt8? {
        // The last of four bytes: https://sqlite.org/fileformat.html, "user version".
        FileManager.default.contents(atPath: file).flatMap { $0.count > 63 ? $0[63] : nil }
    }

    private static func columns(of file: String, isCatalog: Bool) throws -> [Damage] {
        let queue = try DatabaseQueue(path: file)
        defer { try? queue.close() }
        return try queue.read { db in
            let tables = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name")
            let empty = try tables.filter { table in
                try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM \"\(table)\")") == true
            }
            guard empty.isEmpty else { throw EmptyTables(names: empty) }
            return try tables.flatMap { table in
                try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('\(table)')").map {
                    Damage(isOfCatalog: isCatalog, table: table, column: $0, value: "")
                }
            }
        }
    }

    /// What a StreamChat room has no events for, so that no table is empty. A new table needs a row here.
    private static let rest = """
        INSERT INTO search_slot SELECT min(id) >> 18, min(id) FROM message;
        INSERT INTO vocabulary_gone VALUES ('before');
        INSERT INTO workspace (id, key) VALUES (1, 'w');
        INSERT INTO workspace_name VALUES (1, 5, NULL, 'work');
        INSERT INTO room (id, key, kind, messages, workspace_id, partner_id, left_at_us, asked_back_to_us)
          VALUES (2, 'd', 'direct', 0, 1, 2, 1795219205000000, 1795219200000000);
        INSERT INTO room_name VALUES (2, 1795219200000000, NULL, 'bob');
        UPDATE room_name SET first_seen_us = first_seen_us + 2000000 WHERE room_id = 1;
        INSERT INTO room_name VALUES (1, 1795219200000000, 1795219202000000, 'old lobby');
        UPDATE room SET workspace_id = 1 WHERE id = 1;
        INSERT OR IGNORE INTO membership VALUES (1, 1, 1795219200000000, NULL);
        INSERT INTO user_picture VALUES (1, 5, NULL, '/p.png');
        INSERT INTO room_picture VALUES (1, 5, NULL, '/p.png');
        INSERT INTO workspace_picture VALUES (1, 5, NULL, '/f.png');
        INSERT INTO room_description VALUES (1, 5, NULL, 'words');
        INSERT INTO room_owner VALUES (1, 5, NULL, 1);
        UPDATE message SET remote_id = 'm' || (id / 1000000 % 100), received_at_us = id + 1, source_time_us = id - 1;
        UPDATE message SET reply_to = 'm1', edited_at_us = id + 50 WHERE id % 2000000 = 0;
        UPDATE message SET deleted_at_us = id + 70 WHERE id = (SELECT max(id) FROM message);
        INSERT INTO message_version SELECT id, id, 'before' FROM message WHERE edited_at_us IS NOT NULL;
        INSERT INTO edit SELECT id, 'e' || id, edited_at_us, '["/f.png"]' FROM message WHERE edited_at_us IS NOT NULL;
        INSERT INTO message_raw SELECT id, id, x'414243' FROM message;
        INSERT INTO content (sha256, bytes) VALUES (lower(hex(zeroblob(32))), 5);
        INSERT INTO file (id, path, sha256, bytes, state, tried_at_us, next_try_us, error, part_bytes, part_tag, limit_bytes,
            asked, attempts)
          SELECT value + 1, '/f.png', iif(value, lower(hex(zeroblob(32))), NULL), iif(value, NULL, 5), value, 1795219203000000,
            1795219204000000, 'no', 3, 'tag', 9, 1, 2 FROM json_each('[0, 1]');
        INSERT INTO attachment (message_id, file_id, bytes) SELECT id, 1 + (id % 2000000 = 0), 5 FROM message LIMIT 4;
        INSERT INTO reaction VALUES (1, 'm2', 1, '👍', 1795219205000000, NULL, 'r1');
        INSERT INTO retraction VALUES (1, 'm12', 2, 1795219207000000, 'spam', 0);
        INSERT INTO id_run VALUES (1795219201000000, 1795219201000008);
        INSERT INTO purge VALUES (1, 1, 0, 'max_age = "1h"', 3600000000, 1795219100000000, 1795219150000000, 7, 1795219300000000);
        INSERT INTO purge VALUES (2, 2, 0, 'forget', NULL, 1795219100000000, 1795219150000000, 7, 1795219300000000);
        INSERT INTO user (id, key) VALUES (90, 'ali');
        INSERT INTO merge VALUES (1, 0, 90, 1, 1, 1795219300000000, 1);
        INSERT INTO user (id, key) VALUES (91, 'relay');
        INSERT INTO user_name VALUES (91, 1795219100000000, NULL, 'relay');
        INSERT INTO bridge VALUES (1, 91, 'relay', '<{nick}> {text}', 1795219300000000, 1, 1);
        INSERT INTO merge_message SELECT 1, min(id), 0 FROM message;
        INSERT INTO merge_row VALUES (1, 1, 'user_name', '[90,1795219100000000,null,"ali"]', NULL);
        INSERT INTO own_name VALUES (1, 0, 'zoe');
        INSERT INTO hold VALUES ('case', 2, 1795219100000000, 1795219150000000, 'why', 1795219300000000);
        INSERT INTO applied_rule VALUES ('max_age = "1h"', 1795219300000000);
        INSERT INTO network_place VALUES (1, 's1');
        INSERT INTO history_place VALUES (2, 1795219300000000, 'p1');
        INSERT INTO purged_before VALUES (zeroblob(16), 1);
        INSERT INTO forgotten_key VALUES (1, zeroblob(32), 1, 0);
        INSERT INTO forgotten VALUES (zeroblob(16));
        INSERT INTO content_gone VALUES (lower(hex(zeroblob(31))) || '07');
        INSERT INTO chunk VALUES (1, 0, 1795219201000000, x'414243');
        UPDATE session SET bytes = 3, position = 1, booted_at_us = 5, boot = 'boot', clock_lead_us = 1, ahead_us = 1;
        INSERT INTO session (id, started_at_us, last_sign_of_life_us, ended_at_us, reason, detail)
          VALUES (2, 1795219300000000, 1795219400000000, 1795219400000000, 'lost', 'why');
        UPDATE session SET last_sign_of_life_us = 1795219220000000, ended_at_us = 1795219220000000, reason = 'lost' WHERE id = 1;
        UPDATE coverage SET to_us = 1795219220000000;
        INSERT INTO coverage (room_id, from_us, to_us, session_id) VALUES (1, 1795219300000000, 1795219310000000, 2),
          (2, 1795219200000000, NULL, 2), (1, 1795219320000000, NULL, 2);
        INSERT INTO gap_note (room_id, from_us, reason, attempts, next_try_us, unfilled, detail)
          VALUES (1, 1795219220000000, 'lost', 2, 1795219500000000, 'no_history', 'none');
        INSERT INTO failure (room_id, session_id, remote_id, payload, reason, first_at_us, last_at_us)
          VALUES (1, 1, 'f', x'FF', 'no text', 1795219201000000, 1795219202000000);
        INSERT INTO read_marker VALUES (1, 1795219203000000, 2, 1795219204000000);
        INSERT INTO late SELECT 1, seq, subject_id FROM change WHERE what = 0 AND seq > 5 LIMIT 3;
        INSERT INTO change (what, subject_id) VALUES (1, 1), (2, 1), (2, -1);
        INSERT INTO change (what, subject_id) SELECT 3, id FROM message LIMIT 2;
        INSERT INTO room_trouble VALUES (2, 0, 'banned', 'no', 1795219201000000, 1795219500000000);
        INSERT INTO imported_span VALUES (1, 1795209200000000, 1795209300000000), (1, 1795219221000000, 1795219222000000);
        """
}
