/// A piece of a text that the search finds as one: a word, an unbroken run of Hangul, Han and Kana, a run of clusters, or an
/// emoji.
struct Part: Hashable {
    enum Kind: Hashable {
        case word
        /// A run of Hangul, Han and Kana, in which each code point is a character.
        case run
        /// A run of a script without spaces between words, such as Thai. ``clusterEnd`` follows each cluster.
        case clusters
        case emoji
    }

    /// Ends each cluster in a token. `ø` takes two bytes; ``Folding`` makes it an `o`, so no word contains it.
    static let clusterEnd = Unicode.Scalar(0xF8 as UInt8)

    let kind: Kind
    /// The folded scalars; never empty.
    let token: [Unicode.Scalar]
    /// The range of each of the token's scalars in the text's UTF-8.
    let origins: [Range<UInt32>]
    /// The places in the token of a word where the text has U+200C or U+200D between two letters.
    var joints: [Int] = []

    var origin: Range<Int> {
        origin(of: token.indices)
    }

    /// True if any part of it is found.
    var isRun: Bool { kind == .run || kind == .clusters }

    /// - Parameter slice: A range within the token that is not empty.
    func origin(of slice: Range<Int>) -> Range<Int> {
        Int(origins[slice.lowerBound].lowerBound)..<Int(origins[slice.upperBound - 1].upperBound)
    }

    /// Returns true if a character of the run begins at the place in its token.
    func isStart(_ place: Int) -> Bool {
        kind == .run || place == 0 || token[place - 1] == Self.clusterEnd
    }

    /// The words between the joints; empty for a word without any.
    var pieces: [Part] {
        guard !joints.isEmpty else { return [] }
        return zip([0] + joints, joints + [token.count]).map { start, end in
            Part(kind: kind, token: Array(token[start..<end]), origins: Array(origins[start..<end]))
        }
    }
}

extension Part {
    /// Calls `body` with the range of each character of a run's token, with its end.
    static func forEachCharacter(of kind: Kind, _ token: [Unicode.Scalar], _ body: (Range<Int>) -> Void) {
        guard kind == .clusters else { return token.indices.forEach { body($0..<$0 + 1) } }
        var start = 0
        for place in token.indices where token[place] == clusterEnd {
            body(start..<place + 1)
            start = place + 1
        }
    }

    /// The tokens of each two neighbours of a run.
    var pairs: [[Unicode.Scalar]] {
        var (pairs, last) = ([[Unicode.Scalar]](), Range<Int>?.none)
        Self.forEachCharacter(of: kind, token) { next in
            if let last { pairs.append(Self.pair(of: kind, token[last.lowerBound..<next.upperBound])) }
            last = next
        }
        return pairs
    }

    /// The last character of a run, with its end.
    var lastCharacter: [Unicode.Scalar] {
        var last = 0..<0
        Self.forEachCharacter(of: kind, token) { last = $0 }
        return Array(token[last])
    }

    /// Returns the token of two neighbours: in a run of clusters without the end of the second, which takes a byte or two.
    static func pair(of kind: Kind, _ token: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar] {
        Array(kind == .clusters ? token.dropLast() : token)
    }
}
