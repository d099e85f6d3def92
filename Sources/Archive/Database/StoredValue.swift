import ChatModel
import Foundation
import GRDB

/// A value in a column of a file. A damaged file may hold anything: a value that Scrollback never writes is an error,
/// never a trap, and never taken for another value.
protocol StoredValue {
    /// Returns the value; nil if the column holds something else.
    static func stored(_ value: DatabaseValue) -> Self?
}

extension Row {
    /// Returns a column's value. GRDB's rows are read only this way: its subscripts trap on unexpected values.
    ///
    /// - Throws: `SQLITE_CORRUPT` with the column's name when it holds something else.
    func value<Value: StoredValue>(_ index: Int, as type: Value.Type = Value.self) throws -> Value {
        let value = try decode(DatabaseValue.self, atIndex: index)
        guard let stored = Value.stored(value) else {
            throw DatabaseError.damage(column: Array(columnNames)[index], value: value)
        }
        return stored
    }

    /// Returns any integer. The ends of the range stand for the beginning and the end of time.
    ///
    /// - Throws: `SQLITE_CORRUPT` when the column holds no integer.
    func limit(_ index: Int) throws -> Int64 {
        try value(index, as: AnyInteger.self).value
    }

    /// Returns the time that a network claimed, which may be any number of microseconds; nil if it claimed none.
    ///
    /// - Throws: `SQLITE_CORRUPT` when the column holds no integer.
    func claim(_ index: Int) throws -> Timestamp? {
        try value(index, as: AnyInteger?.self).map { Timestamp(microseconds: $0.value) }
    }
}

extension StoredValue {
    /// Returns the first column of the first row; nil if there is no row or the column is NULL.
    ///
    /// - Throws: `SQLITE_CORRUPT` as ``GRDB/Row/value(_:as:)``.
    static func first(_ statement: Statement, _ arguments: StatementArguments? = nil) throws -> Self? {
        // A row would look up its columns' names first.
        guard let value = try DatabaseValue.fetchOne(statement, arguments: arguments), !value.isNull else { return nil }
        guard let stored = Self.stored(value) else {
            throw DatabaseError.damage(column: statement.columnNames.first ?? "a column", value: value)
        }
        return stored
    }

    /// Returns the first column of the first row of a statement that runs once.
    static func first(_ db: Database, sql: String, arguments: StatementArguments = StatementArguments()) throws -> Self?
    {
        try Row.fetchOne(db, sql: sql, arguments: arguments)?.value(0)
    }
}

extension Int64: StoredValue {
    /// The range of a stored integer: as microseconds, the years 7164 BC to 11104 AD. Sums and differences of up to 31
    /// of them fit into 64 bits.
    static let storedRange: ClosedRange<Int64> = -(1 << 58)...(1 << 58)

    static func stored(_ value: DatabaseValue) -> Int64? {
        guard case .int64(let integer) = value.storage, storedRange.contains(integer) else { return nil }
        return integer
    }
}

extension Int: StoredValue {
    static func stored(_ value: DatabaseValue) -> Int? { Int64.stored(value).flatMap(Int.init(exactly:)) }
}

extension Bool: StoredValue {
    static func stored(_ value: DatabaseValue) -> Bool? { Int64.stored(value).map { $0 != 0 } }
}

extension String: StoredValue {
    static func stored(_ value: DatabaseValue) -> String? {
        guard case .string(let text) = value.storage else { return nil }
        return text
    }
}

extension Data: StoredValue {
    static func stored(_ value: DatabaseValue) -> Data? {
        guard case .blob(let bytes) = value.storage else { return nil }
        return bytes
    }
}

extension DatabaseValue: StoredValue {
    static func stored(_ value: DatabaseValue) -> DatabaseValue? { value }
}

extension Timestamp: StoredValue {
    /// Years 0 to 9999, the times that ``description`` writes with four digits a year and ``init(cursor:)`` reads.
    static let storedRange: ClosedRange<Int64> = -62_167_219_200_000_000...253_402_300_799_999_999

    static func stored(_ value: DatabaseValue) -> Timestamp? {
        guard case .int64(let integer) = value.storage, storedRange.contains(integer) else { return nil }
        return Timestamp(microseconds: integer)
    }
}

extension MessageID: StoredValue {
    static func stored(_ value: DatabaseValue) -> MessageID? { Timestamp.stored(value).map(MessageID.init) }
}

extension Optional: StoredValue where Wrapped: StoredValue {
    static func stored(_ value: DatabaseValue) -> Wrapped?? {
        value.isNull ? .some(nil) : Wrapped.stored(value).map { .some($0) }
    }
}

private struct AnyInteger: StoredValue {
    let value: Int64

    static func stored(_ value: DatabaseValue) -> AnyInteger? {
        guard case .int64(let integer) = value.storage else { return nil }
        return AnyInteger(value: integer)
    }
}

extension DatabaseError {
    /// Returns the error of a column with a value that Scrollback never writes. Gives only the length of a text:
    /// messages are private.
    static func damage(column: String, value: DatabaseValue) -> DatabaseError {
        let found =
            switch value.storage {
            case .null: "nothing"
            case .int64(let integer): "the integer \(integer)"
            case .double(let number): "the number \(number)"
            case .string(let text): "a text of \(text.utf8.count) bytes"
            case .blob(let bytes): "a blob of \(bytes.count) bytes"
            }
        // A computed column is named by its expression.
        let name = column.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(80)
        return DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(name) holds \(found), which is invalid")
    }
}

/// GRDB's subscripts, which trap on unexpected values. Using one does not compile, because warnings are errors.
extension Row {
    @available(*, deprecated, message: "traps on a damaged file: use value(_:), limit(_:) or claim(_:)")
    subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value { preconditionFailure("never compiled") }

    @available(*, deprecated, message: "traps on a damaged file: use value(_:), limit(_:) or claim(_:)")
    subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) -> Value {
        preconditionFailure("never compiled")
    }

    @available(*, deprecated, message: "traps on a damaged file: use value(_:), limit(_:) or claim(_:)")
    subscript<Value: DatabaseValueConvertible>(_ column: String) -> Value { preconditionFailure("never compiled") }

    @available(*, deprecated, message: "traps on a damaged file: use value(_:), limit(_:) or claim(_:)")
    subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: String) -> Value {
        preconditionFailure("never compiled")
    }
}
