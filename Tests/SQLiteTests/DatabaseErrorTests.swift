import CSQLite
import Foundation
import SQLite
import TestSupport
import Testing

@Suite struct DatabaseErrorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ sql: String = "CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT)") throws -> String {
        let queue = try DatabaseQueue(path: folder.path + "/a.sqlite")
        try queue.sync { db in try db.execute(sql: sql) }
        try queue.close()
        return folder.path + "/a.sqlite"
    }

    private static func code(_ body: () throws -> Void) -> Int32? {
        do {
            try body()
            return nil
        } catch {
            return (error as? DatabaseError)?.code
        }
    }

    /// SQL's function `fail(CODE)`, which fails with a code of SQLite, as a disk or a lack of memory would.
    private static func addFailure(to db: Database) {
        sqlite3_create_function_v2(
            db.handle, "fail", 1, SQLITE_UTF8, nil,
            { context, _, values in sqlite3_result_error_code(context, sqlite3_value_int(values?[0])) }, nil, nil, nil)
    }

    /// All primary codes of errors (sqlite.org/rescode.html), and one extended code.
    private static let codes = [
        SQLITE_ERROR, SQLITE_INTERNAL, SQLITE_PERM, SQLITE_ABORT, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM,
        SQLITE_READONLY, SQLITE_INTERRUPT, SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTFOUND, SQLITE_FULL, SQLITE_CANTOPEN,
        SQLITE_PROTOCOL, SQLITE_EMPTY, SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_MISUSE, SQLITE_NOLFS,
        SQLITE_AUTH, SQLITE_FORMAT, SQLITE_RANGE, SQLITE_NOTADB, SQLITE_IOERR | 4 << 8,
    ]

    @Test(.disabled(if: QuickCheck.isRunning), arguments: codes)
    func `an error has SQLite's code and the statement, and rolls its transaction back`(code: Int32) throws {
        let queue = try DatabaseQueue(path: file())
        try queue.sync { (db: Database) throws in
            Self.addFailure(to: db)
            let failing = "INSERT INTO word (id, text) VALUES (2, fail(\(code)))"
            let error = #expect(throws: DatabaseError.self) {
                try db.inTransaction(.immediate) {
                    try db.execute(sql: "INSERT INTO word (id) VALUES (1)")
                    try db.cachedStatement(sql: failing).execute()
                }
            }
            #expect(error?.code == code)
            #expect(error?.primaryCode == code & 0xFF)
            #expect(error?.sql == failing)
            #expect(error?.message.isEmpty == false)
            #expect(!db.isInsideTransaction)
            try db.execute(sql: "INSERT INTO word (id) VALUES (3)")
            #expect(try Int64.fetchAll(db, sql: "SELECT id FROM word") == [3])
        }
    }

    @Test func `a locked database is busy, and can be written when the lock is gone`() throws {
        let path = try file()
        let (one, other) = (try DatabaseQueue(path: path), try DatabaseQueue(path: path))
        try one.sync { db in
            try db.execute(sql: "BEGIN IMMEDIATE")
            #expect(Self.code { try other.write { try $0.execute(sql: "DELETE FROM word") } } == SQLITE_BUSY)
            try db.execute(sql: "COMMIT")
        }
        try other.write { try $0.execute(sql: "INSERT INTO word VALUES (1, 'a')") }
    }

    @Test func `an interrupted statement can run again`() throws {
        try DatabaseQueue().sync { (db: Database) throws in
            let count = try db.makeStatement(
                sql: "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10000) SELECT count(*) FROM n")
            sqlite3_progress_handler(db.handle, 100, { _ in 1 }, nil)
            #expect(Self.code { _ = try Int64.fetchOne(count) } == SQLITE_INTERRUPT)
            sqlite3_progress_handler(db.handle, 0, nil, nil)
            #expect(try Int64.fetchOne(count) == 10000)
        }
    }

    @Test func `a full database is an error of the statement, and the transaction is rolled back`() throws {
        let queue = try DatabaseQueue(path: file())
        try queue.sync { (db: Database) throws in
            try db.execute(sql: "PRAGMA max_page_count = 10")
            let code = Self.code {
                try db.inTransaction {
                    try db.execute(sql: "INSERT INTO word (text) VALUES ('first')")
                    try db.execute(
                        sql: "INSERT INTO word (text) SELECT hex(zeroblob(4000)) FROM json_each('[1, 2, 3, 4, 5, 6]')")
                }
            }
            #expect(code == SQLITE_FULL)
            #expect(try Int64.fetchOne(db, sql: "SELECT count(*) FROM word") == 0)
        }
    }

    @Test func `nothing is stored after an error that has ended the transaction`() throws {
        let queue = try DatabaseQueue(path: file())
        try queue.sync { (db: Database) throws in
            try db.execute(sql: "INSERT INTO word (id) VALUES (1)")
            let code = Self.code {
                try db.inTransaction {
                    let failing = "INSERT OR ROLLBACK INTO word (id) VALUES (1)"
                    #expect(Self.code { try db.execute(sql: failing) }.map { $0 & 0xFF } == SQLITE_CONSTRAINT)
                    // Goes on in spite of the error.
                    try db.inSavepoint { try db.execute(sql: "INSERT INTO word (id) VALUES (2)") }
                }
            }
            #expect(code == SQLITE_ABORT)
            #expect(!db.isInsideTransaction)
            #expect(try Int64.fetchAll(db, sql: "SELECT id FROM word") == [1])
        }
    }

    @Test func `a commit that breaks a reference is rolled back`() throws {
        try DatabaseQueue().sync { (db: Database) throws in
            try db.execute(
                sql: """
                    CREATE TABLE room (id INTEGER PRIMARY KEY);
                    CREATE TABLE said (room INTEGER REFERENCES room (id) DEFERRABLE INITIALLY DEFERRED);
                    """)
            let code = Self.code {
                try db.inTransaction { try db.execute(sql: "INSERT INTO said VALUES (7)") }
            }
            #expect(code.map { $0 & 0xFF } == SQLITE_CONSTRAINT)
            #expect(!db.isInsideTransaction)
            #expect(try Int64.fetchAll(db, sql: "SELECT room FROM said").isEmpty)
        }
    }

    @Test func `opening a file that is not a database is an error`() throws {
        let path = folder.path + "/text.sqlite"
        try String(repeating: "no database ", count: 100).write(toFile: path, atomically: false, encoding: .utf8)
        #expect(Self.code { _ = try DatabaseQueue(path: path, isReadOnly: true) } == SQLITE_NOTADB)
        let missing = folder.path + "/none/a.sqlite"
        #expect(Self.code { _ = try DatabaseQueue(path: missing) }.map { $0 & 0xFF } == SQLITE_CANTOPEN)
    }

    @Test func `a damaged page is an error of the statement that reads it`() throws {
        let path = try file("CREATE TABLE word (text TEXT); INSERT INTO word VALUES ('a')")
        let handle = try #require(fopen(path, "r+"))
        fseek(handle, 4096, SEEK_SET)
        fwrite([UInt8](repeating: 0xFF, count: 4096), 1, 4096, handle)
        fclose(handle)
        let queue = try DatabaseQueue(path: path)
        #expect(
            Self.code { _ = try queue.read { try String.fetchAll($0, sql: "SELECT text FROM word") } } == SQLITE_CORRUPT
        )
    }

    @Test func `a connection for reading can't write`() throws {
        let queue = try DatabaseQueue(path: file(), isReadOnly: true)
        #expect(Self.code { try queue.sync { try $0.execute(sql: "DELETE FROM word") } } == SQLITE_READONLY)
    }

    @Test func `a connection with a statement in use does not close, and closes after it`() throws {
        let queue = try DatabaseQueue(path: file())
        var statement: Statement? = try queue.sync { try $0.makeStatement(sql: "SELECT 1") }
        #expect(Self.code { try queue.close() } == SQLITE_BUSY)
        #expect(statement?.sql == "SELECT 1")
        statement = nil
        try queue.close()
    }
}
