/// The consecutive tokens that the index has where the given parts stand.
///
/// A run at either edge may be part of a longer run in the message, so its outer end stays open. The first part's pairs
/// leave its beginning open; the last part's end stays open by leaving out its last character alone. Every other run
/// must be whole, including that character. A last run of one character is the beginning of a pair or stands alone, so
/// it needs a prefix.
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
