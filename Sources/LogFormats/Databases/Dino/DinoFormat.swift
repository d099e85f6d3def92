import Bytes
import ChatModel

/// The database of the XMPP client Dino, `dino.db`: corrections, answers, reactions and files first, and the messages after
/// them.
package struct DinoFormat: NetworkDatabaseFormat {
    package static let name = "dino"
    package static let programs = "Dino (its SQLite database)"
    package static let keepsNames = true
    /// 1 MiB. A stanza has at most 256 KiB on usual servers.
    package static let maximumLine = 1024 * 1024
    package static let hidesOwner = true

    /// `libdino/src/service/database.vala`: the tables since version 23 of the database (Dino 0.4), those with
    /// corrections (0.2), and those of 0.1.
    package static let schemas = [schema(facts: 3), schema(facts: 1), schema(facts: 0)]

    private static let messages = DatabaseSchema.Query(
        table: "message",
        columns: [
            ("m.account_id", "network"), ("'message'", "table"), ("m.id", "message"), ("m.stanza_id", "id"),
            ("j.bare_jid", "jid"), ("m.counterpart_resource", "nick"), ("m.our_resource", "own_nick"),
            ("m.direction", "direction"), ("m.type", "type"), ("m.time", "time"), ("m.body", "text"),
            ("m.server_id", "archive"),
        ],
        joins: "LEFT JOIN jid j ON j.id = m.counterpart_id")

    private static let corrections = DatabaseSchema.Query(
        table: "message_correction",
        columns: [("'message_correction'", "table"), ("m.message_id", "message"), ("m.to_stanza_id", "id")])

    private static let replies = DatabaseSchema.Query(
        table: "reply",
        columns: [
            ("'reply'", "table"), ("m.message_id", "message"),
            ("coalesce(q.stanza_id, m.quoted_message_stanza_id)", "id"),
        ], joins: "LEFT JOIN message q ON q.id = m.quoted_message_id")

    private static let reactions = DatabaseSchema.Query(
        table: "reaction",
        columns: [
            ("'reaction'", "table"), ("CASE WHEN c.content_type = 1 THEN c.foreign_id END", "message"),
            ("m.emojis", "text"), ("m.time", "time"), ("coalesce(o.last_nick, j.bare_jid)", "nick"),
        ],
        joins: """
            LEFT JOIN content_item c ON c.id = m.content_item_id LEFT JOIN jid j ON j.id = m.jid_id
            LEFT JOIN occupant_id o ON o.id = m.occupant_id
            """)

    /// - Parameter facts: The number of facts about messages: corrections, answers and reactions.
    private static func schema(facts: Int) -> DatabaseSchema {
        var tables: [String: Set<String>] = [
            "message": [
                "id", "stanza_id", "server_id", "account_id", "counterpart_id", "our_resource", "counterpart_resource",
                "direction",
                "type", "time", "body",
            ],
            "jid": ["id", "bare_jid"], "account": ["id", "bare_jid"],
        ]
        var keys = ["message": "id", "jid": "id", "account": "id"]
        if facts > 0 { tables["message_correction"] = ["message_id", "to_stanza_id"] }
        if facts > 1 {
            tables["reply"] = ["message_id", "quoted_message_id", "quoted_message_stanza_id"]
            tables["reaction"] = ["content_item_id", "time", "jid_id", "occupant_id", "emojis"]
            tables["content_item"] = ["id", "content_type", "foreign_id"]
            tables["occupant_id"] = ["id", "last_nick"]
            keys.merge(["content_item": "id", "occupant_id": "id"]) { $1 }
        }
        let queries = [corrections, replies, reactions].prefix(facts)
        return DatabaseSchema(tables: tables, keys: keys, queries: queries + [messages])
    }

    package static func header(of file: some DatabaseFile) throws -> DatabaseHeader {
        let accounts = try DatabaseHeader.Network.all(
            of: file,
            """
            SELECT a.id, a.bare_jid, '' FROM account a
            WHERE EXISTS (SELECT 1 FROM message m WHERE m.account_id = a.id)
            ORDER BY a.id LIMIT \(DatabaseHeader.maximumNetworks)
            """)
        return DatabaseHeader(database: name, networks: accounts)
    }

    private let rows: DatabaseRows<DinoRow>
    private var facts = DinoFacts()
    private var corrections = XMPPCorrections()

    package init(_ source: LogSource) throws(LogSourceError) {
        rows = try DatabaseRows(source, Self.self, limit: Self.maximumLine)
    }

    package var assumptions: [String] { facts.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do {
            guard let (row, flags) = try rows.message(line, &facts) else { return .nothing }
            var entry = try row.entry(of: rows.network?.name)
            entry.replaced = row.message.flatMap { facts.replaced[$0] }
            entry.replyTo = row.message.flatMap { facts.answered[$0] }
            var message = corrections.message(entry, flags: flags)
            if message.remoteID != nil, let number = row.message { message.reactions = facts.reactions[number] ?? [] }
            return .message(message)
        } catch {
            return .unreadable(UnreadablePiece(error).reason)
        }
    }
}

/// The rows that Dino stores apart from its messages, by the numbers of the messages.
private struct DinoFacts: DatabaseFacts {
    private(set) var replaced: [String: String] = [:]
    private(set) var answered: [String: String] = [:]
    private(set) var reactions: [String: [ImportedMessage.Reaction]] = [:]
    private var budget = NameBudget()

    private static let tables: Set = ["message_correction", "reply", "reaction"]
    /// The limit of reactions of a message, more than people give.
    private static let maximumReactions = 1000

    var assumptions: [String] { budget.assumptions(leftOut: "corrections, answers and reactions") }

    mutating func add(_ row: DinoRow) throws(UnreadablePiece) {
        guard let table = row.table, Self.tables.contains(table) else { throw UnreadablePiece("it has no known table") }
        guard let message = row.message else { return }
        switch table {
        case "message_correction":
            if let id = ExportText.name(row.id), budget.reserve(message, id) { replaced[message] = id }
        case "reply":
            if let id = ExportText.name(row.id), budget.reserve(message, id) { answered[message] = id }
        default:
            guard let user = ExportText.name(row.nick), budget.reserve(message, user, row.text) else { return }
            let at = try? XMPPEntry.time(row.time).0
            for emoji in (row.text ?? "").split(separator: ",") {
                guard reactions[message]?.count ?? 0 < Self.maximumReactions else { return }
                reactions[message, default: []].append(
                    ImportedMessage.Reaction(text: String(emoji).withoutNUL, user: user, at: at))
            }
        }
    }
}

private struct DinoRow: DatabaseRow {
    var network, error, table, message, id, archive, jid, nick, ownNick, direction, type, time, text: String?

    private enum CodingKeys: String, CodingKey {
        case network, error, table, message, id, archive, jid, nick, direction, type, time, text
        case ownNick = "own_nick"
    }

    /// - Parameter account: The account's own address.
    func entry(of account: String?) throws(UnreadablePiece) -> XMPPEntry {
        guard let address = ExportText.name(jid) else { throw UnreadablePiece("it has no address") }
        let (time, resolution) = try XMPPEntry.time(time)
        let (isOwn, nick, own) = (direction == "1", ExportText.name(nick), account ?? OwnWord.sender)
        var entry = XMPPEntry(
            room: address, isDirect: true, sender: isOwn ? own : address, text: text, time: time,
            resolution: resolution, id: ExportText.name(id), serverID: ExportText.name(archive))
        // `Message.Type`.
        switch type {
        case "2": (entry.isDirect, entry.sender) = (false, isOwn ? ExportText.name(ownNick) ?? own : nick)
        case "3":
            if let nick { (entry.room, entry.sender) = ("\(address)/\(nick)", isOwn ? own : nick) }
        default: break
        }
        return entry
    }
}
