import Bytes
import ChatModel

/// The marks before lines of a WeeChat log that are no messages. Users change them (`weechat.look.prefix_join = "→"`),
/// so a mark that no nick can be is learned from the lines after it.
struct WeeChatMarks: Sendable {
    enum Meaning {
        case join, quit, other, action
    }

    /// The meanings of marks that users chose.
    private var learned: [[UInt8]: Meaning] = [:]

    /// Returns nil for a nick.
    func meaning(of prefix: ArraySlice<UInt8>) -> Meaning? {
        if Self.isPlainNick(prefix) { return nil }
        return Self.usual(prefix) ?? (learned.isEmpty ? nil : learned[Array(prefix)])
    }

    /// Returns the meaning of WeeChat's own marks.
    private static func usual(_ prefix: ArraySlice<UInt8>) -> Meaning? {
        switch String(decoding: prefix, as: UTF8.self) {
        case "-->": .join
        case "<--": .quit
        case "--", "=!=", "***", "===": .other
        case "*": .action
        default: nil
        }
    }

    /// - Parameter lines: The lines of the log's beginning.
    init(_ lines: some Sequence<ArraySlice<UInt8>>) {
        /// The texts of the lines with each unusual mark.
        var marked: [[UInt8]: [ArraySlice<UInt8>]] = [:]
        var names: Set<[UInt8]> = []
        for line in lines {
            guard let (prefix, text) = Self.parts(line) else { continue }
            if !Self.mayBeNick(prefix), Self.usual(prefix) == nil {
                let mark = Array(prefix)
                if marked.count < Self.maximumMarks || marked[mark] != nil { marked[mark, default: []].append(text) }
            }
        }
        guard !marked.isEmpty else { return }
        for line in lines {
            guard let (prefix, _) = Self.parts(line), Self.mayBeNick(prefix), let name = IRCLine.nick(prefix) else {
                continue
            }
            names.insert(Array(name.string.utf8))
        }
        for (mark, texts) in marked { learned[mark] = Self.meaning(of: mark, texts, names) }
    }

    /// A user has about six.
    private static let maximumMarks = 32

    private static func parts(_ line: ArraySlice<UInt8>) -> (prefix: ArraySlice<UInt8>, text: ArraySlice<UInt8>)? {
        guard let tab = line.index(of: Byte.tab), let end = line[(tab + 1)...].index(of: Byte.tab) else { return nil }
        return (line[(tab + 1)..<end].trimmed, line[(end + 1)...])
    }

    /// Returns true for a text with a letter, a digit or another character of nicks (RFC 2812 §2.3.1), in ASCII.
    private static func isPlainNick(_ prefix: ArraySlice<UInt8>) -> Bool {
        prefix.contains { Byte.isLetter($0) || Byte.isDigit($0) || "[]\\`_^{|}".utf8.contains($0) }
    }

    /// Returns true for such a text, for one with a letter beyond ASCII, and for an empty one.
    private static func mayBeNick(_ prefix: ArraySlice<UInt8>) -> Bool {
        prefix.isEmpty || isPlainNick(prefix)
            || String(decoding: prefix, as: UTF8.self).unicodeScalars.contains {
                $0.properties.isAlphabetic && !$0.properties.isEmoji
            }
    }

    /// Returns nil for a mark whose lines are no events and don't begin with people's names: a name of signs alone.
    private static func meaning(
        of mark: [UInt8], _ texts: [ArraySlice<UInt8>], _ names: Set<[UInt8]>
    ) -> Meaning? {
        let events = texts.compactMap { IRCLine.event($0)?.kind }
        if let event = events.first {
            return events.allSatisfy { $0 == event } && event == .join ? .join : event == .leave ? .quit : .other
        }
        let begin = texts.count { names.contains(Array($0.drop { $0 == Byte.space }.prefix { $0 != Byte.space })) }
        if begin == texts.count { return .action }
        // Arrows, lines and figures are no one's name, except where emoji are.
        let isSign = String(decoding: mark, as: UTF8.self).unicodeScalars.allSatisfy {
            !$0.properties.isEmojiPresentation
        }
        return isSign ? .other : nil
    }
}
