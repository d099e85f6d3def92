/// Cuts a text into its parts: words, runs and emoji, without the separators between them.
///
/// The index and ``Matcher`` both use it, so that they find the same words. Only the index has pairs.
struct Segmenter {
    /// Receives a part's kind, its token and the origins of the token's scalars, as in ``Part``.
    typealias Receiver = (_ kind: Part.Kind, _ token: [Unicode.Scalar], _ origins: [Range<UInt32>]) -> Void

    /// The initial capacity, enough for most parts.
    private static let usualLength = 16

    private var kind = Part.Kind.word
    // Both are emptied after each part and keep their memory, because allocating takes longer than cutting a word.
    private var token: [Unicode.Scalar] = []
    private var origins: [Range<UInt32>] = []

    static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        forEachPart(of: text) { kind, token, origins in
            // Copied, because a part that shares the segmenter's arrays would have their capacity.
            parts.append(Part(kind: kind, token: token.map { $0 }, origins: origins.map { $0 }))
        }
        return parts
    }

    /// Calls `receive` with each part of the text, in order.
    static func forEachPart(of text: String, _ receive: Receiver) {
        let glyphs = Normaliser.glyphs(of: text)
        var (segmenter, index) = (Segmenter(), 0)
        segmenter.token.reserveCapacity(usualLength)
        segmenter.origins.reserveCapacity(usualLength)
        while index < glyphs.endIndex {
            if EmojiCluster.mayBegin(at: index, of: glyphs), let emoji = EmojiCluster(at: index, of: glyphs) {
                segmenter.add(emoji, receive)
                index = emoji.end
            } else {
                segmenter.add(glyphs[index], receive)
                index += 1
            }
        }
        segmenter.end(receive)
    }

    private mutating func add(_ glyph: Glyph, _ receive: Receiver) {
        switch ScalarKind(glyph.scalar) {
        case .separator: end(receive)
        case .dropped: break
        case .run:
            begin(.run, receive)
            token.append(glyph.scalar)
        case .letter:
            begin(.word, receive)
            Folding.fold(glyph.scalar, into: &token)
        case .sign:
            begin(.word, receive)
            token.append(Folding.kept(glyph.scalar))
        }
        while origins.count < token.count {
            origins.append(glyph.origin)
        }
    }

    private mutating func begin(_ newKind: Part.Kind, _ receive: Receiver) {
        guard kind != newKind else { return }
        end(receive)
        kind = newKind
    }

    private mutating func add(_ emoji: EmojiCluster, _ receive: Receiver) {
        begin(.emoji, receive)
        token += emoji.token
        origins += repeatElement(emoji.origin, count: token.count)
        end(receive)
    }

    private mutating func end(_ receive: Receiver) {
        guard !token.isEmpty else { return }
        receive(kind, token, origins)
        token.removeAll(keepingCapacity: true)
        origins.removeAll(keepingCapacity: true)
    }
}
