import CSQLite
import Files
package import SQLite

extension ReadLimit {
    /// The number of instructions of SQLite's virtual machine between two checks: less than 1 ms *(measured)*.
    private static let steps: Int32 = 4000

    /// Ends the statements of a connection with the limit, which must exist until the connection's handler is removed.
    package func watch(_ connection: OpaquePointer?) {
        sqlite3_progress_handler(
            connection, Self.steps,
            { limit in limit.map { Unmanaged<ReadLimit>.fromOpaque($0).takeUnretainedValue().isOver } == true ? 1 : 0 },
            Unmanaged.passUnretained(self).toOpaque())
    }

    package static func unwatch(_ db: Database) { sqlite3_progress_handler(db.handle, 0, nil, nil) }

    /// Runs the body, whose statements on the connection end with the limit of the current task.
    package static func apply<T>(to db: Database, _ body: () throws -> T) throws -> T {
        guard let limit = current else { return try body() }
        try limit.check()
        limit.watch(db.handle)
        defer { unwatch(db) }
        do {
            return try withExtendedLifetime(limit) { try body() }
        } catch let error as DatabaseError where error.primaryCode == SQLITE_INTERRUPT {
            try limit.check()
            throw error
        }
    }
}
