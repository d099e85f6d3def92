import Bytes

extension Byte {
    /// The delimiter before and after a CTCP message.
    static let delimiter: UInt8 = 0x01
}

extension Array<UInt8> {
    init(_ text: String) {
        self.init(text.utf8)
    }
}

extension Collection<UInt8> where SubSequence == ArraySlice<UInt8> {
    /// The number in these decimal digits; nil if there is none or it is too large.
    var number: Int? {
        guard !isEmpty, allSatisfy(Byte.isDigit) else { return nil }
        return reduce(Int?.some(0)) { sum, digit in
            guard let sum else { return nil }
            let (product, tooLarge) = sum.multipliedReportingOverflow(by: 10)
            guard !tooLarge, product <= Int.max - 9 else { return nil }
            return product + Int(digit - 0x30)
        }
    }

    /// The bytes as text if all of them are visible ASCII, as verbs, keys and names of the protocol are; nil otherwise.
    var visibleASCII: String? {
        guard allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return String(decoding: self, as: UTF8.self)
    }
}
