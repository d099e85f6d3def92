/// The text that the search index stores for a message's body.
package struct IndexedText: Sendable, Hashable {
    /// The value of the column `text`; `unicode61` finds exactly the analyser's tokens in it. Empty if the body has no
    /// tokens.
    package let text: String
    /// The value of the column `chars`: each distinct character of Hangul, Han and Kana once, in order of appearance, with
    /// a space between them.
    package let chars: String

    package init(text: String, chars: String) {
        self.text = text
        self.chars = chars
    }
}
