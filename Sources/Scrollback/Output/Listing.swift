/// How a list of values is shown: a table for people, objects for machines.
struct Listing<Element: Sendable>: Sendable {
    struct Column: Sendable {
        var heading: String
        var alignment = DisplayWidth.Alignment.left
        /// Sanitised by the listing.
        var text: @Sendable (Element) -> String
    }

    var columns: [Column]
    /// The keys of `json`, in order: csv has a header also above no rows.
    var keys: [String]
    var json: @Sendable (Element) -> JSONValue

    func render(_ elements: [Element], format: OutputFormat, style: Style = .plain) -> String {
        switch format {
        case .text: elements.isEmpty ? "" : table(elements, style: style)
        case .json: JSONValue.array(elements.map(json)).text + "\n"
        case .jsonl: elements.map { json($0).text + "\n" }.joined()
        case .csv: CSV.record(keys) + elements.map { CSV.record(json($0)) }.joined()
        }
    }

    private func table(_ elements: [Element], style: Style) -> String {
        let cells = elements.map { element in columns.map { Sanitizer.line($0.text(element)) } }
        let widths = columns.indices.map { column in
            cells.reduce(DisplayWidth.of(columns[column].heading)) { max($0, DisplayWidth.of($1[column])) }
        }
        let heading = style.bold(line(columns.map(\.heading), widths: widths))
        return ([heading] + cells.map { line($0, widths: widths) }).joined(separator: "\n") + "\n"
    }

    private func line(_ cells: [String], widths: [Int]) -> String {
        var result = ""
        for (index, cell) in cells.enumerated() {
            let isLast = index == cells.count - 1
            let isPadded = !isLast || columns[index].alignment == .right
            result += isPadded ? DisplayWidth.pad(cell, to: widths[index], columns[index].alignment) : cell
            result += isLast ? "" : "  "
        }
        return result
    }
}
