/// One emoji as shown: a picture with its skin tone, a flag, a keycap, a family.
///
/// The rule is "possible emoji" of UTS #51 (1.4.9), narrower at the start: a digit alone is not an emoji. Code points that
/// a later Unicode may make emoji count already, so that the skin tone after one is a part of it.
struct EmojiCluster {
    /// U+E000, the first private character. It begins an emoji's token; `unicode61` keeps it, and the analyser drops it
    /// from messages.
    static let mark = Unicode.Scalar(0xE000 as UInt16) ?? " "

    private static let joiner = Unicode.Scalar(0x200D as UInt16) ?? " "
    private static let keycap = Unicode.Scalar(0x20E3 as UInt16) ?? " "

    /// The index after its last code point.
    private(set) var end: Int
    private(set) var origin: Range<UInt32>
    private var scalars: [Unicode.Scalar] = []

    /// ``mark`` and six hexadecimal digits for each code point, so that `👍*` finds every skin tone. Variation selectors
    /// are left out: `❤` equals `❤️`.
    var token: [Unicode.Scalar] {
        scalars.reduce(into: [Self.mark]) { $0 += Self.hexadecimal($1) }
    }

    /// - Returns: Nil if no emoji begins at `start`.
    init?(at start: Int, of glyphs: [Glyph]) {
        end = start
        origin = glyphs[start].origin
        guard readElement(of: glyphs) else { return nil }
        while readJoined(of: glyphs) {}
    }

    /// Returns false quickly for most letters, which can't begin an emoji.
    static func mayBegin(at start: Int, of glyphs: [Glyph]) -> Bool {
        let scalar = glyphs[start].scalar
        return switch scalar.value {
        // Selector and keycap, which follow, are not ASCII.
        case ..<0xA9: isKeycapBase(scalar) && start + 1 < glyphs.endIndex && !glyphs[start + 1].scalar.isASCII
        case 0x3041...0x318E, 0x3400...0xDFFF: false
        case 0x2190...: true
        case 0xA9, 0xAE, 0x203C, 0x2049, 0x2122, 0x2139: true
        default: false
        }
    }

    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        let digits = String(scalar.value, radix: 16)
        return (String(repeating: "0", count: 6 - digits.utf8.count) + digits).unicodeScalars
    }

    private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0xA9 else { return false }
        return scalar.properties.isEmoji || isReserved(scalar)
    }

    /// Returns true for unassigned code points of the blocks that are reserved for emoji (`Extended_Pictographic` in
    /// emoji-data.txt).
    private static func isReserved(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1F000...0x1FAFF, 0x1FC00...0x1FFFD: scalar.properties.generalCategory == .unassigned
        default: false
        }
    }

    private static func isKeycapBase(_ scalar: Unicode.Scalar) -> Bool {
        ("0"..."9").contains(scalar) || scalar == "#" || scalar == "*"
    }

    /// Reads a picture with its modifiers, a flag of two letters, or a keycap.
    private mutating func readElement(of glyphs: [Glyph]) -> Bool {
        guard end < glyphs.endIndex else { return false }
        let first = glyphs[end].scalar
        if Self.isKeycapBase(first) {
            return readKeycap(of: glyphs)
        }
        guard Self.isPicture(first) else { return false }
        take(glyphs)
        if Self.isFlagLetter(first) {
            take(glyphs, if: Self.isFlagLetter)
        } else {
            while take(glyphs, if: Self.isModifier) {}
        }
        return true
    }

    private static func isFlagLetter(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    /// Returns true for skin tones, selectors, the keycap, and the tags of a region's flag.
    private static func isModifier(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmojiModifier || isSelector(scalar) || scalar == keycap
            || (0xE0020...0xE007F).contains(scalar.value)
    }

    private static func isSelector(_ scalar: Unicode.Scalar) -> Bool {
        (0xFE00...0xFE0F).contains(scalar.value)
    }

    private mutating func readKeycap(of glyphs: [Glyph]) -> Bool {
        let isSelected = end + 1 < glyphs.endIndex && Self.isSelector(glyphs[end + 1].scalar)
        let cap = end + (isSelected ? 2 : 1)
        guard cap < glyphs.endIndex, glyphs[cap].scalar == Self.keycap else { return false }
        while end <= cap {
            take(glyphs)
        }
        return true
    }

    /// Reads another picture after a joiner, as in families.
    private mutating func readJoined(of glyphs: [Glyph]) -> Bool {
        guard end + 1 < glyphs.endIndex, glyphs[end].scalar == Self.joiner, Self.isPicture(glyphs[end + 1].scalar)
        else { return false }
        take(glyphs)
        return readElement(of: glyphs)
    }

    @discardableResult
    private mutating func take(_ glyphs: [Glyph], if isWanted: (Unicode.Scalar) -> Bool = { _ in true }) -> Bool {
        guard end < glyphs.endIndex, isWanted(glyphs[end].scalar) else { return false }
        if !Self.isSelector(glyphs[end].scalar) {
            scalars.append(glyphs[end].scalar)
        }
        origin = origin.lowerBound..<glyphs[end].origin.upperBound
        end += 1
        return true
    }
}
