import Archive
import ChatModel
import Foundation
import PostgreSQL
import Replication
import TestSupport

@testable import Accounts
@testable import Archive
@testable import Reading
@testable import Schema

/// A shared archive in a database of its own, and comparisons of it with account files.
struct SharedCopy {
    let address: String
    /// The programs that run as long as this value.
    private var programs: [any Sendable] = []

    init() async throws {
        address = try await PostgreSQLServer.newDatabase()
        _ = try SharedSchema.prepare(PostgreSQLConnection(address))
    }

    init(address: String) { self.address = address }

    /// Returns a shared archive behind PgBouncer in transaction mode, on a server of its own.
    static func behindPgBouncer() async throws -> SharedCopy {
        let server = try await PostgreSQLServer()
        _ = try await server.newDatabase()
        let pool = try await PgBouncer(before: server)
        var copy = SharedCopy(address: pool.address(database: "test"))
        copy.programs = [server, pool]
        _ = try SharedSchema.prepare(copy.connect())
        return copy
    }

    func connect() throws -> PostgreSQLConnection { try PostgreSQLConnection(address) }

    /// Replicates an account to the end of its feed.
    func replicate(_ archive: Archive, account: String = "demo", count: Int = MirrorBatch.usualCount) async throws {
        let server = try connect()
        for mirror in try archive.reading().mirrors(of: [account]) {
            let replicator = Replicator([mirror])
            var left: Int64 = 1
            while left > 0 {
                do {
                    left = try replicator.step(into: server, count: count).left
                } catch SharedArchiveError.busy {
                    // The server has not noticed yet that another connection broke.
                    await Task.yield()
                }
            }
        }
    }

    /// Returns the rows in which the shared archive differs from the account's file, with the side that has them.
    func differences(from archive: Archive, account: String = "demo") async throws -> [String] {
        let server = try connect()
        guard let mirror = try archive.reading().mirrors(of: [account]).first else { return ["no account"] }
        let ids = try server.execute(
            "SELECT id FROM scrollback.account WHERE folder = $1 AND state = 'current'", [.text(mirror.folder)])
        guard ids.count == 1, let id = try ids.integer(0, 0) else { return ["\(ids.count) accounts"] }
        return try SchemaTable.allSent.flatMap { table in
            let (file, shared) = (try fileRows(of: table, mirror), try copyRows(of: table, account: id, server))
            return file.subtracting(shared).map { "only in the file: \(table.sharedName) \($0)" }.sorted()
                + shared.subtracting(file).map { "only in the shared archive: \(table.sharedName) \($0)" }.sorted()
        }
    }

    private func fileRows(of table: SchemaTable, _ mirror: AccountMirror) throws -> Set<String> {
        var rows: Set<String> = []
        _ = try mirror.snapshot(at: mirror.end().position) { snapshot in
            try snapshot.forEachRow(of: table) { values in
                rows.insert(
                    values.map { value in
                        switch value {
                        case .integer(let number): "\(number)"
                        case .text(let text): "'\(text)'"
                        case .null: "null"
                        }
                    }.joined(separator: ", "))
            }
        }
        return rows
    }

    private func copyRows(of table: SchemaTable, account: Int64, _ server: PostgreSQLConnection) throws -> Set<String> {
        let columns = table.sent.map(\.name).joined(separator: ", ")
        let rows = try server.execute(
            "SELECT \(columns) FROM scrollback.\(table.sharedName) WHERE account_id = $1", [.integer(account)])
        return Set(
            try (0..<rows.count).map { row in
                try table.sent.indices.map { column in
                    table.sent[column].isText
                        ? try rows.text(row, Int32(column)).map { "'\($0)'" } ?? "null"
                        : try rows.integer(row, Int32(column)).map { "\($0)" } ?? "null"
                }.joined(separator: ", ")
            })
    }
}
