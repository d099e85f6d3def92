import Bytes
import ChatModel
import Foundation

/// Telegram Desktop's result.json, of one chat or of an account with its present and former chats.
package struct TelegramFormat: LogFormat {
    package static let name = "telegram"
    /// 1 MiB: a message has about 4,096 characters, three times (plain and marked up), and few of the users who reacted
    /// to it.
    package static let maximumLine = 1024 * 1024
    /// Older exports (without `date_unixtime`) have only local times.
    package static let hasLocalTimes = true

    private struct Chat {
        var name: String?
        var type = ""
        var id = ""
        /// The time of the message before, when it was a local time.
        var last: Timestamp?

        /// The chat's id with its kind. Telegram numbers people, groups, and channels with supergroups, each from 1.
        var key: String {
            let kind =
                switch type {
                case "private_group": "chat"
                case let type where type.hasSuffix("group") || type.hasSuffix("channel"): "channel"
                default: "user"
                }
            return kind + id
        }

        var shownName: String {
            switch type {
            case "saved_messages": "Saved Messages"
            case "replies": "Replies"
            default: name ?? key
            }
        }

        var isDirect: Bool { type == "personal_chat" || type == "bot_chat" }
    }

    private static let types: Set<String> = [
        "personal_chat", "bot_chat", "saved_messages", "replies", "verify_codes", "private_group", "private_supergroup",
        "public_supergroup", "private_channel", "public_channel",
    ]
    /// The places of chats in the export of an account. The export of one chat is the chat itself.
    private static let lists = ["chats.list[]", "left_chats.list[]"]

    private let givenRoom: String?
    private let zone: TimeZone
    private var chat = Chat()
    private var isSeveral = false
    private var omissions = ExportOmissions()

    package static func recognises(_ source: LogSource) -> Bool {
        let parts = [
            "personal_information.user_id", "profile_pictures[]", "stories[]", "contacts.about",
            "frequent_contacts.about", "sessions.about", "web_sessions.about", "chats.about", "left_chats.about",
        ]
        let pieces = JSONPieceCutter.pieces(of: source.beginning, at: ["about", "type", "id"] + parts)
        let found = Set(pieces.map(\.place))
        if found.contains("about"), !found.isDisjoint(with: parts) { return true }
        guard let type = pieces.first(where: { $0.place == "type" }), found.contains("id") else { return false }
        return (try? JSONPiece<String>(type, limit: maximumLine)).map { types.contains($0.value) } ?? false
    }

    package static func cutter() -> any SourceCutter {
        let keys = ["name", "type", "id", "messages[]"]
        return JSONPieceCutter(
            places: keys + lists.flatMap { list in [list] + keys.map { "\(list).\($0)" } }, maximumPiece: maximumLine)
    }

    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
        zone = source.zone
    }

    package var assumptions: [String] {
        omissions.assumptions(zone: zone.identifier)
            + (isSeveral && givenRoom != nil ? ["the export has several rooms, which keep their own names"] : [])
    }

    package mutating func read(_ line: LogLine) -> ParsedLine {
        do {
            if Self.lists.contains(line.place), line.bytes.isEmpty {
                (chat, isSeveral) = (Chat(), true)
                return .nothing
            }
            switch line.place.split(separator: ".").last {
            case "name": chat.name = try piece(line, String?.self).flatMap { ExportText.name($0) }
            case "type": chat.type = try piece(line, String?.self) ?? ""
            case "id": chat.id = try piece(line, JSONScalar.self).text
            default: return .message(try message(line))
            }
            return .nothing
        } catch {
            return .unreadable(UnreadablePiece(error).reason)
        }
    }

    private func piece<Value: Decodable>(_ line: LogLine, _: Value.Type) throws(UnreadablePiece) -> Value {
        try JSONPiece<Value>(line, limit: Self.maximumLine).value
    }

    private mutating func message(_ line: LogLine) throws(UnreadablePiece) -> ImportedMessage {
        let piece = try JSONPiece<TelegramMessage>(line, limit: Self.maximumLine)
        var message = piece.value
        if message.text?.string.isEmpty ?? true {
            message.text = try self.piece(line, TelegramEntities.self).text_entities
        }
        guard message.type != "unsupported" else {
            throw UnreadablePiece("the export left its content out: its \"type\" is \"unsupported\"")
        }
        guard message.isService || message.type == "message" else { throw UnreadablePiece("its \"type\" is unknown") }
        guard !chat.id.isEmpty else { throw UnreadablePiece("the export gives no chat \"id\" before it") }
        guard let id = message.id.id else { throw UnreadablePiece("its \"id\" is empty") }
        let (time, offset) = try time(of: message)
        let edited = try message.edited_unixtime.map { value throws(UnreadablePiece) in
            try Self.instant(value, "edited_unixtime")
        }
        let editedAt = edited ?? message.edited.flatMap { instant(local: $0, offset: offset, after: time) }
        let sender = try sender(of: message)
        let (kind, lines) = message.isService ? message.event : (.message, message.lines)
        let text = ExportText(lines: lines)
        let room = isSeveral ? nil : givenRoom
        return ImportedMessage(
            room: room ?? chat.shownName, roomKey: room == nil ? chat.key : nil, isDirect: chat.isDirect,
            kind: sender == nil ? .system : kind, sender: sender?.name, senderKey: sender?.key, body: text.string,
            time: time, resolution: .second, remoteID: id, flags: piece.flags.union(text.flags), editedAt: editedAt,
            replyTo: replied(by: message), files: files(of: message),
            reactions: reactions(to: message, offset: offset, at: time))
    }

    // MARK: - Times

    /// Returns the message's time and, when the export gives both, the exporting machine's offset from UTC in seconds.
    private mutating func time(
        of message: TelegramMessage
    ) throws(UnreadablePiece) -> (time: Timestamp, offset: Int64?) {
        let shown = message.date.flatMap(WrittenTime.init)
        if let unix = message.date_unixtime {
            let time = try Self.instant(unix, "date_unixtime")
            let offset = shown?.instants(in: .gmt).first.map { $0.since(time).components.seconds }
            return (time, offset)
        }
        guard message.date != nil else { throw UnreadablePiece("it has no \"date\"") }
        guard let instants = shown?.instants(in: zone), let first = instants.first else {
            throw UnreadablePiece("its \"date\" is not a time")
        }
        omissions.countTime()
        // When the clock is set back, takes the second of the two instants once the chat has reached it.
        let time = instants.first { $0 >= chat.last ?? $0 } ?? first
        chat.last = time
        return (time, nil)
    }

    private static func instant(_ unix: JSONScalar, _ key: String) throws(UnreadablePiece) -> Timestamp {
        guard let seconds = unix.integer else { throw UnreadablePiece("its \"\(key)\" is not a whole number") }
        return Timestamp(seconds: seconds)
    }

    /// Reads a local time; nil if it can't be read.
    private func instant(local text: String, offset: Int64?, after time: Timestamp) -> Timestamp? {
        guard let shown = WrittenTime(text) else { return nil }
        if let offset { return shown.instants(in: .gmt).first?.advanced(by: .seconds(-offset)) }
        let instants = shown.instants(in: zone)
        return instants.first { $0 >= time } ?? instants.first
    }

    // MARK: - People

    /// Returns the sender; nil for an event without an actor. A post in a channel is from the channel, unless it names
    /// its author.
    private func sender(of message: TelegramMessage) throws(UnreadablePiece) -> (name: String, key: String?)? {
        let (name, id) = message.isService ? (message.actor, message.actor_id) : (message.from, message.from_id)
        let key = id?.id.map(Self.key)
        if let name = ExportText.name(name) { return (name, key) }
        if let key { return (TelegramMessage.deletedAccount, key) }
        if let author = ExportText.name(message.author) { return (author, nil) }
        if message.isService { return nil }
        guard chat.type.hasSuffix("channel") else { throw UnreadablePiece("it has neither \"from\" nor \"from_id\"") }
        return (chat.shownName, chat.key)
    }

    /// Returns `user7` for 7, as older exports write it.
    private static func key(_ id: String) -> String {
        id.allSatisfy(\.isNumber) ? "user\(id)" : id
    }

    private func replied(by message: TelegramMessage) -> String? {
        let peer = message.reply_to_peer_id?.id
        guard peer == nil || peer == chat.key else { return nil }
        return (message.reply_to_message_id ?? message.message_id)?.id
    }

    private mutating func reactions(
        to message: TelegramMessage, offset: Int64?, at time: Timestamp
    ) -> [ImportedMessage.Reaction] {
        var reactions: [ImportedMessage.Reaction] = []
        for reaction in message.reactions ?? [] {
            let users = reaction.recent ?? []
            omissions.count(reactions: reaction.count?.integer, named: users.count)
            let text = Self.text(of: reaction)
            reactions += users.map { user in
                ImportedMessage.Reaction(
                    text: text, user: ExportText.name(user.from) ?? TelegramMessage.deletedAccount,
                    userKey: user.from_id?.id.map(Self.key),
                    at: user.date.flatMap { instant(local: $0, offset: offset, after: time) })
            }
        }
        return reactions
    }

    /// Returns the emoji; for a custom one, its number or its file's name between colons.
    private static func text(of reaction: TelegramMessage.Reaction) -> String {
        if let emoji = ExportText.name(reaction.emoji) { return emoji }
        if reaction.type == "paid" { return "⭐" }
        let file = reaction.document_id.flatMap { isPath($0.text) ? $0.text.split(separator: "/").last : nil }
        return ":\(file?.prefix { $0 != "." } ?? "custom_emoji"):"
    }

    // MARK: - Files

    private mutating func files(of message: TelegramMessage) -> [ImportedMessage.File] {
        var files: [ImportedMessage.File] = []
        let found: [(path: String?, name: String?, size: JSONScalar?)] = [
            (message.photo, "photo", message.photo_file_size),
            (message.file, message.file_name ?? message.media_type ?? "file", message.file_size),
            (message.contact_vcard, "contact.vcard", nil),
        ]
        for (path, name, size) in found {
            guard let path = path?.withoutNUL, !path.isEmpty else { continue }
            if Self.isPath(path) {
                files.append(ImportedMessage.File(path: path, size: size?.integer))
            } else {
                omissions.countFile()
                files.append(ImportedMessage.File(path: ExportText.name(name) ?? "file", size: size?.integer))
            }
        }
        return files
    }

    /// Returns false for a notice instead of a path, such as `(File not included. Change data exporting settings to
    /// download.)`.
    private static func isPath(_ text: String) -> Bool {
        !["not included.", "exceeds maximum size.", "unavailable,"].contains { why in
            text.contains("(File \(why)") || text.contains("(Photo \(why)")
        }
    }
}
