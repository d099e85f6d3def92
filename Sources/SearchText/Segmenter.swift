/// Cuts a text into its parts: words, runs and emoji, without the separators between them.
///
/// The index and ``Matcher`` both use it, so that they find the same words. Only the index has pairs.
struct Segmenter: Sequence, IteratorProtocol {
    /// The initial capacity, enough for most words, so that one allocation is enough.
    private static let usualLength = 8

    private let glyphs: [Glyph]
    private var index = 0
    /// Parts that are cut and not yet returned: at most two, a word and the emoji that ended it.
    private var ready: [Part] = []
    private var kind = Part.Kind.word
    private var token: [Unicode.Scalar] = []
    private var origins: [Range<UInt32>] = []

    static func parts(of text: String) -> [Part] {
        Array(Segmenter(text))
    }

    init(_ text: String) {
        glyphs = Normaliser.glyphs(of: text)
    }

    mutating func next() -> Part? {
        while ready.isEmpty, index < glyphs.endIndex {
            step()
        }
        if ready.isEmpty {
            end()
        }
        return ready.isEmpty ? nil : ready.removeFirst()
    }

    private mutating func step() {
        if let emoji = EmojiCluster(at: index, of: glyphs) {
            end()
            add(emoji)
            index = emoji.end
        } else {
            add(glyphs[index])
            index += 1
        }
    }

    private mutating func add(_ glyph: Glyph) {
        switch ScalarKind(glyph.scalar) {
        case .separator: end()
        case .dropped: break
        case .run:
            begin(.run)
            token.append(glyph.scalar)
        case .letter:
            begin(.word)
            Folding.fold(glyph.scalar, into: &token)
        case .sign:
            begin(.word)
            token.append(Folding.kept(glyph.scalar))
        }
        while origins.count < token.count {
            origins.append(glyph.origin)
        }
    }

    private mutating func begin(_ newKind: Part.Kind) {
        if kind != newKind {
            end()
            kind = newKind
        }
        if token.isEmpty {
            token.reserveCapacity(Self.usualLength)
            origins.reserveCapacity(Self.usualLength)
        }
    }

    private mutating func add(_ emoji: EmojiCluster) {
        kind = .emoji
        token = emoji.token
        origins = Array(repeating: emoji.origin, count: emoji.token.count)
        end()
    }

    private mutating func end() {
        if !token.isEmpty {
            ready.append(Part(kind: kind, token: token, origins: origins))
        }
        token = []
        origins = []
    }
}
