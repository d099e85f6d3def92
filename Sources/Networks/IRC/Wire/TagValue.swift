import Bytes

/// The escapes in a tag's value (IRCv3 message-tags, "Escaping values").
enum TagValue {
    /// Unescapes a value. An unknown `\b` becomes `b`; a backslash at the end is dropped.
    static func unescape(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var value: [UInt8] = []
        value.reserveCapacity(bytes.count)
        var isEscaped = false
        for byte in bytes {
            if isEscaped {
                value.append(meaning(byte))
                isEscaped = false
            } else if byte == Byte.backslash {
                isEscaped = true
            } else {
                value.append(byte)
            }
        }
        return value
    }

    static func escape(_ value: [UInt8]) -> [UInt8] {
        value.flatMap { byte in
            letter(byte).map { [Byte.backslash, $0] } ?? [byte]
        }
    }

    private static func meaning(_ letter: UInt8) -> UInt8 {
        switch letter {
        case Byte.colon: Byte.semicolon
        case UInt8(ascii: "s"): Byte.space
        case UInt8(ascii: "r"): Byte.carriageReturn
        case UInt8(ascii: "n"): Byte.lineFeed
        default: letter
        }
    }

    private static func letter(_ byte: UInt8) -> UInt8? {
        switch byte {
        case Byte.semicolon: Byte.colon
        case Byte.space: UInt8(ascii: "s")
        case Byte.backslash: Byte.backslash
        case Byte.carriageReturn: UInt8(ascii: "r")
        case Byte.lineFeed: UInt8(ascii: "n")
        default: nil
        }
    }
}
