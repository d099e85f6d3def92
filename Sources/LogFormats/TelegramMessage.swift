import ChatModel

/// An element of `messages` of Telegram Desktop's result.json, of any version.
struct TelegramMessage {
    private let json: JSONValue
    let id: String
    /// True for an event, false for a message.
    let isService: Bool
    /// The name and the id of the sender, or of an event's actor.
    let from: String?
    let fromID: String?

    /// - Throws: ``UnreadablePiece`` if it is neither a message nor an event.
    init(_ json: JSONValue) throws(UnreadablePiece) {
        self.json = json
        let type = try json.required("type").requiredText()
        guard type != "unsupported" else {
            throw UnreadablePiece("the export left its content out: its \"type\" is \"unsupported\"")
        }
        isService = type == "service"
        guard isService || type == "message" else { throw UnreadablePiece("its \"type\" is unknown") }
        guard let id = try json.required("id").scalar().id else { throw UnreadablePiece("its \"id\" is empty") }
        self.id = id
        from = try json.text(isService ? "actor" : "from")
        fromID = try json.scalar(isService ? "actor_id" : "from_id")?.id
    }

    // MARK: - Times

    /// The time by the clock of the machine that exported the chat.
    var date: String? { get throws(UnreadablePiece) { try json.text("date") } }
    /// The time when it was edited, by the same clock.
    var edited: String? { get throws(UnreadablePiece) { try json.text("edited") } }

    /// Returns the time of a key in seconds since 1970; nil if there is none.
    func unixTime(_ key: StaticString) throws(UnreadablePiece) -> Timestamp? {
        guard let value = try json.scalar(key) else { return nil }
        guard let seconds = value.integer else { throw UnreadablePiece("its \"\(key)\" is not a whole number") }
        return Timestamp(seconds: seconds)
    }

    // MARK: - Text

    /// The name of a post's author.
    var author: String? { get throws(UnreadablePiece) { try json.text("author") } }

    /// The chat and the id of the message that this one replies to, or that it pins.
    var answered: (peer: String?, id: String?) {
        get throws(UnreadablePiece) {
            guard let id = json["reply_to_message_id"] ?? json["message_id"] else { return (nil, nil) }
            return (try json.scalar("reply_to_peer_id")?.id, try id.scalar().id)
        }
    }

    /// The lines of the text, and of the other contents in words.
    var lines: [String] {
        get throws(UnreadablePiece) {
            var lines: [String] = []
            if let name = ExportText.name(try json.text("forwarded_from")) { lines.append("[forwarded from \(name)]") }
            if let bot = ExportText.name(try json.text("via_bot")) { lines.append("[via \(bot)]") }
            let content = try json["text"].map(TelegramText.string) ?? ""
            let text = content.isEmpty ? try json["text_entities"].map(TelegramText.string) ?? "" : content
            lines.append(text)
            lines += try pollLines + contentLines
            if text.isEmpty, let emoji = try json.text("sticker_emoji") { lines.append(emoji) }
            return lines
        }
    }

    private var pollLines: [String] {
        get throws(UnreadablePiece) {
            guard let poll = try json.object("poll") else { return [] }
            let question = try poll["question"].map(TelegramText.string) ?? ""
            var lines = [question]
            for answer in try poll.objects("answers") {
                lines.append("- " + (try answer["text"].map(TelegramText.string) ?? ""))
            }
            return lines
        }
    }

    /// The lines of a contact, a place, a game or an invoice.
    private var contentLines: [String] {
        get throws(UnreadablePiece) {
            var lines: [String] = []
            if let contact = try json.object("contact_information") {
                let name = try [contact.text("first_name"), contact.text("last_name"), contact.text("phone_number")]
                lines.append(Self.joined(name, " "))
            }
            var place = try [json.text("place_name"), json.text("address")]
            if let location = try json.object("location_information") {
                let (latitude, longitude) = try (location.required("latitude"), location.required("longitude"))
                place.append("\(try latitude.scalar().text), \(try longitude.scalar().text)")
            }
            lines.append(Self.joined(place, ", "))
            if let title = try json.text("game_title") { lines.append(title) }
            if let title = try json.object("invoice_information")?.text("title") { lines.append(title) }
            return lines
        }
    }

    private static func joined(_ words: [String?], _ separator: String) -> String {
        words.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: separator)
    }

    // MARK: - Events

    /// The name that Telegram shows for a deleted account.
    static let deletedAccount = "Deleted Account"

    /// The event's kind and lines. An event without a kind of its own becomes an action, in the export's words if this
    /// type has no words for it.
    var event: (kind: MessageKind, lines: [String]) {
        get throws(UnreadablePiece) {
            guard let action = try json.text("action") else {
                return (.action, [try json.text("information_text") ?? ""] + (try lines))
            }
            let names = try names
            let title = try json.text("title")
            if let known = TelegramEvent(action: action, actor: from, title: title ?? "", names: names) {
                return (known.kind, known.lines)
            }
            if action == "phone_call" {
                let seconds = try json.scalar("duration_seconds").map { "\($0.text) seconds" }
                let details = Self.joined([try json.text("discard_reason"), seconds], ", ")
                return (.action, ["called" + (details.isEmpty ? "" : ": " + details)])
            }
            let words = action.split(separator: "_").joined(separator: " ")
            let details = [title, try json.text("new_title"), names.isEmpty ? nil : names.joined(separator: ", ")]
            let detail = Self.joined(details, ", ")
            return (.action, [detail.isEmpty ? words : "\(words): \(detail)"] + (try lines))
        }
    }

    /// The names of the people whom an event is about.
    private var names: [String] {
        get throws(UnreadablePiece) {
            guard let members = json["members"] else { return [] }
            return try members.allElements().map { member throws(UnreadablePiece) in
                ExportText.name(try member?.requiredText()) ?? Self.deletedAccount
            }
        }
    }

    // MARK: - Files and reactions

    /// A file with its path, or the notice that says why there is none, and a name for people.
    typealias File = (path: String?, name: String, size: Int64?)

    var files: [File] {
        get throws(UnreadablePiece) {
            var files: [File] = []
            if let photo = try json.text("photo") {
                files.append((photo, "photo", try json.scalar("photo_file_size")?.integer))
            }
            if let file = try json.text("file") {
                let name = try (json["file_name"] ?? json["media_type"])?.requiredText() ?? "file"
                files.append((file, name, try json.scalar("file_size")?.integer))
            }
            if let card = try json.text("contact_vcard") { files.append((card, "contact.vcard", nil)) }
            return files
        }
    }

    var reactions: [JSONValue] { get throws(UnreadablePiece) { try json.objects("reactions") } }
}

/// A text: one string, or a list of strings and marked-up parts.
enum TelegramText {
    static func string(_ value: JSONValue) throws(UnreadablePiece) -> String {
        if let plain = value.text { return plain }
        var string = ""
        for part in try value.elements() {
            if let plain = part.text {
                string += plain
                continue
            }
            let text = try part.required("text").requiredText()
            string += text
            if let address = try part.text("href"), !address.isEmpty, address != text { string += " (\(address))" }
        }
        return string
    }
}

/// An event of a chat that has the same meaning in each of Telegram's exports.
struct TelegramEvent {
    let kind: MessageKind
    let lines: [String]

    /// - Parameters:
    ///   - action: The event's name in result.json.
    ///   - actor: The person who acts; nil if unknown.
    ///   - title: The group's, channel's or topic's name.
    ///   - names: The people whom the event is about.
    init?(action: String, actor: String?, title: String, names: [String]) {
        let isAlone = names.count == 1 && names.first == ExportText.name(actor)
        switch action {
        case "join_group_by_link", "join_group_by_request": (kind, lines) = (.join, [])
        case "invite_members":
            (kind, lines) = isAlone ? (.join, []) : (.invite, [names.joined(separator: ", ")])
        case "remove_members":
            (kind, lines) = isAlone ? (.leave, []) : (.kick, [names.joined(separator: ", ")])
        case "edit_group_title": (kind, lines) = (.action, ["changed the group's name to \(title)"])
        case "create_group": (kind, lines) = (.action, ["created the group \(title)"])
        case "create_channel": (kind, lines) = (.action, ["created the channel \(title)"])
        case "topic_created": (kind, lines) = (.action, ["created the topic \(title)"])
        case "pin_message": (kind, lines) = (.action, ["pinned a message"])
        default: return nil
        }
    }
}
