/// Rows of safe text under headings, in columns as wide as their widest cell.
///
/// On a narrow terminal, cells wrap at spaces, as do the texts below rows. If even that is too wide, each row becomes a
/// paragraph with a line for each column. Nothing is cut.
struct Table: Sendable {
    let headings: [String]
    let alignments: [DisplayWidth.Alignment]
    let rows: [[String]]
    /// A text for each row, which is written below it; empty for none.
    var below: [String] = []

    static let space = 2

    func text(style: Style, width: Int?) -> String {
        guard let width else { return grid(widths, style) }
        guard let widths = narrowed(to: width) else { return paragraphs(style, width: width) }
        return grid(widths, style, width: width)
    }

    /// Returns true if rows fit side by side, with wrapped cells if necessary, instead of as paragraphs.
    func fits(_ width: Int) -> Bool {
        narrowed(to: width) != nil
    }

    /// Returns true if each row fits on one line.
    func isOneLine(_ width: Int) -> Bool {
        widths.reduce(Self.space * (widths.count - 1), +) <= width
    }

    /// The least width of an added column, in cells.
    private static let leastRest = 24

    /// Returns the table with another column, cut to the rest of the line; nil if too little is left of the line.
    func adding(_ heading: String, _ cells: [String], width: Int) -> Table? {
        let rest = width - widths.reduce(0, +) - Self.space * widths.count
        guard rest >= Self.leastRest else { return nil }
        return Table(
            headings: headings + [heading], alignments: alignments + [.left],
            rows: zip(rows, cells).map { $0 + [DisplayWidth.cut($1, to: rest)] })
    }

    /// The width of lines that are not wrapped, in cells.
    var naturalWidth: Int { widths.reduce(Self.space * (widths.count - 1), +) }

    private var widths: [Int] {
        columns { max($0, DisplayWidth.of($1)) }
    }

    /// Returns widths with which lines fit into `width`, narrowing the widest columns first; nil if words would have to
    /// be broken.
    private func narrowed(to width: Int) -> [Int]? {
        var widths = widths
        let words = columns { longest, cell in
            cell.split(separator: " ").reduce(longest) { max($0, DisplayWidth.atMost(String($1))) }
        }
        var over = widths.reduce(Self.space * (widths.count - 1), +) - width
        while over > 0 {
            let broader = widths.indices.filter { widths[$0] > words[$0] }
            guard let widest = broader.max(by: { widths[$0] < widths[$1] }) else { return nil }
            widths[widest] -= 1
            over -= 1
        }
        return widths
    }

    private func columns(_ measure: (Int, String) -> Int) -> [Int] {
        headings.indices.map { column in ([headings] + rows).map { $0[column] }.reduce(0, measure) }
    }

    private func grid(_ widths: [Int], _ style: Style, width: Int? = nil) -> String {
        var text = lines(headings, widths).map { style.bold($0) + "\n" }.joined()
        for row in rows.indices {
            for line in lines(rows[row], widths) + lines(below: row, width: width) {
                text += line
                text += "\n"
            }
        }
        return text
    }

    /// Returns the lines of the text below a row, indented.
    private func lines(below row: Int, width: Int?) -> [String] {
        guard row < below.count, !below[row].isEmpty else { return [] }
        return TextWrap.lines(of: below[row], width: width.map { max(1, $0 - Self.space) })
            .map { String(repeating: " ", count: Self.space) + $0 }
    }

    /// Returns the lines of a row, as many as its highest cell has.
    private func lines(_ cells: [String], _ widths: [Int]) -> [String] {
        // Most rows have one line.
        guard zip(cells, widths).contains(where: { DisplayWidth.of($0) > $1 }) else { return [line(cells, widths)] }
        let cells = zip(cells, widths).map { cell, width in
            DisplayWidth.of(cell) <= width ? [cell] : TextWrap.lines(of: cell, width: width)
        }
        let height = cells.map(\.count).max() ?? 0
        return (0..<height).map { number in line(cells.map { number < $0.count ? $0[number] : "" }, widths) }
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for column in cells.indices {
            let fill = max(0, widths[column] - DisplayWidth.of(cells[column]))
            let isRight = alignments[column] == .right
            line += String(repeating: " ", count: (column > 0 ? Self.space : 0) + (isRight ? fill : 0))
            line += cells[column]
            if !isRight, column < cells.count - 1 { line += String(repeating: " ", count: fill) }
        }
        return line
    }

    private func paragraphs(_ style: Style, width: Int) -> String {
        let heading = (headings.map(DisplayWidth.of).max() ?? 0) + Self.space
        return rows.map { cells in
            zip(headings, cells).map { name, cell in
                let lines = TextWrap.lines(of: cell, width: max(1, width - heading))
                return style.bold(DisplayWidth.pad(name, to: heading))
                    + lines.joined(separator: "\n" + String(repeating: " ", count: heading)) + "\n"
            }.joined()
        }.joined(separator: "\n")
    }
}
