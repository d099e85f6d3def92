/// A text that is typed at the bottom of the screen. The cursor is at its end.
struct LineInput: Sendable, Hashable {
    private(set) var text = ""

    /// 500 code points, more than any query or name that people type.
    private static let limit = 500

    init(_ text: String = "") { self.text = text }

    /// Changes the text.
    ///
    /// - Returns: False for a key that changes no text.
    mutating func press(_ key: ReaderKey) -> Bool {
        let old = text
        switch key {
        case .character(let scalar) where text.unicodeScalars.count < Self.limit: text.unicodeScalars.append(scalar)
        case .backspace, .control("h"): if !text.isEmpty { text.removeLast() }
        case .control("u"): text = ""
        case .control("w"):
            while text.last == " " { text.removeLast() }
            while let last = text.last, last != " " { text.removeLast() }
        default: return false
        }
        return text != old
    }
}
