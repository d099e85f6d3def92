import Dispatch
import Files
import Schema
import Synchronization

/// An account's writing connection, which opens on first use, and the locks that make it the only one.
///
/// Opening and closing may wait for a disk or another program. They run on the account's own thread and under no lock:
/// only users of this account's file wait for them.
package final class WriterConnections: ConnectionHolder {
    private struct State {
        /// Nil while it is not needed or is being reopened, and after closing.
        var connection: WriterConnection?
        /// A shared lock, which keeps the file in its place, and the writer's lock. Empty after closing.
        var locks: [FileLock]
    }

    private let path: String
    private let limit: ConnectionLimit
    private let state: Mutex<State>
    /// Runs openings and closings one at a time.
    private let files = DispatchQueue(label: "an account's files")

    init(path: String, locks: [FileLock], limit: ConnectionLimit) {
        (self.path, self.limit) = (path, limit)
        state = Mutex(State(connection: nil, locks: locks))
    }

    deinit {
        limit.remove(self)
    }

    /// The open connection; nil if there is none.
    var current: WriterConnection? { state.withLock { $0.connection } }

    /// - Throws: `DatabaseError` of the body or of opening; ``ArchiveError`` with `tooManyOpen`;
    ///   ``AccountWriterClosed``.
    package func use<T: Sendable>(_ body: (WriterConnection) async throws -> T) async throws -> T {
        try await limit.acquireSuspending(self)
        defer { limit.release(self) }
        if let current { return try await body(current) }
        return try await body(files.runBlocking { try self.open() })
    }

    /// Runs the body, on a thread that may wait.
    ///
    /// - Throws: As ``use(_:)``.
    func useWaiting<T>(_ body: (WriterConnection) throws -> T) throws -> T {
        try limit.acquire(self)
        defer { limit.release(self) }
        return try body(current ?? files.sync { try open() })
    }

    private func open() throws -> WriterConnection {
        let (known, isClosed) = state.withLock { ($0.connection, $0.locks.isEmpty) }
        if let known { return known }
        guard !isClosed else { throw AccountWriterClosed() }
        let opened = try WriterConnection(path: path)
        let isTaken = state.withLock { state in
            guard !state.locks.isEmpty else { return false }
            state.connection = opened
            return true
        }
        guard isTaken else {
            try? opened.close()
            throw AccountWriterClosed()
        }
        return opened
    }

    /// Returns once a running opening and all work of the connection are done.
    func answers() async {
        // A connection that fails has answered, so errors don't matter.
        try? await files.runBlocking {}
        _ = try? await current?.run { _ in }
    }

    /// Closes a connection that had trouble. The next use opens another.
    func dropConnection() async {
        guard let connection = takeConnection() else { return }
        // Ignores an error of closing, because the connection already had trouble.
        try? await files.runBlocking { try connection.close() }
    }

    func closeIdle() {
        try? takeConnection()?.close()
    }

    /// Closes the file and releases the locks, after the running work.
    func close() async throws {
        let (connection, locks) = takeAll()
        defer { withExtendedLifetime(locks) {} }
        try await files.runBlocking { [path] in try ArchiveError.wrapping(path) { try connection?.close() } }
    }

    /// Closes the file and releases the locks, on a thread that may wait.
    func closeWaiting() throws {
        let (connection, locks) = takeAll()
        defer { withExtendedLifetime(locks) {} }
        try files.sync { try ArchiveError.wrapping(path) { try connection?.close() } }
    }

    private func takeAll() -> (connection: WriterConnection?, locks: [FileLock]) {
        limit.remove(self)
        return state.withLock { state in
            defer { (state.connection, state.locks) = (nil, []) }
            return (state.connection, state.locks)
        }
    }

    private func takeConnection() -> WriterConnection? {
        state.withLock { state in state.connection.take() }
    }
}
