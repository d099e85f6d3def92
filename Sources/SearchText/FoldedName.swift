/// A name in the form in which a search compares texts: letters as in words (``Folding``), without the signs that a word
/// ignores.
package enum FoldedName {
    /// Returns equal texts for names that a search takes for equal. Spaces and punctuation stay; letters that people type as
    /// a sign of ASCII are that sign.
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
                folded.append(sign(glyph.scalar))
            } else {
                Folding.fold(glyph.scalar, kind, into: &folded)
            }
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: folded)
        return String(view)
    }

    /// Returns the sign that people type for a character that ends a word.
    private static func sign(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x2018...0x201B, 0x02B9, 0x02BB...0x02BF, 0x02C8, 0xA78B...0xA78C: "'"
        case 0x01C0: "|"
        case 0x01C3: "!"
        case 0x02CC: ","
        case 0x02D0: ":"
        case 0x02EE: "\""
        default: scalar
        }
    }
}
