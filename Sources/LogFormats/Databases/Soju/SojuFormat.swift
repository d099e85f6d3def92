import Bytes
import ChatModel

/// The SQLite database of the IRC bouncer soju, with the network's original lines.
package struct SojuFormat: IRCDatabaseFormat {
    package static let name = "soju"
    package static let programs = "soju (its SQLite database)"
    /// 256 KiB: a line of IRC has 8 KiB, of which each byte may be written as six.
    package static let maximumLine = 256 * 1024

    /// `database/sqlite.go`. The table `Message` has rows with `message-store db`.
    package static let schemas = [
        DatabaseSchema(
            tables: [
                "message": ["id", "target", "raw", "time"],
                "messagetarget": ["id", "network", "target"],
                "network": ["id", "name", "addr", "user"],
                "user": ["id", "username"],
            ],
            keys: ["messagetarget": "id", "network": "id", "user": "id"],
            queries: [
                DatabaseSchema.Query(
                    table: "Message",
                    columns: [
                        ("t.network", "network"), ("t.target", "target"), ("m.time", "time"), ("m.raw", "raw"),
                    ], joins: "LEFT JOIN MessageTarget t ON t.id = m.target")
            ])
    ]
    package static let otherTables: Set = ["channel", "deliveryreceipt"]

    package static func header(of file: some DatabaseFile) throws -> DatabaseHeader {
        let networks = try DatabaseHeader.Network.all(
            of: file,
            """
            SELECT n.id, coalesce(nullif(n.name, ''), n.addr), u.username FROM Network n
            LEFT JOIN User u ON u.id = n.user
            WHERE EXISTS (
                SELECT 1 FROM MessageTarget t JOIN Message m ON m.target = t.id WHERE t.network = n.id)
            ORDER BY n.id LIMIT \(DatabaseHeader.maximumNetworks)
            """)
        return DatabaseHeader(database: name, networks: networks)
    }

    /// Refuses a database of soju that keeps its messages in files.
    package static func refusal(of file: some DatabaseFile) -> (reason: String, hint: String)? {
        guard file.columns(of: "message") == nil, otherTables.allSatisfy({ file.columns(of: $0) != nil }) else {
            return nil
        }
        return ("soju keeps no messages in this database", "import soju's folder of logs")
    }

    private let rows: DatabaseRows<SojuRow>

    package init(_ source: LogSource) throws(LogSourceError) {
        rows = try DatabaseRows(source, Self.self, limit: Self.maximumLine)
    }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do {
            guard let (row, flags) = try rows.row(line) else { return .nothing }
            guard let time = row.time.flatMap({ WrittenTime($0.utf8)?.microseconds }) else {
                throw UnreadablePiece("its time is not a time")
            }
            guard let target = ExportText.name(row.target) else { throw UnreadablePiece("it has no target") }
            guard let raw = row.raw, let line = IRCRawLine(Array(raw.utf8)[...]) else {
                throw UnreadablePiece("its \"raw\" is not a line of IRC")
            }
            let room = IRCLog.Room(name: target, isDirect: !IRCRawLine.isChannel(target))
            return .message(
                line.record.message(in: room, at: Timestamp(microseconds: time), .microsecond, flags: flags))
        } catch {
            return .unreadable(UnreadablePiece(error).reason)
        }
    }
}

private struct SojuRow: DatabaseRow {
    var network, error, target, time, raw: String?
}
