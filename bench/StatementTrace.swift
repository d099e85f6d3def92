import GRDBSQLite
import Synchronization

/// Every statement that any connection of this process runs, as written: so that the bare loop runs the store's own.
enum StatementTrace {
    private static let seen = Mutex<[String]?>(nil)

    /// Connections opened from now on can be traced.
    static func install() {
        typealias Entry = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Int32
        let entry: Entry = { connection, _, _ in
            sqlite3_trace_v2(
                connection, UInt32(SQLITE_TRACE_STMT),
                { _, _, statement, _ in
                    if let statement, let sql = sqlite3_sql(OpaquePointer(statement)) {
                        StatementTrace.seen.withLock { $0?.append(String(cString: sql)) }
                    }
                    return 0
                }, nil)
        }
        sqlite3_auto_extension(unsafeBitCast(entry, to: (@convention(c) () -> Void).self))
    }

    /// Opening connections go back to running untraced, at full speed.
    static func uninstall() {
        sqlite3_reset_auto_extension()
    }

    static func statements(of body: () async throws -> Void) async rethrows -> [String] {
        seen.withLock { $0 = [] }
        try await body()
        return seen.withLock { all in
            defer { all = nil }
            return all ?? []
        }
    }
}
