package import ChatModel
package import SQLQueries

/// Renders the rows of an SQL statement, some at a time, as one document.
///
/// A null is `NULL` in text and empty in CSV. A blob is SQL's literal: `x'00ff'`.
package struct SQLResult {
    let columns: [String]
    let format: OutputFormat
    let style: Style
    /// The width of the terminal in cells; nil for lines of any length.
    let width: Int?
    /// The number of rows so far.
    private var count = 0
    private var hasHead = false

    package init(columns: [String], format: OutputFormat, style: Style, width: Int?) {
        (self.columns, self.format, self.style, self.width) = (columns, format, style, width)
    }

    /// Returns the next rows. In text, they are a table of their own.
    package mutating func render(_ rows: [[SQLCell]]) -> String {
        defer { count += rows.count }
        let head = takeHead()
        switch format {
        case .text: return rows.isEmpty ? "" : table(rows).text(style: style, width: width)
        case .json:
            let objects = rows.map { object($0).text }.joined(separator: ", ")
            return head + (count > 0 && !rows.isEmpty ? ", " : "") + objects
        case .jsonl: return rows.map { object($0).text + "\n" }.joined()
        case .csv: return head + rows.map { CSV.record(of: $0.map(\.field)) }.joined()
        }
    }

    /// Returns the end of the document.
    ///
    /// - Parameters:
    ///   - hasMore: True if there are more rows than were rendered.
    ///   - leftOut: The accounts that the rows lack.
    package mutating func end(hasMore: Bool, leftOut: [SkippedAccount]) -> String {
        let start = takeHead()
        guard format == .json else { return start }
        let rest = JSONValue.object([
            "has_more": .bool(hasMore), "left_out": .array(leftOut.map { JSONValue($0) }),
        ])
        return start + "], " + rest.text.dropFirst() + "\n"
    }

    /// Returns the beginning of the document, once.
    private mutating func takeHead() -> String {
        guard !hasHead else { return "" }
        hasHead = true
        return switch format {
        case .text, .jsonl: ""
        case .json: #"{"columns": \#(JSONValue.array(columns.map(JSONValue.string)).text), "rows": ["#
        case .csv: CSV.record(columns)
        }
    }

    private func object(_ row: [SQLCell]) -> JSONValue {
        .object(zip(columns, row).map { JSONValue.Member(key: $0, value: $1.json) })
    }

    /// Numbers are on the right, unless their column has texts, too.
    private func table(_ rows: [[SQLCell]]) -> Table {
        Table(
            headings: columns.map(Sanitizer.line),
            alignments: columns.indices.map { column in
                rows.allSatisfy { $0[column].isNumberOrNull } ? .right : .left
            },
            rows: rows.map { $0.map { Sanitizer.line($0.shown) } })
    }
}

extension SQLCell {
    fileprivate var json: JSONValue {
        switch self {
        case .null: .null
        case .integer(let value): .number(value)
        case .real(let value): .real(value)
        case .text(let text): .string(text)
        case .blob: .string(shown)
        }
    }

    fileprivate var field: CSV.Field {
        switch self {
        case .null: .text("")
        case .integer, .real: .number(shown)
        case .text(let text): .text(text)
        case .blob: .text(shown)
        }
    }

    fileprivate var shown: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): String(value)
        case .real(let value): JSONValue.text(of: value)
        case .text(let text): text
        case .blob(let bytes): "x'" + String(decoding: bytes.flatMap(Self.digits), as: UTF8.self) + "'"
        }
    }

    private static func digits(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    fileprivate var isNumberOrNull: Bool {
        switch self {
        case .null, .integer, .real: true
        case .text, .blob: false
        }
    }

    /// The approximate size of the cell in bytes.
    package var size: Int {
        switch self {
        case .null, .integer, .real: 8
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        }
    }
}
