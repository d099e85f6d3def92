import GRDBSQLite

/// The rows of a query.
final class SQLiteRows {
    enum Step {
        case row, done
        /// A value of the next row is longer than ``SQLiteFile/maximumValue``. The query must begin again.
        case tooLong
    }

    private let statement: OpaquePointer?
    private let file: SQLiteFile

    init(_ statement: OpaquePointer?, of file: SQLiteFile) {
        (self.statement, self.file) = (statement, file)
    }

    deinit {
        sqlite3_finalize(statement)
    }

    /// The number of columns.
    var count: Int { Int(sqlite3_column_count(statement)) }

    func name(at column: Int) -> String {
        sqlite3_column_name(statement, Int32(column)).map { String(cString: $0) } ?? ""
    }

    /// Begins the query again.
    func reset() {
        sqlite3_reset(statement)
    }

    func bind(_ number: Int64, at index: Int32) {
        sqlite3_bind_int64(statement, index, number)
    }

    func bind(_ text: String, at index: Int32) {
        // SQLITE_TRANSIENT: SQLite copies the text.
        sqlite3_bind_text(statement, index, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }

    /// - Throws: ``UnreadableBytes``; ``ImportStopped`` when asked to stop.
    func step() throws -> Step {
        let code = sqlite3_step(statement)
        switch code {
        case SQLITE_ROW: return .row
        case SQLITE_DONE: return .done
        case SQLITE_TOOBIG: return .tooLong
        default:
            try file.check(code)
            return .done
        }
    }

    func integer(at column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }

    /// Returns the bytes of a text, which may be invalid UTF-8 in a damaged file; nil for a null.
    func bytes(at column: Int) -> UnsafeBufferPointer<UInt8>? {
        guard let text = sqlite3_column_text(statement, Int32(column)) else { return nil }
        return UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, Int32(column))))
    }
}
