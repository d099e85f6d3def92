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
            if let rich = try richMessage { lines += rich.lines }
            lines += try pollLines + listLines + contentLines
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

    private var richMessage: TelegramRichMessage? {
        get throws(UnreadablePiece) {
            try json.object("rich_message").map { message throws(UnreadablePiece) in try TelegramRichMessage(message) }
        }
    }

    /// The title and the tasks of a checklist, or the tasks that were added to one.
    private var listLines: [String] {
        get throws(UnreadablePiece) {
            let list = try json.object("todo_list")
            var lines = [try list?["title"].map(TelegramText.string) ?? ""]
            var items = isService ? try json.objects("items") : []
            if let list { items += try list.objects("answers") }
            for item in items {
                lines.append("- " + (try item["text"].map(TelegramText.string) ?? ""))
            }
            return lines
        }
    }

    /// The keys that have no content, and those whose content is read or left out on purpose: of Telegram Desktop 7.0.
    private static let knownKeys: Set<String> = [
        "id", "type", "date", "date_unixtime", "edited", "edited_unixtime", "from", "from_id", "author",
        "forwarded_from", "forwarded_from_id", "saved_from", "saved_from_id", "reply_to_message_id",
        "reply_to_peer_id", "via_bot", "text", "text_entities", "inline_bot_buttons", "reactions", "media_spoiler",
        "self_destruct_period_seconds", "photo", "photo_file_size", "width", "height", "file", "file_name",
        "file_size", "thumbnail", "thumbnail_file_size", "media_type", "sticker_emoji", "performer", "title",
        "mime_type", "duration_seconds", "contact_information", "contact_vcard", "contact_vcard_file_size",
        "location_information", "live_location_period_seconds", "place_name", "address", "game_title",
        "game_description", "game_link", "invoice_information", "poll", "todo_list", "rich_message",
        "giveaway_information", "giveaway_results", "paid_stars_amount",
    ]

    /// Returns the kinds of the content that is not in ``lines``.
    ///
    /// - Parameter isEmpty: True for a message without text and files, of which any unknown key may be the content.
    func unknownKinds(isEmpty: Bool) throws(UnreadablePiece) -> [String] {
        guard !isService else { return [] }
        let rich = try richMessage?.unknownKinds ?? []
        return rich + json.unknownKeys(besides: Self.knownKeys, isOfParts: !isEmpty)
    }

    /// The lines of a contact, a place, a game, an invoice, a giveaway or paid media.
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
            if json.has("location_information"), json["location_information"] == nil {
                place.append("a place, but the export lacks where")
            }
            lines.append(Self.joined(place, ", "))
            if let title = try json.text("game_title") { lines.append(title) }
            if let invoice = json["invoice_information"] { lines.append(try Self.invoice(invoice)) }
            if let giveaway = try json.object("giveaway_information") { lines += try Self.giveaway(giveaway) }
            if let results = try json.object("giveaway_results") { lines += try Self.results(of: results) }
            if let stars = try json.scalar("paid_stars_amount") {
                lines.append("paid media: " + Self.count(stars, "star"))
            }
            if let gift = json["gift_text"] { lines.append(try TelegramText.string(gift)) }
            return lines
        }
    }

    /// Returns the title of an invoice: an object, which Telegram Desktop writes as a text with JSON in it.
    private static func invoice(_ value: JSONValue) throws(UnreadablePiece) -> String {
        guard let text = value.text else { return try value.text("title") ?? "" }
        let piece = LogLine(number: 0, bytes: Array(text.utf8)[...])
        guard let invoice = try? JSONValue(object: piece, limit: TelegramFormat.maximumLine) else { return text }
        return try invoice.text("title") ?? ""
    }

    /// Returns `giveaway: 5 winners, 3 months of Premium each, until 2026-12-01`, and another prize.
    private static func giveaway(_ giveaway: JSONValue) throws(UnreadablePiece) -> [String] {
        let winners = try giveaway.scalar("quantity").map { count($0, "winner") }
        let end = try giveaway.text("until_date").map { "until \($0.prefix { $0 != "T" })" }
        let facts = [winners, try prize(of: giveaway), end]
        return ["giveaway: " + joined(facts, ", "), try giveaway.text("additional_prize") ?? ""]
    }

    private static func results(of giveaway: JSONValue) throws(UnreadablePiece) -> [String] {
        let winners = try giveaway.scalar("winners_count").map { count($0, "winner") }
        let facts = [winners, try prize(of: giveaway)]
        return ["results of a giveaway: " + joined(facts, ", "), try giveaway.text("additional_prize") ?? ""]
    }

    /// Returns the prize of a giveaway, which is stars or months of Telegram Premium.
    private static func prize(of giveaway: JSONValue) throws(UnreadablePiece) -> String? {
        if let stars = try giveaway.scalar("stars"), stars.integer != 0 { return count(stars, "star") }
        guard let months = try giveaway.scalar("months"), months.integer != 0 else { return nil }
        return count(months, "month") + " of Premium each"
    }

    private static func count(_ number: JSONScalar, _ noun: String) -> String {
        "\(number.text) \(noun)\(number.integer == 1 ? "" : "s")"
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
