/// Cuts a text into its parts: words, runs and emoji, without the separators between them.
///
/// The index and ``Matcher`` both use it, so that they find the same words. Only the index has pairs.
struct Segmenter {
    /// Receives a part's kind, its token, and the origins of the token's scalars and its joints, as in ``Part``.
    typealias Receiver = (
        _ kind: Part.Kind, _ token: [Unicode.Scalar], _ origins: [Range<UInt32>], _ joints: [Int]
    ) -> Void

    /// The initial capacity, enough for most parts.
    private static let usualLength = 16

    private var kind = Part.Kind.word
    // All are emptied after each part and keep their memory, because allocating takes longer than cutting a word.
    private var token: [Unicode.Scalar] = []
    private var origins: [Range<UInt32>] = []
    private var joints: [Int] = []

    static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        forEachPart(of: text) { kind, token, origins, joints in
            // Copied, because a part that shares the segmenter's arrays would have their capacity.
            parts.append(
                Part(kind: kind, token: token.map { $0 }, origins: origins.map { $0 }, joints: joints.map { $0 }))
        }
        return parts
    }

    /// Returns the parts of a text, and after them the pieces of each word that has joints: what is found in a text is found
    /// in one of these.
    static func readings(of text: String) -> [[Part]] {
        let parts = parts(of: text)
        return [parts] + parts.lazy.map(\.pieces).filter { !$0.isEmpty }
    }

    /// Returns the parts of a query's text, and the same with the pieces of each word that has joints, if there is one: a
    /// text that has either is found.
    static func alternatives(of text: String) -> [[Part]] {
        let parts = parts(of: text)
        guard parts.contains(where: { !$0.joints.isEmpty }) else { return [parts] }
        return [parts, parts.flatMap { $0.joints.isEmpty ? [$0] : $0.pieces }]
    }

    /// Calls `receive` with each part of the text, in order.
    static func forEachPart(of text: String, _ receive: Receiver) {
        let glyphs = Normaliser.glyphs(of: text)
        var (segmenter, index) = (Segmenter(), 0)
        segmenter.token.reserveCapacity(usualLength)
        segmenter.origins.reserveCapacity(usualLength)
        while index < glyphs.endIndex {
            if EmojiCluster.mayBegin(at: index, of: glyphs), let emoji = EmojiCluster(at: index, of: glyphs) {
                segmenter.addEmoji(emoji, receive)
                index = emoji.end
            } else {
                segmenter.addGlyph(glyphs[index], receive)
                index += 1
            }
        }
        segmenter.end(receive)
    }

    private mutating func addGlyph(_ glyph: Glyph, _ receive: Receiver) {
        let scalarKind = ScalarKind(glyph.scalar)
        switch scalarKind {
        case .separator: end(receive)
        case .dropped: break
        case .joiner: join(receive)
        case .invisibleSpace: if kind != .clusters { end(receive) }
        case .run:
            begin(.run, receive)
            Folding.fold(character: glyph.scalar, into: &token)
        case .letter:
            begin(.word, receive)
            Folding.fold(letter: glyph.scalar, into: &token)
        case .digit:
            begin(.word, receive)
            Folding.fold(glyph.scalar, scalarKind, into: &token)
        case .sign:
            begin(.word, receive)
            addSign(glyph.scalar)
        case .cluster, .clusterSign:
            begin(.clusters, receive)
            addToClusters(glyph, continuing: scalarKind == .clusterSign)
        }
        while origins.count < token.count {
            origins.append(glyph.origin)
        }
    }

    private mutating func addSign(_ sign: Unicode.Scalar) {
        let count = token.count
        Folding.fold(sign, .sign, into: &token)
        if token.count > count { token[count] = Folding.kept(sign) }
    }

    /// Adds a code point of a cluster, which begins a new one unless it continues the last one.
    private mutating func addToClusters(_ glyph: Glyph, continuing: Bool) {
        if let last = token.last, let origin = origins.last, !continuing,
            !(Folding.isAm(glyph.scalar) && Folding.isCircleOfAm(last))
        {
            token.append(Part.clusterEnd)
            origins.append(origin)
        }
        token.append(Folding.kept(inCluster: glyph.scalar))
    }

    /// Takes a joiner: in a word it is a joint, in a run of clusters nothing, elsewhere a separator.
    private mutating func join(_ receive: Receiver) {
        switch kind {
        case .word where !token.isEmpty: if joints.last != token.count { joints.append(token.count) }
        case .word, .clusters: break
        case .run, .emoji: end(receive)
        }
    }

    private mutating func begin(_ newKind: Part.Kind, _ receive: Receiver) {
        guard kind != newKind else { return }
        end(receive)
        kind = newKind
    }

    private mutating func addEmoji(_ emoji: EmojiCluster, _ receive: Receiver) {
        begin(.emoji, receive)
        token += emoji.token
        origins += repeatElement(emoji.origin, count: token.count)
        end(receive)
    }

    private mutating func end(_ receive: Receiver) {
        guard let origin = origins.last else { return }
        if kind == .clusters {
            token.append(Part.clusterEnd)
            origins.append(origin)
        }
        // A joiner after the last letter joins nothing.
        if !joints.isEmpty, joints.last == token.count { joints.removeLast() }
        receive(kind, token, origins, joints)
        token.removeAll(keepingCapacity: true)
        origins.removeAll(keepingCapacity: true)
        if !joints.isEmpty { joints.removeAll(keepingCapacity: true) }
    }
}
