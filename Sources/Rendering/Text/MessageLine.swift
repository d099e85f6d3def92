package import ChatModel

/// A message as safe text for people: the name in its column, and the text beside it.
///
/// Sentences such as "alice has joined" are made only here; the store keeps only their facts.
package struct MessageLine: Sendable, Hashable {
    /// The name in its column; empty if the text itself names the sender.
    package var name: String
    /// The text, with as many lines as the body.
    package var text: StyledText
    /// Remarks such as `[glued?]` or `(edited)`; empty for most messages.
    package var flags: String
    /// True if the account itself sent it.
    package var isOwn: Bool
    /// True for events that a reader may ignore, such as joins and leaves.
    package var isQuiet: Bool

    /// - Parameters:
    ///   - zone: The zone of the time that a standing topic has in its words.
    ///   - matches: The ranges in the body that match a search.
    package init(_ message: Message, zone: Zone, matches: [Range<String.Index>] = []) {
        let who = Self.name(of: message)
        isOwn = message.sender?.isSelf ?? false
        isQuiet = message.kind.isNoise
        let files = message.attachments.map { "[\($0.kind.rawValue) \(Sanitizer.line($0.name))]" }
        let reactions = message.reactions.map { "[\(Sanitizer.line($0.text)) \($0.by.count)]" }
        flags = (files + [Self.flags(message)] + reactions).filter { !$0.isEmpty }.joined(separator: " ")
        name = Self.nameColumn(message)
        let (frame, after) = Self.frame(of: message, who: who, zone)
        text = StyledText(
            message.body ?? "", matches: matches, before: Self.answered(message.reply) + frame, after: after)
    }

    private static func frame(of message: Message, who: String, _ zone: Zone) -> (before: String, after: String) {
        let hasBody = message.body?.isEmpty == false
        return switch message.kind {
        case .message: ("", "")
        case .action: ("* \(who) ", "")
        case .notice: ("-\(who)- ", "")
        case .system: ("*** ", "")
        case .join: remark("--> \(who) has joined", hasBody)
        case .leave: remark("<-- \(who) has left", hasBody)
        case .kick: remark("<-- kicked by \(who)", hasBody)
        case .rename: ("-- \(who) is now known as ", "")
        case .topic: topicFrame(of: message, who: who, zone)
        case .mode: ("-- \(who) sets mode ", "")
        case .invite: ("-- \(who) invites ", "")
        }
    }

    private static func topicFrame(of message: Message, who: String, _ zone: Zone) -> (String, String) {
        let words =
            MessageRemarks.standingTopic(message, zone: zone)
            ?? ("\(who) \(MessageRemarks.eventWords(message) ?? "")", "")
        let space = message.body?.isEmpty == false ? " " : ""
        return ("-- \(words.before)\(space)", words.after.isEmpty ? "" : " \(words.after)")
    }

    /// A sentence about several messages, in safe text.
    package init(quiet text: String) {
        self.text = StyledText("", before: text)
        (name, flags, isOwn, isQuiet) = ("", "", false, true)
    }

    /// Returns a line about the message that this one replies to, to show above the text; empty if there is none, or it
    /// is not archived.
    private static func answered(_ reply: Message.Reply?) -> String {
        guard let reply, reply.id != nil else { return "" }
        return "↪ " + ReplyText.excerpt(reply, width: 50) + "\n"
    }

    /// Returns the name in its column; empty if the text itself names the sender.
    static func nameColumn(_ message: Message) -> String { message.kind == .message ? name(of: message) : "" }

    /// The mark behind the name of a person who writes by a bridge.
    static let bridged = BridgeKey.sign

    /// Returns the sender's name, with a mark for one who writes by a bridge.
    private static func name(of message: Message) -> String {
        name(of: message.sender) + (message.via == nil ? "" : bridged)
    }

    static func name(of sender: Message.Sender?) -> String {
        guard let sender else { return "someone" }
        let name = sender.name.isEmpty ? "(no name)" : Sanitizer.line(sender.name)
        // Another person of the room has this name.
        return sender.isAmbiguous ? name + (sender.key.map { " (\(Sanitizer.line($0)))" } ?? "") : name
    }

    private static func remark(_ sentence: String, _ hasBody: Bool) -> (String, String) {
        hasBody ? (sentence + " (", ")") : (sentence, "")
    }

    private static func flags(_ message: Message) -> String {
        [
            message.flags.contains(.maybeCoalesced) ? "[glued?]" : nil,
            message.flags.contains(.oversize) ? "[cut]" : nil,
            message.flags.contains(.invalidUTF8) ? "[bad bytes]" : nil,
            message.flags.contains(.replayed) ? "[replayed]" : nil,
            message.isUndecrypted ? "(encrypted)" : nil,
            message.editedAt != nil ? "(edited)" : nil,
            message.deletedAt != nil ? "(deleted)" : nil,
        ].compactMap(\.self).joined(separator: " ")
    }
}
