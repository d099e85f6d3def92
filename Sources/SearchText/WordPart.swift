/// Letters to find within words: in any place, or at their end.
package struct WordPart: Sendable, Hashable {
    /// The folded letters; not empty.
    package let letters: String
    /// True if the word must end with the letters.
    package let isEnd: Bool

    /// The limit of letters of a word within which parts are found: twice a SHA-512 in hexadecimal. Longer words are
    /// found whole and by their beginning.
    package static let longestWord = 256

    init(_ part: Part, isEnd: Bool) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: part.token)
        (letters, self.isEnd) = (String(view), isEnd)
    }

    /// Returns true if the word of these folded letters has the part.
    func fits(_ word: [Unicode.Scalar]) -> Bool {
        let part = Array(letters.unicodeScalars)
        guard word.count <= Self.longestWord, part.count <= word.count else { return false }
        if isEnd { return word.suffix(part.count).elementsEqual(part) }
        return (0...(word.count - part.count)).contains { word[$0...].starts(with: part) }
    }
}

extension Term {
    /// True if the first part of the text may be the end of a word.
    var isOpenAtStart: Bool {
        switch self {
        case .infix, .suffix: true
        default: false
        }
    }

    /// True if the last part of the text may be the beginning of a word.
    var isOpenAtEnd: Bool {
        switch self {
        case .prefix, .infix: true
        default: false
        }
    }

    /// The parts that the first words of the term's alternatives must have, to find in a vocabulary; none for a term that
    /// begins with a whole word, with an emoji, or with characters that match anywhere already, such as Han and Thai.
    package var wordParts: [WordPart] {
        guard isOpenAtStart, let text else { return [] }
        return Segmenter.alternatives(of: text).compactMap(wordPart)
    }

    /// Returns the part that the first word of one of the term's alternatives must have; nil as for ``wordParts``.
    func wordPart(of parts: [Part]) -> WordPart? {
        guard isOpenAtStart, let first = parts.first, first.kind == .word else { return nil }
        return WordPart(first, isEnd: parts.count > 1 || !isOpenAtEnd)
    }
}
