import ChatModel
import Dispatch
import Migrations
import PostgreSQL

/// A shared archive on a PostgreSQL server, read over one connection, which is made when it is needed and made again when
/// it breaks.
final class SharedServer: Sendable {
    /// The address without settings, for people.
    let shown: String
    private let address: String
    /// Runs one read at a time.
    private let queue = DispatchQueue(label: "a shared archive")
    nonisolated(unsafe) private var connection: PostgreSQLConnection?

    /// An account of the shared archive.
    struct Account: Sendable, Hashable {
        var id: Int64
        var identity: AccountIdentity
        var folder: String
        /// The number of changes that were left when the file was last read.
        var left: Int64
        /// When the copy was last complete; nil if it never was.
        var caughtUpAt: Timestamp?
    }

    init(address: String) {
        self.address = address
        shown = String(address.prefix { $0 != "?" })
    }

    /// Returns the accounts, sorted by name. Two machines may have accounts of one name.
    func accounts() throws -> [Account] {
        try read { server in
            let rows = try server.execute(
                """
                SELECT id, name, network, folder, greatest(end_seq - seq, 0), caught_up_at_us
                FROM scrollback.account JOIN scrollback.feed_position ON account_id = id WHERE state = 'current'
                ORDER BY name, folder
                """)
            return try (0..<rows.count).map { row in
                Account(
                    id: try rows.integer(row, 0) ?? 0,
                    identity: AccountIdentity(name: try rows.text(row, 1) ?? "", network: try rows.text(row, 2) ?? ""),
                    folder: try rows.text(row, 3) ?? "", left: try rows.integer(row, 4) ?? 0,
                    caughtUpAt: try rows.integer(row, 5).map { Timestamp(microseconds: $0) })
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
            let new = try connect()
            connection = new
            return try body(new)
        }
    }

    private func connect() throws -> PostgreSQLConnection {
        let server = try PostgreSQLConnection(address)
        let isThere = try server.execute("SELECT to_regclass('scrollback.version') IS NOT NULL").integer(0, 0) == 1
        let version = isThere ? try server.execute("SELECT number FROM scrollback.version").integer(0, 0) ?? 0 : 0
        guard version == Int64(Migrations.shared.count) else {
            throw ArchiveError(
                code: .sharedArchive,
                detail: version == 0
                    ? "\(shown) has no tables of a shared archive"
                    : "\(shown) has schema \(version), but this scrollback needs \(Migrations.shared.count)")
        }
        return server
    }
}
