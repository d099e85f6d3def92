/// The costs of the characters of an encoding, in bits, by their bytes. A text with a lower cost is more likely in the
/// encoding: if two encodings were equally likely before, a text that costs n bits less in one is 2^n times as likely
/// in it.
struct EncodingModel: Sendable {
    let encoding: TextEncoding
    let language: Language
    /// The costs of single bytes from 0x80 on; 0 for bytes that are not a character.
    private(set) var single = [Float](repeating: 0, count: 128)
    /// The case of single bytes: 1 for lower case, 2 for capitals, 0 for bytes that are not a letter.
    private(set) var letters = [UInt8](repeating: 0, count: 128)
    /// The costs of pairs whose first byte is 0x80 or more; empty for an encoding without pairs.
    private(set) var pairs: [Float] = []

    /// The encodings that can be recognised by the cost of a text, with their languages.
    static let recognised: [(encoding: TextEncoding, language: Language)] = [
        (.windows1252, .western), (.windows1251, .cyrillic), (.koi8R, .cyrillic), (.cp949, .korean),
        (.shiftJIS, .japanese), (.eucJP, .japanese), (.gb18030, .simplifiedChinese), (.big5, .traditionalChinese),
    ]

    /// The models of the encodings that the machine's iconv has. Takes 20 ms at the first use.
    static let all = recognised.compactMap { EncodingModel($0.encoding, $0.language) }

    static func of(_ encoding: TextEncoding) -> EncodingModel? {
        all.first { $0.encoding == encoding }
    }

    /// Nil if the machine's iconv lacks the encoding.
    private init?(_ encoding: TextEncoding, _ language: Language) {
        guard let decoder = try? TextDecoder.of(encoding) else { return nil }
        (self.encoding, self.language) = (encoding, language)
        for byte in 0x80...0xFF as ClosedRange<UInt8> {
            guard let scalar = Self.scalars(decoder, [[byte]]).first ?? nil else { continue }
            single[Int(byte) - 0x80] = language.cost(scalar, isCore: false)
            letters[Int(byte) - 0x80] = scalar.properties.isLowercase ? 1 : scalar.properties.isUppercase ? 2 : 0
        }
        guard language != .western, language != .cyrillic else { return }
        pairs = [Float](repeating: 0, count: 128 * 256)
        for lead in 0x80...0xFF as ClosedRange<UInt8> where single[Int(lead) - 0x80] == 0 {
            let trails = Array(0x40...0xFF as ClosedRange<UInt8>)
            for (trail, scalar) in zip(trails, Self.scalars(decoder, trails.map { [lead, $0] })) {
                guard let scalar else { continue }
                let isCore = Self.isCore(lead, trail, of: encoding)
                pairs[Int(lead - 0x80) << 8 | Int(trail)] = language.cost(scalar, isCore: isCore)
            }
        }
    }

    /// Returns the character of each sequence of bytes; nil for a sequence that is not a character.
    private static func scalars(_ decoder: TextDecoder, _ sequences: [[UInt8]]) -> [Unicode.Scalar?] {
        // One call converts all of them, a line each, because iconv takes longer to begin than to convert.
        let lines = decoder.repaired(sequences.flatMap { $0 + [0x0A] }[...])
            .split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.count == sequences.count + 1 else { return sequences.map { _ in nil } }
        return zip(sequences, lines).map { bytes, line in
            let scalars = String(decoding: line, as: UTF8.self).unicodeScalars
            guard scalars.count == 1, let scalar = scalars.first, scalar != "\u{FFFD}" else { return nil }
            // The bytes of windows-1252 without a character, and C1 controls, which no text has.
            return 0x80...0x9F ~= scalar.value ? nil : scalar
        }
    }

    /// Returns true for the syllables of KS X 1001, and for the first level of JIS X 0208, GB 2312 and Big5, in which
    /// the standards put the common characters.
    private static func isCore(_ lead: UInt8, _ trail: UInt8, of encoding: TextEncoding) -> Bool {
        switch encoding {
        case .cp949: 0xB0...0xC8 ~= lead && trail >= 0xA1
        case .shiftJIS: 0x88...0x97 ~= lead
        case .eucJP: 0xB0...0xCF ~= lead
        case .gb18030: 0xB0...0xD7 ~= lead && trail >= 0xA1
        case .big5: 0xA4...0xC6 ~= lead
        default: false
        }
    }
}
