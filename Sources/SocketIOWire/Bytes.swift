/// The bytes that have a meaning in Engine.IO and Socket.IO.
enum Byte {
    /// Between the packets of a polled body.
    static let recordSeparator: UInt8 = 0x1E
    static let quote = UInt8(ascii: "\"")
    static let comma = UInt8(ascii: ",")
    static let dash = UInt8(ascii: "-")
    static let slash = UInt8(ascii: "/")
    static let zero = UInt8(ascii: "0")
    static let backslash = UInt8(ascii: "\\")
    static let opening = UInt8(ascii: "[")
    static let closing = UInt8(ascii: "]")
    static let base64 = UInt8(ascii: "b")

    /// What JSON allows between its parts (RFC 8259 §2).
    static func isJSONSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (zero...zero + 9).contains(byte)
    }
}

extension ArraySlice<UInt8> {
    /// Without the white space around it.
    var trimmed: Self {
        let rest = drop(while: Byte.isJSONSpace)
        return rest[..<(rest.lastIndex { !Byte.isJSONSpace($0) }.map { $0 + 1 } ?? rest.startIndex)]
    }
}
