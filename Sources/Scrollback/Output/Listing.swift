/// How a list of values is shown: a table for people, objects for machines.
struct Listing<Element: Sendable>: Sendable {
    struct Column: Sendable {
        var heading: String
        var alignment = DisplayWidth.Alignment.left
        /// Whether it is there, too, when no element has anything in it.
        var isShownEmpty = true
        /// Sanitised by the listing.
        var text: @Sendable (Element) -> String
    }

    var columns: [Column]
    /// The keys of `json`, in order: csv has a header also above no rows.
    var keys: [String]
    var json: @Sendable (Element) -> JSONValue

    /// - Parameter width: The cells of a line on a terminal; nil where lines have no end.
    func render(_ elements: [Element], format: OutputFormat, style: Style = .plain, width: Int? = nil) -> String {
        switch format {
        case .text: elements.isEmpty ? "" : text(elements, style: style, width: width)
        case .json: JSONValue.array(elements.map(json)).text + "\n"
        case .jsonl: elements.map { json($0).text + "\n" }.joined()
        case .csv: CSV.record(keys) + elements.map { CSV.record(json($0)) }.joined()
        }
    }

    private func text(_ elements: [Element], style: Style, width: Int?) -> String {
        let columns = columns.filter { column in column.isShownEmpty || elements.contains { !column.text($0).isEmpty } }
        let cells = elements.map { element in columns.map { Sanitizer.line($0.text(element)) } }
        let table = Table(headings: columns.map(\.heading), alignments: columns.map(\.alignment), rows: cells)
        return table.text(style: style, width: width)
    }
}
