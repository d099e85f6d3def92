import Bytes
import ChatModel

/// The facts by which a HexChat log in any language tells events from actions: who speaks, and which words follow a
/// name with an address.
///
/// HexChat 2.16.1 marks both with a star. Its sentences are in the user's language, and are not known here. A line is
/// an action only if its first word is a known person. `carol (~carol@host)` and some words is a join, if the people
/// whom these words follow speak afterwards; it is a leave, if they spoke before and are silent afterwards. Everything
/// else is a message of the program.
struct HexChatWords: Sendable {
    /// The limit of names and of sentences that are kept.
    private static let maximumCount = 10_000

    /// True for the network's own window, in which nobody acts.
    private let isServers: Bool
    /// True after `**** BEGIN LOGGING AT`. The English sentences are known.
    private var isEnglish = true
    private var people: Set<String> = []
    /// The words after a name with an address: above 0 for a join, below 0 for a leave.
    private var movements: [[UInt8]: Int] = [:]
    /// The first words after a person's name that follow several names, as those of events do.
    private var repeated: Set<[UInt8]> = []

    /// - Parameter lines: The log's beginning.
    init(_ lines: [ArraySlice<UInt8>], isServers: Bool) {
        self.isServers = isServers
        let isForeign = lines.contains { CTime(ofLogging: $0) != nil && !Self.isEnglish($0) }
        if isForeign, !isServers { learn(lines) }
    }

    /// Begins a session, whose first line is in the user's language.
    mutating func begin(_ line: ArraySlice<UInt8>) {
        isEnglish = Self.isEnglish(line)
    }

    private static func isEnglish(_ line: ArraySlice<UInt8>) -> Bool {
        line.starts(with: "**** BEGIN LOGGING AT ") || line.starts(with: "**** ENDING LOGGING AT ")
    }

    /// Notes that a person speaks.
    mutating func note(_ name: String) {
        guard !isEnglish, people.count < Self.maximumCount else { return }
        people.insert(name)
    }

    /// Returns true if a line of a name and a text may be an action.
    func mayAct(_ name: String, _ text: ArraySlice<UInt8>) -> Bool {
        if isServers { return false }
        return isEnglish || people.contains(name) && !repeated.contains(Self.firstWords(text))
    }

    /// Reads an event in another language than English; nil for another text.
    mutating func event(_ text: ArraySlice<UInt8>) -> IRCLine? {
        guard !isEnglish else { return nil }
        if let event = HexChatKorean.event(text) {
            if let name = event.sender { note(name.string) }
            return event
        }
        guard let movement = Self.movement(text) else { return nil }
        if people.count < Self.maximumCount { people.insert(movement.name.string) }
        switch movements[Array(movement.words)] ?? 0 {
        case 0: return .system(text)
        case 1...: return IRCLine(.join, movement.name)
        default: return IRCLine(.leave, movement.name, LogText(movement.reason))
        }
    }

    /// Reads `carol (~carol@host)`, the words after it, and a reason in parentheses.
    private static func movement(
        _ text: ArraySlice<UInt8>
    ) -> (name: LogText, words: ArraySlice<UInt8>, reason: ArraySlice<UInt8>)? {
        let text = text.trimmed
        guard let (first, rest) = text.parted(by: " ("), let name = IRCLine.nick(first),
            let end = rest.firstIndex(of: UInt8(ascii: ")")), rest[..<end].contains(Byte.at),
            !rest[..<end].contains(Byte.space)
        else { return nil }
        let words = rest[(end + 1)...]
        let hasReason = words.last == UInt8(ascii: ")")
        guard hasReason, let reason = words.range(of: " (") else { return (name, words, []) }
        return (name, words[..<reason.lowerBound], words[reason.upperBound...].dropLast())
    }

    // MARK: - Learning

    private mutating func learn(_ lines: [ArraySlice<UInt8>]) {
        /// The people who spoke since their last event, and the words of their last event for those who did not.
        var (speakers, moved): (Set<String>, [String: [UInt8]]) = ([], [:])
        var (followers, everybody): ([[UInt8]: Set<String>], Set<String>) = ([:], [])
        for line in lines {
            guard let (mark, text) = Self.parts(line) else { continue }
            if mark.first == UInt8(ascii: "<") {
                guard let name = IRCLine.nick(mark.dropFirst().dropLast())?.string else { continue }
                if let words = moved.removeValue(forKey: name) { movements[words, default: 0] += 1 }
                speakers.insert(name)
                everybody.insert(name)
            } else if let movement = Self.movement(text) {
                let (name, words) = (movement.name.string, Array(movement.words))
                if speakers.remove(name) != nil { movements[words, default: 0] -= 1 }
                moved[name] = words
            } else {
                let name = LogText(text.prefix { $0 != Byte.space }).string
                followers[Self.firstWords(text.dropFirst(name.utf8.count + 1)), default: []].insert(name)
                // Other events, such as a quit, end with the name joined to a word: the person may be gone.
                for speaker in speakers where name != speaker && name.hasPrefix(speaker) { speakers.remove(speaker) }
            }
        }
        repeated = Set(followers.filter { $0.value.intersection(everybody).count > 2 }.keys)
    }

    /// Returns the mark and the text of a message, or of a line with a star.
    private static func parts(
        _ line: ArraySlice<UInt8>
    ) -> (mark: ArraySlice<UInt8>, text: ArraySlice<UInt8>)? {
        var line = line
        guard HexChatStamp(taking: &line) != nil || LineStamp(taking: &line, brackets: .optional) != nil else {
            return nil
        }
        let (mark, text) = HexChatLine.parts(line)
        let isMessage = mark.count > 2 && mark.first == UInt8(ascii: "<") && mark.last == UInt8(ascii: ">")
        return isMessage || mark.elementsEqual([Byte.star]) ? (mark, text) : nil
    }

    /// Returns the first two words.
    private static func firstWords(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let words = text.split(separator: Byte.space, maxSplits: 2)
        return Array(words.prefix(2).joined(separator: [Byte.space]))
    }
}
