import Bytes

/// The reason why bytes are not a message.
package struct IRCSyntaxError: Error, Hashable {
    package enum Code: Sendable { case noVerb, invalidVerb }

    package let code: Code
    /// The reason for people: "the line has no command".
    package let detail: String
}

extension IRCMessage {
    /// Parses a line without its end. Several spaces count as one, as in RFC 1459 (§2.3.1), because servers send them.
    package init(line: [UInt8]) throws(IRCSyntaxError) {
        var rest = line[...]
        rest.skipSpaces()
        let tags = rest.first == Byte.at ? Self.tags(rest.takeWord().dropFirst()) : [:]
        let source = rest.first == Byte.colon ? IRCSource(Array(rest.takeWord().dropFirst())) : nil
        let verb = rest.takeWord()
        guard !verb.isEmpty else { throw IRCSyntaxError(code: .noVerb, detail: "the line has no command") }
        guard let name = verb.visibleASCII else {
            throw IRCSyntaxError(code: .invalidVerb, detail: "the line's command is not visible ASCII")
        }
        self.init(tags: tags, source: source, name.uppercased(), Self.params(rest))
    }

    private static func params(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
        var (rest, params) = (bytes, [[UInt8]]())
        while let first = rest.first {
            if first == Byte.colon {
                params.append(Array(rest.dropFirst()))
                break
            }
            params.append(Array(rest.takeWord()))
        }
        return params
    }

    /// Parses tags. The last one counts when a key occurs twice (IRCv3 message-tags).
    private static func tags(_ bytes: ArraySlice<UInt8>) -> [[UInt8]: [UInt8]] {
        var tags: [[UInt8]: [UInt8]] = [:]
        for tag in bytes.split(separator: Byte.semicolon) {
            let key = tag.prefix { $0 != Byte.equals }
            guard !key.isEmpty else { continue }
            tags[Array(key)] = TagValue.unescape(tag[key.endIndex...].dropFirst())
        }
        return tags
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func skipSpaces() {
        self = drop { $0 == Byte.space }
    }

    /// Takes the bytes before the next space, and removes the spaces after them.
    fileprivate mutating func takeWord() -> Self {
        let word = prefix { $0 != Byte.space }
        self = self[word.endIndex...]
        skipSpaces()
        return word
    }
}
