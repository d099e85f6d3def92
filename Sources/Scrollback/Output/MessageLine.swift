import ChatModel

/// What a message says to people, in safe text: who in the column of names, and what beside it.
///
/// Sentences such as "alice has joined" are made here and nowhere else; the store keeps only their facts.
struct MessageLine: Sendable, Hashable {
    /// Empty where the text itself says who.
    var name: String
    /// Several lines where the body has several.
    var text: String
    /// Code points of the text before the body.
    var beforeBody: Int
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
        let files = message.attachments.map { "[\($0.kind.rawValue) \(Sanitizer.line($0.name))]" }
        let reactions = message.reactions.map { "[\(Sanitizer.line($0.text)) \($0.by.count)]" }
        flags = (files + [Self.flags(message)] + reactions).filter { !$0.isEmpty }.joined(separator: " ")
        name = message.kind == .message ? who : ""
        let (frame, after) = Self.frame(of: message.kind, who: who, body: body)
        let before = Self.answered(message.reply) + frame
        text = before + body + after
        beforeBody = before.unicodeScalars.count
    }

    private static func frame(of kind: MessageKind, who: String, body: String) -> (before: String, after: String) {
        switch kind {
        case .message: ("", "")
        case .action: ("* \(who) ", "")
        case .notice: ("-\(who)- ", "")
        case .system: ("*** ", "")
        case .join: remark("--> \(who) has joined", body)
        case .leave: remark("<-- \(who) has left", body)
        case .kick: remark("<-- kicked by \(who)", body)
        case .rename: ("-- \(who) is now known as ", "")
        case .topic: ("-- \(who) sets the topic: ", "")
        case .mode: ("-- \(who) sets mode ", "")
        case .invite: ("-- \(who) invites ", "")
        }
    }

    /// Something that several messages say together, in safe text.
    init(quiet text: String) {
        self.text = text
        (beforeBody, name, flags, isOwn, isQuiet) = (0, "", "", false, true)
    }

    /// A line of its own above the text; empty where nothing is answered, or it is not here.
    private static func answered(_ reply: Message.Reply?) -> String {
        guard let reply, reply.id != nil else { return "" }
        return "↪ " + ReplyText.excerpt(reply, width: 50) + "\n"
    }

    static func name(of sender: Message.Sender?) -> String {
        guard let sender else { return "someone" }
        return sender.name.isEmpty ? "(no name)" : Sanitizer.line(sender.name)
    }

    private static func remark(_ sentence: String, _ body: String) -> (String, String) {
        body.isEmpty ? (sentence, "") : (sentence + " (", ")")
    }

    private static func flags(_ message: Message) -> String {
        [
            message.flags.contains(.maybeCoalesced) ? "[glued?]" : nil,
            message.flags.contains(.oversize) ? "[cut]" : nil,
            message.flags.contains(.invalidUTF8) ? "[bad bytes]" : nil,
            message.flags.contains(.replayed) ? "[replayed]" : nil,
            message.editedAt != nil ? "(edited)" : nil,
            message.deletedAt != nil ? "(deleted)" : nil,
        ].compactMap(\.self).joined(separator: " ")
    }
}
