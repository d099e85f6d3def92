import Bytes
import ChatModel

/// The database of Viber on computers, `viber.db`, as versions before 2023 wrote it, which did not encrypt it: the people
/// and reactions first, and the messages after them.
package struct ViberFormat: DatabaseFormat {
    package static let name = "viber"
    package static let programs = "Viber (viber.db of computers)"
    /// 1 MiB: a message has at most 7,000 characters, and as many of details.
    package static let maximumLine = 1024 * 1024
    package static let ownerWords = [OwnWord.sender]

    /// The tables with ids and reactions first, and the older ones.
    package static let schemas = [schema(isNew: true), schema(isNew: false)]

    private static let person = "coalesce(nullif(c.name, ''), nullif(c.clientname, ''), c.number)"

    private static let participants = DatabaseSchema.Query(
        table: "chatrelation",
        columns: [
            ("'participant'", "table"), ("m.chatid", "chat"), (person, "person"), ("c.number", "key"),
            // Viber's number for yourself.
            ("CASE WHEN m.contactid = 1 THEN 1 ELSE 0 END", "own"),
        ], joins: "LEFT JOIN contact c ON c.contactid = m.contactid")

    private static let reactions = DatabaseSchema.Query(
        table: "likerelation",
        columns: [
            ("'reaction'", "table"), ("m.messagetoken", "id"), (person, "person"), ("c.number", "key"),
            ("e.direction", "own"), ("e.timestamp", "time"),
            ("coalesce(nullif(x.selfreaction, ''), x.pgisliked)", "text"),
        ],
        joins: """
            LEFT JOIN events e ON e.eventid = m.likeeventid LEFT JOIN messages x ON x.eventid = m.likeeventid
            LEFT JOIN contact c ON c.contactid = e.contactid
            """)

    private static func messages(isNew: Bool) -> DatabaseSchema.Query {
        DatabaseSchema.Query(
            table: "messages",
            columns: [
                ("'message'", "table"), ("e.chatid", "chat"), ("i.name", "chat_name"), ("e.timestamp", "time"),
                ("e.direction", "own"), ("e.type", "event"), (person, "person"), ("c.number", "key"),
                ("m.type", "type"),
                ("m.subject", "subject"), ("m.body", "text"), ("m.info", "info"), ("m.payloadpath", "path"),
            ] + (isNew ? [("e.token", "id"), ("i.token", "chat_key"), ("i.pgtype", "chat_type")] : []),
            joins: """
                LEFT JOIN events e ON e.eventid = m.eventid LEFT JOIN contact c ON c.contactid = e.contactid
                LEFT JOIN chatinfo i ON i.chatid = e.chatid
                """)
    }

    private static func schema(isNew: Bool) -> DatabaseSchema {
        var tables: [String: Set<String>] = [
            "events": ["eventid", "timestamp", "direction", "type", "chatid", "contactid"],
            "messages": ["eventid", "type", "subject", "body", "info", "payloadpath"],
            "contact": ["contactid", "name", "clientname", "number"], "chatinfo": ["chatid", "name"],
            "chatrelation": ["chatid", "contactid"],
        ]
        if isNew {
            tables["events"]?.insert("token")
            tables["chatinfo"]?.formUnion(["token", "pgtype"])
            tables["messages"]?.formUnion(["selfreaction", "pgisliked"])
            tables["likerelation"] = ["messagetoken", "likeeventid"]
        }
        return DatabaseSchema(
            tables: tables,
            keys: ["events": "eventid", "messages": "eventid", "contact": "contactid", "chatinfo": "chatid"],
            queries: [participants] + (isNew ? [reactions] : []) + [messages(isNew: isNew)])
    }

    package static func header(of file: some DatabaseFile) throws -> DatabaseHeader { DatabaseHeader(database: name) }

    private let rows: DatabaseRows<ViberRow>
    private var facts = ViberFacts()
    /// The times of the messages so far, by a hash of their ids.
    private var times: [Int: Timestamp] = [:]
    private var omissions = ExportOmissions()

    /// The limit of ``times``, at about 40 bytes each. An edit comes soon after its message.
    private static let maximumTimes = 200_000

    package init(_ source: LogSource) throws(LogSourceError) {
        rows = try DatabaseRows(source, Self.self, limit: Self.maximumLine)
    }

    package var assumptions: [String] { facts.assumptions + omissions.assumptions(zone: "") }
    package var unknownKinds: UnknownKinds { omissions.kinds }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do {
            guard let (row, flags) = try rows.message(line, &facts) else { return .nothing }
            // A reaction is an event of its own. Newer versions also have a table of them.
            if row.event == "3", row.id != nil { return .nothing }
            return .message(try message(row, flags))
        } catch {
            return .unreadable(UnreadablePiece(error).reason)
        }
    }

    private mutating func message(_ row: ViberRow, _ flags: MessageFlags) throws(UnreadablePiece) -> ImportedMessage {
        let content = try ViberContent(row)
        let text = ExportText(lines: content.lines)
        let room = facts.room(of: row)
        let (sender, key) = row.sender
        let id = row.id.flatMap { $0 == "0" ? nil : ExportText.name($0) }
        var message = ImportedMessage(
            room: room.name, roomKey: room.key, roomKind: room.kind, kind: sender == nil ? .system : content.kind,
            sender: sender, senderKey: key, body: text.string, time: try row.instant, resolution: .microsecond,
            remoteID: id, flags: flags.union(text.flags), replyTo: content.replyTo)
        if let file = content.file {
            message.files = [ImportedMessage.File(path: file)]
            omissions.countFile()
        }
        if content.isDeleted { (message.body, message.deletedAt) = (nil, message.time) }
        if text.string == nil, message.files.isEmpty, message.kind == .message, !content.isDeleted {
            omissions.count(kind: "type \(row.type ?? "?")")
        }
        if let edited = content.edited {
            edit(&message, edited)
        } else if let id {
            if times.count < Self.maximumTimes { times[id.hashValue] = message.time }
            message.reactions = facts.reactions(to: id)
        }
        return message
    }

    /// Makes a message the newest text of the one that it edits. If that is not among those before it, makes it a reply.
    private func edit(_ message: inout ImportedMessage, _ target: String) {
        guard let time = times[target.hashValue] else {
            message.replyTo = target
            return
        }
        message.editedAt = message.time
        (message.remoteID, message.time) = (target, time)
    }
}
