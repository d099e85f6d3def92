import Bytes

/// What a server says of itself in 005 (draft-hardy-irc-isupport-00), with the defaults of what it does not say.
package struct ISupport: Sendable, Hashable {
    /// Tokens kept. Real servers send 30 to 60.
    static let maximumTokens = 512
    /// Bytes of a token: what a line has (RFC 2812 §2.3). A longer one is left out.
    static let maximumTokenBytes = 512

    /// Unescaped; empty for a token without value.
    private(set) var values: [String: [UInt8]] = [:]

    package init() {}

    /// Takes over the tokens of a 005; false for any other message. One that is `-KEY` is what it was before.
    package mutating func receive(_ message: IRCMessage) -> Bool {
        guard message.verb == "005" else { return false }
        // The first is our nick, the last a sentence for people.
        for token in message.params.dropFirst().dropLast() { take(token) }
        return true
    }

    package subscript(_ key: String) -> [UInt8]? { values[key] }

    private mutating func take(_ token: [UInt8]) {
        guard token.count <= Self.maximumTokenBytes else { return }
        let key = token.prefix { $0 != Byte.equals }
        guard let name = key.visibleASCII?.uppercased(), !name.isEmpty else { return }
        if name.hasPrefix("-") {
            values[String(name.dropFirst())] = nil
        } else if values.count < Self.maximumTokens || values[name] != nil {
            values[name] = Self.unescape(token[key.endIndex...].dropFirst())
        }
    }

    /// `\x20` is a space, `\x5C` a backslash; any byte may be written so.
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
