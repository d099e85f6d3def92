import Bytes
import ChatModel

/// Telegram Desktop's result.json, of one chat or of an account with its present and former chats.
package struct TelegramFormat: LogFormat {
    package static let name = "telegram"
    package static let programs = "Telegram Desktop (JSON)"
    /// 1 MiB: a message has about 4,096 characters, three times (plain and marked up), and few of the users who reacted
    /// to it.
    package static let maximumLine = 1024 * 1024
    /// Older exports (without `date_unixtime`) have only local times.
    package static let hasLocalTimes = true
    package static let hidesOwner = true

    private struct Chat {
        var name: String?
        var type = ""
        var id = ""
        /// The time of the message before, if it was a local time.
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

        /// Only a group has no id that channels share with it. What Telegram keeps for the account alone is direct.
        var roomKind: RoomReference.Kind {
            if type.hasSuffix("group") { .group } else { type.hasSuffix("channel") ? .channel : .direct }
        }
    }

    private static let types: Set<String> = [
        "personal_chat", "bot_chat", "saved_messages", "replies", "verify_codes", "private_group", "private_supergroup",
        "public_supergroup", "private_channel", "public_channel",
    ]
    /// The places of chats in the export of an account. The export of one chat is the chat itself.
    private static let lists = ["chats.list[]", "left_chats.list[]"]

    private let givenRoom: String?
    private let zone: Zone
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
        return (try? JSONValue(type, limit: maximumLine))?.text.map(types.contains) ?? false
    }

    package static func cutter() -> any SourceCutter {
        let keys = ["name", "type", "id", "messages[]"]
        return JSONPieceCutter(
            places: keys + lists.flatMap { list in [list] + keys.map { "\(list).\($0)" } }, maximumPiece: maximumLine)
    }

    /// Returns only result.json for a folder that has the same chats as pages for browsers; nil for other folders.
    package static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
        let own = paths.prefix { !$0.utf8.contains(UInt8(ascii: "/")) }
        guard let index = own.enumerated().first(where: { $0.element == "result.json" })?.offset else { return nil }
        let hasPages = paths.contains { path in
            path.split(separator: "/").last.map { TelegramHTMLFormat.number(of: String($0)) != nil } ?? false
        }
        return hasPages ? [index] : nil
    }

    package static func saysNothing(_ path: some StringProtocol) -> Bool { TelegramHTMLFormat.saysNothing(path) }

    package init(_ source: LogSource) throws(LogSourceError) {
        givenRoom = source.room?.withoutNUL
        zone = source.zone
    }

    package var hasOwnRooms: Bool { isSeveral }
    package var assumptions: [String] { omissions.assumptions(zone: zone.identifier) }
    package var unknownKinds: UnknownKinds { omissions.kinds }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do {
            if line.bytes.isEmpty, Self.lists.contains(line.place) {
                (chat, isSeveral) = (Chat(), true)
                return .nothing
            }
            guard !line.place.hasSuffix("messages[]"), line.place != JSONPieceCutter.brokenPlace else {
                return .message(try message(line))
            }
            let value = try JSONValue(line, limit: Self.maximumLine)
            switch line.place.split(separator: ".").last {
            case "name": chat.name = value.isNull ? nil : ExportText.name(try value.requiredText())
            case "type": chat.type = value.isNull ? "" : try value.requiredText()
            case "id": chat.id = try value.scalar().text
            default: return .unreadable("it is not a JSON object")
            }
            return .nothing
        } catch {
            return .unreadable(error.reason)
        }
    }

    private mutating func message(_ line: LogLine) throws(UnreadablePiece) -> ImportedMessage {
        let json = try Self.object(line)
        let message = try TelegramMessage(json)
        guard !chat.id.isEmpty else { throw UnreadablePiece("the export gives no chat \"id\" before it") }
        let time = try time(of: message)
        let sender = try sender(of: message)
        let (kind, lines) = message.isService ? try message.event : (.message, try message.lines)
        let text = ExportText(lines: lines)
        let files = try files(of: message)
        for kind in try message.unknownKinds(isEmpty: text.string == nil && files.isEmpty) {
            omissions.count(kind: kind)
        }
        let room = isSeveral ? nil : givenRoom
        return ImportedMessage(
            room: room ?? chat.shownName, roomKey: room == nil ? chat.key : nil, roomKind: chat.roomKind,
            kind: sender == nil ? .system : kind, sender: sender?.name, senderKey: sender?.key, body: text.string,
            time: time, resolution: .second, remoteID: message.id, flags: json.flags.union(text.flags),
            editedAt: try edited(message, at: time), replyTo: try replied(by: message), files: files,
            reactions: try reactions(to: message, at: time))
    }

    /// Reads a message, repaired if it is not JSON.
    private static func object(_ line: LogLine) throws(UnreadablePiece) -> JSONValue {
        do {
            return try JSONValue(object: line, limit: maximumLine)
        } catch {
            guard error.reason == UnreadablePiece.noJSON.reason else { throw error }
            var repaired = line
            repaired.bytes = TelegramRepair.repaired(line.bytes)[...]
            return try JSONValue(object: repaired, limit: maximumLine)
        }
    }

    // MARK: - Times

    private mutating func time(of message: TelegramMessage) throws(UnreadablePiece) -> Timestamp {
        if let time = try message.unixTime("date_unixtime") { return time }
        guard let date = try message.date else { throw UnreadablePiece("it has no \"date\"") }
        guard let instants = WrittenTime(date)?.instants(in: zone), let first = instants.first else {
            throw UnreadablePiece("its \"date\" is not a time")
        }
        omissions.countTime()
        // When the clock is set back, takes the second of the two instants once the chat has reached it.
        let time = instants.first { $0 >= chat.last ?? $0 } ?? first
        chat.last = time
        return time
    }

    private func edited(_ message: TelegramMessage, at time: Timestamp) throws(UnreadablePiece) -> Timestamp? {
        if let edited = try message.unixTime("edited_unixtime") { return edited }
        guard let edited = try message.edited else { return nil }
        return instant(local: edited, offset: try offset(of: message, at: time), after: time)
    }

    /// Returns the exporting machine's offset from UTC in seconds; nil if the export does not give it.
    private func offset(of message: TelegramMessage, at time: Timestamp) throws(UnreadablePiece) -> Int64? {
        guard try message.unixTime("date_unixtime") != nil, let date = try message.date else { return nil }
        return WrittenTime(date)?.instants(in: .gmt).first.map { $0.since(time).components.seconds }
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
        let key = message.fromID.map(Self.key)
        if let name = ExportText.name(message.from) { return (name, key) }
        if let key { return (TelegramMessage.deletedAccount, key) }
        if let author = ExportText.name(try message.author) { return (author, nil) }
        if message.isService { return nil }
        guard chat.type.hasSuffix("channel") else { throw UnreadablePiece("it has neither \"from\" nor \"from_id\"") }
        return (chat.shownName, chat.key)
    }

    /// Returns `user7` for 7, as older exports write it. Those of October 2020 to April 2021 (Telegram Desktop 2.4 to
    /// 2.7) add 2^32 to the number of a person, and 2^33 to that of a chat (`export_data_types.cpp`). At that time, all
    /// numbers were below 2^32.
    private static func key(_ id: String) -> String {
        guard let number = UInt64(id) else { return id }
        return switch number >> 32 {
        case 1: "user\(number & 0xFFFF_FFFF)"
        case 2: "channel\(number & 0xFFFF_FFFF)"
        default: "user\(id)"
        }
    }

    private func replied(by message: TelegramMessage) throws(UnreadablePiece) -> String? {
        let answered = try message.answered
        return answered.peer == nil || answered.peer == chat.key ? answered.id : nil
    }

    private mutating func reactions(
        to message: TelegramMessage, at time: Timestamp
    ) throws(UnreadablePiece) -> [ImportedMessage.Reaction] {
        let found = try message.reactions
        guard !found.isEmpty else { return [] }
        let offset = try offset(of: message, at: time)
        var reactions: [ImportedMessage.Reaction] = []
        for reaction in found {
            let users = try reaction.objects("recent")
            omissions.count(reactions: try reaction.scalar("count")?.integer, named: users.count)
            let text = try Self.text(of: reaction)
            for user in users {
                let date = try user.text("date")
                reactions.append(
                    ImportedMessage.Reaction(
                        text: text, user: ExportText.name(try user.text("from")) ?? TelegramMessage.deletedAccount,
                        userKey: try user.scalar("from_id")?.id.map(Self.key),
                        at: date.flatMap { instant(local: $0, offset: offset, after: time) }))
            }
        }
        return reactions
    }

    /// Returns the emoji; for a custom one, its number or its file's name between colons.
    private static func text(of reaction: JSONValue) throws(UnreadablePiece) -> String {
        if let emoji = ExportText.name(try reaction.text("emoji")) { return emoji }
        if try reaction.text("type") == "paid" { return "⭐" }
        let document = try reaction.scalar("document_id")
        let file = document.flatMap { isPath($0.text) ? $0.text.split(separator: "/").last : nil }
        return ":\(file?.prefix { $0 != "." } ?? "custom_emoji"):"
    }

    // MARK: - Files

    private mutating func files(of message: TelegramMessage) throws(UnreadablePiece) -> [ImportedMessage.File] {
        var files: [ImportedMessage.File] = []
        for (found, name, size) in try message.files {
            guard let path = found?.withoutNUL, !path.isEmpty else { continue }
            if Self.isPath(path) {
                files.append(ImportedMessage.File(path: path, size: size))
            } else {
                omissions.countFile()
                files.append(ImportedMessage.File(path: ExportText.name(name) ?? "file", size: size))
            }
        }
        return files
    }

    /// Returns false for a notice in place of a path, such as `(File not included. Change data exporting settings to
    /// download.)`.
    private static func isPath(_ text: String) -> Bool {
        !text.utf8.contains(UInt8(ascii: "("))
            || !["not included.", "exceeds maximum size.", "unavailable,"].contains { why in
                text.contains("(File \(why)") || text.contains("(Photo \(why)")
            }
    }
}
