/// A piece of a text that the search finds as one: a word, an unbroken run of Hangul, Han and Kana, or an emoji.
struct Part: Hashable {
    enum Kind: Hashable {
        case word, run, emoji
    }

    let kind: Kind
    /// The folded scalars; never empty. In a run each scalar is a character.
    let token: [Unicode.Scalar]
    /// The range of each of the token's scalars in the text's UTF-8.
    let origins: [Range<UInt32>]

    var origin: Range<Int> {
        origin(of: token.indices)
    }

    /// - Parameter slice: A range within the token that is not empty.
    func origin(of slice: Range<Int>) -> Range<Int> {
        Int(origins[slice.lowerBound].lowerBound)..<Int(origins[slice.upperBound - 1].upperBound)
    }
}
