import SearchText
import Synchronization

/// Translates the SQL of readers, which is SQLite's, for the tables of one account of a shared archive.
///
/// The tables of the account stand before the statement as common table expressions of the file's names, which
/// PostgreSQL puts into the statement. The words that PostgreSQL does not have are replaced one by one:
/// ``ReadTransaction`` lists them.
enum SharedDialect {
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

    /// A statement for PostgreSQL.
    struct Statement: Sendable {
        var text: String
        /// True if its last parameter is the account's number.
        var namesAccount: Bool
    }

    /// The translated statements by the readers' texts.
    private static let translated = Mutex<[String: Statement]>([:])
    /// Stands for the account's number in readers' SQL.
    static let accountMark = "\u{1}"
    /// The largest number of kept texts. There are some hundred statements; with counts of placeholders, more.
    private static let capacity = 2000

    static func translate(_ sql: String) -> Statement {
        translated.withLock { known in
            if let statement = known[sql] { return statement }
            let statement = withParameters(withWords(sql))
            if known.count >= capacity { known.removeAll() }
            known[sql] = statement
            return statement
        }
    }

    /// Puts the account's number behind the last parameter, so that the accounts share the server's plans.
    private static func withParameters(_ text: String) -> Statement {
        let count = text.matches(of: /\$([0-9]+)/).compactMap { Int($0.1) }.max() ?? 0
        return Statement(
            text: text.replacing(accountMark, with: "$\(count + 1)"), namesAccount: text.contains(accountMark))
    }

    private static func withWords(_ sql: String) -> String {
        var text = sql
        text.replace(/\?([0-9]+)/) { "$\($0.1)" }
        text.replace(/\bINDEXED BY \w+/, with: "")
        text.replace(/\bNOT INDEXED\b/, with: "")
        text.replace(/\bCROSS JOIN\b/, with: "JOIN")
        text.replace(/length\(CAST\(([\w.]+) AS BLOB\)\)/) { "octet_length(\($0.1))" }
        text.replace(/([\w.]+) COLLATE NOCASE/) { "lower(\($0.1))" }
        text.replace(/json_each\(([^()]+)\)(?: AS (\w+))?/) { match in
            let name = match.2 ?? "each"
            return """
                (SELECT v::bigint AS value, n AS key
                FROM jsonb_array_elements_text(\(match.1)::jsonb) WITH ORDINALITY AS e (v, n)) AS \(name)
                """
        }
        return withTables(text)
    }

    /// Puts the account's tables before the statement.
    private static func withTables(_ sql: String) -> String {
        let words = Set(sql.split { !$0.isLetter && $0 != "_" }.map(String.init))
        var expressions = tables.filter { words.contains($0.file) }.map { table in
            "\"\(table.file)\" AS NOT MATERIALIZED (SELECT * FROM scrollback.\(table.shared) WHERE account_id = \(accountMark))"
        }
        if words.contains("account") {
            expressions.append(
                "account AS NOT MATERIALIZED (SELECT * FROM scrollback.account WHERE id = \(accountMark))")
        }
        expressions += unsent.filter { words.contains($0.key) }.map { "\($0.key) AS (\($0.value))" }.sorted()
        guard !expressions.isEmpty else { return sql }
        let list = expressions.joined(separator: ",\n")
        if let match = sql.prefixMatch(of: /\s*WITH (RECURSIVE )?/) {
            return "WITH \(match.1 ?? "")\(list),\n\(sql[match.range.upperBound...])"
        }
        return "WITH \(list)\n\(sql)"
    }
}
