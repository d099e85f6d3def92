import SearchText
import Synchronization

/// A reader's statement for the tables of one account of a shared archive.
///
/// The tables of the account stand before the reader's own text as common table expressions of the file's names, which
/// PostgreSQL puts into the statement.
struct SharedStatement: Sendable {
    let text: String
    /// True if its last parameter is the account's number.
    let namesAccount: Bool

    /// The tables of a file and of the shared archive.
    private static let tables: [(file: String, shared: String)] = MirrorTable.all.map { ($0.source, $0.name) }

    /// Stand-ins for tables that are not sent, by their names: no raw bytes, no failures, and a search index that has
    /// everything.
    private static let unsent = [
        "message_raw": "SELECT NULL::bigint AS message_id, NULL::bigint AS at_us, NULL::bytea AS bytes WHERE false",
        "failure": """
        SELECT NULL::bigint AS id, NULL::bigint AS room_id, NULL::bigint AS session_id, NULL::text AS remote_id,
          NULL::bytea AS payload, NULL::text AS reason, NULL::bigint AS first_at_us, NULL::bigint AS last_at_us,
          NULL::bigint AS count WHERE false
        """,
        // The shared archive keeps what rules remove from files.
        "purge": """
        SELECT NULL::bigint AS id, NULL::bigint AS room_id, NULL::bigint AS what, NULL::text AS rule,
          NULL::bigint AS kept_us, NULL::bigint AS first_us, NULL::bigint AS last_us, NULL::bigint AS count,
          NULL::bigint AS at_us WHERE false
        """,
        "search_index": """
        SELECT 'message_search' AS name, \(Analyser.version)::bigint AS analyser, \(Int64.min + 1) - 1 AS from_us
        """,
    ]

    /// The statements by the readers' texts.
    private static let made = Mutex<[String: SharedStatement]>([:])
    /// Stands for the account's number in readers' SQL.
    static let account = "\u{1}"
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
        var expressions = tables.filter { words.contains($0.file) }.map { table in
            "\"\(table.file)\" AS NOT MATERIALIZED (SELECT * FROM scrollback.\(table.shared) WHERE account_id = \(account))"
        }
        if words.contains("account") {
            expressions.append("account AS NOT MATERIALIZED (SELECT * FROM scrollback.account WHERE id = \(account))")
        }
        expressions += unsent.filter { words.contains($0.key) }.map { "\($0.key) AS (\($0.value))" }.sorted()
        guard !expressions.isEmpty else { return sql }
        for beginning in ["WITH RECURSIVE ", "WITH "] where sql.hasPrefix(beginning) {
            return "\(beginning)\(expressions.joined(separator: ",\n")),\n\(sql.dropFirst(beginning.count))"
        }
        return "WITH \(expressions.joined(separator: ",\n"))\n\(sql)"
    }
}
