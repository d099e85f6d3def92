import ChatModel

/// What a message says to people, in safe text: who in the column of names, and what beside it.
///
/// Sentences such as "alice has joined" are made here and nowhere else; the store keeps only their facts.
struct MessageLine: Sendable, Hashable {
    /// Empty where the text itself says who.
    var name: String
    /// Several lines where the body has several.
    var text: String
    /// What a reader should know beside the text, such as `[glued?]` or `(edited)`; empty for most.
    var flags: String
    /// Whether the account itself sent it.
    var isOwn: Bool
    /// Comings and goings, which may be passed over.
    var isQuiet: Bool

    init(_ message: Message) {
        let who = Self.name(of: message.sender)
        let body = message.body.map(Sanitizer.body) ?? ""
        isOwn = message.sender?.isSelf ?? false
        isQuiet = message.kind.isNoise
        flags = Self.flags(message)
        name = message.kind == .message ? who : ""
        text =
            switch message.kind {
            case .message: body
            case .action: "* \(who) \(body)"
            case .notice: "-\(who)- \(body)"
            case .system: "*** \(body)"
            case .join: "--> \(who) has joined" + Self.remark(body)
            case .leave: "<-- \(who) has left" + Self.remark(body)
            case .kick: "<-- kicked by \(who)" + Self.remark(body)
            case .rename: "-- \(who) is now known as \(body)"
            case .topic: "-- \(who) sets the topic: \(body)"
            case .mode: "-- \(who) sets mode \(body)"
            case .invite: "-- \(who) invites \(body)"
            }
    }

    /// Something that several messages say together, in safe text.
    init(quiet text: String) {
        self.text = text
        (name, flags, isOwn, isQuiet) = ("", "", false, true)
    }

    static func name(of sender: Message.Sender?) -> String {
        guard let sender else { return "someone" }
        return sender.name.isEmpty ? "(no name)" : Sanitizer.line(sender.name)
    }

    private static func remark(_ body: String) -> String {
        body.isEmpty ? "" : " (\(body))"
    }

    private static func flags(_ message: Message) -> String {
        [
            message.flags.contains(.maybeCoalesced) ? "[glued?]" : nil,
            message.flags.contains(.oversize) ? "[cut]" : nil,
            message.flags.contains(.invalidUTF8) ? "[bad bytes]" : nil,
            message.editedAt != nil ? "(edited)" : nil,
            message.deletedAt != nil ? "(deleted)" : nil,
        ].compactMap(\.self).joined(separator: " ")
    }
}
