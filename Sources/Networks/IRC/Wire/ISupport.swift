import Bytes

/// The properties that a server announces in 005 (draft-hardy-irc-isupport-00), with defaults for the other ones.
package struct ISupport: Sendable, Hashable {
    /// The limit of tokens that are kept. Real servers send 30 to 60.
    static let maximumTokens = 512
    /// The longest token in bytes, as of a line (RFC 2812 §2.3). A longer one is ignored.
    static let maximumTokenBytes = 512

    /// The unescaped values; empty for a token without a value.
    private(set) var values: [String: [UInt8]] = [:]

    package init() {}

    /// Takes the tokens of a 005; false for any other message. A token `-KEY` restores the default.
    package mutating func receive(_ message: IRCMessage) -> Bool {
        guard message.verb == "005" else { return false }
        // The first is our nick, the last a sentence for people.
        for token in message.params.dropFirst().dropLast() { apply(token) }
        return true
    }

    /// The value of a token; nil if the server hasn't sent it.
    package subscript(_ key: String) -> [UInt8]? { values[key] }

    private mutating func apply(_ token: [UInt8]) {
        guard token.count <= Self.maximumTokenBytes else { return }
        let key = token.prefix { $0 != Byte.equals }
        guard let name = key.visibleASCII?.uppercased(), !name.isEmpty else { return }
        if name.hasPrefix("-") {
            values[String(name.dropFirst())] = nil
        } else if values.count < Self.maximumTokens || values[name] != nil {
            values[name] = Self.unescape(token[key.endIndex...].dropFirst())
        }
    }

    /// Unescapes a value: `\x20` is a space, `\x5C` a backslash, and any byte may be escaped.
    private static func unescape(_ value: ArraySlice<UInt8>) -> [UInt8] {
        var (rest, result) = (value, [UInt8]())
        while let byte = rest.popFirst() {
            let digits = rest.dropFirst().prefix(2).compactMap(Byte.hexadecimal)
            if byte == Byte.backslash, rest.first == UInt8(ascii: "x"), digits.count == 2 {
                result.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(3)
            } else {
                result.append(byte)
            }
        }
        return result
    }
}
