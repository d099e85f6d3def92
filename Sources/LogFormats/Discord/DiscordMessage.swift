import Bytes
import ChatModel
import FoundationEssentials

/// An element of `messages` of DiscordChatExporter's JSON, as versions 2.2x to 2.4x write it.
struct DiscordMessage {
    struct User {
        let id: JSONScalar
        /// The author's name in the room at the time of the export.
        let shownName: String
        let isBot: Bool
        /// The place of the picture, in an export with media a path beside it; nil without one.
        let picture: String?

        init(_ json: JSONValue) throws(UnreadablePiece) {
            id = try json.required("id").scalar()
            shownName = ExportText.name(try json.text("nickname"), try json.text("name"), id.text) ?? ""
            isBot = try json.isTrue("isBot")
            picture = ExportText.name(try json.text("avatarUrl"))
        }
    }

    private let json: JSONValue
    let id: JSONScalar
    let timestamp: String
    let author: User
    private let type: String

    init(_ json: JSONValue) throws(UnreadablePiece) {
        self.json = json
        id = try json.required("id").scalar()
        type = try json.required("type").scalar().text
        timestamp = try json.required("timestamp").requiredText()
        guard let author = try json.object("author") else { throw UnreadablePiece("it has no \"author\"") }
        self.author = try User(author)
    }

    var timestampEdited: String? { get throws(UnreadablePiece) { try json.text("timestampEdited") } }
    var reactions: [JSONValue] { get throws(UnreadablePiece) { try json.objects("reactions") } }

    /// The id of the message that this one replies to, and its channel. A reference to a forwarded message is not a
    /// reply.
    var answered: (channel: String?, message: String)? {
        get throws(UnreadablePiece) {
            guard let reference = try json.object("reference"), try reference.scalar("type")?.text != "Forward",
                let message = try reference.scalar("messageId")?.id
            else { return nil }
            return (try reference.scalar("channelId")?.id, message)
        }
    }

    // MARK: - Text

    /// The message's kind and lines. An event without a kind of its own becomes an action of its author.
    var kindAndLines: (kind: MessageKind, lines: [String]) {
        get throws(UnreadablePiece) {
            switch type {
            case "RecipientAdd", "1": return (.invite, [try mentions.map(\.shownName).joined(separator: ", ")])
            case "RecipientRemove", "2":
                let mentions = try mentions
                return mentions.first?.id == author.id
                    ? (.leave, []) : (.kick, [mentions.map(\.shownName).joined(separator: ", ")])
            case "Call", "3":
                return (.action, ["started a call" + (try callMinutes.map { " of \($0) minutes" } ?? "")])
            case "ChannelNameChange", "4":
                return (.action, ["changed the channel name" + (try name(behind: "Changed the channel name", " to "))])
            case "ChannelIconChange", "5": return (.action, ["changed the channel icon"])
            case "ChannelPinnedMessage", "6": return (.action, ["pinned a message"])
            case "GuildMemberJoin", "7": return (.join, [])
            case "8", "9", "10", "11": return (.action, ["boosted the server"])
            case "12", "13", "14", "15", "16", "17":
                let text = ExportText.name(try json.text("content"))
                return (.action, [text ?? "did something of Discord's type \(type)"])
            case "ThreadCreated", "18":
                return (.action, ["started a thread" + (try name(behind: "Started a thread", ": "))])
            case "21": return (.action, ["began the thread"])
            case "46": return (.action, [try pollResult])
            default: return (.message, try lines)
            }
        }
    }

    /// The keys of a message of DiscordChatExporter 2.47.
    private static let knownKeys: Set<String> = [
        "author", "attachments", "embeds", "stickers", "reactions", "mentions", "reference", "forwardedMessage",
        "interaction", "inlineEmojis", "poll", "roles",
    ]

    /// The kinds of the content that is not read: the type, unless it is that of messages, answers or the output of
    /// commands, or the parts that other versions add.
    var unknownKinds: [String] {
        guard ["Default", "Reply", "0", "19", "20", "23"].contains(type) else { return ["type \(type)"] }
        return json.unknownKeys(besides: Self.knownKeys, isOfParts: true)
    }

    private var mentions: [User] { get throws(UnreadablePiece) { try json.objects("mentions").map(User.init) } }

    private var lines: [String] {
        get throws(UnreadablePiece) {
            var lines: [String] = []
            if let forwarded = try forwarded {
                lines += ["[forwarded]", try forwarded.text("content") ?? ""] + (try Self.embeds(of: forwarded))
            }
            let content = try json.text("content") ?? ""
            lines.append(content)
            // The embed of a person's message is the preview of a link.
            if author.isBot || content.isEmpty {
                lines += try Self.embeds(of: json) { address in content.contains(address) }
            }
            if let poll = try json.object("poll") { lines += try Self.lines(ofPoll: poll) }
            guard lines.allSatisfy(\.isEmpty) else { return lines }
            var names: [String] = []
            for sticker in try stickers {
                if let name = try sticker.text("name") { names.append(":\(name):") }
            }
            return names
        }
    }

    private var forwarded: JSONValue? { get throws(UnreadablePiece) { try json.object("forwardedMessage") } }

    /// Returns the lines of embeds.
    ///
    /// - Parameter isLeftOut: Returns true for the address of an embed to leave out.
    private static func embeds(
        of message: JSONValue, isLeftOut: (String) -> Bool = { _ in false }
    ) throws(UnreadablePiece) -> [String] {
        var lines: [String] = []
        for embed in try message.objects("embeds") {
            let address = try embed.text("url")
            if let address, isLeftOut(address) { continue }
            let texts = [
                try embed.object("author")?.text("name"), try embed.text("title"), address,
                try embed.text("description"),
            ]
            lines += texts.compactMap(\.self)
            for field in try embed.objects("fields") {
                let parts = [try field.text("name"), try field.text("value")]
                lines.append(parts.compactMap(\.self).joined(separator: ": "))
            }
            if let footer = try embed.object("footer")?.text("text") { lines.append(footer) }
        }
        return lines
    }

    /// Returns the question and the answers of a poll, in the names of Discord's API or of DiscordChatExporter.
    private static func lines(ofPoll poll: JSONValue) throws(UnreadablePiece) -> [String] {
        func text(_ value: JSONValue?) throws(UnreadablePiece) -> String {
            guard let value else { return "" }
            if let plain = value.text { return plain }
            return try value.text("text") ?? ""
        }
        var lines = [try text(poll["question"])]
        for answer in try poll.list("answers") {
            lines.append("- " + (try text(answer["poll_media"] ?? answer["pollMedia"] ?? answer)))
        }
        return lines
    }

    /// The text of a poll's end, from the fields of its embed.
    private var pollResult: String {
        get throws(UnreadablePiece) {
            var values: [String: String] = [:]
            for embed in try json.objects("embeds") {
                for field in try embed.objects("fields") {
                    if let name = try field.text("name") { values[name] = try field.text("value") }
                }
            }
            let question = values["poll_question_text"].map { ": \($0)" } ?? ""
            guard let winner = values["victor_answer_text"] else { return "ended the poll\(question)" }
            let votes = values["victor_answer_votes"].map { " (\($0) of \(values["total_votes"] ?? "?") votes)" } ?? ""
            return "ended the poll\(question)\n- \(winner)\(votes)"
        }
    }

    /// Returns the name in a content, without the words that newer versions write before it.
    private func name(behind words: String, _ join: String) throws(UnreadablePiece) -> String {
        guard let content = try json.text("content"), !content.isEmpty else { return "" }
        let name = content.hasPrefix(words) ? content.dropFirst(words.count).drop { ": .".contains($0) } : content[...]
        return name.isEmpty ? "" : join + name
    }

    private var callMinutes: Int64? {
        get throws(UnreadablePiece) {
            guard let text = try json.text("callEndedTimestamp"),
                let end = WrittenTime(text)?.instants(in: .gmt).first,
                let start = WrittenTime(timestamp)?.instants(in: .gmt).first
            else { return nil }
            return max(0, end.since(start).components.seconds / 60)
        }
    }

    // MARK: - Files

    /// Returns the message's objects of a key, and those of the message that it forwards.
    private func objects(_ key: StaticString) throws(UnreadablePiece) -> [JSONValue] {
        let own = try json.objects(key)
        guard let forwarded = try forwarded else { return own }
        return own + (try forwarded.objects(key))
    }

    /// The message's stickers and those of the message that it forwards.
    private var stickers: [JSONValue] {
        get throws(UnreadablePiece) { try objects("stickers") }
    }

    /// The addresses of all files, with their sizes.
    var files: [(address: String, size: Int64?)] {
        get throws(UnreadablePiece) {
            var files: [(String, Int64?)] = []
            for attachment in try objects("attachments") {
                let address = try attachment.required("url").requiredText()
                files.append((address, try attachment.scalar("fileSizeBytes")?.integer))
            }
            for sticker in try stickers {
                if let address = try sticker.text("sourceUrl") { files.append((address, nil)) }
            }
            return files
        }
    }
}
