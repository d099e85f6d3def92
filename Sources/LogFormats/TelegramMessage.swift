import ChatModel

/// An element of `messages` of Telegram Desktop's result.json, of any version.
struct TelegramMessage: Decodable {
    struct Poll: Decodable {
        struct Answer: Decodable { var text: TelegramText? }
        var question: TelegramText?
        var answers: [Answer]?
    }

    struct Location: Decodable {
        var latitude, longitude: JSONScalar
    }

    struct Contact: Decodable {
        var first_name, last_name, phone_number: String?
    }

    struct Titled: Decodable {
        var title: String?
    }

    struct Reaction: Decodable {
        struct Recent: Decodable {
            var from: String?
            var from_id: JSONScalar?
            var date: String?
        }
        var type: String?
        var count: JSONScalar?
        var emoji: String?
        var document_id: JSONScalar?
        var recent: [Recent]?
    }

    var id: JSONScalar
    var type: String
    var date: String?
    var date_unixtime: JSONScalar?
    var edited: String?
    var edited_unixtime: JSONScalar?

    var from, actor, author: String?
    var from_id, actor_id: JSONScalar?
    var action, information_text: String?
    var members: [String?]?
    var title, new_title: String?
    var message_id: JSONScalar?
    var duration_seconds: JSONScalar?
    var discard_reason: String?

    var text: TelegramText?
    var forwarded_from: String?
    var reply_to_message_id: JSONScalar?
    var reply_to_peer_id: JSONScalar?

    var photo, file, file_name, media_type, contact_vcard: String?
    var photo_file_size, file_size: JSONScalar?
    var sticker_emoji: String?
    var poll: Poll?
    var location_information: Location?
    var place_name, address: String?
    var contact_information: Contact?
    var game_title: String?
    var invoice_information: Titled?
    var reactions: [Reaction]?

    /// True for an event, false for a message.
    var isService: Bool { type == "service" }

    /// The lines of the text, and of the other contents in words.
    var lines: [String?] {
        let content = text?.string ?? ""
        let contact = contact_information.map { [$0.first_name, $0.last_name, $0.phone_number] }
        let place = [place_name, address, location_information.map { "\($0.latitude.text), \($0.longitude.text)" }]
        return [
            ExportText.name(forwarded_from).map { "[forwarded from \($0)]" },
            content,
            poll?.question?.string,
        ] + (poll?.answers ?? []).map { "- \($0.text?.string ?? "")" } + [
            Self.joined(contact ?? [], " "), Self.joined(place, ", "), game_title, invoice_information?.title,
            content.isEmpty ? sticker_emoji : nil,
        ]
    }

    private static func joined(_ words: [String?], _ separator: String) -> String {
        words.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: separator)
    }

    /// The name that Telegram shows for a deleted account.
    static let deletedAccount = "Deleted Account"

    /// The event's kind and lines. An event without a kind of its own becomes an action, in the export's words if there
    /// are no better ones here.
    var event: (kind: MessageKind, lines: [String?]) {
        let names = (members ?? []).map { ExportText.name($0) ?? Self.deletedAccount }
        let isAlone = names.count == 1 && names.first == ExportText.name(actor)
        switch action {
        case "join_group_by_link", "join_group_by_request": return (.join, [])
        case "invite_members": return isAlone ? (.join, []) : (.invite, [names.joined(separator: ", ")])
        case "remove_members": return isAlone ? (.leave, []) : (.kick, [names.joined(separator: ", ")])
        case "edit_group_title": return (.action, ["changed the group's name to \(title ?? "")"])
        case "create_group", "create_channel", "topic_created":
            let what = action == "topic_created" ? "topic" : action == "create_group" ? "group" : "channel"
            return (.action, ["created the \(what) \(title ?? "")"])
        case "pin_message": return (.action, ["pinned a message"])
        case "phone_call":
            let details = [discard_reason, duration_seconds.map { "\($0.text) seconds" }]
            return (.action, ["called" + (Self.joined(details, ", ").isEmpty ? "" : ": " + Self.joined(details, ", "))])
        case let action?:
            let words = action.split(separator: "_").joined(separator: " ")
            let details = [title, new_title, names.isEmpty ? nil : names.joined(separator: ", ")]
            let detail = Self.joined(details, ", ")
            return (.action, [detail.isEmpty ? words : "\(words): \(detail)"] + lines)
        case nil: return (.action, [information_text] + lines)
        }
    }
}

/// The text in parts with markup, for messages that have only this.
struct TelegramEntities: Decodable {
    var text_entities: TelegramText?
}

/// A text: one string, or a list of strings and marked-up parts.
struct TelegramText: Decodable {
    let string: String

    private struct Part: Decodable {
        let string: String

        private enum CodingKeys: String, CodingKey { case text, href }

        init(from decoder: any Decoder) throws {
            if let plain = try? decoder.singleValueContainer().decode(String.self) {
                string = plain
                return
            }
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let text = try container.decode(String.self, forKey: .text)
            let href = try container.decodeIfPresent(String.self, forKey: .href) ?? ""
            string = href.isEmpty || href == text ? text : "\(text) (\(href))"
        }
    }

    init(from decoder: any Decoder) throws {
        if let plain = try? decoder.singleValueContainer().decode(String.self) {
            string = plain
        } else {
            string = try [Part](from: decoder).map(\.string).joined()
        }
    }
}
