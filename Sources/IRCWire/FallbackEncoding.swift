/// The encoding of bytes that aren't valid UTF-8. Each byte is one character, so decoding never fails.
package enum FallbackEncoding: String, Sendable, Hashable, CaseIterable {
    /// The encoding of browsers (WHATWG Encoding, "index-windows-1252"): the five bytes without a character are C1
    /// controls.
    case windows1252 = "windows-1252"
    case latin1 = "iso-8859-1"
    /// Latin 1 with € and seven other replacements (ISO 8859-15).
    case latin9 = "iso-8859-15"

    func scalar(_ byte: UInt8) -> Unicode.Scalar {
        switch self {
        case .windows1252: (0x80...0x9F).contains(byte) ? Self.windows[Int(byte) - 0x80] : Unicode.Scalar(byte)
        case .latin1: Unicode.Scalar(byte)
        case .latin9: Self.additions[byte] ?? Unicode.Scalar(byte)
        }
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
