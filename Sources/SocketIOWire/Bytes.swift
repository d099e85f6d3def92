/// The bytes that have a meaning in Engine.IO and Socket.IO; those of the JSON in them are `JSONByte`'s.
enum Byte {
    /// Between the packets of a polled body.
    static let recordSeparator: UInt8 = 0x1E
    static let comma = UInt8(ascii: ",")
    static let dash = UInt8(ascii: "-")
    static let slash = UInt8(ascii: "/")
    static let zero = UInt8(ascii: "0")
    static let base64 = UInt8(ascii: "b")

    static func isDigit(_ byte: UInt8) -> Bool {
        (zero...zero + 9).contains(byte)
    }
}
