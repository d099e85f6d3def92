import CSQLite
import ChatModel
import FoundationEssentials
import SQLite
import Schema

/// The contents of a new account's file.
///
/// They come from one database in memory. To create the schema in each file again would take most of the time of starting
/// a listener with 200 new accounts.
enum NewAccountFile {
    private static let database = Result { () throws -> DatabaseQueue in
        let queue = try SQLiteConnection.open(":memory:")
        // Unused pages can be given back in steps only if the file was made so.
        try queue.sync { db in try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
        try queue.sync { db in try Schema.account.migrate(db, path: ":memory:", isNew: true) }
        return queue
    }

    /// Returns the bytes of a file with the current schema, the account, and nothing else.
    static func bytes(for account: AccountIdentity) throws -> [UInt8] {
        let epoch = UUID().uuidString.lowercased()
        return try database.get().write { db in
            try db.execute(
                sql: "REPLACE INTO account (id, name, network, epoch, created_at_us) VALUES (1, ?, ?, ?, ?)",
                arguments: [account.name, account.network, epoch, Timestamp.now().microseconds])
            return try serialized(db)
        }
    }

    private static func serialized(_ db: Database) throws -> [UInt8] {
        var size: sqlite3_int64 = 0
        guard let copy = sqlite3_serialize(db.handle, "main", &size, 0) else {
            throw DatabaseError(code: SQLITE_NOMEM)
        }
        defer { sqlite3_free(copy) }
        var bytes = Array(UnsafeBufferPointer(start: copy, count: Int(size)))
        // The versions for writing and reading: 2 is WAL (sqlite.org/fileformat2.html, section 1.3).
        bytes.replaceSubrange(18...19, with: [2, 2])
        return bytes
    }
}
