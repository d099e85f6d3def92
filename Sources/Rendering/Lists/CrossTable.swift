package import ChatModel
import Reading

/// A table of counts by two properties: a line for each value of one, a column for each value of the other, and the sums
/// of both.
///
/// The first property gives the lines, unless only the second one leaves room for the columns. Rooms and people for which
/// no room is left share the column `(others)`.
package struct CrossTable: Sendable {
    private let table: Table

    /// The width in cells where there is no terminal.
    private static let usualWidth = 80
    /// The cells between two columns, as in ``Table``.
    private static let space = Table.space
    private static let (others, all) = ("(others)", "(all)")

    /// - Parameters:
    ///   - counts: The counts by the properties, in their order.
    ///   - counted: The heading of the sums.
    ///   - width: The terminal's width in cells; nil if there is none.
    /// - Returns: Nil for another number of properties than two, and if no table fits.
    package init?(_ counts: [HitCount], by properties: [String], of counted: String, width: Int?) {
        guard properties.count == 2, !counts.isEmpty else { return nil }
        let limit = width ?? Self.usualWidth
        let grids = [false, true].map { Grid(counts, by: properties, isTurned: $0) }
        let whole = grids.lazy.compactMap { $0.table(columns: $0.columns.count, counted, limit) }.first
        let folded = grids.lazy.filter { !$0.hasTimes }.compactMap { grid in
            (2..<max(3, min(grid.columns.count, limit))).reversed().lazy
                .compactMap { grid.table(columns: $0, counted, limit) }.first
        }
        guard let table = whole ?? folded.first else { return nil }
        self.table = table
    }

    package func text(style: Style) -> String { table.text(style: style, width: nil) }

    /// The value of a property, with the account of a room or a person if there are several accounts.
    private struct Value: Hashable {
        var account: String?
        var name: String

        var text: String { Sanitizer.line([account, name].compactMap(\.self).joined(separator: "/")) }
    }

    /// The counts as lines and columns.
    private struct Grid {
        let heading: String
        /// True if the columns are times, which can't be left out.
        let hasTimes: Bool
        private var lines: [Value] = []
        private(set) var columns: [Value] = []
        private var cells: [Value: [Value: Int64]] = [:]
        private var sums: [Value: Int64] = [:]

        init(_ counts: [HitCount], by properties: [String], isTurned: Bool) {
            let (line, column) = isTurned ? (1, 0) : (0, 1)
            heading = properties[line].uppercased()
            hasTimes = TimeUnit(rawValue: properties[column]) != nil
            let hasAccounts = Set(counts.map(\.account)).count > 1
            func value(_ count: HitCount, _ place: Int) -> Value {
                let isTime = TimeUnit(rawValue: properties[place]) != nil
                return Value(account: hasAccounts && !isTime ? count.account : nil, name: count.names[place] ?? "")
            }
            var lineSums: [Value: Int64] = [:]
            for count in counts {
                let (line, column) = (value(count, line), value(count, column))
                cells[line, default: [:]][column, default: 0] += count.count
                sums[column, default: 0] += count.count
                lineSums[line, default: 0] += count.count
            }
            lines = Self.inOrder(lineSums, TimeUnit(rawValue: properties[line]))
            columns = Self.inOrder(sums, TimeUnit(rawValue: properties[column]))
        }

        /// Returns times in their order, and rooms and people with the highest count first.
        private static func inOrder(_ sums: [Value: Int64], _ unit: TimeUnit?) -> [Value] {
            if let unit { return sums.keys.sorted { unit.rank($0.name) < unit.rank($1.name) } }
            // Makes each text once, not for each comparison.
            return sums.map { (value: $0.key, sum: $0.value, text: $0.key.text) }
                .sorted { a, b in (b.sum, a.text) < (a.sum, b.text) }.map(\.value)
        }

        /// Returns the table with the first columns; nil if it is wider than the limit.
        func table(columns count: Int, _ counted: String, _ limit: Int) -> Table? {
            let (shown, rest) = (columns.prefix(count), columns.dropFirst(count))
            let headings = [heading] + shown.map(\.text) + (rest.isEmpty ? [] : [others]) + [counted]
            // Most tables that do not fit are too wide by their headings alone.
            guard headings.reduce((headings.count - 1) * space, { $0 + DisplayWidth.of($1) }) <= limit else {
                return nil
            }
            func row(_ name: String, _ cells: [Value: Int64]) -> [String] {
                let sum = cells.values.reduce(0, +)
                let left = shown.reduce(sum) { $0 - (cells[$1] ?? 0) }
                return [name] + shown.map { cell(cells[$0]) } + (rest.isEmpty ? [] : [cell(left)])
                    + [String(sum)]
            }
            let rows = lines.map { row($0.text, cells[$0] ?? [:]) } + [row(all, sums)]
            let table = Table(
                headings: headings, alignments: [.left] + headings.dropFirst().map { _ in .right }, rows: rows)
            return table.naturalWidth <= limit ? table : nil
        }

        private func cell(_ count: Int64?) -> String { count.map { $0 == 0 ? "" : String($0) } ?? "" }
    }
}
