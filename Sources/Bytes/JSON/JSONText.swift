/// A text of JSON without its escapes. Halves of surrogate pairs become U+FFFD.
///
/// Reads `\x1F` as well, as Telegram Desktop writes control characters.
package struct JSONUnescaping {
    package private(set) var bytes: [UInt8] = []
    /// True if a surrogate was without its other half.
    package private(set) var hasHalves = false

    /// - Parameter source: A text whose escapes are valid; see ``length(of:at:)``.
    package init(_ source: ArraySlice<UInt8>) {
        bytes.reserveCapacity(source.count)
        var rest = source
        while let escape = rest.firstIndex(of: Byte.backslash), escape + 1 < rest.endIndex {
            bytes += rest[..<escape]
            rest = rest[escape...].dropFirst(2)
            take(source[escape + 1], &rest)
        }
        bytes += rest
    }

    private mutating func take(_ kind: UInt8, _ rest: inout ArraySlice<UInt8>) {
        switch kind {
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "x"): append(Self.value(of: &rest, digits: 2))
        case UInt8(ascii: "u"): takeUnit(&rest)
        default: bytes.append(kind)
        }
    }

    private mutating func takeUnit(_ rest: inout ArraySlice<UInt8>) {
        let unit = Self.value(of: &rest, digits: 4)
        guard 0xD800..<0xE000 ~= unit else { return append(unit) }
        var pair = rest.dropFirst(2)
        if unit < 0xDC00, rest.starts(with: [Byte.backslash, UInt8(ascii: "u")]) {
            let low = Self.value(of: &pair, digits: 4)
            if 0xDC00..<0xE000 ~= low {
                rest = pair
                return append(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
            }
        }
        hasHalves = true
        append(0xFFFD)
    }

    private mutating func append(_ scalar: UInt32) {
        bytes += UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter
    }

    private static func value(of rest: inout ArraySlice<UInt8>, digits: Int) -> UInt32 {
        let value = rest.prefix(digits).reduce(UInt32(0)) { $0 << 4 | UInt32(Byte.hexadecimal($1) ?? 0) }
        rest = rest.dropFirst(digits)
        return value
    }

    /// Returns the length of the escape at a backslash; nil if it is not an escape.
    package static func length(of bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
        guard index + 1 < bytes.count else { return nil }
        let digits: Int
        switch bytes[index + 1] {
        case Byte.quote, Byte.backslash, Byte.slash, UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            return 2
        case UInt8(ascii: "u"): digits = 4
        case UInt8(ascii: "x"): digits = 2
        default: return nil
        }
        let end = index + 2 + digits
        guard end <= bytes.count, bytes[(index + 2)..<end].allSatisfy({ Byte.hexadecimal($0) != nil }) else {
            return nil
        }
        return end - index
    }
}

package enum JSONText {
    /// Returns the text of a string with its quotes (RFC 8259 §7); nil for any other bytes.
    package static func string(_ quoted: some Collection<UInt8>) -> String? {
        let text = Array(quoted.dropFirst().dropLast())
        guard text.count + 2 == quoted.count, quoted.first == Byte.quote,
            quoted.dropFirst(text.count + 1).first == Byte.quote,
            let hasEscapes = hasEscapes(text)
        else { return nil }
        guard hasEscapes else { return String(validating: text, as: UTF8.self) }
        let plain = JSONUnescaping(text[...])
        return plain.hasHalves ? nil : String(validating: plain.bytes, as: UTF8.self)
    }

    /// Returns true if a text between quotes has escapes; nil if it has a control character, a quote or a wrong escape.
    private static func hasEscapes(_ text: [UInt8]) -> Bool? {
        text.withUnsafeBufferPointer { bytes in
            var (index, hasEscapes) = (0, false)
            while index < bytes.count {
                guard bytes[index] >= 0x20, bytes[index] != Byte.quote else { return nil }
                if bytes[index] == Byte.backslash {
                    guard let length = JSONUnescaping.length(of: bytes, at: index),
                        bytes[index + 1] != UInt8(ascii: "x")
                    else { return nil }
                    (index, hasEscapes) = (index + length, true)
                } else {
                    index += 1
                }
            }
            return hasEscapes
        }
    }
}
