/// The role of a code point in the search, emoji aside.
enum ScalarKind: Hashable {
    /// A letter or number of a word, or a private or unassigned code point.
    case letter
    /// A decimal digit of another script than ASCII.
    case digit
    /// A part of a word at which `unicode61` would cut: vowel signs of Hindi.
    case sign
    /// A character of Hangul, Han or Kana: found singly, not as a word.
    case run
    /// Begins a cluster in a script that has no spaces between words, such as Thai.
    case cluster
    /// Belongs to the cluster before it.
    case clusterSign
    /// Ignored inside a word: accents that can't be composed, variation selectors.
    case dropped
    /// U+200C and U+200D, which join or part the letters of one word.
    case joiner
    /// U+200B, which separates nothing in a script without spaces between words.
    case invisibleSpace
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

    /// Returns true for the letters and marks of ``cluster``.
    static func beginsCluster(_ scalar: Unicode.Scalar) -> Bool {
        isOfClusters(scalar.value) && cluster(scalar.value) == .cluster
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
        // The most letters.
        case ..<0x0300: value == 0x00AD
        case 0x0370...0x0482: false
        // Accents that NFC did not compose.
        case 0x0300...0x036F, 0x0483...0x0489, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        // Vowel points of Hebrew and Arabic, which are seldom written, and the line that makes a word of Arabic longer.
        case 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7: true
        case 0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670, 0x06D6...0x06DC, 0x06DF...0x06E4, 0x06E7...0x06E8: true
        case 0x06EA...0x06ED, 0x08CA...0x08E1, 0x08E3...0x08FF: true
        // Tone marks of N'Ko, and the line that makes its words longer.
        case 0x07EB...0x07F1, 0x07FA: true
        // Tone and voiced marks beside Hangul, Han and Kana.
        case 0x302A...0x302F, 0x3099...0x309A: true
        // Variation selectors, those of Mongolian and its vowel separator, the soft hyphen, word joiners, and the mark of
        // our own tokens.
        case 0xFE00...0xFE0F, 0xE0100...0xE01EF, 0x180B...0x180F, 0x2060, 0xFEFF, EmojiCluster.mark.value: true
        default: false
        }
    }

    private static func kind(_ scalar: Unicode.Scalar) -> Self {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: letter(scalar.value)
        case .decimalNumber: .digit
        case .letterNumber, .otherNumber: letter(scalar.value)
        case .nonspacingMark, .spacingMark, .enclosingMark: mark(scalar)
        case .privateUse: .letter
        case .unassigned: scalar.isNoncharacter ? .separator : letter(scalar.value)
        default: other(scalar.value)
        }
    }

    private static func letter(_ value: UInt32) -> Self {
        switch value {
        // Letters for which people type signs of ASCII: the clicks of Khoekhoe (`|`, `!`), apostrophes of Uzbek, Hawaiian or
        // Navajo (`'`), the stress and the length of IPA (`'`, `,` and `:`), the double apostrophe of Nenets (`"`).
        case 0x01C0...0x01C3, 0x02B9...0x02BF, 0x02C8, 0x02CC, 0x02D0, 0x02EE, 0xA78B...0xA78C: .separator
        // No script of clusters, and the most letters.
        case ..<0x0E00: .letter
        case let value where isOfClusters(value): cluster(value)
        // Vedic letters that were marks in Unicode 6.1, whose tables `unicode61` has.
        case 0x1CF2...0x1CF3: .sign
        // Invisible letters of Hangul.
        case 0x115F...0x1160, 0x3164, 0xFFA0: .separator
        default: .letter
        }
    }

    private static func mark(_ scalar: Unicode.Scalar) -> Self {
        if isOfClusters(scalar.value) { return cluster(scalar.value) }
        // People leave the nukta out. The one of Bengali may be a part of `য়`, where they don't.
        let isNukta = scalar.properties.canonicalCombiningClass == .nukta
        return isNukta && scalar != Folding.bengaliNukta ? .dropped : .sign
    }

    private static func other(_ value: UInt32) -> Self {
        switch value {
        case 0x200B: .invisibleSpace
        case 0x200C, 0x200D: .joiner
        default: .separator
        }
    }

    /// Returns true for the blocks of Thai and Lao, Myanmar, Khmer, Tai Le and New Tai Lue, Tai Tham, Yi, and Javanese
    /// with the two extensions of Myanmar. Whole blocks count, as for ``isRun(_:)``.
    private static func isOfClusters(_ value: UInt32) -> Bool {
        switch value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x1950...0x19DF, 0x1A20...0x1AAF: true
        case 0xA000...0xA48F, 0xA980...0xA9FF, 0xAA60...0xAA7F: true
        default: false
        }
    }

    /// Returns the kind of a letter or mark by the property Grapheme_Cluster_Break, where `Extend` and `SpacingMark`
    /// continue a cluster (GraphemeBreakProperty.txt of Unicode 17). The conjuncts of rule GB9c are several clusters, so
    /// that their parts are found.
    private static func cluster(_ value: UInt32) -> Self {
        switch value {
        case 0x0E31, 0x0E33...0x0E3A, 0x0E47...0x0E4E, 0x0EB1, 0x0EB3...0x0EBC, 0x0EC8...0x0ECE: .clusterSign
        case 0x102D...0x1037, 0x1039...0x103E, 0x1056...0x1059, 0x105E...0x1060, 0x1071...0x1074: .clusterSign
        case 0x1082, 0x1084...0x1086, 0x108D, 0x109D, 0xA9E5, 0xAA7C: .clusterSign
        case 0x17B4...0x17D3, 0x17DD: .clusterSign
        case 0x1A55...0x1A5E, 0x1A60, 0x1A62, 0x1A65...0x1A7C, 0x1A7F: .clusterSign
        case 0xA980...0xA983, 0xA9B3...0xA9C0: .clusterSign
        default: .cluster
        }
    }
}

extension Unicode.Scalar {
    /// True for code points that are never characters; SQLite reads two of them as U+FFFD.
    fileprivate var isNoncharacter: Bool {
        value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(value)
    }
}
