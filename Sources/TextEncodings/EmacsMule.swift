/// The encoding of Emacs's own files, in which each character of another script has a byte of its character set before it
/// (GNU Emacs 28, `etc/charsets` and `lisp/international/mule-conf.el`).
///
/// No byte of a set begins a character in UTF-8, so a line is never valid in both.
package enum EmacsMule {
    /// Returns the text in UTF-8, and false if a byte can't be decoded, which becomes U+FFFD.
    package static func decoded(_ line: ArraySlice<UInt8>) -> (bytes: [UInt8], isValid: Bool) {
        var (text, isValid) = ([UInt8](), true)
        text.reserveCapacity(line.count * 2)
        var rest = line
        while let byte = rest.first {
            if byte < 0x80 {
                text.append(byte)
                rest = rest.dropFirst()
            } else if let (character, length) = character(rest) {
                text += character
                rest = rest.dropFirst(length)
            } else {
                text += UTF8.encodedReplacementCharacter
                isValid = false
                rest = rest.dropFirst()
            }
        }
        return (text, isValid)
    }

    /// Decodes the first character.
    private static func character(_ rest: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
        guard let set = rest.first else { return nil }
        if set == 0x9A || set == 0x9C {
            guard let own = rest.dropFirst().first, let code = code(rest.dropFirst(2), of: unicode[own] == nil ? 1 : 2),
                let first = unicode[own]
            else { return nil }
            return UnicodeScalar(first + (code[0] - 0xA0) * 96 + code[1] - 0xA0).flatMap(bytes).map { ($0, 4) }
        }
        if let encoding = oneByte[set], let code = code(rest.dropFirst(), of: 1) {
            return decode([UInt8(code[0])], as: encoding).map { ($0, 2) }
        }
        if let code = code(rest.dropFirst(), of: 1), let scalar = oneByteScalar(set, code[0]) {
            return bytes(scalar).map { ($0, 2) }
        }
        guard let code = code(rest.dropFirst(), of: 2) else { return nil }
        let pair = code.map { UInt8($0) }
        let decoded =
            switch set {
            case 0x90, 0x92: decode(pair, as: .eucJP)
            case 0x91: decode(pair, as: .gb18030)
            case 0x93: decode(pair, as: .cp949)
            case 0x94: decode([0x8F] + pair, as: .eucJP)
            // CNS 11643, its first two planes.
            case 0x95: decode(pair, as: .eucTW)
            case 0x96: decode([0x8E, 0xA2] + pair, as: .eucTW)
            case 0x98, 0x99: decode(big5(code, isSecond: set == 0x99), as: .big5)
            default: nil as [UInt8]?
            }
        return decoded.map { ($0, 3) }
    }

    /// Returns the codes of a character after its set, all of them 0xA0 or more.
    private static func code(_ bytes: ArraySlice<UInt8>, of count: Int) -> [UInt32]? {
        let code = bytes.prefix(count)
        return code.count == count && code.allSatisfy { $0 >= 0xA0 } ? code.map { UInt32($0) } : nil
    }

    /// The sets of one byte, as encodings whose upper half they are.
    private static let oneByte: [UInt8: TextEncoding] = [
        0x81: .latin1, 0x82: .latin2, 0x85: .windows874, 0x86: .windows1253, 0x88: .windows1255, 0x8D: .windows1254,
        0x8E: .latin9,
    ]

    /// The first characters of the private sets of Unicode.
    private static let unicode: [UInt8: UInt32] = [0xF2: 0x2500, 0xF3: 0xE000, 0xF4: 0x100]

    /// Returns a character of half-wide Katakana, of the Roman letters of JIS X 0201 or of Cyrillic (ISO 8859-5).
    private static func oneByteScalar(_ set: UInt8, _ code: UInt32) -> UnicodeScalar? {
        switch (set, code) {
        case (0x89, 0xA1...0xDF): UnicodeScalar(0xFF61 + code - 0xA1)
        case (0x8A, _): UnicodeScalar(code & 0x7F)
        case (0x8C, 0xF0): UnicodeScalar(0x2116)
        case (0x8C, 0xFD): UnicodeScalar(0xA7)
        case (0x8C, 0xA1...0xFF) where code != 0xAD: UnicodeScalar(0x400 + code - 0xA0)
        default: nil
        }
    }

    /// Returns the bytes of Big5, whose 157 columns Emacs keeps in two sets of 94.
    private static func big5(_ code: [UInt32], isSecond: Bool) -> [UInt8] {
        guard code[0] > 0xA0, code[1] > 0xA0 else { return [] }
        let number = (code[0] - 0xA1) * 94 + code[1] - 0xA1 + (isSecond ? (0xC9 - 0xA1) * 157 : 0)
        let (row, column) = (number / 157 + 0xA1, number % 157)
        return row > 0xFF ? [] : [UInt8(row), UInt8(column < 63 ? column + 0x40 : column + 0x62)]
    }

    private static func decode(_ bytes: [UInt8], as encoding: TextEncoding) -> [UInt8]? {
        guard !bytes.isEmpty, let text = try? TextDecoder.of(encoding).decode(bytes[...]), !text.isEmpty else {
            return nil
        }
        return text
    }

    private static func bytes(_ scalar: UnicodeScalar) -> [UInt8]? { UTF8.encode(scalar).map { Array($0) } }
}
