import Bytes
import ChatModel

/// The database of Messages on macOS and iOS, `chat.db` or `sms.db`: the people and files of all chats first, and the messages
/// after them.
package struct IMessageFormat: DatabaseFormat {
    package static let name = "imessage"
    package static let programs = "Messages of macOS and iOS (chat.db)"
    /// 1 MiB: a text's attributed form in hexadecimal.
    package static let maximumLine = 1024 * 1024
    package static let ownerWords = [OwnWord.sender]

    /// The tables of macOS 13 and later first, those since macOS 10.12, and older ones. Other columns vary more
    /// (the project imessage-exporter, `imessage-database/src/tables`).
    package static let schemas = [2, 1, 0].map(schema)

    private static let participants = DatabaseSchema.Query(
        table: "chat_handle_join",
        columns: [("'participant'", "table"), ("m.chat_id", "chat"), ("h.id", "person")],
        joins: "LEFT JOIN handle h ON h.rowid = m.handle_id")

    private static let attachments = DatabaseSchema.Query(
        table: "message_attachment_join",
        columns: [
            ("'attachment'", "table"), ("m.message_id", "number"),
            ("coalesce(nullif(a.filename, ''), a.transfer_name)", "text"),
        ], joins: "LEFT JOIN attachment a ON a.rowid = m.attachment_id")

    /// - Parameter age: 0 for the oldest form, 2 for the newest.
    private static func schema(age: Int) -> DatabaseSchema {
        var message: Set = ["rowid", "guid", "text", "handle_id", "date", "is_from_me", "item_type", "group_title"]
        message.formUnion(["other_handle", "group_action_type", "attributedbody"])
        if age > 0 { message.formUnion(["associated_message_guid", "associated_message_type", "balloon_bundle_id"]) }
        if age > 1 { message.formUnion(["thread_originator_guid", "date_edited"]) }
        return DatabaseSchema(
            tables: [
                "message": message, "chat": ["rowid", "guid", "chat_identifier", "display_name"],
                "handle": ["rowid", "id"], "chat_message_join": ["chat_id", "message_id"],
                "chat_handle_join": ["chat_id", "handle_id"], "attachment": ["rowid", "filename", "transfer_name"],
                "message_attachment_join": ["message_id", "attachment_id"],
            ],
            keys: ["message": "rowid", "chat": "rowid", "handle": "rowid", "attachment": "rowid"],
            queries: [participants, attachments, messages(age: age)])
    }

    /// Messages are read by the table of their chats, because a message does not name its chat.
    private static func messages(age: Int) -> DatabaseSchema.Query {
        DatabaseSchema.Query(
            table: "chat_message_join",
            columns: [
                ("'message'", "table"), ("m.chat_id", "chat"), ("c.guid", "chat_guid"),
                ("c.chat_identifier", "chat_identifier"), ("c.display_name", "chat_name"), ("m.message_id", "number"),
                ("x.guid", "id"), ("x.date", "time"), ("x.is_from_me", "own"), ("h.id", "person"), ("x.text", "text"),
                ("CASE WHEN nullif(x.text, '') IS NULL THEN hex(x.attributedbody) END", "attributed"),
                ("x.item_type", "item"), ("x.group_action_type", "action"), ("x.group_title", "title"),
                ("o.id", "other"),
            ]
                + (age > 0
                    ? [
                        ("x.associated_message_type", "reaction"), ("x.associated_message_guid", "target"),
                        ("x.balloon_bundle_id", "app"),
                    ] : []) + (age > 1 ? [("x.thread_originator_guid", "reply"), ("x.date_edited", "edited")] : []),
            joins: """
                LEFT JOIN message x ON x.rowid = m.message_id LEFT JOIN chat c ON c.rowid = m.chat_id
                LEFT JOIN handle h ON h.rowid = x.handle_id LEFT JOIN handle o ON o.rowid = x.other_handle
                """)
    }

    package static func header(of file: some DatabaseFile) throws -> DatabaseHeader { DatabaseHeader(database: name) }

    private let rows: DatabaseRows<IMessageRow>
    private var facts = IMessageFacts()

    package init(_ source: LogSource) throws(LogSourceError) {
        rows = try DatabaseRows(source, Self.self, limit: Self.maximumLine)
    }

    package var assumptions: [String] { facts.assumptions }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do {
            guard let (row, flags) = try rows.message(line, &facts) else { return .nothing }
            return .message(try row.message(facts, flags: flags))
        } catch {
            return .unreadable(UnreadablePiece(error).reason)
        }
    }
}

/// The people of chats and the files of messages, by their numbers.
private struct IMessageFacts: DatabaseFacts {
    private var people: [String: [String]] = [:]
    private var files: [String: [String]] = [:]
    private var budget = NameBudget()

    /// The limit of people or files for one number, more than a group or a message may have.
    private static let maximumEntries = 1000

    var assumptions: [String] { budget.assumptions(leftOut: "files and people of groups") }

    mutating func add(_ row: IMessageRow) throws(UnreadablePiece) {
        switch row.table {
        case "participant":
            if let chat = row.chat, let person = ExportText.name(row.person), budget.reserve(chat, person),
                people[chat]?.count ?? 0 < Self.maximumEntries
            {
                people[chat, default: []].append(person)
            }
        case "attachment":
            if let number = row.number, let path = ExportText.name(row.text), budget.reserve(number, path),
                files[number]?.count ?? 0 < Self.maximumEntries
            {
                files[number, default: []].append(path)
            }
        default: throw UnreadablePiece("it has no known table")
        }
    }

    /// Returns the people of a chat, joined as the name of a group without one; nil if none is known.
    func people(of chat: String?) -> String? {
        let people = (chat.flatMap { self.people[$0] } ?? []).sorted()
        return people.isEmpty ? nil : ExportText.name(people.joined(separator: ", "))
    }

    /// Returns the files of a message. A path in the user's library begins below `Messages` or `SMS`, the folder of the database.
    func files(of message: String?) -> [ImportedMessage.File] {
        (message.flatMap { files[$0] } ?? []).map { path in
            let beside = path.parted(by: "/Messages/") ?? path.parted(by: "/SMS/")
            return ImportedMessage.File(path: beside ?? path)
        }
    }
}

extension String {
    /// Returns the text after the first occurrence of a word; nil if the text does not have it.
    fileprivate func parted(by word: String) -> String? {
        firstRange(of: word).map { String(self[$0.upperBound...]) }
    }
}

private struct IMessageRow: DatabaseRow {
    var network: String? { nil }
    var error, table, chat, chatGUID, chatIdentifier, chatName, number, id, time, own, person, text: String?
    var attributed, item, action, title, other, reaction, target, app, reply, edited: String?

    private enum CodingKeys: String, CodingKey {
        case error, table, chat, number, id, time, own, person, text, attributed, item, action, title, other, reaction
        case target, app, reply, edited
        case chatGUID = "chat_guid"
        case chatIdentifier = "chat_identifier"
        case chatName = "chat_name"
    }

    func message(_ facts: IMessageFacts, flags: MessageFlags) throws(UnreadablePiece) -> ImportedMessage {
        guard let time = Self.time(time) else { throw UnreadablePiece("its time is not a number") }
        // The middle part of a chat's GUID is `-` for two people, and `+` for a group: `iMessage;-;+821012345678`.
        let isDirect = chatGUID?.contains(";-;") ?? false
        let names = isDirect ? nil : facts.people(of: chat)
        guard let room = ExportText.name(chatName, names, chatIdentifier, chatGUID) else {
            throw UnreadablePiece("it has no chat")
        }
        let sender = own == "1" ? OwnWord.sender : ExportText.name(person)
        let files = facts.files(of: number)
        let (kind, body) = content(hasFiles: !files.isEmpty)
        let text = ExportText(lines: [body])
        var message = ImportedMessage(
            room: room, roomKind: isDirect ? .direct : .group, kind: sender == nil ? .system : kind, sender: sender,
            body: text.string, time: time, resolution: .microsecond, remoteID: ExportText.name(id),
            flags: flags.union(text.flags), replyTo: ExportText.name(answered), files: files)
        if let edited = edited.flatMap(Self.time), edited > time {
            // A message that was unsent has lost its text.
            if text.string == nil, files.isEmpty { message.deletedAt = edited } else { message.editedAt = edited }
        }
        if message.body == nil, kind == .message, files.isEmpty, message.deletedAt == nil { message.body = "" }
        return message
    }

    /// Reads nanoseconds since 2001-01-01 UTC; in databases before macOS 10.13, seconds. Nil for another text, and for 0.
    private static func time(_ text: String?) -> Timestamp? {
        guard let number = text.flatMap({ Int64($0) }), number > 0 else { return nil }
        // As seconds, 10^12 would be in the year 33,690.
        let microseconds =
            number < 1_000_000_000_000 ? number.multipliedReportingOverflow(by: 1_000_000).partialValue : number / 1000
        return Timestamp(microseconds: microseconds).advanced(byMicroseconds: 978_307_200 * 1_000_000)
    }

    /// The answered message: that of a thread, or the one to which a reaction belongs (`p:0/GUID` or `bp:GUID`).
    private var answered: String? {
        guard isReaction else { return reply }
        return target.map { target in
            target.hasPrefix("p:") ? XMPPAddress.resource(of: target) ?? target : target.parted(by: "bp:") ?? target
        }
    }

    /// 2000 to 2999 is a reaction, and 3000 to 3999 its removal.
    private var isReaction: Bool { reaction.flatMap { Int($0) }.map { (2000..<4000).contains($0) } ?? false }

    /// U+FFFC stands for a file.
    private var written: String? {
        let whole =
            text.flatMap { $0.isEmpty ? nil : $0 }
            ?? attributed.flatMap { Self.bytes(hex: $0) }.flatMap(TypedStream.text)
        return whole?.replacing("\u{FFFC}", with: "")
    }

    private func content(hasFiles: Bool) -> (MessageKind, String?) {
        let body = written
        if isReaction { return (.action, body ?? "reacted") }
        // `item_type` and `group_action_type`.
        switch (item ?? "0", action ?? "0") {
        case ("1", "0"): return (.invite, other)
        case ("1", _): return (.kick, other)
        case ("2", _): return (.action, "changed the chat's name to \(title ?? "nothing")")
        case ("3", "0"): return (.leave, nil)
        case ("3", "1"): return (.action, "changed the chat's picture")
        case ("3", _): return (.action, "changed the chat")
        case ("0", _): break
        default: return (.action, body ?? "changed the chat (\(item ?? ""))")
        }
        if body?.isEmpty ?? true, !hasFiles, let app = ExportText.name(app) { return (.message, "[\(app)]") }
        return (.message, body)
    }

    private static func bytes(hex: String) -> [UInt8]? {
        let digits = Array(hex.utf8)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Byte.hexadecimal(digits[index]), let low = Byte.hexadecimal(digits[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
