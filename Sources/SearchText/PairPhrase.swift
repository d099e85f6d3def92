/// The tokens that stand in the index, one after the other, where the given parts do.
///
/// A run at an edge may be part of a longer one, so what it may go on with is left open: the first one's beginning, by the
/// pairs themselves, and the last one's end, by leaving out its last character alone. Every other run is whole, that
/// character included. A last run of one character is the beginning of a pair or alone, which takes a prefix.
struct PairPhrase {
    private(set) var tokens: [[Unicode.Scalar]] = []
    private(set) var isPrefix: Bool

    /// - Parameter parts: not a single run of one character, which is looked for in the column `chars`.
    init(_ parts: [Part], isPrefix: Bool) {
        self.isPrefix = isPrefix
        for part in parts.dropLast() {
            tokens += part.kind == .run ? Self.pairs(part.token) + [Array(part.token.suffix(1))] : [part.token]
        }
        if let last = parts.last {
            end(with: last)
        }
    }

    private mutating func end(with part: Part) {
        if part.kind == .run {
            let pairs = Self.pairs(part.token)
            tokens += pairs.isEmpty ? [part.token] : pairs
            isPrefix = pairs.isEmpty
        } else {
            tokens.append(part.token)
        }
    }

    private static func pairs(_ run: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
        zip(run, run.dropFirst()).map { [$0, $1] }
    }
}
