/// The language, or family of languages, for which an encoding is used. It determines how likely a character is.
enum Language {
    case korean, japanese, simplifiedChinese, traditionalChinese, cyrillic, western

    /// Returns the cost of a character in bits, -log2 of its share of the characters above U+007F.
    ///
    /// The costs are shares that were counted in chats, fortunes and manuals, rounded; their sum is about 1.
    ///
    /// - Parameter isCore: True if the encoding's standard has the character among the common ones.
    func cost(_ scalar: Unicode.Scalar, isCore: Bool) -> Float {
        switch self {
        case .korean: Self.korean(scalar, isCore: isCore)
        case .japanese: Self.japanese(scalar, isCore: isCore)
        case .simplifiedChinese: Self.chinese(scalar, .simplifiedChinese, isCore: isCore)
        case .traditionalChinese: Self.chinese(scalar, .traditionalChinese, isCore: isCore)
        case .cyrillic: LetterCosts.cyrillic.cost(scalar)
        case .western: LetterCosts.western.cost(scalar)
        }
    }

    /// The mean cost of a character in bits, including that of its place, above which a text is unlikely to be in this
    /// language. Text in it has 9.1 (Korean), 7.9 (Japanese), 10.4 (Chinese), 5.5 (Russian) and 9.2 (Western); Russian
    /// in other Cyrillic encodings, Greek, Polish and Czech have more.
    var limit: Double {
        switch self {
        case .korean, .japanese: 11.5
        case .simplifiedChinese, .traditionalChinese: 13
        case .cyrillic: 6.5
        case .western: 10
        }
    }

    private static func korean(_ scalar: Unicode.Scalar, isCore: Bool) -> Float {
        switch scalar.value {
        case 0xAC00...0xD7A3:
            switch FrequentCharacters.korean.rank(of: scalar) {
            case 0: 6.6
            case 1: 9
            // KS X 1001 has 2,350 syllables. The others, which only Windows has, are rare.
            default: isCore ? 13.2 : 17
            }
        // ㅋㅋ, ㅠㅠ
        case 0x3131...0x318E: 8.5
        case 0x4E00...0x9FFF, 0xF900...0xFAFF: 19
        case 0x3040...0x30FF: 17
        default: marks(scalar, 10)
        }
    }

    private static func japanese(_ scalar: Unicode.Scalar, isCore: Bool) -> Float {
        switch scalar.value {
        case 0x3041...0x30FF: FrequentCharacters.kana.contains(scalar) ? 5.7 : 8.5
        case 0x4E00...0x9FFF:
            switch FrequentCharacters.japanese.rank(of: scalar) {
            case 0: 8.3
            case 1: 10.5
            default: isCore ? 13.5 : 18
            }
        case 0xFF61...0xFF9F: 11
        case 0xFF01...0xFF5E where !isMark(scalar): 12
        default: marks(scalar, 7.5)
        }
    }

    private static func chinese(_ scalar: Unicode.Scalar, _ frequent: FrequentCharacters, isCore: Bool) -> Float {
        switch scalar.value {
        case 0x4E00...0x9FFF:
            switch frequent.rank(of: scalar) {
            case 0: 7.4
            case 1: 9.6
            default: isCore ? 13 : 18
            }
        case 0xFF01...0xFF5E where !isMark(scalar): 12
        case 0x3040...0x30FF: 17
        default: marks(scalar, 8)
        }
    }

    private static let fullMarks = Set("、。，．・：；？！「」『』（）〜～…—\u{3000}“”‘’《》【】".unicodeScalars)
    private static let drawings = Set("■□●○◆◇★☆※→←↑↓△▲▽▼♥♡♪①②③④⑤ω∀Д°′≧≦´｀＾＿￣".unicodeScalars)

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        fullMarks.contains(scalar) || drawings.contains(scalar)
    }

    private static func marks(_ scalar: Unicode.Scalar, _ cost: Float) -> Float {
        if fullMarks.contains(scalar) { return cost }
        return drawings.contains(scalar) || 0x2500...0x257F ~= scalar.value ? 12 : 16
    }
}

/// The costs of letters and marks in languages with an alphabet.
struct LetterCosts: Sendable {
    private let costs: [Unicode.Scalar: Float]
    /// The additional cost of a capital.
    private let capital: Float
    /// The cost of any other character.
    private let other: Float

    private init(_ groups: KeyValuePairs<Float, String>, capital: Float, other: Float) {
        var costs: [Unicode.Scalar: Float] = [:]
        for (cost, letters) in groups {
            for letter in letters.unicodeScalars { costs[letter] = cost }
        }
        (self.costs, self.capital, self.other) = (costs, capital, other)
    }

    func cost(_ scalar: Unicode.Scalar) -> Float {
        if let cost = costs[scalar] { return cost }
        let lower = scalar.properties.lowercaseMapping.unicodeScalars
        guard lower.count == 1, let small = lower.first, small != scalar, let cost = costs[small] else { return other }
        return cost + capital
    }

    /// Russian, with the other letters of Ukrainian, Belarusian, Serbian and Macedonian.
    static let cyrillic = LetterCosts(
        [
            3.4: "о", 3.7: "еа", 3.9: "т", 4.1: "ин", 4.3: "с", 4.6: "рвл", 5: "к", 5.2: "мдп", 5.4: "у",
            5.8: "яыь", 6.1: "гзбч", 6.4: "і", 6.7: "йхж", 7.2: "шю", 8.2: "цщэ", 8.4: "їє", 8.6: "ё", 8.9: "ф",
            10: "ўј", 10.8: "ъ", 11.3: "ґљњћђџѓќѕ", 8: "«»—–…№“”„’", 11: "\u{A0}§°©·",
        ], capital: 3.5, other: 15)

    /// French, German, Spanish, Italian, Portuguese, Dutch and the languages of Scandinavia.
    static let western = LetterCosts(
        [
            3.1: "é", 3.7: "äå", 4: "öáè", 4.6: "üó", 4.9: "çíæ", 5.3: "ãøàßñ", 6.3: "òúõ", 6.6: "ëï", 6.9: "ùêâôî",
            7.9: "û",
            8.3: "ìœ", 9.2: "ýšž", 11.9: "ðþÿ", 5.5: "«»’”“–—…‘„¿¡€°", 9: "\u{A0}§£ºª´·²©®½±×•™µ³¹¼¾‚‹›",
        ], capital: 4, other: 13)
}
