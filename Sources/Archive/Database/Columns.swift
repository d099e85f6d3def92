import ChatModel
import GRDB
import GRDBSQLite

/// The current row of a statement that runs, read by SQLite's own functions. Readers have no other kind of row.
///
/// GRDB's generic decoding takes 80 ns a column, most of the time of a page of 13 columns and 50 rows *(measured)*.
/// SQLite silently converts other types, so each column's type is checked first. A value that Scrollback never writes is
/// an error, as in ``GRDB/Row/value(_:as:)``.
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

    /// Returns any integer. The ends of the range stand for the beginning and the end of time.
    func limit(_ index: Int32) throws -> Int64 {
        try integer(index, within: .min ... .max)
    }

    /// Returns the value of a condition, or a column that is 0 or 1.
    func bool(_ index: Int32) throws -> Bool {
        try integer(index) != 0
    }

    func optionalBool(_ index: Int32) throws -> Bool? {
        isNull(index) ? nil : try bool(index)
    }

    func time(_ index: Int32) throws -> Timestamp {
        Timestamp(microseconds: try integer(index, within: Timestamp.storedRange))
    }

    func optionalTime(_ index: Int32) throws -> Timestamp? {
        isNull(index) ? nil : try time(index)
    }

    /// Returns the time that a network claimed, which may be any number of microseconds; nil for NULL.
    func claim(_ index: Int32) throws -> Timestamp? {
        isNull(index) ? nil : Timestamp(microseconds: try limit(index))
    }

    /// Returns any integer; nil for NULL.
    func number(_ index: Int32) throws -> Int64? {
        isNull(index) ? nil : try limit(index)
    }

    func messageID(_ index: Int32) throws -> MessageID {
        MessageID(try time(index))
    }

    func optionalMessageID(_ index: Int32) throws -> MessageID? {
        try optionalTime(index).map { MessageID($0) }
    }

    func real(_ index: Int32) throws -> Double {
        guard type(index) == SQLITE_FLOAT || type(index) == SQLITE_INTEGER else { throw damage(index) }
        return sqlite3_column_double(statement, index)
    }

    func text(_ index: Int32) throws -> String {
        guard type(index) == SQLITE_TEXT, let bytes = sqlite3_column_text(statement, index) else { throw damage(index) }
        let count = Int(sqlite3_column_bytes(statement, index))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func optionalText(_ index: Int32) throws -> String? {
        isNull(index) ? nil : try text(index)
    }

    /// Returns the bytes of a text, which are valid until the next step.
    func bytes(_ index: Int32) -> UnsafeRawBufferPointer {
        // Reads the text first, because SQLite counts the bytes of the form that was read last.
        let start = sqlite3_column_text(statement, index)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
    }

    func blob(_ index: Int32) throws -> [UInt8] {
        guard type(index) == SQLITE_BLOB else { throw damage(index) }
        let start = sqlite3_column_blob(statement, index)
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index))))
    }

    private func integer(_ index: Int32, within range: ClosedRange<Int64>) throws -> Int64 {
        guard type(index) == SQLITE_INTEGER else { throw damage(index) }
        let integer = sqlite3_column_int64(statement, index)
        guard range.contains(integer) else { throw damage(index) }
        return integer
    }

    private func isNull(_ index: Int32) -> Bool {
        type(index) == SQLITE_NULL
    }

    private func type(_ index: Int32) -> Int32 {
        sqlite3_column_type(statement, index)
    }

    private func damage(_ index: Int32) -> DatabaseError {
        .damage(
            column: sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "a column",
            value: DatabaseValue(sqliteStatement: statement, index: index))
    }
}

extension Columns {
    /// Returns the error of rows that no program wrote.
    static func damage(_ message: String) -> any Error {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: message)
    }
}
