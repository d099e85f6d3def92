/// A name in the form in which a search compares texts: without case, width and accents.
package enum FoldedName {
    /// Returns equal texts for names that a search takes for equal. Spaces and punctuation stay.
    package static func fold(_ name: String) -> String {
        guard !Analyser.isPlain(name) else { return name.lowercased() }
        var folded: [Unicode.Scalar] = []
        for glyph in Normaliser.glyphs(of: name) { Folding.fold(glyph.scalar, into: &folded) }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: folded)
        return String(view)
    }
}
