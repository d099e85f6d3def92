/// What the index holds of a message's body.
package struct IndexedText: Sendable, Hashable {
    /// For the column `text`; `unicode61` finds exactly the analyser's tokens in it. Empty where the body has none.
    package let text: String
    /// For the column `chars`: each distinct Hangul, Han or Kana character once, in order of appearance.
    package let chars: String

    package init(text: String, chars: String) {
        self.text = text
        self.chars = chars
    }
}
