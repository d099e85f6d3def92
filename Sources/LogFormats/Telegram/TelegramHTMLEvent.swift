import ChatModel

/// An event in the words of Telegram Desktop's HTML export, as result.json has it.
struct TelegramHTMLEvent {
    /// The person who acts; nil if the words name no person.
    let actor: String?
    let kind: MessageKind
    let lines: [String]

    private enum Detail {
        case none, title, names
    }

    /// The words between an actor and the detail, or at the beginning, with the event's name in result.json.
    private static let phrases: [(words: String, action: String, detail: Detail)] = [
        (" created group «", "create_group", .title), (" changed group title to «", "edit_group_title", .title),
        ("Channel title changed to «", "edit_group_title", .title), (" changed group photo", "edit_group_photo", .none),
        ("Channel photo changed", "edit_group_photo", .none), (" removed group photo", "delete_group_photo", .none),
        ("Channel photo removed", "delete_group_photo", .none), ("Channel «", "create_channel", .title),
        (" converted this group to a supergroup", "migrate_to_supergroup", .none),
        (" converted a basic group to this supergroup «", "migrate_from_group", .title),
        (" joined group by link from ", "join_group_by_link", .none),
        (" joined group by request", "join_group_by_request", .none), (" pinned this message", "pin_message", .none),
        (" took a screenshot", "take_screenshot", .none), (" joined Telegram", "joined_telegram", .none),
        (" started voice chat", "group_call", .none), (" scheduled a voice chat", "group_call_scheduled", .none),
        (" has set messages ", "set_messages_ttl", .none), (" created topic «", "topic_created", .title),
        (" changed topic title to «", "topic_edit", .title), (" disabled chat theme", "edit_chat_theme", .none),
        (" changed chat theme to ", "edit_chat_theme", .none),
        (" requested your phone number", "requested_phone_number", .none),
        (" set a new background for this chat", "set_chat_wallpaper", .none),
        (" set the same background for this chat", "set_same_chat_wallpaper", .none),
        (" suggests to use this photo", "suggest_profile_photo", .none), (" scored ", "score_in_game", .none),
        (" invited ", "invite_members", .names), (" removed ", "remove_members", .names),
    ]

    /// - Parameter room: The chat's name, which is a channel's actor.
    init(_ text: String, room: String) {
        let bytes = Array(text.utf8)[...]
        for (words, action, detail) in Self.phrases {
            guard let (before, after) = bytes.parted(by: words), before.isEmpty != words.hasPrefix(" ") else {
                continue
            }
            actor = before.isEmpty ? room : String(decoding: before, as: UTF8.self)
            (kind, lines) = Self.event(action, detail, actor: actor, String(decoding: after, as: UTF8.self))
            return
        }
        (actor, kind, lines) = (nil, .system, [text])
    }

    private static func event(
        _ action: String, _ detail: Detail, actor: String?, _ rest: String
    ) -> (MessageKind, [String]) {
        let title = detail == .title ? rest.split(separator: "»", omittingEmptySubsequences: false).first ?? "" : ""
        var (action, people) = (action, rest)
        let call = " to the voice chat"
        if action == "invite_members", people.hasSuffix(call) {
            (action, people) = ("invite_to_group_call", String(people.dropLast(call.count)))
        }
        // `alice, bob and carol` is a list; a single name may have an `and` in it.
        let names = detail == .names ? people.replacingLast(" and ", with: ", ") : ""
        let list = names.isEmpty ? [] : [names]
        if let known = TelegramEvent(action: action, actor: actor, title: String(title), names: list) {
            return (known.kind, known.lines)
        }
        let words = action.split(separator: "_").joined(separator: " ")
        let what = title.isEmpty ? names : String(title)
        return (.action, [what.isEmpty ? words : "\(words): \(what)"])
    }
}

extension String {
    fileprivate func replacingLast(_ words: String, with other: String) -> String {
        let bytes = Array(utf8)[...]
        guard let range = bytes.lastRange(of: words) else { return self }
        return String(decoding: bytes[..<range.lowerBound] + other.utf8 + bytes[range.upperBound...], as: UTF8.self)
    }
}
