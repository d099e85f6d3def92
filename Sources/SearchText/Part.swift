/// A piece of a text that is found as one: a word, an unbroken run of Hangul, Han and Kana, or an emoji.
struct Part: Hashable {
    enum Kind: Hashable {
        case word, run, emoji
    }

    let kind: Kind
    /// Folded; never empty. A run's scalars are its characters.
    let token: [Unicode.Scalar]
    /// Where each of the token's scalars comes from, as offsets into the text's UTF-8.
    let origins: [Range<UInt32>]

    var origin: Range<Int> {
        origin(of: token.indices)
    }

    /// - Parameter slice: not empty, within the token.
    func origin(of slice: Range<Int>) -> Range<Int> {
        Int(origins[slice.lowerBound].lowerBound)..<Int(origins[slice.upperBound - 1].upperBound)
    }
}
