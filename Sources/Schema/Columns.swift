import CSQLite
package import ChatModel
package import PostgreSQL
package import SQLite

/// The current row of a statement that runs: of SQLite, or of a shared archive. Readers have no other kind of row.
///
/// A damaged file may hold anything. A value that Scrollback never writes is an error with the column's name
/// (`SQLITE_CORRUPT`), never a trap, and never taken for another value.
package struct Columns {
    /// SQLite's row; nil for one of a shared archive.
    private let stored: Row?
    /// The rows of a shared archive, which ``ReadTransaction`` keeps: with a counted reference, each copy of this value
    /// would cost as much as reading a column.
    private let rows: Unmanaged<SQLRows>?
    private let row: Int

    package init(_ row: Row) { (stored, rows, self.row) = (row, nil, 0) }

    /// - Parameter rows: Must exist as long as this value is used.
    package init(_ rows: SQLRows, row: Int) {
        (stored, self.rows, self.row) = (nil, Unmanaged.passUnretained(rows), row)
    }

    package func integer(_ index: Int32) throws -> Int64 {
        try integer(index, within: Int64.storedRange)
    }

    package func optionalInteger(_ index: Int32) throws -> Int64? {
        isNull(index) ? nil : try integer(index)
    }

    /// Returns any integer. The ends of the range stand for the beginning and the end of time.
    package func limit(_ index: Int32) throws -> Int64 {
        try integer(index, within: .min ... .max)
    }

    /// Returns the value of a condition, or a column that is 0 or 1.
    package func bool(_ index: Int32) throws -> Bool {
        try integer(index) != 0
    }

    package func optionalBool(_ index: Int32) throws -> Bool? {
        isNull(index) ? nil : try bool(index)
    }

    package func time(_ index: Int32) throws -> Timestamp {
        Timestamp(microseconds: try integer(index, within: Timestamp.storedRange))
    }

    package func optionalTime(_ index: Int32) throws -> Timestamp? {
        isNull(index) ? nil : try time(index)
    }

    /// Returns the time that a network claimed, which may be any number of microseconds; nil for NULL.
    package func claim(_ index: Int32) throws -> Timestamp? {
        isNull(index) ? nil : Timestamp(microseconds: try limit(index))
    }

    /// Returns any integer; nil for NULL.
    package func number(_ index: Int32) throws -> Int64? {
        isNull(index) ? nil : try limit(index)
    }

    package func messageID(_ index: Int32) throws -> MessageID {
        MessageID(try time(index))
    }

    package func optionalMessageID(_ index: Int32) throws -> MessageID? {
        try optionalTime(index).map { MessageID($0) }
    }

    package func real(_ index: Int32) throws -> Double {
        try stored?.real(index) ?? shared { try $0.real(row, index) }
    }

    package func text(_ index: Int32) throws -> String {
        try stored?.text(index) ?? shared { try $0.text(row, index) }
    }

    package func optionalText(_ index: Int32) throws -> String? {
        isNull(index) ? nil : try text(index)
    }

    /// Returns the bytes of a text, which are valid until the next step.
    package func bytes(_ index: Int32) -> UnsafeRawBufferPointer {
        stored?.bytes(index) ?? rows?._withUnsafeGuaranteedRef { $0.bytes(row, index) }
            ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }

    package func blob(_ index: Int32) throws -> [UInt8] {
        try stored?.blob(index) ?? [UInt8](bytes(index))
    }

    /// Returns the bytes of a blob of an SQLite file, which are valid until the next step; nil for another value.
    package func blobBytes(_ index: Int32) -> UnsafeRawBufferPointer? { stored?.blobBytes(index) }

    /// Returns a value of an SQLite file.
    package func value<Value: StoredValue>(_ index: Int32, as type: Value.Type = Value.self) throws -> Value {
        let value = stored?[index] ?? .null
        if let own = Value.stored(value) { return own }
        throw stored?.damage(index) ?? Self.damage("a column of the shared archive is null, which is invalid")
    }

    /// The values of an SQLite file's row, in the order of their columns.
    package var values: [DatabaseValue] { stored?.values ?? [] }

    private func integer(_ index: Int32, within range: ClosedRange<Int64>) throws -> Int64 {
        let integer = try stored?.integer(index) ?? shared { try $0.integer(row, index) }
        guard range.contains(integer) else {
            throw stored?.damage(index) ?? Self.damage("a number of the shared archive is out of bounds")
        }
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
        stored?.isNull(index) ?? rows?._withUnsafeGuaranteedRef { $0.isNull(row, index) } ?? true
    }
}

extension Columns {
    /// Returns the error of rows that no program wrote.
    package static func damage(_ message: String) -> DatabaseError {
        DatabaseError(code: SQLITE_CORRUPT, message: message)
    }
}

extension Statement {
    /// Runs the statement until `read` returns a value for a row, and returns that value; nil if it returns none.
    package func first<T>(_ bind: (inout Parameters) -> Void, _ read: (Columns) throws -> T?) throws -> T? {
        try firstRow(bind) { try read(Columns($0)) }
    }

    package func first<T>(arguments: StatementArguments = [], _ read: (Columns) throws -> T?) throws -> T? {
        try firstRow(arguments: arguments) { try read(Columns($0)) }
    }

    /// Runs the statement, and calls `body` with each row.
    package func forEach(_ bind: (inout Parameters) -> Void, _ body: (Columns) throws -> Void) throws {
        _ = try first(bind) { row -> Never? in
            try body(row)
            return nil
        }
    }

    package func forEach(arguments: StatementArguments = [], _ body: (Columns) throws -> Void) throws {
        _ = try first(arguments: arguments) { row -> Never? in
            try body(row)
            return nil
        }
    }

    /// Returns what `read` returns for each row.
    package func all<T>(arguments: StatementArguments = [], _ read: (Columns) throws -> T) throws -> [T] {
        try allRows(arguments: arguments) { try read(Columns($0)) }
    }
}

extension Database {
    /// Does with a statement that runs once what ``SQLite/Statement/first(arguments:_:)`` does.
    package func first<T>(sql: String, arguments: StatementArguments = [], _ read: (Columns) throws -> T?) throws -> T?
    {
        try makeStatement(sql: sql).first(arguments: arguments, read)
    }

    package func forEach(sql: String, arguments: StatementArguments = [], _ body: (Columns) throws -> Void) throws {
        try makeStatement(sql: sql).forEach(arguments: arguments, body)
    }

    package func all<T>(sql: String, arguments: StatementArguments = [], _ read: (Columns) throws -> T) throws -> [T] {
        try makeStatement(sql: sql).all(arguments: arguments, read)
    }
}
