import ChatModel

/// Events that are neither messages nor about members, by the types of the client-server API v1.19 and of proposals that
/// clients use.
extension ElementContent {
    /// The types of events that mean nothing to people: rights and rules of a room, votes, signals of calls and of
    /// verifications, positions, keys, and settings of programs. Events of unknown types mean nothing either, unless they
    /// have a text.
    private static let silent: Set = [
        "m.room.aliases", "m.room.canonical_alias", "m.room.join_rules", "m.room.power_levels", "m.room.guest_access",
        "m.room.history_visibility", "m.room.third_party_invite", "m.room.server_acl", "m.room.related_groups",
        "m.room.retention", "m.space.child", "m.space.parent", "m.reaction", "m.room.redaction", "m.beacon",
        "m.poll.response", "org.matrix.msc3381.poll.response", "m.call.candidates", "m.call.answer", "m.call.hangup",
        "m.call.reject", "m.call.select_answer", "m.call.negotiate", "m.call.sdp_stream_metadata_changed",
        "m.call.member", "m.rtc.member", "m.rtc.decline", "m.key.verification.start", "m.key.verification.ready",
        "m.key.verification.accept", "m.key.verification.key", "m.key.verification.mac", "m.key.verification.done",
        "m.key.verification.cancel", "m.bridge", "m.image_pack", "m.room.bot.options",
    ]

    /// The types by the names that they had as proposals.
    private static let stable = [
        "org.matrix.msc3672.beacon_info": "m.beacon_info", "org.matrix.msc3672.beacon": "m.beacon",
        "org.matrix.msc3489.beacon_info": "m.beacon_info", "org.matrix.msc3489.beacon": "m.beacon",
        "org.matrix.msc4075.rtc.notification": "m.rtc.notification",
        "org.matrix.msc4075.call.notify": "m.rtc.notification", "m.call.notify": "m.rtc.notification",
        "im.vector.modular.widgets": "m.widget", "m.room.rule.user": "m.policy.rule.user",
        "m.room.rule.room": "m.policy.rule.room", "m.room.rule.server": "m.policy.rule.server",
        "org.matrix.mjolnir.rule.user": "m.policy.rule.user", "org.matrix.mjolnir.rule.room": "m.policy.rule.room",
        "org.matrix.mjolnir.rule.server": "m.policy.rule.server",
    ]

    /// Reads an event of another type.
    ///
    /// - Returns: False if it means nothing to people.
    mutating func readOther(_ content: JSONValue?, of event: ElementEvent) throws(UnreadablePiece) -> Bool {
        switch Self.stable[event.type] ?? event.type {
        case "m.call.invite", "m.rtc.notification": lines = ["called"]
        case "m.room.encryption": lines = ["turned on encryption"]
        case "m.room.pinned_events": lines = [Self.pins(content?["pinned"], before: try event.previous?["pinned"])]
        case "m.policy.rule.user", "m.policy.rule.room", "m.policy.rule.server":
            lines = [Self.rule(content, before: try event.previous)]
        case "m.beacon_info":
            let about = content?["description"]?.text.map { ": \($0)" } ?? ""
            let isLive = content?["live"]?.truth == true
            lines = [isLive ? "shares a live location\(about)" : "stopped sharing a live location"]
        case "m.widget":
            let name = content?["name"]?.text ?? content?["type"]?.text
            lines = [name.map { "added the widget \($0)" } ?? "removed a widget"]
        case let type where Self.silent.contains(type): return false
        default: return try readExtensible(content, of: event)
        }
        return true
    }

    /// Reads an extensible event (MSC1767), such as `m.message` or `m.image`.
    ///
    /// - Returns: False if it has no text and no file, or is a part of the room's state.
    private mutating func readExtensible(_ content: JSONValue?, of event: ElementEvent) throws(UnreadablePiece) -> Bool
    {
        guard let content, !event.isState else { return false }
        let file = content["m.file"] ?? content["org.matrix.msc1767.file"] ?? content["org.matrix.msc3551.file"]
        let caption = content["m.caption"] ?? content["org.matrix.msc1767.caption"]
        let words = try caption.flatMap(ExtensibleText.extensible)
        let whole = try ExtensibleText.extensible(in: content)
        guard let text = words ?? whole ?? file?["name"]?.text else { return false }
        let name = event.type.split(separator: ".").last
        kind = name == "emote" ? .action : name == "notice" ? .notice : .message
        lines = [text]
        if let place = (content["m.location"] ?? content["org.matrix.msc3488.location"])?["uri"]?.text,
            !text.contains(place)
        {
            lines.append(place)
        }
        files = try file.map(Self.files) ?? []
        return true
    }

    /// Returns what became of the pinned messages.
    ///
    /// - Parameter before: The list before; nil if the server does not give it.
    private static func pins(_ now: JSONValue?, before: JSONValue?) -> String {
        let (now, before) = (ids(now), before.map { ids($0) })
        guard let before else { return now.isEmpty ? "unpinned all messages" : "changed the pinned messages" }
        func words(_ count: Int) -> String { count == 1 ? "a message" : "\(count) messages" }
        let (added, removed) = (now.subtracting(before).count, before.subtracting(now).count)
        switch (added, removed) {
        case (0, 0): return "changed the pinned messages"
        case (_, 0): return "pinned \(words(added))"
        case (0, _): return "unpinned \(words(removed))"
        default: return "pinned \(words(added)) and unpinned \(words(removed))"
        }
    }

    private static func ids(_ list: JSONValue?) -> Set<String> {
        guard let list, list.isList, let ids = try? list.elements() else { return [] }
        return Set(ids.compactMap(\.text))
    }

    /// Returns what a rule of a list says, which moderators share: whom or which servers it is about, and why.
    private static func rule(_ content: JSONValue?, before: JSONValue?) -> String {
        if let entity = content?["entity"]?.text {
            return "added a rule against \(entity)" + (content?["reason"]?.text.map { ": \($0)" } ?? "")
        }
        return before?["entity"]?.text.map { "removed the rule against \($0)" } ?? "removed a rule"
    }
}
