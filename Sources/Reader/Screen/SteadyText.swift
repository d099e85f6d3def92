import Rendering

extension DisplayWidth {
    /// Returns a text about whose width all terminals agree, for a line where columns follow it: of a character about which
    /// they do not agree, only its first code point stays, or a square.
    static func steady(_ text: String) -> String {
        guard !isCertain(text) else { return text }
        return text.reduce(into: "") { result, character in
            if isCertain(String(character)) {
                result.append(character)
            } else if let first = character.unicodeScalars.first, isCertain(String(first)) {
                result.unicodeScalars.append(first)
            } else {
                result += "□"
            }
        }
    }
}
