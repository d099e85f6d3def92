import Bytes

extension Byte {
    /// The separator between the packets of a polled body.
    static let recordSeparator: UInt8 = 0x1E
    static let base64 = UInt8(ascii: "b")
}

extension ArraySlice<UInt8> {
    /// The bytes without the white space of JSON around them.
    var trimmed: Self {
        let rest = drop(while: Byte.isJSONSpace)
        return rest[..<(rest.lastIndex { !Byte.isJSONSpace($0) }.map { $0 + 1 } ?? rest.startIndex)]
    }
}
