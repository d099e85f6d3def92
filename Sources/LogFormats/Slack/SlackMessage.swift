import ChatModel

/// An element of a day's file of a Slack export.
struct SlackMessage: Decodable {
    struct Profile: Decodable {
        var display_name, real_name, name: String?
        /// The address of the picture, in 192 pixels and 72.
        var image_192, image_72: String?
    }

    struct Edit: Decodable {
        var ts: JSONScalar
    }

    struct Bot: Decodable {
        var name: String?
    }

    struct File: Decodable {
        var id: JSONScalar?
        var name, title, url_private, permalink, mode: String?
        var size: JSONScalar?
    }

    /// A comment on a file, as Slack had them until 2018. Reads what is there.
    struct Comment: Decodable {
        private enum CodingKeys: String, CodingKey { case user, comment }

        let user, text: String?

        init(from decoder: any Decoder) throws {
            let values = try? decoder.container(keyedBy: CodingKeys.self)
            user = try? values?.decodeIfPresent(String.self, forKey: .user)
            text = try? values?.decodeIfPresent(String.self, forKey: .comment)
        }
    }

    struct Attachment: Decodable {
        struct Field: Decodable { var title, value: JSONScalar? }
        var pretext, author_name, title, title_link, text, fallback, from_url, original_url: String?
        var fields: [Field]?
        var files: [File]?

        /// True for the preview of something that the message links to.
        var isPreview: Bool { from_url != nil || original_url != nil }

        var lines: [String] {
            let texts = [pretext, author_name, title, title_link, text].compactMap { $0 }
            let fields = (fields ?? []).map {
                [$0.title?.text, $0.value?.text].compactMap { $0 }.joined(separator: ": ")
            }
            let lines = (texts + fields).filter { !$0.isEmpty }
            return lines.isEmpty ? [fallback ?? ""] : lines
        }
    }

    struct Reaction: Decodable {
        var name: String
        var users: [String]?
        var count: JSONScalar?
    }

    /// A call in a channel. Reads what is there, because other messages may have another `room`.
    struct Huddle: Decodable {
        private enum CodingKeys: String, CodingKey { case created_by, participant_history, date_start, date_end }

        /// The ids of those who took part, else of the one who began it.
        let people: [String]
        /// The length in seconds; nil if it is unknown.
        let seconds: Int64?

        init(from decoder: any Decoder) throws {
            let values = try? decoder.container(keyedBy: CodingKeys.self)
            let people = try? values?.decodeIfPresent([String].self, forKey: .participant_history)
            let creator = try? values?.decodeIfPresent(String.self, forKey: .created_by)
            self.people = people.flatMap { $0.isEmpty ? nil : $0 } ?? creator.map { [$0] } ?? []
            let start = try? values?.decodeIfPresent(JSONScalar.self, forKey: .date_start)
            let end = try? values?.decodeIfPresent(JSONScalar.self, forKey: .date_end)
            guard let start = start?.integer, let end = end?.integer, start > 0, end > start else {
                seconds = nil
                return
            }
            seconds = end - start
        }
    }

    /// The rooms in which a message is pinned. Reads what is there.
    struct Pins: Decodable {
        let rooms: [String]

        init(from decoder: any Decoder) throws {
            rooms = (try? decoder.singleValueContainer().decode([String].self)) ?? []
        }
    }

    var type, subtype: String?
    var ts: JSONScalar?
    var user, username, bot_id: String?
    var user_profile: Profile?
    var bot_profile: Bot?
    var text: String?
    var topic: String?
    var thread_ts: JSONScalar?
    var edited: Edit?
    var files: [File]?
    var file: File?
    var comment: Comment?
    var attachments: [Attachment]?
    var reactions: [Reaction]?
    var room: Huddle?
    var pinned_to: Pins?

    /// The text without the actor's name at its beginning.
    var eventText: String {
        let text = text ?? ""
        guard let user, text.hasPrefix("<@\(user)"), let end = text.firstIndex(of: ">") else { return text }
        return String(text[end...].dropFirst().drop { $0 == " " })
    }

    /// The marks of the message: pinned in a room, or posted by an app, also in a person's name. An export has no mark on a
    /// message that was unpinned.
    var marks: MessageFlags {
        var marks: MessageFlags = pinned_to?.rooms.isEmpty == false ? .pinned : []
        if ExportText.name(bot_id) != nil || subtype == "bot_message" { marks.insert(.bot) }
        return marks
    }

    var kind: MessageKind {
        switch subtype {
        case "me_message", "huddle_thread": return .action
        case "channel_join", "group_join", "mpim_join": return .join
        case "channel_leave", "group_leave", "mpim_leave": return .leave
        case "channel_topic", "group_topic", "mpim_topic": return .topic
        case "tombstone": return .system
        case nil, "thread_broadcast", "reply_broadcast", "bot_message", "file_share", "file_comment", "file_mention":
            return .message
        case let subtype?:
            let isRooms = ["channel_", "group_", "mpim_", "pinned_", "unpinned_", "reminder_", "bot_", "sh_room_"]
                .contains(where: subtype.hasPrefix)
            return isRooms || eventText != (text ?? "") ? .action : .message
        }
    }

    /// The lines, in Slack's markup.
    var lines: [String] {
        switch kind {
        case .join, .leave: return []
        case .topic: return [topic ?? eventText]
        case .action: return [eventText]
        default: break
        }
        let text = comment?.text ?? text ?? ""
        let attachments = attachments ?? []
        // An attachment with a link is the preview of that link. In a message without text, it is a forwarded message.
        return [text] + attachments.filter { text.isEmpty || !$0.isPreview }.flatMap(\.lines)
    }

    /// The files of the message and of its attachments.
    var allFiles: [File] { (files ?? file.map { [$0] } ?? []) + (attachments ?? []).flatMap { $0.files ?? [] } }
}

/// A message about the change of another message, in exports with a log of edits.
struct SlackChange: Decodable {
    var ts: JSONScalar?
    var message, previous_message, original: SlackMessage?

    var before: SlackMessage? { previous_message ?? original }
}

/// The blocks of a message, which some bots write instead of a text.
struct SlackBlocks: Decodable {
    struct Block: Decodable {
        var type: String?
        var text: Text?
        var elements, fields: [Block]?
        var name, user_id, channel_id, usergroup_id, range, url, fallback: String?

        /// The content, in Slack's markup.
        var string: String {
            if let text { return text.string }
            if let user_id { return "<@\(user_id)>" }
            if let channel_id { return "<#\(channel_id)>" }
            if let usergroup_id { return "<!subteam^\(usergroup_id)>" }
            if let range { return "<!\(range)>" }
            if let url { return url }
            if type == "emoji", let name { return ":\(name):" }
            if type == "date", let fallback { return fallback }
            let isLine = type?.hasPrefix("rich_text_") == true && type != "rich_text_list"
            return ((elements ?? []) + (fields ?? [])).map(\.string).joined(separator: isLine ? "" : "\n")
        }
    }

    /// A string, or an object with one.
    struct Text: Decodable {
        let string: String

        private struct Object: Decodable { var text: String }

        init(from decoder: any Decoder) throws {
            if let plain = try? decoder.singleValueContainer().decode(String.self) {
                string = plain
            } else {
                string = try Object(from: decoder).text
            }
        }
    }

    var blocks: [Block]
}
