import Bytes
import CSQLite
import SQLite
import Schema

/// Writes the rows of a damaged file into a new file that has the same schema and no rows.
struct RescueRows {
    private let db: Database
    private var statements: [String: Statement] = [:]
    private var written = 0
    /// The number of rows that break a rule of the schema or have impossible times, by table.
    private(set) var refused: [String: Int] = [:]
    /// Called after each ``batch`` of rows.
    private let step: () throws -> Void

    /// The number of rows in a transaction.
    private static let batch = 5000

    init(_ db: Database, step: @escaping () throws -> Void) throws {
        (self.db, self.step) = (db, step)
        try db.execute(sql: "BEGIN")
    }

    /// Writes a row. A row whose key is there already is left out: a page may have an older copy of it.
    mutating func add(_ entry: DamagedTree.Entry, to table: TableShape) throws {
        guard isPlausible(entry, of: table) else {
            refused[table.name, default: 0] += 1
            return
        }
        let statement = try statement(for: table, columns: entry.values.count)
        do {
            try statement.execute { parameters in
                for (index, (column, value)) in zip(Int32(1)..., zip(table.columns, entry.values)) {
                    switch value {
                    case .null: parameters.bind(index, column.isRowID ? entry.rowID : nil)
                    case .integer(let number): parameters.bind(index, number)
                    case .text: parameters.bind(index, value.text?.withoutNUL)
                    case .blob(let bytes): parameters.bind(index, blob: bytes)
                    // No column of the schema has such numbers.
                    case .real: parameters.bind(index, Int64?.none)
                    }
                }
            }
        } catch let error as DatabaseError where error.primaryCode == SQLITE_CONSTRAINT {
            refused[table.name, default: 0] += 1
        }
        written += 1
        if written.isMultiple(of: Self.batch) {
            try db.execute(sql: "COMMIT")
            try step()
            try db.execute(sql: "BEGIN")
        }
    }

    /// True if readers take every time of a row for a time. A network may claim any (`source_time_us`).
    private func isPlausible(_ entry: DamagedTree.Entry, of table: TableShape) -> Bool {
        if table.name == "message", let id = entry.rowID, !Int64.storedRange.contains(id) { return false }
        return zip(table.columns, entry.values).allSatisfy { column, value in
            guard let number = value.integer, column.name.hasSuffix("_us"), column.name != "source_time_us" else {
                return true
            }
            return Int64.storedRange.contains(number)
        }
    }

    /// Ends the last transaction.
    func finish() throws { try db.execute(sql: "COMMIT") }

    private mutating func statement(for table: TableShape, columns: Int) throws -> Statement {
        let key = "\(table.name) \(columns)"
        if let known = statements[key] { return known }
        let names = table.columns.prefix(columns).map { "\"\($0.name)\"" }.joined(separator: ", ")
        let places = Array(repeating: "?", count: columns).joined(separator: ", ")
        let made = try db.makeStatement(
            sql: "INSERT OR IGNORE INTO \"\(table.name)\" (\(names)) VALUES (\(places))", keepsValues: true)
        statements[key] = made
        return made
    }
}
