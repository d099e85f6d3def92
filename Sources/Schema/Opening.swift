package import SQLite
import Synchronization

/// A connection that opens on first use, only once, on the caller's thread.
package final class Opening: Sendable {
    private let open: @Sendable () throws -> DatabaseQueue
    private let connection = Mutex<DatabaseQueue?>(nil)
    /// Held while a file is opened, which may take long. ``close()`` does not wait for it.
    private let opening = Mutex(())

    package init(_ open: @escaping @Sendable () throws -> DatabaseQueue) {
        self.open = open
    }

    /// Returns the connection and opens it if necessary. Waits on the caller's thread.
    package func opened() throws -> DatabaseQueue {
        if let current { return current }
        return try opening.withLock { _ in
            if let current { return current }
            let opened = try open()
            connection.withLock { $0 = opened }
            return opened
        }
    }

    /// Closes the connection, which must be idle; the next use opens another. When closing fails, the connection closes
    /// with its last reference.
    package func close() {
        try? connection.withLock { $0.take() }?.close()
    }

    private var current: DatabaseQueue? { connection.withLock { $0 } }
}
