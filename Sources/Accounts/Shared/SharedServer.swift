package import ChatModel
import Dispatch
import Files
import PostgreSQL
package import Schema
import Synchronization

/// A shared archive on a PostgreSQL server, read over a few connections, which are made when they are needed and made
/// again when they break.
package final class SharedServer: Sendable {
    package let address: SharedAddress
    private let places = DispatchSemaphore(value: connections)
    private let idle = Mutex<[Idle]>([])
    private let recent = Mutex<(time: ContinuousClock.Instant, accounts: [Account])?>(nil)

    /// The number of connections, and of reads at once. Further reads wait.
    package static let connections = 8
    /// The time after which an unused connection is closed.
    package static let hold = Duration.seconds(30)
    /// The time for which ``recentAccounts()`` returns what it read before.
    private static let recentLife = Duration.milliseconds(200)

    /// A connection that no thread uses.
    private struct Idle: @unchecked Sendable {
        let connection: PostgreSQLConnection
        let lastUse = ContinuousClock.now
    }

    /// An account of the shared archive.
    package struct Account: Sendable, Hashable {
        /// The account's folder, which identifies it. Its number changes when another epoch replaces it.
        package var folder: String
        package var identity: AccountIdentity
        var createdAt: Timestamp
        package var copy: Copy
    }

    /// The state of an account's copy.
    package struct Copy: Sendable, Hashable {
        /// `account_id` of its tables.
        var number: Int64
        /// The last copied change.
        var seq: Int64
        /// When the copy was last complete; nil if it never was.
        package var caughtUpAt: Timestamp?
    }

    package init(_ address: SharedAddress) { self.address = address }

    /// Returns the accounts, sorted by name. Where several machines have an account of one name, each gets the name of
    /// its folder, which is unique.
    package func accounts() throws -> [Account] { try read { try Self.accounts($0) } }

    static func accounts(_ server: PostgreSQLConnection) throws -> [Account] {
        let rows = try server.executeKept(
            """
            SELECT folder, CASE WHEN count(*) OVER (PARTITION BY name) = 1 THEN name ELSE folder END, network,
              created_at_us, id, seq, caught_up_at_us
            FROM scrollback.account JOIN scrollback.feed_position ON account_id = id WHERE state = 'current'
            ORDER BY 2
            """)
        return try (0..<rows.count).map { row in
            Account(
                folder: try rows.text(row, 0) ?? "",
                identity: AccountIdentity(name: try rows.text(row, 1) ?? "", network: try rows.text(row, 2) ?? ""),
                createdAt: Timestamp(microseconds: try rows.integer(row, 3) ?? 0),
                copy: Copy(
                    number: try rows.integer(row, 4) ?? 0, seq: try rows.integer(row, 5) ?? 0,
                    caughtUpAt: try rows.integer(row, 6).map { Timestamp(microseconds: $0) }))
        }
    }

    /// Returns the accounts as they were at most ``recentLife`` ago, so that many followers ask the server once.
    package func recentAccounts() throws -> [Account] {
        if let known = recent.withLock(\.self), .now - known.time < Self.recentLife { return known.accounts }
        let time = ContinuousClock.now
        let accounts = try accounts()
        recent.withLock { $0 = (time, accounts) }
        return accounts
    }

    /// Returns the recent state of an account's copy; nil if the account is not there.
    func copy(of folder: String) throws -> Copy? { try recentAccounts().first { $0.folder == folder }?.copy }

    /// Runs a read transaction on an account's tables, which sees one state of the server.
    package func read<T>(_ account: Account, _ body: (ReadTransaction) throws -> T) throws -> T {
        let start = """
            BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
            SET LOCAL statement_timeout = \(PostgreSQLConnection.statementSeconds * 1000);
            SET LOCAL jit = off;
            SET LOCAL plan_cache_mode = force_generic_plan;
            SELECT id::text FROM scrollback.account
              WHERE state = 'current' AND folder = '\(account.folder.replacing("'", with: "''"))'
            """
        return try read { server in
            do {
                let found = try server.run(script: start)
                guard found.count > 0, let number = try found.text(0, 0).flatMap({ Int64($0) }) else {
                    throw ArchiveError(
                        code: .unknownAccount,
                        detail: "account '\(account.identity.name)' is no longer in the shared archive")
                }
                let result = try body(ReadTransaction(SharedTables(server: server, account: number)))
                try server.execute("COMMIT")
                return result
            } catch {
                if server.isUsable { _ = try? server.execute("ROLLBACK") }
                throw error
            }
        }
    }

    /// Closes the connections that were not used for that time.
    package func release(unusedFor time: Duration) {
        let end = ContinuousClock.now - time
        // Closes outside the lock.
        let released = idle.withLock { idle in
            let released = idle.filter { $0.lastUse <= end }
            idle.removeAll { $0.lastUse <= end }
            return released
        }
        withExtendedLifetime(released) {}
    }

    /// Runs the body with a connection, and keeps it for the next read unless it broke.
    private func read<T>(_ body: (PostgreSQLConnection) throws -> T) throws -> T {
        places.wait()
        defer { places.signal() }
        let connection = try takeIdle() ?? connect()
        defer {
            if connection.isUsable {
                let kept = Idle(connection: connection)
                idle.withLock { $0.append(kept) }
            }
        }
        return try body(connection)
    }

    private func takeIdle() -> PostgreSQLConnection? {
        while let connection = idle.withLock({ $0.popLast() })?.connection {
            if connection.isQuiet { return connection }
        }
        return nil
    }

    private func connect() throws -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(address.text)
        try SharedSchema.require(connection)
        return connection
    }
}
