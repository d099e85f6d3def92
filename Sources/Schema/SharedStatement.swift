import Synchronization

/// A reader's statement for the tables of one account of a shared archive.
///
/// The tables of the account stand before the reader's own text as common table expressions of the file's names, which
/// PostgreSQL puts into the statement.
package struct SharedStatement: Sendable {
    package let text: String
    /// True if its last parameter is the account's number.
    let namesAccount: Bool

    /// What each table's name stands for in a reader's SQL. There are no raw bytes, no failures and nothing that rules
    /// have removed, and the search index has everything.
    private static let tables: [(name: String, select: String)] =
        SchemaTable.allSent.map { ($0.name, "SELECT * FROM scrollback.\($0.sharedName) WHERE account_id = \(account)") }
        + [SchemaTable.messageRaw, .failure, .purge].map { table in
            let columns = table.columns.map { "NULL::\($0.kind.shared) AS \($0.name)" }
            return (table.name, "SELECT \(columns.joined(separator: ", ")) WHERE false")
        } + [
            ("account", "SELECT * FROM scrollback.account WHERE id = \(account)"),
            (
                "search_index",
                """
                SELECT 'message_search' AS name, analyser, \(Int64.min + 1) - 1 AS from_us
                FROM scrollback.feed_position WHERE account_id = \(account)
                """
            ),
        ]

    /// The statements by the readers' texts.
    private static let made = Mutex<[String: SharedStatement]>([:])
    /// Stands for the account's number in readers' SQL.
    package static let account = "\u{1}"
    /// The largest number of kept texts. There are some hundred statements; with counts of placeholders, more.
    private static let capacity = 2000

    /// - Parameter parameters: The number of the text's own parameters. The account's number comes behind them, so that
    ///   the accounts share the server's plans.
    static func of(_ sql: SQLText, parameters: Int) -> SharedStatement {
        made.withLock { known in
            if let statement = known[sql.shared] { return statement }
            let statement = SharedStatement(sql.shared, parameters: parameters)
            if known.count >= capacity { known.removeAll() }
            known[sql.shared] = statement
            return statement
        }
    }

    private init(_ sql: String, parameters: Int) {
        let whole = Self.withTables(sql)
        namesAccount = whole.contains(Self.account)
        text = whole.replacing("?", with: "$").replacing(Self.account, with: "$\(parameters + 1)")
    }

    /// Puts the account's tables that the statement names before it.
    private static func withTables(_ sql: String) -> String {
        let words = Set(sql.split { !$0.isLetter && $0 != "_" }.map(String.init))
        let expressions = tables.filter { words.contains($0.name) }.map { table in
            "\"\(table.name)\" AS NOT MATERIALIZED (\(table.select))"
        }
        guard !expressions.isEmpty else { return sql }
        for beginning in ["WITH RECURSIVE ", "WITH "] where sql.hasPrefix(beginning) {
            return "\(beginning)\(expressions.joined(separator: ",\n")),\n\(sql.dropFirst(beginning.count))"
        }
        return "WITH \(expressions.joined(separator: ",\n"))\n\(sql)"
    }
}
