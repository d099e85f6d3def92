import TestSupport

/// Rows and queries of few, mixed letters, so that matches are frequent.
struct QueryGenerator {
    private var random: SeededGenerator

    private static let pieces = [
        "가", "나", "가나", "다", "東", "京", "東京", "タ", "ー", "ﾀ", "ㅋ", "ㅋㅋ", "a", "b", "ab", "É", "e\u{301}", "ß", "Ａ", "1",
        "2",
        "👍", "👍🏽", "❤️", "❤", "👨‍👩‍👧", "1️⃣", "हि", "न्", "\u{301}", "\u{3099}", "\u{1100}\u{1161}", "\u{3}4,12", "\u{2}",
        "\u{E000}", "\u{200B}",
        // Clusters, with marks alone and the two forms of am; letters of Arabic and joiners; what folds to several letters.
        "ก", "กา", "กิ", "ิ", "น้ำ", "น\u{E4D}้า", "ဆ", "ရာ", "ខ្", "ញុំ", "\u{EE31}", "ø", "\u{200C}", "\u{200C}", "\u{200D}",
        "می",
        "ها", "ك", "ک", "æ", "½", "²", "㎏", "ᄏ", "ज\u{93C}", "ড\u{9BC}", "য\u{9BC}", "٣", "©", "™\u{FE0F}", "\u{1FAF9}🏽",
    ]
    private static let separators = [" ", " ", " ", "", "", "", "-", ".", ",", "'", "\0", "\n", "·", "・"]
    private static let operators = [
        "OR", "OR", "OR", "-", "*", "\"", "\"", "from:1", "in:2", "has:link", "is:edited", "from:x", "on:2024",
        "before:2024", "AND", "NOT",
        "NEAR(", ")", "(", "-(", "AND", "NOT", "or", "|", "from:1*", "^", "{", "+", "%", "_", ":", "text:", "-from:1",
        "-has:link", "is:odd", "from:", "from:\"",
    ]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func row() -> String {
        words(upTo: 6)
    }

    mutating func query() -> String {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in term() }.joined(separator: pick([" ", " ", " ", ""]))
    }

    private mutating func group(_ depth: Int) -> String {
        let inner = (0..<Int.random(in: 0...3, using: &random)).map { _ in term(depth + 1) }
        return pick(["", "", "-", "NOT ", "a OR "]) + "("
            + inner.joined(separator: pick([" ", " OR ", " AND ", " NOT "]))
            + pick([")", ")", ")", ""])
    }

    private mutating func term(_ depth: Int = 0) -> String {
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: "\"" + words(upTo: 3) + "\""
        case 2: "-" + words(upTo: 2)
        case 3: words(upTo: 2) + "*"
        case 4, 5: pick(Self.operators)
        case 6: words(upTo: 1) + " OR " + words(upTo: 1)
        case 7 where depth < 3: group(depth)
        default: words(upTo: 2)
        }
    }

    private mutating func words(upTo count: Int) -> String {
        (0..<Int.random(in: 1...count, using: &random)).reduce(into: "") { text, _ in
            text += pick(Self.pieces) + pick(Self.separators)
        }
    }

    private mutating func pick(_ choices: [String]) -> String {
        choices.randomElement(using: &random) ?? ""
    }
}
