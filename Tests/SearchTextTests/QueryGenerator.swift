import TestSupport

/// Rows and queries of few, mixed letters, so that matches are frequent: those of some scripts (``QueryAlphabet``), and signs
/// that stand in all.
struct QueryGenerator {
    private var random: SeededGenerator
    private let pieces: [String]

    /// The number of scripts in a generator's rows. With more, few queries would find a row.
    private static let scripts = 3

    private static let separators = [" ", " ", " ", "", "", "", "-", ".", ",", "'", "\0", "\n", "·", "・"]
    private static let operators = [
        "OR", "OR", "OR", "-", "*", "\"", "\"", "from:1", "in:2", "has:link", "is:edited", "from:x", "on:2024",
        "before:2024", "AND", "NOT",
        "NEAR(", ")", "(", "-(", "AND", "NOT", "or", "|", "from:1*", "^", "{", "+", "%", "_", ":", "text:", "-from:1",
        "-has:link", "is:odd", "from:", "from:\"",
    ]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        let alphabets = QueryAlphabet.scripts.shuffled(using: &random).prefix(Self.scripts)
        let signs = QueryAlphabet.signs.shuffled(using: &random).prefix(QueryAlphabet.signs.count / 2)
        pieces = alphabets.flatMap(\.self) + signs
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
            text += pick(pieces) + pick(Self.separators)
        }
    }

    private mutating func pick(_ choices: [String]) -> String {
        choices.randomElement(using: &random) ?? ""
    }
}
