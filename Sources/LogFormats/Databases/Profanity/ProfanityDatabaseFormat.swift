import Bytes
import ChatModel

/// The database of the XMPP client profanity, `chatlog.db`, which has one account.
package struct ProfanityDatabaseFormat: NetworkDatabaseFormat {
    package static let name = "profanity-db"
    package static let programs = "profanity (its SQLite database)"
    package static let keepsNames = true
    /// 1 MiB. A stanza has at most 256 KiB on usual servers.
    package static let maximumLine = 1024 * 1024
    package static let hidesOwner = true

    /// `src/database.c`.
    package static let schemas = [
        DatabaseSchema(
            tables: [
                "chatlogs": [
                    "id", "from_jid", "to_jid", "from_resource", "to_resource", "message", "timestamp", "type",
                    "stanza_id", "archive_id", "replace_id",
                ]
            ],
            queries: [
                DatabaseSchema.Query(
                    table: "ChatLogs",
                    columns: [
                        ("m.from_jid", "from"), ("m.from_resource", "from_resource"), ("m.to_jid", "to"),
                        ("m.to_resource", "to_resource"), ("m.message", "text"), ("m.timestamp", "time"),
                        ("m.type", "type"), ("m.stanza_id", "id"), ("m.replace_id", "replaced"),
                        ("m.archive_id", "archive"),
                    ])
            ])
    ]

    /// Finds the account's own address: the sender or the receiver of every message.
    package static func header(of file: some DatabaseFile) throws -> DatabaseHeader {
        let first = try file.texts("SELECT to_jid, from_jid FROM ChatLogs LIMIT 1").first ?? []
        let addresses = first.compactMap(\.self)
        let own = try addresses.first { address in
            try file.texts(
                "SELECT 1 FROM ChatLogs WHERE from_jid <> ?1 AND to_jid <> ?1 LIMIT 1", [address]
            ).isEmpty
        }
        return DatabaseHeader(database: name, networks: own.map { [.init(key: $0, name: $0)] } ?? [])
    }

    /// Returns the account's address: that of the database's folder, else that of the messages.
    package static func accountName(in source: LogSource) -> String? {
        address(ofFolder: source.folders.last) ?? DatabaseHeader(source)?.networks.first?.name
    }

    /// Returns `alice@example.net` for the folder `alice_at_example.net`.
    private static func address(ofFolder folder: String?) -> String? {
        guard let folder, let at = folder.firstRange(of: "_at_") else { return nil }
        return folder[..<at.lowerBound] + "@" + folder[at.upperBound...]
    }

    private let rows: DatabaseRows<ProfanityRow>
    private let account: String?
    private var corrections = XMPPCorrections()

    package init(_ source: LogSource) throws(LogSourceError) {
        rows = try DatabaseRows(source, Self.self, limit: Self.maximumLine)
        account = Self.accountName(in: source)
    }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do {
            guard let (row, flags) = try rows.row(line) else { return .nothing }
            return .message(corrections.message(try row.entry(of: account), flags: flags))
        } catch {
            return .unreadable(UnreadablePiece(error).reason)
        }
    }
}

private struct ProfanityRow: DatabaseRow {
    var network: String? { nil }
    var error, from, fromResource, to, toResource, text, time, type, id, archive, replaced: String?

    private enum CodingKeys: String, CodingKey {
        case error, from, to, text, time, type, id, archive, replaced
        case fromResource = "from_resource"
        case toResource = "to_resource"
    }

    /// - Parameter account: The account's own address.
    func entry(of account: String?) throws(UnreadablePiece) -> XMPPEntry {
        guard let from = ExportText.name(from), let to = ExportText.name(to) else {
            throw UnreadablePiece("it has no address")
        }
        // profanity before 0.12 writes zones such as +09.
        guard let time = time.flatMap({ WrittenTime($0.utf8, hoursAlone: true)?.microseconds }) else {
            throw UnreadablePiece("its time is not a time")
        }
        let isOwn = from == account
        let (other, resource) = isOwn ? (to, toResource) : (from, fromResource)
        let nick = ExportText.name(resource)
        var entry = XMPPEntry(
            room: other, isDirect: type != "muc", sender: from, text: text, time: Timestamp(microseconds: time),
            resolution: .microsecond, id: ExportText.name(id), serverID: ExportText.name(archive),
            replaced: ExportText.name(replaced))
        if type == "mucpm", let nick { entry.room = "\(other)/\(nick)" }
        if type == "muc" || type == "mucpm", !isOwn, let nick { entry.sender = nick }
        return entry
    }
}
