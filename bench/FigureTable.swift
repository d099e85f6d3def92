/// Columns of figures under headings, each row with its name in front.
enum FigureTable {
    static func print(headings: [String], rows: [(name: String, cells: [String])]) {
        let lines = [("", headings)] + rows.map { ($0.name, $0.cells) }
        let first = lines.map(\.0.count).max() ?? 0
        let widths = headings.indices.map { column in lines.map { $0.1[column].count }.max() ?? 0 }
        for (name, cells) in lines {
            let columns = zip(cells, widths).map { cell, width in
                "  " + String(repeating: " ", count: width - cell.count) + cell
            }
            Swift.print(name + String(repeating: " ", count: first - name.count) + columns.joined())
        }
        Swift.print("")
    }
}
