import ChatModel
package import FoundationEssentials
package import SQLite

/// A value in a column of a file, which ``Columns/value(_:as:)`` returns.
package protocol StoredValue {
    /// Returns the value; nil if the column holds something that Scrollback never writes there.
    static func stored(_ value: DatabaseValue) -> Self?
}

extension StoredValue {
    /// Returns the first column of the first row; nil if there is no row or the column is NULL.
    ///
    /// - Throws: `SQLITE_CORRUPT` as ``Columns/value(_:as:)``.
    package static func first(_ statement: Statement, _ arguments: StatementArguments = []) throws -> Self? {
        try statement.first(arguments: arguments) { row -> Self?? in try row.value(0, as: Self?.self) } ?? nil
    }

    /// Returns the first column of the first row of a statement that runs once.
    package static func first(_ db: Database, sql: String, arguments: StatementArguments = []) throws -> Self? {
        try first(db.makeStatement(sql: sql), arguments)
    }
}

extension Int64: StoredValue {
    /// The range of a stored integer: as microseconds, the years 7164 BC to 11104 AD. Sums and differences of up to 31
    /// of them fit into 64 bits.
    package static let storedRange: ClosedRange<Int64> = -(1 << 58)...(1 << 58)

    package static func stored(_ value: DatabaseValue) -> Int64? {
        guard case .integer(let integer) = value, storedRange.contains(integer) else { return nil }
        return integer
    }
}

extension Int: StoredValue {
    package static func stored(_ value: DatabaseValue) -> Int? { Int64.stored(value).flatMap(Int.init(exactly:)) }
}

extension Bool: StoredValue {
    package static func stored(_ value: DatabaseValue) -> Bool? { Int64.stored(value).map { $0 != 0 } }
}

extension String: StoredValue {
    package static func stored(_ value: DatabaseValue) -> String? { String(databaseValue: value) }
}

extension Data: StoredValue, DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .blob([UInt8](self)) }
    package init?(databaseValue: DatabaseValue) {
        guard case .blob(let bytes) = databaseValue else { return nil }
        self = Data(bytes)
    }

    package static func stored(_ value: DatabaseValue) -> Data? { Data(databaseValue: value) }
}

extension DatabaseValue: StoredValue {
    package static func stored(_ value: DatabaseValue) -> DatabaseValue? { value }
}

extension Timestamp: StoredValue {
    /// Years 0 to 9999, the times that ``description`` writes with four digits a year and ``init(cursor:)`` reads.
    package static let storedRange: ClosedRange<Int64> = -62_167_219_200_000_000...253_402_300_799_999_999

    static func stored(_ value: DatabaseValue) -> Timestamp? {
        guard case .integer(let integer) = value, storedRange.contains(integer) else { return nil }
        return Timestamp(microseconds: integer)
    }
}

extension MessageID: StoredValue {
    static func stored(_ value: DatabaseValue) -> MessageID? { Timestamp.stored(value).map(MessageID.init) }
}

extension Optional: StoredValue where Wrapped: StoredValue {
    package static func stored(_ value: DatabaseValue) -> Wrapped?? {
        value.isNull ? .some(nil) : Wrapped.stored(value).map { .some($0) }
    }
}
