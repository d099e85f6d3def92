/// Writes parts as tokens: words and emoji unchanged, a run as overlapping pairs and its last character alone.
///
/// `우리집` becomes `우리 리집 집`. A query of two characters is one token, a longer one a phrase of pairs; the last character
/// alone marks the run's end, so that a phrase can require a whole run. A run of clusters has the same tokens. A cluster
/// alone is not written to `chars`, where clusters would take as much space as in `text`: it is the beginning of a pair.
///
/// The pieces of words with joints follow after all other tokens, each word's after a token that no query has, so that no
/// phrase is found across them.
struct IndexWriter {
    private var text = Column()
    private var chars = Column()
    /// The pieces of words with joints.
    private var pieces = Column()
    /// The characters of `chars` while they are few, because a linear search is faster than a hash for few characters.
    private var few: [Unicode.Scalar] = []
    /// The characters of `chars` once they are many; empty before.
    private var many: Set<Unicode.Scalar> = []
    /// The set of the last six bits of the characters of ``few``. A character whose bits are missing is new, without a
    /// search; most are.
    private var seenLowBits: UInt64 = 0

    /// The limit of ``few``: more characters than most messages have.
    private static let fewAtMost = 32

    /// - Parameter size: The size of the body in bytes.
    init(size: Int) {
        // Pairs take a little more than twice the size of their run.
        let usual = min(size, 4096)
        text.reserve(2 * usual + usual / 2)
        chars.reserve(usual + usual / 2)
        few.reserveCapacity(Self.fewAtMost)
    }

    var indexed: IndexedText {
        IndexedText(text: pieces.isEmpty ? text.string : "\(text.string) \(pieces.string)", chars: chars.string)
    }

    /// Writes a part of this kind, token and joints.
    mutating func write(_ kind: Part.Kind, _ token: [Unicode.Scalar], joints: [Int]) {
        switch kind {
        case .word, .emoji:
            text.begin()
            for scalar in token { text.append(scalar) }
            if !joints.isEmpty { write(piecesOf: token, joints: joints) }
        case .run: write(run: token)
        case .clusters: write(clusters: token)
        }
    }

    private mutating func write(piecesOf token: [Unicode.Scalar], joints: [Int]) {
        pieces.begin()
        pieces.append(EmojiCluster.mark)
        for (start, end) in zip([0] + joints, joints + [token.count]) {
            pieces.begin()
            for scalar in token[start..<end] { pieces.append(scalar) }
        }
    }

    private mutating func write(clusters token: [Unicode.Scalar]) {
        var last = 0..<0
        Part.forEachCharacter(of: .clusters, token) { next in
            if !last.isEmpty { write(cluster: token[last.lowerBound..<next.upperBound - 1]) }
            last = next
        }
        write(cluster: token[last])
    }

    private mutating func write(cluster scalars: ArraySlice<Unicode.Scalar>) {
        text.begin()
        for scalar in scalars { text.append(scalar) }
    }

    private mutating func write(run: [Unicode.Scalar]) {
        for index in run.indices {
            text.begin()
            text.append(run[index])
            if index + 1 < run.endIndex { text.append(run[index + 1]) }
            if isNew(run[index]) {
                chars.begin()
                chars.append(run[index])
            }
        }
    }

    /// Notes the character. Returns true the first time.
    private mutating func isNew(_ character: Unicode.Scalar) -> Bool {
        guard many.isEmpty else { return many.insert(character).inserted }
        let lowBits: UInt64 = 1 << UInt64(character.value & 63)
        if seenLowBits & lowBits != 0, few.contains(character) { return false }
        seenLowBits |= lowBits
        few.append(character)
        if few.count > Self.fewAtMost { many = Set(few) }
        return true
    }
}

/// Tokens with a space between them, as bytes, because appending code points to a string is slow.
private struct Column {
    private var bytes: [UInt8] = []

    var isEmpty: Bool { bytes.isEmpty }

    var string: String {
        String(decoding: bytes, as: UTF8.self)
    }

    mutating func reserve(_ capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// Begins the next token.
    mutating func begin() {
        if !bytes.isEmpty {
            bytes.append(UInt8(ascii: " "))
        }
    }

    mutating func append(_ scalar: Unicode.Scalar) {
        UTF8.encode(scalar)?.forEach { bytes.append($0) }
    }
}
