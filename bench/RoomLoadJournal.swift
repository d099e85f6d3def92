import CSQLite
import Foundation

/// The bytes in the journal of a closed archive. Reads them without the store, because the store is being checked.
enum RoomLoadJournal {
    static func bytes(in folder: String) throws -> [UInt8] {
        let accounts = folder + "/accounts"
        let names = try FileManager.default.contentsOfDirectory(atPath: accounts)
        guard let account = names.first(where: { $0.first != "." }) else { return [] }
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        let path = "\(accounts)/\(account)/1.sqlite"
        guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else {
            throw BenchmarkError("the archive can't be opened")
        }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        sqlite3_prepare_v2(database, "SELECT bytes FROM chunk ORDER BY session_id, offset", -1, &statement, nil)
        var bytes: [UInt8] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            let count = Int(sqlite3_column_bytes(statement, 0))
            bytes += UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, 0), count: count)
        }
        return bytes
    }
}
