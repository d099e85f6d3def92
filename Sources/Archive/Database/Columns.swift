import ChatModel
import GRDB
import GRDBSQLite

/// The current row of a stepping statement, read by SQLite's own functions.
///
/// GRDB's generic decoding takes 80 ns a column, most of the time of a page of 13 columns and 50 rows *(measured)*.
/// GRDB still does the stepping, errors and arguments. SQLite silently converts other types, so each column's type is
/// checked first, and the errors are those of ``GRDB/Row/value(_:as:)``.
struct Columns {
    private let statement: OpaquePointer

    init(_ statement: Statement) {
        self.statement = statement.sqliteStatement
    }

    func integer(_ index: Int32) throws -> Int64 {
        try integer(index, within: Int64.storedRange)
    }

    func optionalInteger(_ index: Int32) throws -> Int64? {
        isNull(index) ? nil : try integer(index)
    }

    func time(_ index: Int32) throws -> Timestamp {
        Timestamp(microseconds: try integer(index, within: Timestamp.storedRange))
    }

    func optionalTime(_ index: Int32) throws -> Timestamp? {
        isNull(index) ? nil : try time(index)
    }

    /// Returns the time that a network claimed, which may be any number of microseconds; nil for NULL.
    func claim(_ index: Int32) throws -> Timestamp? {
        isNull(index) ? nil : Timestamp(microseconds: try integer(index, within: .min ... .max))
    }

    /// Returns a whole number of any size; nil for NULL.
    func number(_ index: Int32) throws -> Int64? {
        isNull(index) ? nil : try integer(index, within: .min ... .max)
    }

    /// Returns a number that SQL computed.
    func real(_ index: Int32) -> Double {
        sqlite3_column_double(statement, index)
    }

    /// Returns a text; empty for NULL.
    func text(_ index: Int32) throws -> String {
        try optionalText(index) ?? ""
    }

    func optionalText(_ index: Int32) throws -> String? {
        if isNull(index) { return nil }
        guard sqlite3_column_type(statement, index) == SQLITE_TEXT, let bytes = sqlite3_column_text(statement, index)
        else { throw damage(index) }
        let count = Int(sqlite3_column_bytes(statement, index))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Returns the bytes of a text, which are valid until the next step.
    func bytes(_ index: Int32) -> UnsafeRawBufferPointer {
        // Reads the text first, because SQLite counts the bytes of the form that was read last.
        let start = sqlite3_column_text(statement, index)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
    }

    private func integer(_ index: Int32, within range: ClosedRange<Int64>) throws -> Int64 {
        let integer = sqlite3_column_int64(statement, index)
        guard sqlite3_column_type(statement, index) == SQLITE_INTEGER, range.contains(integer) else {
            throw damage(index)
        }
        return integer
    }

    private func isNull(_ index: Int32) -> Bool {
        sqlite3_column_type(statement, index) == SQLITE_NULL
    }

    private func damage(_ index: Int32) -> DatabaseError {
        .damage(
            column: sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "a column",
            value: DatabaseValue(sqliteStatement: statement, index: index))
    }
}
