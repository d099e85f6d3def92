/// The characters of the single-byte encodings of Western languages. The program has its own tables, because
/// `windows-1252` is the default of IRC and must work on a machine without iconv's modules.
enum WesternTable {
    /// Returns the character of a byte. The five bytes without a character in `windows-1252` are C1 controls, as in
    /// browsers (WHATWG Encoding, "index-windows-1252").
    static func scalar(_ byte: UInt8, in encoding: TextEncoding) -> Unicode.Scalar {
        switch encoding {
        case .windows1252 where (0x80...0x9F).contains(byte): windows[Int(byte) - 0x80]
        case .latin9: additions[byte] ?? Unicode.Scalar(byte)
        default: Unicode.Scalar(byte)
        }
    }

    /// Returns true for the five bytes that have no character in `windows-1252`.
    static func isUnassigned(_ byte: UInt8, in encoding: TextEncoding) -> Bool {
        encoding == .windows1252 && (0x80...0x9F).contains(byte) && windows[Int(byte) - 0x80].value == UInt32(byte)
    }

    /// The characters of 0x80 to 0x9F.
    private static let windows: [Unicode.Scalar] = [
        "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}",
        "\u{90}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
    ]

    private static let additions: [UInt8: Unicode.Scalar] = [
        0xA4: "€", 0xA6: "Š", 0xA8: "š", 0xB4: "Ž", 0xB8: "ž", 0xBC: "Œ", 0xBD: "œ", 0xBE: "Ÿ",
    ]
}
