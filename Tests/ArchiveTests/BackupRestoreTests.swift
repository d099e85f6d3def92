import ChatModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Files
@testable import Moves
@testable import Reading
@testable import Writing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct BackupRestoreTests {
    private let backup: BackupFixture

    init() throws {
        backup = try BackupFixture()
    }

    private var elsewhere: Archive { Archive(folder: backup.fixture.folder.path + "/new/data") }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [false, true])
    func `restoring gives a plain account with every row and a new epoch, and keeps the backup`(
        isCold: Bool
    ) async throws {
        try await backup.fill()
        try await backup.fill("other")
        if isCold { _ = try backup.archive.evict(account: "demo", level: 1) }
        try await backup.backUp()
        let before = try backup.state(of: backup.folder)
        let report = try await backup.restore(to: elsewhere)
        #expect(report.messages == 50 && report.state == .hot)
        #expect(try backup.state(of: backup.folder) == before)
        #expect(try backup.files(in: elsewhere) == ["1.sqlite"])
        #expect(try await backup.bodies(in: elsewhere) == backup.bodies(in: backup.archive))
        #expect(try elsewhere.check().map(\.state) == [.fine])
        for (sql, isSame) in [("SELECT epoch FROM account", false), ("SELECT hex(max(seq)) FROM change", true)] {
            let values: [String?] = try [elsewhere, backup.archive].map { try backup.value(sql, in: $0) }
            #expect((values[0] == values[1]) == isSame, "\(sql)")
        }
    }

    @Test(arguments: [
        ("trigger loud", "CREATE TRIGGER loud AFTER UPDATE ON account BEGIN DELETE FROM message; END"),
        (
            "trigger message_gone",
            """
            DROP TRIGGER message_gone;
            CREATE TRIGGER message_gone AFTER DELETE ON message BEGIN DELETE FROM message; END
            """
        ),
        (
            "table room",
            """
            DROP TABLE room;
            CREATE VIRTUAL TABLE room USING fts5 (id, key, name, kind, messages);
            """
        ),
        // No name of SQLite's: these begin with `sqlite_`.
        ("trigger sqliteXloud", "CREATE TRIGGER sqliteXloud AFTER UPDATE ON account BEGIN DELETE FROM message; END"),
        ("index odd", "CREATE UNIQUE INDEX odd ON message (kind + 0 * id) WHERE id > 1795300000000000"),
        (
            "view gap_note",
            "DROP TABLE gap_note; CREATE VIEW gap_note AS SELECT 1 AS room_id, 1 AS from_us, 'lost' AS reason"
        ),
        (
            "table gap_note",
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL DEFAULT 0', 'NOT NULL DEFAULT 0 CHECK (attempts < 9)')
              WHERE name = 'gap_note';
            PRAGMA writable_schema = RESET;
            """
        ),
    ])
    func `a copy with a schema that changes or hides messages is not restored`(
        object: String, sql: String
    ) async throws {
        try await backup.fill()
        try await backup.backUp()
        try SQLiteFixture(backup.path(in: backup.copies) + "/1.sqlite").execute("PRAGMA foreign_keys = OFF;" + sql)
        let error = await #expect(throws: ArchiveError.self) { try await backup.restore(to: elsewhere) }
        #expect(error?.code == .backup)
        #expect(error?.detail.hasPrefix("\(object) in ") == true, "\(error?.detail ?? "")")
        let accounts = (try? elsewhere.reading().accounts()) ?? []
        #expect(accounts == [])
    }

    /// SQLite quotes the name of a table that was renamed, as the last step of a rebuild does.
    @Test func `a copy whose search index was rebuilt is restored`() async throws {
        try await backup.fill()
        try await backup.backUp()
        try SQLiteFixture(backup.path(in: backup.copies) + "/1.sqlite").execute(
            """
            PRAGMA legacy_alter_table = ON;
            ALTER TABLE message_search RENAME TO message_search_next;
            ALTER TABLE message_search_next RENAME TO message_search;
            """)
        try await backup.restore(to: elsewhere)
        #expect(try await backup.bodies(in: elsewhere).count == 50)
    }

    @Test func `restoring skips accounts that exist`() async throws {
        for name in ["demo", "other"] {
            try await backup.fill(name)
            try await backup.backUp(name)
        }
        _ = try backup.archive.erase(account: "other")
        try await backup.fill(from: 100)
        let before = try await backup.bodies(in: backup.archive)
        let error = await #expect(throws: ArchiveError.self) { try await backup.restore(to: backup.archive) }
        #expect(error?.code == .backup && error?.detail.contains("already has account 'demo'") == true)
        try await backup.restore("other", to: backup.archive)
        #expect(try await backup.bodies("other", in: backup.archive).count == 50)
        #expect(try await backup.bodies(in: backup.archive) == before)
        let unknown = await #expect(throws: ArchiveError.self) { try await backup.restore("nobody", to: elsewhere) }
        #expect(unknown?.code == .unknownAccount && unknown?.missing?.known.sorted() == ["demo", "other"])
    }

    @Test func `a restored account accepts messages, and needs a new folder for its backup`() async throws {
        try await backup.fill()
        try await backup.backUp()
        _ = try backup.archive.erase(account: "demo")
        try await backup.restore(to: backup.archive)
        try await backup.fill(from: 100)
        #expect(try await backup.bodies(in: backup.archive).count == 100)
        let error = await #expect(throws: ArchiveError.self) { try await backup.backUp() }
        #expect(error?.detail.contains("older than its last restore") == true)
        try backup.archive.backup(in: backup.folder + "-2", isNew: true).add(account: "demo")
        #expect(try await backup.bodies(in: backup.copies).count == 50)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a damaged copy is not restored`() async throws {
        for isCold in [false, true] {
            let name = isCold ? "cold" : "hot"
            try await backup.fill(name, count: 2000)
            if isCold { _ = try backup.archive.evict(account: name, level: 1) }
            try await backup.backUp(name)
            let file = try backup.path(name, in: backup.copies) + "/" + backup.files(name, in: backup.copies)[0]
            let handle = try FileHandle(forUpdating: URL(filePath: file))
            try handle.seek(toOffset: try handle.seekToEnd() / 2)
            try handle.write(contentsOf: Data(repeating: 0x5A, count: 9000))
            try handle.close()
            let error = await #expect(throws: ArchiveError.self) { try await backup.restore(name, to: elsewhere) }
            #expect([.corrupt, .backup].contains(error?.code) && error?.detail.contains("damaged") == true)
        }
        #expect(try elsewhere.reading().accounts().isEmpty)
    }

    // MARK: - Disks

    @Test(.enabled(if: SmallDisk.isPossible, "mounting takes root"))
    func `a full backup disk is reported, and the existing copy stays`() async throws {
        let disk = try SmallDisk(kibibytes: 3000)
        let full = try backup.archive.backup(in: disk.path + "/backup", isNew: true)
        try await backup.fill(count: 2000)
        try full.add(account: "demo")
        try await backup.fill("large", count: 20_000)
        for isCold in [false, true] {
            if isCold {
                // What is left then is too little for any.
                try Data(count: 1_800_000).write(to: URL(filePath: disk.path + "/ballast"))
                _ = try backup.archive.evict(account: "large", level: 1)
            }
            let error = #expect(throws: ArchiveError.self) { try full.add(account: "large") }
            #expect(error?.code == .storage && error?.detail.contains(disk.path) == true)
        }
        #expect(try full.accounts().map(\.name) == ["demo"])
        #expect(try Archive(folder: disk.path + "/backup").check().map(\.state) == [.fine])
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting takes root"))
    func `a backup stops if the account's log grows too large for its disk`() async throws {
        let disk = try SmallDisk(kibibytes: 16_000)
        let archive = Archive(folder: disk.path + "/data")
        let writer = try await archive.openWriter(ArchiveFixture.account)
        let session = try await writer.openSession()
        _ = try await writer.append((0..<20_000).map { .said("서버 \($0)", at: Int64($0), in: session) })
        try await writer.close()
        let file = try backup.path(in: archive) + "/1.sqlite"
        let copies = try archive.backup(in: backup.folder, isNew: true)
        let error = #expect(throws: ArchiveError.self) {
            try copies.add(account: "demo") { _ in
                let queue = try DatabaseQueue(path: file)
                try queue.write { db in
                    try db.execute(
                        sql:
                            "INSERT INTO failure (payload, reason, first_at_us, last_at_us) VALUES (randomblob(4000000), '', 0, 0)"
                    )
                }
                try queue.close()
            }
        }
        #expect(error?.code == .storage && error?.detail.contains("its -wal grew by") == true)
        #expect(try copies.accounts().isEmpty)
        #expect(try await backup.bodies(in: archive).count == 1000)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting takes root"))
    func `an account is restored from a read-only disk`() async throws {
        let disk = try SmallDisk(kibibytes: 5000)
        for name in ["demo", "cold"] { try await backup.fill(name) }
        _ = try backup.archive.evict(account: "cold", level: 1)
        for name in ["demo", "cold"] {
            try backup.archive.backup(in: disk.path, isNew: true).add(account: name)
        }
        try disk.makeReadOnly()
        for name in ["demo", "cold"] {
            try elsewhere.backup(in: disk.path).restore(account: name)
            #expect(try await backup.bodies(name, in: elsewhere) == backup.bodies(name, in: backup.archive))
        }
    }
}
