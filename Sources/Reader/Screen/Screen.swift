/// The whole screen.
package struct Screen: Sendable, Hashable {
    /// The lines from top to bottom, as many as the terminal has.
    package var lines: [ScreenLine]
    /// The place of the cursor in a text that is typed; nil to hide it.
    package var cursor: Cursor?

    package struct Cursor: Sendable, Hashable {
        package var line: Int
        package var column: Int
    }

    /// The lines as text, without spaces at their ends.
    package var text: [String] {
        lines.map { line in
            var text = line.text
            while text.hasSuffix(" ") { text.removeLast() }
            return text
        }
    }
}

/// The size of a terminal in cells.
package struct ScreenSize: Sendable, Hashable {
    package var columns: Int
    package var rows: Int

    /// - Parameters:
    ///   - columns: The cells of a line; at least 1 is taken.
    ///   - rows: The lines; at least 3 are taken: the heading, a line of text, and the line of the state.
    package init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (max(1, columns), max(3, rows))
    }
}

/// The places on the screen.
extension ScreenSize {
    /// True if the rooms stand beside the history; else they are a screen of their own.
    var isWide: Bool { columns >= 70 }
    /// The cells of the list of rooms and the line beside it.
    var sidebar: Int { isWide ? min(28, columns / 4) : 0 }
    /// The cells of the history.
    var paneColumns: Int { columns - sidebar }
    /// The lines between the heading and the line of the state.
    var paneHeight: Int { rows - 2 }
    /// The number of messages to load at once: three screens, 50 to 400.
    var pageLimit: Int { min(400, max(50, paneHeight * 3)) }
}
