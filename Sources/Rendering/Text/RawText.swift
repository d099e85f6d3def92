/// Bytes of unknown content as safe text on one line: valid UTF-8 unchanged, other bytes as `\xNN`.
enum RawText {
    static func shown(_ bytes: [UInt8]) -> String {
        var result = ""
        var parser = UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var place = 0
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let encoded):
                result += Sanitizer.line(String(UTF8.decode(encoded)))
                place += encoded.count
            case .error(let length):
                result += bytes[place..<place + length].map(escape).joined()
                place += length
            case .emptyInput: return result
            }
        }
    }

    private static func escape(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return "\\x" + (digits.count < 2 ? "0" : "") + digits
    }
}
