/// The consecutive tokens in the index for the given parts.
///
/// A run at either edge may be part of a longer run in the message, so its outer end stays open. The first part's pairs
/// leave its beginning open. The last part leaves out the token of its last character, so that its end stays open.
/// Every other run must be whole, including that token. A last run of one character is the beginning of a pair or a
/// token of its own, so it needs a prefix.
struct PairPhrase {
    private(set) var tokens: [[Unicode.Scalar]] = []
    private(set) var isPrefix: Bool

    /// - Parameter parts: The parts, except a single run of one character of Hangul, Han and Kana, for which the column
    ///   `chars` is searched.
    init(_ parts: [Part], isPrefix: Bool) {
        self.isPrefix = isPrefix
        for part in parts.dropLast() {
            tokens += part.isRun ? part.pairs + [part.lastCharacter] : [part.token]
        }
        if let last = parts.last {
            end(with: last)
        }
    }

    private mutating func end(with part: Part) {
        if part.isRun {
            let pairs = part.pairs
            tokens += pairs.isEmpty ? [part.token] : pairs
            isPrefix = pairs.isEmpty
        } else {
            tokens.append(part.token)
        }
    }
}
