import LogFormats
import Rendering
import SQLite

/// A walk through a table's rows in the order in which they are stored, some at a time, each time in a transaction.
///
/// No row is skipped or comes twice: the numbers of the rows must rise, and at the end there must be as many rows as
/// SQLite counts in the same transaction. Rows without numbers are read in one transaction.
final class TableWalk {
    private let file: SQLiteFile
    private let query: DatabaseSchema.Query
    /// The name of the rows' numbers; nil for a table without numbers.
    private let number: String?
    private let rows: Statement
    /// The least number that may come next; nil after the greatest of all.
    private var next: Int64? = .min
    private var count: Int64 = 0
    /// The version of the data when the walk began, which another program's changes change; nil before.
    private var version: Int64?
    private(set) var isAtEnd = false

    /// The number of rows in a transaction, which takes some milliseconds.
    private static let pageRows: Int64 = 500

    /// - Throws: ``UnreadableBytes`` if nothing distinguishes the rows.
    init(_ query: DatabaseSchema.Query, of table: SQLiteTable, in file: SQLiteFile) throws {
        (self.query, self.file, number) = (query, file, table.number)
        guard number != nil || table.isWithoutNumbers else {
            throw UnreadableBytes(
                reason:
                    "the rows' numbers are hidden by columns rowid, _rowid_ and oid of its table \"\(query.table)\"",
                hint: "rename one of these columns in a copy of the file")
        }
        rows = try file.prepare(number.map(query.rows) ?? query.allRows)
    }

    /// Reads the next rows while there is room.
    ///
    /// - Parameter body: Receives each row; nil for a row with a value that is too long.
    /// - Throws: ``UnreadableBytes``; ``ImportStopped`` when asked to stop.
    func readPage(while hasRoom: () -> Bool, _ body: (Row?) -> Void) throws {
        try begin()
        defer { if number != nil || isAtEnd { end() } }
        let before = count
        while hasRoom() {
            let step: SQLiteFile.Step = next == nil ? .done : try file.step(rows)
            switch step {
            case .row:
                let row = Row(rows)
                if number != nil { try take(rowNumber(row)) }
                count += 1
                body(row)
            case .tooLong:
                try skip()
                count += 1
                return body(nil)
            case .done:
                isAtEnd = number == nil || next == nil || count - before < Self.pageRows
                if isAtEnd { try compare() }
                return
            }
        }
    }

    private func begin() throws {
        file.guardian.begin()
        guard number != nil || version == nil else { return }
        try file.execute("BEGIN")
        if version == nil { version = try dataVersion() }
        guard number != nil, let next else { return }
        rows.bind(.integer(next), at: 1)
        rows.bind(.integer(Self.pageRows), at: 2)
    }

    private func end() {
        rows.reset()
        file.endTransaction()
    }

    private func dataVersion() throws -> Int64 { try file.number("PRAGMA data_version") }

    private func take(_ number: Int64) throws {
        guard let next, number >= next else { throw UnreadableBytes.damaged("its rows are out of order") }
        self.next = number == .max ? nil : number + 1
    }

    private func rowNumber(_ row: Row) throws -> Int64 {
        guard let number = try? row.integer(0) else { throw UnreadableBytes.damaged("a row has no number") }
        return number
    }

    /// Finds the number of a row that SQLite could not return.
    private func skip() throws {
        rows.reset()
        guard let number else {
            throw UnreadableBytes(
                reason: "after \(Int(count).of("row")), a value is longer than \(SQLiteFile.maximumValue) bytes",
                hint: "its rows have no numbers, so the rest can't be read")
        }
        let row = try file.prepare(query.next(by: number))
        row.bind(.integer(next ?? .max), at: 1)
        guard case .row = try file.step(row) else { throw UnreadableBytes.damaged("a row has no number") }
        try take(rowNumber(Row(row)))
    }

    /// Compares the number of rows that were read with the number of those that are stored.
    private func compare() throws {
        let stored = try file.number(query.count)
        let isChanged = try dataVersion() != version
        // Another program may have removed rows that were read before.
        if stored == count || isChanged && stored < count { return }
        throw isChanged
            ? UnreadableBytes.changed
            : .damaged("of \(Int(stored).of("row")) in the table \"\(query.table)\", \(count.grouped) could be read")
    }
}
