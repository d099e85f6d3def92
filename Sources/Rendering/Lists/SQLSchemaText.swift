package import SQLQueries

/// The views of `scrollback sql`, for `--schema`.
package enum SQLSchemaText {
    /// A column with its view.
    package struct Line: Sendable {
        package let view: SQLView
        package let column: SQLView.Column
    }

    /// The columns of all views, in order.
    package static let columns = SQLView.all.flatMap { view in view.columns.map { Line(view: view, column: $0) } }

    /// The list for machines; ``text`` is the one for people.
    package static let listing = Listing<Line>(
        name: "columns", columns: [], keys: ["view", "column", "type", "about", "example"],
        json: { line in
            .object([
                "view": .string(line.view.name), "column": .string(line.column.name),
                "type": .string(line.column.type == .hidden ? "" : line.column.type.rawValue),
                "about": .string(line.column.about), "example": .string(line.view.example),
            ])
        })

    /// Each view with its columns and an example.
    package static func text(style: Style, width: Int?) -> String {
        SQLView.all.map { view in
            let table = Table(
                headings: [view.name, "", "A row is \(view.about)."], alignments: [.left, .left, .left],
                rows: view.columns.map { ["  \($0.name)", $0.type.rawValue.lowercased(), $0.about] })
            return table.text(style: style, width: width) + "  Example: \(view.example)\n"
        }.joined(separator: "\n")
    }
}
