import CSQLite
import Synchronization

/// Records every statement that connections of this process run, with its values, so that a bare loop can run the same.
enum StatementTrace {
    private struct Seen {
        var statements: [TracedStatement] = []
        var trouble: (any Error)?
    }

    private static let seen = Mutex<Seen?>(nil)

    /// Traces the connections that are opened from now on.
    static func install() {
        typealias Entry = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Int32
        let entry: Entry = { connection, _, _ in
            sqlite3_trace_v2(
                connection, UInt32(SQLITE_TRACE_STMT),
                { _, _, statement, text in
                    if let statement { StatementTrace.note(OpaquePointer(statement), text) }
                    return 0
                }, nil)
        }
        sqlite3_auto_extension(unsafeBitCast(entry, to: (@convention(c) () -> Void).self))
    }

    /// Stops tracing: connections that are opened from now on run at full speed.
    static func uninstall() {
        sqlite3_reset_auto_extension()
    }

    /// Returns the statements that traced connections run in `body`, in order.
    static func statements(of body: () async throws -> Void) async throws -> [TracedStatement] {
        seen.withLock { $0 = Seen() }
        try await body()
        let found = seen.withLock { seen in
            defer { seen = nil }
            return seen
        }
        if let trouble = found?.trouble { throw trouble }
        return found?.statements ?? []
    }

    /// - Parameter text: The statement's text, or a comment at the beginning of a trigger.
    private static func note(_ statement: OpaquePointer, _ text: UnsafeMutableRawPointer?) {
        seen.withLock { seen in
            guard seen != nil, let text, !String(cString: text.assumingMemoryBound(to: CChar.self)).hasPrefix("--"),
                let sql = sqlite3_sql(statement), let expanded = sqlite3_expanded_sql(statement)
            else { return }
            defer { sqlite3_free(expanded) }
            do {
                seen?.statements.append(
                    try TracedStatement(sql: String(cString: sql), expanded: String(cString: expanded)))
            } catch {
                seen?.trouble = error
            }
        }
    }
}
