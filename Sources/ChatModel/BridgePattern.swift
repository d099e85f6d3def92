/// The form of a bridge's messages, such as `<{nick}> {text}`: a relay bot writes in it what people of another network
/// said.
package struct BridgePattern: Sendable, Hashable, Codable {
    /// The pattern as given.
    package let text: String
    private let before: [Unicode.Scalar]
    private let between: [Unicode.Scalar]

    /// The reason why a text is not a valid pattern.
    package struct Invalid: Error, Hashable {
        /// The mistake, for people.
        package let detail: String
    }

    /// The limit of a pattern and of a nick in scalars: prefixes of bridges have some ten.
    private static let longest = 100

    package init(_ text: String) throws(Invalid) {
        let shown = "\"\(text.unicodeScalars.prefix(Self.longest).map { String($0) }.joined())\""
        guard text.unicodeScalars.count <= Self.longest, !text.unicodeScalars.contains(where: { $0.value < 0x20 })
        else {
            throw Invalid(detail: "\(shown) is longer than \(Self.longest) characters, or has control characters")
        }
        let parts = text.split(separator: "{nick}", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasSuffix("{text}"), !parts[1].dropLast(6).contains("{text}"),
            !parts[0].contains("{text}")
        else {
            throw Invalid(detail: "\(shown) needs {nick} once and {text} at its end; try '<{nick}> {text}'")
        }
        guard parts[1].count > 6 else {
            throw Invalid(detail: "\(shown) needs a sign between {nick} and {text}; try '{nick}: {text}'")
        }
        (self.text, before) = (text, Array(parts[0].unicodeScalars))
        between = Array(parts[1].dropLast(6).unicodeScalars)
    }

    package init(from decoder: any Decoder) throws { try self.init(String(from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }

    /// Returns the person and the text of a message; nil if it has another form.
    ///
    /// Ignores colours and other formatting of IRC, and invisible characters, in everything before the text: bridges
    /// colour nicks, and break them up so that nobody on IRC is alerted.
    package func match(_ body: String) -> (nick: String, text: String)? {
        var rest = Substring(body).unicodeScalars
        guard Self.take(before, from: &rest) else { return nil }
        var nick = String.UnicodeScalarView()
        while nick.count <= Self.longest {
            Self.skipInvisible(&rest)
            var end = rest
            if !nick.isEmpty, Self.take(between, from: &end) {
                return end.isEmpty ? nil : (String(nick), String(end))
            }
            guard let scalar = rest.popFirst(), scalar != "\n" else { return nil }
            nick.append(scalar)
        }
        return nil
    }

    /// Takes a literal text, with invisible characters between its own.
    private static func take(_ literal: [Unicode.Scalar], from rest: inout Substring.UnicodeScalarView) -> Bool {
        for scalar in literal {
            skipInvisible(&rest)
            guard rest.popFirst() == scalar else { return false }
        }
        return true
    }

    /// Takes formatting (https://modern.ircdocs.horse/formatting) and characters without width.
    private static func skipInvisible(_ rest: inout Substring.UnicodeScalarView) {
        while let scalar = rest.first {
            switch scalar.value {
            case 0x03: takeColour(&rest, digits: 1...2) { ("0"..."9").contains($0) }
            case 0x04: takeColour(&rest, digits: 6...6) { $0.properties.isASCIIHexDigit }
            case 0x02, 0x0F, 0x11, 0x16, 0x1D, 0x1E, 0x1F, 0xAD, 0x200B...0x200D, 0x2060, 0xFEFF: rest.removeFirst()
            default: return
            }
        }
    }

    private static func takeColour(
        _ rest: inout Substring.UnicodeScalarView, digits: ClosedRange<Int>, _ isDigit: (Unicode.Scalar) -> Bool
    ) {
        rest.removeFirst()
        let first = rest.prefix(digits.upperBound).prefix(while: isDigit).count
        guard digits.contains(first) else { return }
        rest.removeFirst(first)
        guard rest.first == "," else { return }
        let second = rest.dropFirst().prefix(digits.upperBound).prefix(while: isDigit).count
        if digits.contains(second) { rest.removeFirst(second + 1) }
    }
}

/// The key of a person who writes by a bridge. It names the bridge, so that it goes wherever keys go: into exports and
/// shared archives. No network's key begins like it.
package struct BridgeKey: Sendable, Hashable {
    /// The bot's name.
    package var bot: String
    package var pattern: BridgePattern
    /// The person's name by the account's rules about upper and lower case; empty for the beginning of all keys of the
    /// bridge.
    package var nick: String

    /// The mark behind the name of a person who writes by a bridge, wherever names are shown and in `from:`.
    package static let sign = "⇄"

    /// U+001F, a separator of ASCII, which begins and separates the parts.
    package static let separator = "\u{1F}"

    package init(bot: String, pattern: BridgePattern, nick: String = "") {
        (self.bot, self.pattern, self.nick) = (bot, pattern, nick)
    }

    /// - Returns: Nil for the key of any other person.
    package init?(_ key: String) {
        guard Self.isBridged(key) else { return nil }
        let parts = key.split(separator: "\u{1F}", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let pattern = try? BridgePattern(String(parts[2])) else { return nil }
        self.init(bot: String(parts[1]), pattern: pattern, nick: String(parts[3]))
    }

    package static func isBridged(_ key: String) -> Bool { key.utf8.first == 0x1F }

    /// Returns a person's text without the bot's prefix; the whole text if it has another form.
    package func text(of body: String) -> String { pattern.match(body)?.text ?? body }

    package var text: String { ["", bot, pattern.text, nick].joined(separator: Self.separator) }
}

/// A request to show the messages of a bridge as those of the people who wrote them, or to undo that.
package struct Bridging: Sendable, Hashable, Codable {
    /// The number of the bot in the account.
    package var bot: Int64
    /// The bot's name.
    package var name: String
    package var pattern: BridgePattern
    package var undoes: Bool

    package init(bot: Int64, name: String, pattern: BridgePattern, undoes: Bool = false) {
        (self.bot, self.name, self.pattern, self.undoes) = (bot, name, pattern, undoes)
    }
}

/// A bridge of an account.
package struct Bridge: Sendable, Hashable {
    package enum State: String, Sendable {
        case done
        /// Being made, or interrupted; the same command continues it.
        case unfinished
        /// Being undone, or interrupted; the same command continues it.
        case undoing
    }

    /// The bot's number.
    package var bot: Int64
    /// The bot's name in the keys of its people, from when the bridge was made.
    package var name: String
    package var pattern: BridgePattern
    /// The time when the bridge was made.
    package var at: Timestamp
    package var state: State

    package init(bot: Int64, name: String, pattern: BridgePattern, at: Timestamp, state: State = .done) {
        (self.bot, self.name, self.pattern, self.at, self.state) = (bot, name, pattern, at, state)
    }
}

/// What a bridge would change.
package struct BridgePreview: Sendable {
    /// The number of the bot's messages that have the form, and of the others.
    package var matching = 0
    package var others = 0
    /// The numbers of messages by person.
    package var people: [String: Int] = [:]
    /// The latest messages that have the form, and the latest others, as the bot wrote them.
    package var examples: [(nick: String, text: String)] = []
    package var otherExamples: [String] = []

    package init() {}
}
