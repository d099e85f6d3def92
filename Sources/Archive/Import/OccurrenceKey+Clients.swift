import Bytes
import ChatModel
import Schema
import SearchText

extension MessageKind {
    /// True for words of a person.
    func isSaid(_ text: String?) -> Bool {
        [.message, .action, .notice].contains(self) && text?.isEmpty == false
    }
}

extension OccurrenceKey {
    /// Creates a key of what clients and networks write alike: without IRC's colours and styles, without the quotes that a
    /// server puts around the reason of a quit (ngircd 26.1), without the names of mentioned people (WhatsApp's, in U+2068
    /// and U+2069), with a space for a tab, without spaces at both ends, and with no topic like an empty one.
    init(kind: MessageKind, text: String?) {
        var plain = FormattingCodes.removed(from: text ?? "")
        if kind == .leave, plain.utf8.count >= 2, plain.utf8.first == UInt8(ascii: "\""),
            plain.utf8.last == plain.utf8.first
        {
            plain = String(plain.dropFirst().dropLast())
        }
        if plain.unicodeScalars.contains("\u{2068}") { plain = plain.withoutIsolates }
        // libpurple 2.14.12 writes a space for a tab.
        if plain.utf8.contains(Byte.tab) { plain = plain.replacing("\t", with: " ") }
        // Dino 0.4.2 drops spaces at both ends.
        plain = plain.withoutOuterSpaces
        self.init { hasher in
            hasher.combine(kind.code)
            hasher.combine(ExactString(plain))
        }
    }
}

extension String {
    /// The text without what is between U+2068 and U+2069.
    fileprivate var withoutIsolates: String {
        var (kept, isIsolated) = (String.UnicodeScalarView(), false)
        for scalar in unicodeScalars {
            if scalar == "\u{2068}" { isIsolated = true }
            if !isIsolated { kept.append(scalar) }
            if scalar == "\u{2069}" { isIsolated = false }
        }
        return String(kept)
    }
}
