import CSQLite

/// The current row of a statement that runs. It is valid until the next step, so it never leaves the closure that
/// receives it.
///
/// SQLite silently converts a value into another type. These functions do not: a damaged file may hold anything, and a
/// value of another type is an error, never a trap.
package struct Row {
    private let statement: OpaquePointer

    package init(_ statement: Statement) { self.statement = statement.handle }

    /// The number of columns.
    package var count: Int32 { sqlite3_column_count(statement) }

    /// The name of a column, or its expression.
    package func name(_ index: Int32) -> String {
        sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "a column"
    }

    package func isNull(_ index: Int32) -> Bool { type(index) == SQLITE_NULL }

    /// - Throws: As ``damage(_:)``, as do all of these.
    package func integer(_ index: Int32) throws(DatabaseError) -> Int64 {
        guard type(index) == SQLITE_INTEGER else { throw damage(index) }
        return sqlite3_column_int64(statement, index)
    }

    package func real(_ index: Int32) throws(DatabaseError) -> Double {
        guard type(index) == SQLITE_FLOAT || type(index) == SQLITE_INTEGER else { throw damage(index) }
        return sqlite3_column_double(statement, index)
    }

    package func text(_ index: Int32) throws(DatabaseError) -> String {
        guard type(index) == SQLITE_TEXT else { throw damage(index) }
        return String(decoding: bytes(index), as: UTF8.self)
    }

    package func blob(_ index: Int32) throws(DatabaseError) -> [UInt8] {
        guard case .blob(let bytes) = self[index] else { throw damage(index) }
        return bytes
    }

    /// The bytes of a text, or of a number in digits; none for NULL. They are valid until the next step.
    package func bytes(_ index: Int32) -> UnsafeRawBufferPointer {
        buffer(sqlite3_column_text(statement, index), index)
    }

    /// The bytes of a blob, which are valid until the next step; nil for another value.
    package func blobBytes(_ index: Int32) -> UnsafeRawBufferPointer? {
        type(index) == SQLITE_BLOB ? buffer(sqlite3_column_blob(statement, index), index) : nil
    }

    /// - Parameter start: The value in the form that was read last, whose bytes SQLite counts.
    private func buffer(_ start: UnsafeRawPointer?, _ index: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
    }

    package subscript(_ index: Int32) -> DatabaseValue {
        switch type(index) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: .real(sqlite3_column_double(statement, index))
        case SQLITE_TEXT: .text(String(decoding: bytes(index), as: UTF8.self))
        case SQLITE_BLOB: .blob([UInt8](buffer(sqlite3_column_blob(statement, index), index)))
        default: .null
        }
    }

    /// All values, in the order of their columns.
    package var values: [DatabaseValue] { (0..<count).map { self[$0] } }

    /// Returns the error of a column with a value that no program of ours writes: `SQLITE_CORRUPT`, with the column's
    /// name. Gives only the length of a text, because messages are private.
    package func damage(_ index: Int32) -> DatabaseError {
        let found =
            switch self[index] {
            case .null: "nothing"
            case .integer(let integer): "the integer \(integer)"
            case .real(let number): "the number \(number)"
            case .text(let text): "a text of \(text.utf8.count) bytes"
            case .blob(let bytes): "a blob of \(bytes.count) bytes"
            }
        // A computed column is named by its expression.
        let name = name(index).split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(80)
        return DatabaseError(code: SQLITE_CORRUPT, message: "\(name) holds \(found), which is invalid")
    }

    private func type(_ index: Int32) -> Int32 { sqlite3_column_type(statement, index) }
}

extension DatabaseValueConvertible {
    /// Returns the first column of the first row; nil if there is no row or its value is NULL.
    package static func fetchOne(_ statement: Statement, arguments: StatementArguments = []) throws -> Self? {
        try statement.firstRow(arguments: arguments) { row in try row.isNull(0) ? Self?.none : read(row) } ?? nil
    }

    /// Returns the first column of all rows, which must have no NULL.
    package static func fetchAll(_ statement: Statement, arguments: StatementArguments = []) throws -> [Self] {
        try statement.allRows(arguments: arguments) { row in try read(row) }
    }

    package static func fetchOne(_ db: Database, sql: String, arguments: StatementArguments = []) throws -> Self? {
        try fetchOne(db.makeStatement(sql: sql), arguments: arguments)
    }

    package static func fetchAll(_ db: Database, sql: String, arguments: StatementArguments = []) throws -> [Self] {
        try fetchAll(db.makeStatement(sql: sql), arguments: arguments)
    }

    private static func read(_ row: Row) throws -> Self {
        guard let value = Self(databaseValue: row[0]) else { throw row.damage(0) }
        return value
    }
}
