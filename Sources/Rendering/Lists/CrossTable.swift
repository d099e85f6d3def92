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
        let numbered = NumberedCounts(counts, by: properties)
        let grids = [false, true].map { Grid(numbered, by: properties, isTurned: $0) }
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

    /// The counts with a number for each value of the two properties, which is compared and found faster than its names.
    private struct NumberedCounts {
        /// The values of each property, by their numbers.
        private(set) var values: [[Value]] = [[], []]
        private(set) var counts: [(numbers: (Int, Int), count: Int64)] = []
        private var numbers: [[Value: Int]] = [[:], [:]]

        init(_ counts: [HitCount], by properties: [String]) {
            let hasAccounts = Set(counts.map(\.account)).count > 1
            let areTimes = properties.map { TimeUnit(rawValue: $0) != nil }
            for count in counts {
                let names = count.names
                func value(_ place: Int) -> Value {
                    Value(account: hasAccounts && !areTimes[place] ? count.account : nil, name: names[place] ?? "")
                }
                self.counts.append(((number(0, value(0)), number(1, value(1))), count.count))
            }
        }

        private mutating func number(_ place: Int, _ value: Value) -> Int {
            if let number = numbers[place][value] { return number }
            values[place].append(value)
            numbers[place][value] = values[place].count - 1
            return values[place].count - 1
        }
    }

    /// The counts as lines and columns.
    private struct Grid {
        let heading: String
        /// True if the columns are times, which can't be left out.
        let hasTimes: Bool
        let columns: [Value]
        private let lines: [Value]
        /// The counts of each line by the places of their columns, in no order; after the lines, those of the last line, which
        /// has the sums of all.
        private var cells: [[(column: Int, count: Int64)]]

        init(_ counts: NumberedCounts, by properties: [String], isTurned: Bool) {
            let (line, column) = isTurned ? (1, 0) : (0, 1)
            heading = properties[line].uppercased()
            hasTimes = TimeUnit(rawValue: properties[column]) != nil
            var sums = counts.values.map { [Int64](repeating: 0, count: $0.count) }
            for (numbers, count) in counts.counts {
                sums[0][numbers.0] += count
                sums[1][numbers.1] += count
            }
            let orders = [line, column].map {
                Self.order(counts.values[$0], sums[$0], TimeUnit(rawValue: properties[$0]))
            }
            (lines, columns) = (orders[0].map { counts.values[line][$0] }, orders[1].map { counts.values[column][$0] })
            let places = orders.map { order in
                order.indices.reduce(into: order) { $0[order[$1]] = $1 }
            }
            cells = Array(repeating: [], count: lines.count)
            for ((first, second), count) in counts.counts {
                let (line, column) = isTurned ? (second, first) : (first, second)
                cells[places[0][line]].append((places[1][column], count))
            }
            cells.append(orders[1].enumerated().map { ($0.offset, sums[column][$0.element]) })
        }

        /// Returns the numbers of times in their order, and of rooms and people with the highest count first.
        private static func order(_ values: [Value], _ sums: [Int64], _ unit: TimeUnit?) -> [Int] {
            if let unit { return values.indices.sorted { unit.rank(values[$0].name) < unit.rank(values[$1].name) } }
            // Makes each text once, not for each comparison.
            let texts = values.map(\.text)
            return values.indices.sorted { (sums[$1], texts[$0]) < (sums[$0], texts[$1]) }
        }

        /// Returns the table with the first columns; nil if it is wider than the limit.
        func table(columns count: Int, _ counted: String, _ limit: Int) -> Table? {
            let (shown, hasRest) = (columns.prefix(count), count < columns.count)
            let headings = [heading] + shown.map(\.text) + (hasRest ? [others] : []) + [counted]
            // Most tables that do not fit are too wide by their headings alone.
            guard headings.reduce((headings.count - 1) * space, { $0 + DisplayWidth.of($1) }) <= limit else {
                return nil
            }
            func row(_ name: String, _ cells: [(column: Int, count: Int64)]) -> [String] {
                var (counts, left) = ([Int64](repeating: 0, count: shown.count), Int64(0))
                for (column, count) in cells {
                    if column < counts.count { counts[column] += count } else { left += count }
                }
                return [name] + (counts + (hasRest ? [left] : [])).map { $0 == 0 ? "" : String($0) }
                    + [String(counts.reduce(left, +))]
            }
            let rows = zip(lines.map(\.text) + [all], cells).map(row)
            let table = Table(
                headings: headings, alignments: [.left] + headings.dropFirst().map { _ in .right }, rows: rows)
            return table.naturalWidth <= limit ? table : nil
        }
    }
}
