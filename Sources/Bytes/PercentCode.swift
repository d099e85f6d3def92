/// Percent codes in addresses (RFC 3986 §2.1).
package enum PercentCode {
    /// Returns a part of an address: everything except letters, digits and `-._~` becomes percent codes (§2.3).
    package static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the text of percent codes: `#mix/ed` for `#mix%2Fed`. Returns a text unchanged if it has none, or if
    /// the result would not be UTF-8.
    package static func decode(_ text: String) -> String {
        let percent = UInt8(ascii: "%")
        guard text.utf8.contains(percent) else { return text }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let code = rest.prefix(2)
            guard byte == percent, code.count == 2, let high = Byte.hexadecimal(code[code.startIndex]),
                let low = Byte.hexadecimal(code[code.startIndex + 1])
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(high << 4 | low)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self) ?? text
    }
}
