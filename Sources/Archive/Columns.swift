import GRDB
import GRDBSQLite

/// The current row of a stepping statement, read by SQLite's own functions.
///
/// GRDB's generic decoding costs 80 ns a column, which is most of a page: 13 columns, 50 rows *(measured)*. Stepping,
/// errors and arguments stay GRDB's.
struct Columns {
    private let statement: OpaquePointer

    init(_ statement: Statement) {
        self.statement = statement.sqliteStatement
    }

    func integer(_ index: Int32) -> Int64 {
        sqlite3_column_int64(statement, index)
    }

    func optionalInteger(_ index: Int32) -> Int64? {
        isNull(index) ? nil : integer(index)
    }

    func real(_ index: Int32) -> Double {
        sqlite3_column_double(statement, index)
    }

    /// Empty for NULL.
    func text(_ index: Int32) -> String {
        guard let bytes = sqlite3_column_text(statement, index) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, index))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func optionalText(_ index: Int32) -> String? {
        isNull(index) ? nil : text(index)
    }

    /// Of a text; valid until the next step.
    func bytes(_ index: Int32) -> UnsafeRawBufferPointer {
        // The text first: it decides what is counted.
        let start = sqlite3_column_text(statement, index)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
    }

    private func isNull(_ index: Int32) -> Bool {
        sqlite3_column_type(statement, index) == SQLITE_NULL
    }
}
