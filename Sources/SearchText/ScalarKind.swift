/// The role of a code point in the search, emoji aside.
enum ScalarKind: Hashable {
    /// A letter or digit of a word, or a private or unassigned code point.
    case letter
    /// A part of a word at which `unicode61` would cut: vowel signs of Hindi or Thai.
    case sign
    /// A character of Hangul, Han or Kana: found singly, not as a word.
    case run
    /// Ignored inside a word: accents that can't be composed, variation selectors.
    case dropped
    /// Ends the part before it: everything else.
    case separator

    init(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            self = Self.isAlphanumeric(scalar) ? .letter : .separator
        } else if Self.isRun(scalar.value) {
            self = .run
        } else if Self.isDropped(scalar.value) {
            self = .dropped
        } else {
            self = Self.kind(scalar)
        }
    }

    private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: false
        }
    }

    /// Returns true for letters of the scripts Hangul, Han, Hiragana and Katakana (Scripts.txt of Unicode 16) and the
    /// prolonged sound mark. Whole blocks of ideographs count, so that a later Unicode changes nothing. Hangul's
    /// fillers are invisible and don't count.
    private static func isRun(_ value: UInt32) -> Bool {
        switch value {
        case 0xAC00...0xD7A3, 0x4E00...0x9FFF, 0x3400...0x4DBF, 0xF900...0xFAFF, 0x20000...0x3FFFD: true
        case 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF: true
        case 0x3005...0x3007, 0x3021...0x3029, 0x3038...0x303C: true
        case 0x1100...0x115E, 0x1161...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7C6, 0xD7CB...0xD7FB: true
        case 0x3131...0x3163, 0x3165...0x318E: true
        case 0x16FF0...0x16FF1, 0x1AFF0...0x1AFFE, 0x1B000...0x1B16F: true
        default: false
        }
    }

    private static func isDropped(_ value: UInt32) -> Bool {
        switch value {
        // Accents that NFC did not compose.
        case 0x0300...0x036F, 0x0483...0x0489, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        // Vowel points of Hebrew and Arabic, which are seldom written.
        case 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7: true
        case 0x0610...0x061A, 0x064B...0x065F, 0x0670, 0x06D6...0x06DC, 0x06DF...0x06E4, 0x06E7...0x06E8: true
        case 0x06EA...0x06ED, 0x08CA...0x08E1, 0x08E3...0x08FF: true
        // Tone and voiced marks beside Hangul, Han and Kana.
        case 0x302A...0x302F, 0x3099...0x309A: true
        // Variation selectors, the soft hyphen, and the mark of our own tokens.
        case 0xFE00...0xFE0F, 0xE0100...0xE01EF, 0x00AD, EmojiCluster.mark.value: true
        default: false
        }
    }

    private static func kind(_ scalar: Unicode.Scalar) -> Self {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: letter(scalar.value)
        case .decimalNumber, .letterNumber, .otherNumber: letter(scalar.value)
        case .nonspacingMark, .spacingMark, .enclosingMark: .sign
        case .privateUse: .letter
        case .unassigned: scalar.isNoncharacter ? .separator : .letter
        default: .separator
        }
    }

    private static func letter(_ value: UInt32) -> Self {
        switch value {
        // New Tai Lue and Vedic letters that were marks in Unicode 6.1, whose tables `unicode61` has.
        case 0x19B0...0x19C0, 0x19C8...0x19C9, 0x1CF2...0x1CF3: .sign
        // Invisible letters of Hangul.
        case 0x115F...0x1160, 0x3164, 0xFFA0: .separator
        default: .letter
        }
    }
}

extension Unicode.Scalar {
    /// True for code points that are never characters; SQLite reads two of them as U+FFFD.
    fileprivate var isNoncharacter: Bool {
        value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(value)
    }
}
