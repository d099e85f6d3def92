package import ChatModel

/// The form of a list of values: a table for people, objects for machines.
package struct Listing<Element: Sendable>: Sendable {
    /// The key of the list in a JSON document: `rooms`.
    package var name: String
    package var columns: [Column<Element>]
    /// The keys of `json`, in order: the header of CSV, which is written even above no rows.
    package var keys: [String]
    /// Returns the object of an element, with ``keys`` as its keys.
    package var json: @Sendable (Element) -> JSONValue
    /// Returns the totals of all elements for a JSON document; nil for lists without totals.
    package var totals: (@Sendable ([Element]) -> JSONValue)?

    package init(
        name: String, columns: [Column<Element>], keys: [String], json: @escaping @Sendable (Element) -> JSONValue,
        totals: (@Sendable ([Element]) -> JSONValue)? = nil
    ) {
        (self.name, self.columns, self.keys, self.json, self.totals) = (name, columns, keys, json, totals)
    }

    /// Returns the list in a format. An empty list is empty in `text`.
    ///
    /// - Parameters:
    ///   - leftOut: The accounts that the list lacks. Only `json` has a place for them.
    ///   - width: The terminal's width in cells; nil for lines without an end.
    package func render(
        _ elements: [Element], leftOut: [SkippedAccount] = [], format: OutputFormat, style: Style = .plain,
        width: Int? = nil
    ) -> String {
        switch format {
        case .text: elements.isEmpty ? "" : text(elements, style: style, width: width)
        case .json: document(elements, leftOut: leftOut).text + "\n"
        case .jsonl: elements.map { json($0).text + "\n" }.joined()
        case .csv: CSV.record(keys) + elements.map { CSV.record(json($0)) }.joined()
        }
    }

    /// Returns an object such as `{"rooms": […], "left_out": […]}`.
    package func document(_ elements: [Element], leftOut: [SkippedAccount]) -> JSONValue {
        var members = [JSONValue.Member(key: name, value: .array(elements.map(json)))]
        if let totals { members.append(JSONValue.Member(key: "totals", value: totals(elements))) }
        return .object(members + [JSONValue.Member(key: "left_out", value: .array(leftOut.map { JSONValue($0) }))])
    }

    private func text(_ elements: [Element], style: Style, width: Int?) -> String {
        let all = columns.filter { column in column.isShownEmpty || elements.contains { !column.text($0).isEmpty } }
        var columns = all.filter { !$0.isRest }
        var whole = table(columns, elements)
        guard let width else { return whole.text(style: style, width: nil) }
        if columns.contains(where: \.isSparedFirst), !whole.isOneLine(width) {
            columns.removeAll { $0.isSparedFirst }
            whole = table(columns, elements)
        }
        if let rest = all.first(where: \.isRest),
            let wide = whole.adding(
                rest.heading, elements.map { Sanitizer.line(rest.text($0)) }, width: width)
        {
            return wide.text(style: style, width: width)
        }
        return (fitting(whole, columns, elements, width: width) ?? whole).text(style: style, width: width)
    }

    /// Returns the table with each row on one line: without the spared columns if necessary, and with as many moved
    /// columns below the rows as necessary, from the last one on. If that is not enough, the cells wrap; nil if they do
    /// not fit either.
    private func fitting(_ whole: Table, _ columns: [Column<Element>], _ elements: [Element], width: Int) -> Table? {
        guard !whole.isOneLine(width) else { return whole }
        var (beside, moved) = (columns.filter { !$0.isSpared }, [Column<Element>]())
        var table = self.table(beside, elements)
        while !table.isOneLine(width) {
            guard let last = beside.lastIndex(where: \.isMoved) else { return table.fits(width) ? table : nil }
            moved.insert(beside.remove(at: last), at: 0)
            table = self.table(beside, elements)
            table.below = elements.map { below($0, moved) }
        }
        return table
    }

    /// Returns a text such as `reason: the connection was lost; next try: 2026-11-21 06:23:11`, without empty cells.
    private func below(_ element: Element, _ columns: [Column<Element>]) -> String {
        columns.map { ($0.heading.lowercased(), Sanitizer.line($0.text(element))) }
            .filter { !$0.1.isEmpty && $0.1 != "-" }.map { "\($0): \($1)" }.joined(separator: "; ")
    }

    private func table(_ columns: [Column<Element>], _ elements: [Element]) -> Table {
        let cells = elements.map { element in columns.map { Sanitizer.line($0.text(element)) } }
        return Table(headings: columns.map(\.heading), alignments: columns.map(\.alignment), rows: cells)
    }
}
