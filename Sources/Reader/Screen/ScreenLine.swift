import Rendering

/// A line of the screen: safe texts at their columns.
package struct ScreenLine: Sendable, Hashable {
    /// A text with one look.
    package struct Span: Sendable, Hashable {
        /// The first cell, from 0 on.
        package var column: Int
        /// A safe text on one line.
        package var text: String
        package var style: CellStyle
    }

    /// The texts, from left to right.
    package private(set) var spans: [Span] = []
    /// The cell after the last text.
    package private(set) var width = 0

    package init() {}

    package init(_ text: String, _ style: CellStyle = .plain) { add(text, style) }

    /// Adds a text after the last one.
    mutating func add(_ text: String, _ style: CellStyle = .plain) { add(text, at: width, style) }

    /// Adds a text at a cell, which is not before the end of the last text.
    mutating func add(_ text: String, at column: Int, _ style: CellStyle = .plain) {
        guard !text.isEmpty else { return }
        spans.append(Span(column: column, text: text, style: style))
        width = column + DisplayWidth.of(text)
    }

    /// Adds the texts of another line.
    ///
    /// - Parameter column: The cell of the other line's first cell.
    mutating func add(_ line: ScreenLine, at column: Int) {
        for span in line.spans { add(span.text, at: column + span.column, span.style) }
    }

    /// Changes the look of all texts.
    mutating func restyle(_ change: (inout CellStyle) -> Void) {
        for index in spans.indices { change(&spans[index].style) }
    }

    /// Exchanges the colours of the first text.
    mutating func reverseFirst() {
        if !spans.isEmpty { spans[0].style.isReversed = true }
    }

    /// Returns the line without what does not fit.
    func cut(to columns: Int) -> ScreenLine {
        guard width > columns else { return self }
        var line = ScreenLine()
        for span in spans where span.column < columns {
            line.add(DisplayWidth.cut(span.text, to: columns - span.column), at: span.column, span.style)
        }
        return line
    }

    /// True if all terminals agree about the width of every text.
    package var isCertain: Bool { spans.allSatisfy { DisplayWidth.isCertain($0.text) } }

    /// The line as text, with spaces between the columns.
    package var text: String {
        var (result, width) = ("", 0)
        for span in spans {
            result += String(repeating: " ", count: max(0, span.column - width)) + span.text
            width = span.column + DisplayWidth.of(span.text)
        }
        return result
    }
}
