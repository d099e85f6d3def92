import LogFormats

/// A program whose SQLite database can be imported: its tables, and the queries that read them.
struct KnownDatabase {
    /// A query that reads a table in the order in which its rows are stored. It uses no index of the table, which could
    /// have other rows.
    struct Query {
        /// The table whose rows are read.
        let table: String
        /// The columns after the row's number, in SQL; the table's own name is `m`.
        let columns: String
        /// The tables that are joined by their keys, in SQL.
        var joins = ""

        /// Reads at most ?2 rows from the number ?1 on.
        func rows(by number: String) -> String {
            "SELECT m.\(number), \(columns) FROM \(source) \(joins) WHERE m.\(number) >= ?1 ORDER BY m.\(number) LIMIT ?2"
        }

        /// Reads all rows of a table without numbers, with 0 in place of the number.
        var allRows: String { "SELECT 0, \(columns) FROM \(source) \(joins)" }

        /// Returns the first number from ?1 on.
        func next(by number: String) -> String {
            "SELECT m.\(number) FROM \(source) WHERE m.\(number) >= ?1 ORDER BY m.\(number) LIMIT 1"
        }

        /// Counts the rows one by one, unlike `count(*)`, which can't be interrupted.
        var count: String { "SELECT sum(1) FROM \(source)" }

        private var source: String { "\(table) AS m NOT INDEXED" }
    }

    let format: any LogFormat.Type
    /// The columns that the tables must have, by table, in lower case.
    let tables: [String: Set<String>]
    /// The columns that must be the primary keys of tables, because rows are looked up by them.
    var keys: [String: String] = [:]
    let queries: [Query]

    /// Every value is read as a text, whatever type it has: a damaged file may have any.
    private static func texts(_ columns: [(sql: String, name: String)]) -> String {
        columns.map { "CAST(\($0.sql) AS TEXT) AS \"\($0.name)\"" }.joined(separator: ", ")
    }

    /// All known databases. The Lounge is listed twice, because its table has one column more in newer versions.
    static let all = [theLounge(hasIDs: true), theLounge(hasIDs: false), quassel, soju, slackdump]

    /// `server/plugins/messageStorage/sqlite.ts`.
    ///
    /// - Parameter hasIDs: True for the column `msgid`, which versions of 2026 have.
    private static func theLounge(hasIDs: Bool) -> KnownDatabase {
        let columns = ["network", "channel", "time", "type", "msg"] + (hasIDs ? ["msgid"] : [])
        return KnownDatabase(
            format: TheLoungeFormat.self, tables: ["messages": Set(columns)],
            queries: [
                Query(table: "messages", columns: texts(columns.map { ("m.\($0)", $0) }))
            ])
    }

    /// `src/core/SQL/SQLite/setup_*.sql`. Schema 6 gave the types of messages their present numbers.
    private static let quassel = KnownDatabase(
        format: QuasselFormat.self,
        tables: [
            "backlog": ["messageid", "time", "bufferid", "type", "flags", "senderid", "message"],
            "buffer": ["bufferid", "networkid", "buffername", "buffertype"],
            "sender": ["senderid", "sender"],
            "network": ["networkid", "userid", "networkname"],
            "quasseluser": ["userid", "username"],
        ],
        keys: ["buffer": "bufferid", "sender": "senderid", "network": "networkid", "quasseluser": "userid"],
        queries: [
            Query(
                table: "backlog",
                columns: texts([
                    ("b.networkid", "network"), ("b.buffername", "buffer"), ("b.buffertype", "buffer_type"),
                    ("m.time", "time"), ("m.type", "type"), ("m.flags", "flags"), ("s.sender", "sender"),
                    ("m.message", "message"),
                ]),
                joins: "LEFT JOIN buffer b ON b.bufferid = m.bufferid LEFT JOIN sender s ON s.senderid = m.senderid")
        ])

    /// `database/sqlite.go`. The table `Message` has rows with `message-store db`.
    private static let soju = KnownDatabase(
        format: SojuFormat.self,
        tables: [
            "message": ["id", "target", "raw", "time"],
            "messagetarget": ["id", "network", "target"],
            "network": ["id", "name", "addr", "user"],
            "user": ["id", "username"],
        ],
        keys: ["messagetarget": "id", "network": "id", "user": "id"],
        queries: [
            Query(
                table: "Message",
                columns: texts([
                    ("t.network", "network"), ("t.target", "target"), ("m.time", "time"), ("m.raw", "raw"),
                ]), joins: "LEFT JOIN MessageTarget t ON t.id = m.target")
        ])

    /// `internal/chunk/backend/dbase/repository/migrations`.
    private static let slackdump = KnownDatabase(
        format: SlackdumpFormat.self,
        tables: [
            "message": ["id", "chunk_id", "channel_id", "ts", "data"],
            "channel": ["id", "chunk_id", "data"],
            "s_user": ["id", "chunk_id", "data"],
        ],
        queries: ["S_USER", "CHANNEL"].map { table in
            Query(table: table, columns: texts([("'\(table)'", "table"), ("m.DATA", "data")]))
        } + [
            Query(
                table: "MESSAGE",
                columns: texts([("'MESSAGE'", "table"), ("m.CHANNEL_ID", "channel"), ("m.DATA", "data")]))
        ])
}
