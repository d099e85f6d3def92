/// The bytes that have a meaning in JSON (RFC 8259).
package enum JSONByte {
    package static let quote = UInt8(ascii: "\"")
    package static let backslash = UInt8(ascii: "\\")
    package static let comma = UInt8(ascii: ",")
    package static let colon = UInt8(ascii: ":")
    package static let objectStart = UInt8(ascii: "{")
    package static let objectEnd = UInt8(ascii: "}")
    package static let listStart = UInt8(ascii: "[")
    package static let listEnd = UInt8(ascii: "]")

    /// What may stand between the parts (§2).
    package static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// What numbers, `true`, `false` and `null` consist of (§3, §6).
    package static func isScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

extension ArraySlice<UInt8> {
    /// Without the white space around it.
    package var trimmed: Self {
        let rest = drop(while: JSONByte.isSpace)
        return rest[..<(rest.lastIndex { !JSONByte.isSpace($0) }.map { $0 + 1 } ?? rest.startIndex)]
    }
}
