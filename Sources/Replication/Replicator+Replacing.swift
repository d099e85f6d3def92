import PostgreSQL
import Reading
import Schema

/// Accounts whose file has another epoch, which replace those of the same folder.
extension Replicator {
    /// Ends the loading of an account whose copy is complete.
    func finish(_ copy: AccountCopy, _ server: PostgreSQLConnection) throws {
        guard copy.isLoading || copy.hasReplaced else { return }
        if copy.isLoading { try Self.replaceOlder(folder: copy.mirror.folder, with: copy.account, server) }
        try Self.removeReplaced(folder: copy.mirror.folder, server)
    }

    /// Shows a loaded account in place of the older ones of the same folder.
    private static func replaceOlder(folder: String, with account: Int64, _ server: PostgreSQLConnection) throws {
        try server.transaction {
            try server.execute(
                "UPDATE scrollback.account SET state = 'replaced' WHERE folder = $1 AND id <> $2",
                [.text(folder), .integer(account)])
            try server.execute("UPDATE scrollback.account SET state = 'current' WHERE id = $1", [.integer(account)])
        }
    }

    /// The rows that one transaction removes.
    private static let removal = 20_000

    /// Removes the rows of replaced accounts of a folder, in steps.
    private static func removeReplaced(folder: String, _ server: PostgreSQLConnection) throws {
        let old = try server.execute(
            "SELECT id FROM scrollback.account WHERE folder = $1 AND state = 'replaced'", [.text(folder)])
        for row in 0..<old.count {
            guard let id = try old.integer(row, 0) else { continue }
            for table in SchemaTable.allSent {
                let key = table.key.map(\.name).joined(separator: ", ")
                let deletion = """
                    DELETE FROM scrollback.\(table.sharedName) WHERE account_id = $1 AND (\(key)) IN (
                      SELECT \(key) FROM scrollback.\(table.sharedName) WHERE account_id = $1 LIMIT $2)
                    """
                while try server.execute(deletion, [.integer(id), .integer(Int64(removal))]).changed == removal {}
            }
            let words = """
                DELETE FROM scrollback.word WHERE account_id = $1 AND word IN (
                  SELECT word FROM scrollback.word WHERE account_id = $1 LIMIT $2)
                """
            while try server.execute(words, [.integer(id), .integer(Int64(removal))]).changed == removal {}
            try server.transaction {
                try server.execute("DELETE FROM scrollback.feed_position WHERE account_id = $1", [.integer(id)])
                try server.execute("DELETE FROM scrollback.account WHERE id = $1", [.integer(id)])
            }
        }
    }
}
