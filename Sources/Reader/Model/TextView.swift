import Rendering

/// A text above the history, such as the details of a message.
struct TextView: Sendable {
    let title: String
    let lines: [ScreenLine]
    /// The index of the first visible line.
    private(set) var top = 0

    /// - Parameters:
    ///   - text: A safe text of several lines.
    ///   - columns: The width to break it into.
    init(_ text: String, title: String, columns: Int) {
        self.title = title
        lines = TextWrap.lines(of: text, width: max(1, columns)).map { ScreenLine($0) }
    }

    /// Scrolls by a key.
    ///
    /// - Returns: False for another key, which closes the text.
    mutating func press(_ key: ReaderKey, height: Int) -> Bool {
        let last = max(0, lines.count - height)
        let step: Int
        switch key {
        case .down, .character("j"): step = 1
        case .up, .character("k"): step = -1
        case .wheelDown: step = 3
        case .wheelUp: step = -3
        case .pageDown, .character(" "): step = height - 1
        case .pageUp, .character("b"): step = 1 - height
        case .home: step = -top
        case .end: step = last
        default: return false
        }
        top = max(0, min(last, top + step))
        return true
    }
}
