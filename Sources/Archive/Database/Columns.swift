import ChatModel
import GRDB
import GRDBSQLite
import PostgreSQL

/// The current row of a statement that runs: of SQLite, read by SQLite's own functions, or of a shared archive. Readers
/// have no other kind of row.
///
/// GRDB's generic decoding takes 80 ns a column, most of the time of a page of 13 columns and 50 rows *(measured)*.
/// SQLite silently converts other types, so each column's type is checked first. A value that Scrollback never writes is
/// an error, as in ``GRDB/Row/value(_:as:)``.
struct Columns {
    /// SQLite's statement; nil for a row of a shared archive.
    private let statement: OpaquePointer?
    /// The rows of a shared archive, which ``ReadTransaction`` keeps: with a counted reference, each copy of this value
    /// would cost as much as reading a column.
    private let rows: Unmanaged<SQLRows>?
    private let row: Int

    init(_ statement: Statement) {
        (self.statement, rows, row) = (statement.sqliteStatement, nil, 0)
    }

    /// - Parameter rows: Must exist as long as this value is used.
    init(_ rows: SQLRows, row: Int) {
        (statement, self.rows, self.row) = (nil, Unmanaged.passUnretained(rows), row)
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
        guard let statement else { return try shared { try $0.real(row, index) } }
        guard type(index, statement) == SQLITE_FLOAT || type(index, statement) == SQLITE_INTEGER else {
            throw damage(index, statement)
        }
        return sqlite3_column_double(statement, index)
    }

    func text(_ index: Int32) throws -> String {
        guard let statement else { return try shared { try $0.text(row, index) } }
        guard type(index, statement) == SQLITE_TEXT, let bytes = sqlite3_column_text(statement, index) else {
            throw damage(index, statement)
        }
        let count = Int(sqlite3_column_bytes(statement, index))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func optionalText(_ index: Int32) throws -> String? {
        isNull(index) ? nil : try text(index)
    }

    /// Returns the bytes of a text, which are valid until the next step.
    func bytes(_ index: Int32) -> UnsafeRawBufferPointer {
        if let rows { return rows._withUnsafeGuaranteedRef { $0.bytes(row, index) } }
        // Reads the text first, because SQLite counts the bytes of the form that was read last.
        let start = sqlite3_column_text(statement, index)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
    }

    func blob(_ index: Int32) throws -> [UInt8] {
        guard let statement else { return [UInt8](bytes(index)) }
        guard type(index, statement) == SQLITE_BLOB else { throw damage(index, statement) }
        let start = sqlite3_column_blob(statement, index)
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index))))
    }

    private func integer(_ index: Int32, within range: ClosedRange<Int64>) throws -> Int64 {
        guard let statement else {
            let integer = try shared { try $0.integer(row, index) }
            guard range.contains(integer) else { throw Self.damage("a number of the shared archive is out of bounds") }
            return integer
        }
        guard type(index, statement) == SQLITE_INTEGER else { throw damage(index, statement) }
        let integer = sqlite3_column_int64(statement, index)
        guard range.contains(integer) else { throw damage(index, statement) }
        return integer
    }

    /// Returns a value of a shared archive, which must not be null.
    private func shared<T>(_ read: (SQLRows) throws -> T?) throws -> T {
        guard let value = try rows?._withUnsafeGuaranteedRef(read) else {
            throw Self.damage("a column of the shared archive is null, which is invalid")
        }
        return value
    }

    private func isNull(_ index: Int32) -> Bool {
        if let statement { return type(index, statement) == SQLITE_NULL }
        return rows?._withUnsafeGuaranteedRef { $0.isNull(row, index) } ?? true
    }

    private func type(_ index: Int32, _ statement: OpaquePointer) -> Int32 {
        sqlite3_column_type(statement, index)
    }

    private func damage(_ index: Int32, _ statement: OpaquePointer) -> DatabaseError {
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
