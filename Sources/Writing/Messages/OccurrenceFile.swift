import CSQLite
package import ChatModel
import Files
import Synchronization

/// The counts of an import in a temporary SQLite database. Data beyond its cache of 2 MB goes to an unnamed file in
/// TMPDIR, which only this user can read.
package final class OccurrenceFile: OccurrenceOverflow {
    private struct Handles {
        var database: OpaquePointer?
        var number: OpaquePointer?
        var increment: OpaquePointer?
    }

    private let handles = Mutex(Handles())

    /// Creates the table and begins a transaction that never ends. SQLite writes only the data that its cache has no
    /// room for, and rolls nothing back.
    private static let setup = """
        PRAGMA journal_mode = OFF;
        CREATE TABLE occurrence (
          first INTEGER NOT NULL, second INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (first, second)
        ) WITHOUT ROWID;
        BEGIN
        """

    /// - Throws: ``ArchiveError``
    package init() throws {
        try handles.withLock { handles in
            try Self.check(
                sqlite3_open_v2("", &handles.database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil), handles)
            try Self.check(sqlite3_exec(handles.database, Self.setup, nil, nil, nil), handles)
            let select = "SELECT number FROM occurrence WHERE first = ? AND second = ?"
            try Self.check(sqlite3_prepare_v2(handles.database, select, -1, &handles.number, nil), handles)
            let upsert = "INSERT INTO occurrence VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET number = number + ?3"
            try Self.check(sqlite3_prepare_v2(handles.database, upsert, -1, &handles.increment, nil), handles)
        }
    }

    deinit {
        handles.withLock { handles in
            sqlite3_finalize(handles.number)
            sqlite3_finalize(handles.increment)
            sqlite3_close(handles.database)
        }
    }

    /// - Throws: ``ArchiveError``, also if TMPDIR is full.
    package func number(_ key: OccurrenceKey) throws -> Int {
        try handles.withLock { handles in
            try Self.run(handles.number, key, handles)
            defer { sqlite3_reset(handles.number) }
            return sqlite3_data_count(handles.number) > 0 ? Int(sqlite3_column_int64(handles.number, 0)) : 0
        }
    }

    /// - Throws: ``ArchiveError``, also if TMPDIR is full.
    package func increment(_ key: OccurrenceKey, by number: Int) throws {
        try handles.withLock { handles in
            sqlite3_bind_int64(handles.increment, 3, Int64(number))
            try Self.run(handles.increment, key, handles)
            sqlite3_reset(handles.increment)
        }
    }

    private static func run(_ statement: OpaquePointer?, _ key: OccurrenceKey, _ handles: Handles) throws {
        sqlite3_bind_int64(statement, 1, Int64(key.first))
        sqlite3_bind_int64(statement, 2, Int64(key.second))
        let code = sqlite3_step(statement)
        guard code != SQLITE_ROW, code != SQLITE_DONE else { return }
        sqlite3_reset(statement)
        try check(code, handles)
    }

    private static func check(_ code: CInt, _ handles: Handles) throws {
        guard code != SQLITE_OK else { return }
        let message = handles.database.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
        throw ArchiveError(
            code: .storage,
            detail: "can't write the temporary file in TMPDIR that counts a minute's messages (\(message))")
    }
}
