import Bytes

/// The text that the search index stores for a message's body.
package struct IndexedText: Sendable, Hashable {
    /// The value of the column `text`; `unicode61` finds exactly the analyser's tokens in it. Empty if the body has no
    /// tokens.
    package let text: String
    /// The value of the column `chars`: each distinct character of Hangul, Han and Kana once, in order of appearance, with
    /// a space between them.
    package let chars: String

    /// The facet of a message for which ``lacksLetters(of:)`` is true.
    package static let rawFacet = "xraw"

    package init(text: String, chars: String) {
        self.text = text
        self.chars = chars
    }

    /// Returns true if letters that stand together in the body may be in no word, or in none that the vocabulary has, so that
    /// only the body decides if a regular expression matches (``RequiredLetters``).
    ///
    /// These are letters behind the first MiB, those of a word that is longer than ``WordPart/longestWord``, those that are a
    /// hexadecimal colour of IRC, and a syllable of Hangul before a jamo, with which it is another syllable.
    package func lacksLetters(of body: String) -> Bool {
        body.utf8.count > Analyser.maximumBytes || body.hasByte(0x04) || Self.hasJamo(body)
            || text.utf8.count > WordPart.longestWord && hasLongWord
    }

    private var hasLongWord: Bool {
        var isFound = false
        forEachToken(seed: 0) { token, _ in isFound = isFound || !Self.isShort(token) }
        return isFound
    }

    /// True for U+1100 to U+11FF. A syllable does not combine with other jamo.
    private static func hasJamo(_ body: String) -> Bool {
        body.hasByte(0xE1)
            && zip(body.utf8, body.utf8.dropFirst()).contains { $0 == 0xE1 && (0x84...0x87).contains($1) }
    }
}
