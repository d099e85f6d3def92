import Bytes
import ChatModel

/// Reads libpurple's sentences about a room, in English and Korean (`po/ko.po` of 2.14).
///
/// In a text, a message begins with a name and a colon. So a sentence counts only if no colon stands before its words,
/// or if the room itself or an address stands before the colon, which is nobody's name.
struct PidginEvent {
    /// The account's own name in the room; nil if it is not known.
    private let own: String?

    init(_ own: String?) {
        self.own = own
    }

    /// Returns nil for a text that is no event.
    ///
    /// - Parameter isSystem: True if nobody can have written the text.
    func content(_ text: ArraySlice<UInt8>, in conversation: PidginConversation, isSystem: Bool) -> IRCLine? {
        if let event = movement(text) ?? renamed(text) { return event }
        if isSystem { return topic(text) ?? mode(text) }
        guard let (from, rest) = text.parted(by: ": ") else { return nil }
        if !conversation.room.isDirect, from.elementsEqual(conversation.title.utf8) {
            return topic(rest) ?? mode(rest) ?? .system(text)
        }
        // `alice!~alice@host: alice has changed the topic to: words`
        guard let (name, mask) = from.parted(by: "!"), mask.contains(Byte.at), !from.contains(Byte.space),
            let topic = topic(rest), topic.sender?.string == LogText(name).string
        else { return nil }
        return topic
    }

    /// Returns true for another sentence of the program with a colon.
    static func isOfProgram(_ text: ArraySlice<UInt8>) -> Bool { others.contains { text.starts(with: $0) } }

    private static let others = [
        "List of ", "The topic for ", "The topic is: ", "Topic for ", "current topic is: ", "Users on ", "주제: ",
        "현재 주제: ",
        "You have been kicked by ", "You have been kicked: (", "The following error occurred: ",
    ]

    // MARK: - Sentences

    private static let joins = [" entered the room.", " 님이 대화실에 들어왔습니다."]
    private static let leaves = [" left the room.", " 님이 대화실을 나갔습니다."]
    private static let leavesWithReason = [(" left the room (", ")."), (" 님이 대화실 (", ") (으)로부터 나갔습니다.")]
    private static let names = [(" is now known as ", ""), (" 님은 ", " (으)로 인식되었습니다")]
    private static let ownNames = [("You are now known as ", ""), ("나는 ", " (으)로 인식되었습니다")]
    private static let topics = [
        " has changed the topic to: ", " has set the topic to: ", " 님이 주제를 변경했습니다: ", " 은(는) 주제를 설정했습니다: ",
    ]
    private static let unsetTopics = [" has cleared the topic.", " 님이 주제를 지웠습니다."]

    private func movement(_ text: ArraySlice<UInt8>) -> IRCLine? {
        for words in Self.joins {
            if let who = Self.before(words, atEndOf: text), let name = Self.nameWithoutAddress(who) {
                return IRCLine(.join, name)
            }
        }
        for words in Self.leaves {
            if let name = Self.before(words, atEndOf: text).flatMap(Self.name) { return IRCLine(.leave, name) }
        }
        for (words, end) in Self.leavesWithReason {
            guard let (who, rest) = text.parted(by: words), let name = Self.name(who),
                rest.suffix(end.utf8.count).elementsEqual(end.utf8)
            else { continue }
            let reason = rest.dropLast(end.utf8.count)
            return kicked(name, reason) ?? IRCLine(.leave, name, LogText(reason.after("quit: ") ?? reason))
        }
        return nil
    }

    /// Reads the reason `Kicked by alice (why)`, `Kicked (why)` or `alice (why) 에게 차였습니다`.
    private func kicked(_ victim: LogText, _ reason: ArraySlice<UInt8>) -> IRCLine? {
        let korean = Self.before(" 에게 차였습니다", atEndOf: reason)
        if let (by, why) = (reason.after("Kicked by ") ?? korean)?.parted(by: " ("), why.last == UInt8(ascii: ")"),
            let by = Self.name(by)
        {
            return IRCLine.kick(victim, by, why.dropLast())
        }
        guard let why = reason.after("Kicked ("), why.last == UInt8(ascii: ")") else { return nil }
        let text = Array(victim.string.utf8) + ": ".utf8 + why.dropLast()
        return IRCLine(.kick, nil, LogText(text[...]))
    }

    private func renamed(_ text: ArraySlice<UInt8>) -> IRCLine? {
        for (words, end) in Self.ownNames {
            guard let new = text.after(words).flatMap({ Self.before(end, atEndOf: $0) }), let name = Self.name(new)
            else {
                continue
            }
            // The log may show the own name only after the change.
            guard let own, own != name.string else { return .system(text) }
            return IRCLine(.rename, LogText(Array(own.utf8)[...]), name)
        }
        for (words, end) in Self.names {
            guard let (old, rest) = text.parted(by: words), let old = Self.name(old),
                let new = Self.before(end, atEndOf: rest).flatMap(Self.name)
            else { continue }
            return old.string == new.string ? .system(text) : IRCLine(.rename, old, new)
        }
        return nil
    }

    private func topic(_ text: ArraySlice<UInt8>) -> IRCLine? {
        for words in Self.unsetTopics {
            if let name = Self.before(words, atEndOf: text).flatMap(Self.name) { return IRCLine(.topic, name) }
        }
        for words in Self.topics {
            if let (who, topic) = text.parted(by: words), let name = Self.name(who) {
                return IRCLine(.topic, name, LogText(topic))
            }
        }
        return nil
    }

    /// Reads `mode (+o bob) by alice`, `모드 (+o bob) by alice`.
    private func mode(_ text: ArraySlice<UInt8>) -> IRCLine? {
        guard let rest = text.after("mode (") ?? text.after("모드 ("), let end = rest.lastRange(of: ") by "),
            let name = Self.name(rest[end.upperBound...])
        else { return nil }
        return IRCLine(.mode, name, LogText(rest[..<end.lowerBound].trimmed))
    }

    // MARK: - Parts

    /// Returns the text before words at its end; nil if it ends otherwise.
    private static func before(_ words: String, atEndOf text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        text.suffix(words.utf8.count).elementsEqual(words.utf8) ? text.dropLast(words.utf8.count) : nil
    }

    /// Returns a person's name; nil for an empty text and for one with a colon, which a message has.
    private static func name(_ text: ArraySlice<UInt8>) -> LogText? {
        let name = text.trimmed
        return name.isEmpty || name.contains(Byte.lineFeed) || name.range(of: ": ") != nil ? nil : LogText(name)
    }

    /// Returns the name of `alice [~alice@host]`.
    private static func nameWithoutAddress(_ text: ArraySlice<UInt8>) -> LogText? {
        guard text.last == Byte.listEnd, let start = text.lastRange(of: " ["),
            text[start.upperBound...].contains(Byte.at)
        else { return name(text) }
        return name(text[..<start.lowerBound])
    }
}
