/// A name in the form in which a search compares texts: letters as in words (``Folding``), without the signs that a word
/// ignores.
package enum FoldedName {
    /// Returns equal texts for names that a search takes for equal. Spaces and punctuation stay; all apostrophes are `'`.
    ///
    /// Texts are to be compared by their code points: a letter of Hindi and its vowel sign are two, so that the name begins
    /// with the letter.
    package static func fold(_ name: String) -> String {
        guard !Analyser.isPlain(name) else { return name.lowercased() }
        var folded: [Unicode.Scalar] = []
        folded.reserveCapacity(name.utf8.count)
        for glyph in Normaliser.glyphs(of: name) {
            let kind = ScalarKind(glyph.scalar)
            if kind == .separator {
                folded.append(isApostrophe(glyph.scalar) ? "'" : glyph.scalar)
            } else {
                Folding.fold(glyph.scalar, kind, into: &folded)
            }
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: folded)
        return String(view)
    }

    private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2018...0x201B, 0x02B9, 0x02BB...0x02BF, 0xA78B...0xA78C: true
        default: false
        }
    }
}
