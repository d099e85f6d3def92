@testable import Rendering

/// A terminal as far as `chat` uses one: rows that scroll, a cursor, and the sequences that it writes.
struct ScreenModel {
    private(set) var rows: [[String]] = [[]]
    private(set) var row = 0
    private(set) var column = 0
    private(set) var isPasteBracketed = false
    let columns: Int

    init(columns: Int) {
        self.columns = columns
    }

    /// What is seen, without spaces at the ends of rows.
    var lines: [String] {
        rows.map { cells in
            let text = cells.joined()
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }

    var last: String { lines.last ?? "" }

    mutating func write(_ text: String) {
        var rest = Substring(text)
        while let first = rest.first {
            if first == "\u{1B}" {
                escape(&rest)
            } else {
                rest.removeFirst()
                put(first)
            }
        }
    }

    private mutating func put(_ character: Character) {
        switch character {
        case "\n", "\r\n": newLine()
        case "\r": column = 0
        default:
            let width = DisplayWidth.of(character)
            if column + width > columns { newLine() }
            pad(to: column + width)
            for offset in 0..<width { rows[row][column + offset] = offset == 0 ? String(character) : "" }
            column += width
        }
    }

    private mutating func newLine() {
        (row, column) = (row + 1, 0)
        while rows.count <= row { rows.append([]) }
    }

    private mutating func pad(to width: Int) {
        while rows[row].count < width { rows[row].append(" ") }
    }

    private mutating func escape(_ rest: inout Substring) {
        guard let match = rest.prefixMatch(of: /\u{1B}\[(\??[0-9;]*)([A-Za-z])/) else {
            rest.removeFirst()
            return put("?")
        }
        rest.removeSubrange(match.range)
        let number = Int(match.1) ?? 1
        switch match.2 {
        case "A": row = max(0, row - number)
        case "C": column = min(columns - 1, column + number)
        case "H": (row, column) = (0, 0)
        case "J" where match.1 == "2": rows = rows.map { _ in [] }
        case "J":
            rows[row] = Array(rows[row].prefix(column))
            rows.removeSubrange((row + 1)...)
        case "h": isPasteBracketed = true
        case "l": isPasteBracketed = false
        default: break
        }
    }
}
