/// The bytes with a meaning in the protocols and documents that Scrollback reads.
package enum Byte {
    package static let nul: UInt8 = 0x00
    package static let tab: UInt8 = 0x09
    package static let lineFeed: UInt8 = 0x0A
    package static let carriageReturn: UInt8 = 0x0D
    package static let space: UInt8 = 0x20
    package static let bang = UInt8(ascii: "!")
    package static let quote = UInt8(ascii: "\"")
    package static let dollar = UInt8(ascii: "$")
    package static let star = UInt8(ascii: "*")
    package static let plus = UInt8(ascii: "+")
    package static let comma = UInt8(ascii: ",")
    package static let dash = UInt8(ascii: "-")
    package static let dot = UInt8(ascii: ".")
    package static let slash = UInt8(ascii: "/")
    package static let zero = UInt8(ascii: "0")
    package static let colon = UInt8(ascii: ":")
    package static let semicolon = UInt8(ascii: ";")
    package static let equals = UInt8(ascii: "=")
    package static let at = UInt8(ascii: "@")
    package static let listStart = UInt8(ascii: "[")
    package static let backslash = UInt8(ascii: "\\")
    package static let listEnd = UInt8(ascii: "]")
    package static let objectStart = UInt8(ascii: "{")
    package static let objectEnd = UInt8(ascii: "}")

    /// Returns true for `0` to `9`.
    package static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte)
    }

    /// Returns true for `A` to `Z` and `a` to `z`.
    package static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20)
    }

    /// Returns the value of a hexadecimal digit in either case, 0 to 15; nil for any other byte.
    package static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// Returns true for NUL, LF and CR: no part of a line has them (RFC 2812 §2.3.1), and StreamChat pads its units
    /// with them.
    package static func endsLine(_ byte: UInt8) -> Bool {
        byte == nul || byte == lineFeed || byte == carriageReturn
    }

    /// Returns true for white space of JSON (RFC 8259 §2).
    package static func isJSONSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Returns true for the bytes of numbers, `true`, `false` and `null` (RFC 8259 §3, §6).
    package static func isJSONScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"), plus, dash, dot: true
        default: false
        }
    }

    /// Returns true for brackets, quotes, commas, colons and white space, which end a scalar, also a broken one.
    package static func endsJSONScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case objectStart, objectEnd, listStart, listEnd, quote, comma, colon: true
        default: isJSONSpace(byte)
        }
    }
}
