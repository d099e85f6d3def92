import LogFormats

/// A program whose SQLite database can be imported: its tables, and the queries that read them.
struct KnownDatabase {
    /// A query that reads a table in the order of its rows, some at a time.
    struct Query {
        /// The table whose rows are read.
        let table: String
        /// The columns after the row's number, in SQL.
        let columns: String
        /// The table with those that are joined, in SQL; the table's own name is `m`.
        let from: String

        /// Reads at most ?2 rows after the number ?1.
        var rows: String { "SELECT m.rowid, \(columns) FROM \(from) WHERE m.rowid > ?1 ORDER BY m.rowid LIMIT ?2" }
        /// Returns the number of the row after the number ?1.
        var next: String { "SELECT m.rowid FROM \(table) m WHERE m.rowid > ?1 ORDER BY m.rowid LIMIT 1" }
    }

    let format: any LogFormat.Type
    /// The columns that the tables must have, by table, in lower case.
    let tables: [String: Set<String>]
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
                Query(table: "messages", columns: texts(columns.map { ("m.\($0)", $0) }), from: "messages m")
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
        queries: [
            Query(
                table: "backlog",
                columns: texts([
                    ("b.networkid", "network"), ("b.buffername", "buffer"), ("b.buffertype", "buffer_type"),
                    ("m.time", "time"), ("m.type", "type"), ("m.flags", "flags"), ("s.sender", "sender"),
                    ("m.message", "message"),
                ]),
                from: """
                    backlog m LEFT JOIN buffer b ON b.bufferid = m.bufferid LEFT JOIN sender s ON s.senderid = m.senderid
                    """)
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
        queries: [
            Query(
                table: "Message",
                columns: texts([
                    ("t.network", "network"), ("t.target", "target"), ("m.time", "time"), ("m.raw", "raw"),
                ]), from: "Message m LEFT JOIN MessageTarget t ON t.id = m.target")
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
            Query(table: table, columns: texts([("'\(table)'", "table"), ("m.DATA", "data")]), from: "\(table) m")
        } + [
            Query(
                table: "MESSAGE",
                columns: texts([("'MESSAGE'", "table"), ("m.CHANNEL_ID", "channel"), ("m.DATA", "data")]),
                from: "MESSAGE m")
        ])
}
