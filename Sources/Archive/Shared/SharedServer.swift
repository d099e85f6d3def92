import ChatModel
import Dispatch
import PostgreSQL

/// A shared archive on a PostgreSQL server, read over one connection, which is made when it is needed and made again when
/// it breaks.
final class SharedServer: Sendable {
    let address: SharedAddress
    /// Runs one read at a time.
    private let queue = DispatchQueue(label: "a shared archive")
    nonisolated(unsafe) private var connection: PostgreSQLConnection?

    /// An account of the shared archive.
    struct Account: Sendable, Hashable {
        var id: Int64
        var identity: AccountIdentity
        /// When the copy was last complete; nil if it never was.
        var caughtUpAt: Timestamp?
    }

    init(_ address: SharedAddress) { self.address = address }

    /// Returns the accounts, sorted by name. Where several machines have an account of one name, each gets the name of
    /// its folder, which is unique.
    func accounts() throws -> [Account] {
        try read { server in
            let rows = try server.execute(
                """
                SELECT id, CASE WHEN count(*) OVER (PARTITION BY name) = 1 THEN name ELSE folder END, network,
                  caught_up_at_us
                FROM scrollback.account JOIN scrollback.feed_position ON account_id = id WHERE state = 'current'
                ORDER BY 2
                """)
            return try (0..<rows.count).map { row in
                Account(
                    id: try rows.integer(row, 0) ?? 0,
                    identity: AccountIdentity(name: try rows.text(row, 1) ?? "", network: try rows.text(row, 2) ?? ""),
                    caughtUpAt: try rows.integer(row, 3).map { Timestamp(microseconds: $0) })
            }
        }
    }

    /// Runs a read transaction on an account's tables, which sees one state of the server.
    func read<T>(account: Int64, _ body: (ReadTransaction) throws -> T) throws -> T {
        try read { server in
            try server.run(
                script: """
                    BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
                    SET LOCAL statement_timeout = \(PostgreSQLConnection.statementSeconds * 1000)
                    """)
            do {
                let result = try body(ReadTransaction(SharedTables(server: server, account: account)))
                try server.execute("COMMIT")
                return result
            } catch {
                if server.isUsable { _ = try? server.execute("ROLLBACK") }
                throw error
            }
        }
    }

    /// Runs the body with the connection. If a connection that was used before breaks, tries once more with a new one.
    private func read<T>(_ body: (PostgreSQLConnection) throws -> T) throws -> T {
        try queue.sync {
            if let connection, connection.isUsable {
                do {
                    return try body(connection)
                } catch let error as PostgreSQLError where error.kind == .connection && !connection.isUsable {
                    self.connection = nil
                }
            }
            let new = try PostgreSQLConnection(address.text)
            try SharedSchema.require(new)
            connection = new
            return try body(new)
        }
    }
}
