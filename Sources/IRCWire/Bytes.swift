/// The bytes that have a meaning in IRC.
enum Byte {
    static let nul: UInt8 = 0x00
    /// Around a CTCP message.
    static let delimiter: UInt8 = 0x01
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let bang = UInt8(ascii: "!")
    static let dollar = UInt8(ascii: "$")
    static let star = UInt8(ascii: "*")
    static let plus = UInt8(ascii: "+")
    static let comma = UInt8(ascii: ",")
    static let dash = UInt8(ascii: "-")
    static let dot = UInt8(ascii: ".")
    static let colon = UInt8(ascii: ":")
    static let semicolon = UInt8(ascii: ";")
    static let equals = UInt8(ascii: "=")
    static let at = UInt8(ascii: "@")
    static let backslash = UInt8(ascii: "\\")

    static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte)
    }

    /// 0 to 15; nil where the byte is no hexadecimal digit.
    static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// What no part of a line may hold (RFC 2812 §2.3.1).
    static func endsLine(_ byte: UInt8) -> Bool {
        byte == nul || byte == lineFeed || byte == carriageReturn
    }
}

extension Array<UInt8> {
    init(_ text: String) {
        self.init(text.utf8)
    }
}

extension Collection<UInt8> where SubSequence == ArraySlice<UInt8> {
    /// The number that these decimal digits are; nil where there is none or it is too large.
    var number: Int? {
        guard !isEmpty, allSatisfy(Byte.isDigit) else { return nil }
        return reduce(Int?.some(0)) { sum, digit in
            guard let sum else { return nil }
            let (product, tooLarge) = sum.multipliedReportingOverflow(by: 10)
            guard !tooLarge, product <= Int.max - 9 else { return nil }
            return product + Int(digit - 0x30)
        }
    }

    /// As text where all of it is visible ASCII, which is what verbs, keys and names of the protocol are.
    var visibleASCII: String? {
        guard allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return String(decoding: self, as: UTF8.self)
    }
}
