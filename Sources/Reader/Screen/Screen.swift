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
