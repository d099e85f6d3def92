import CSQLite
import Files
import SQLite
import Schema

/// The rows of one account for one part of a statement.
final class SQLScan {
    let account: Int
    private let read: HeldRead
    private let sql: String
    let statement: Statement

    /// - Throws: ``ArchiveError``
    init(_ plan: SQLPlan, account: Int, values: SQLValues, in accounts: SQLAccounts) throws {
        (self.account, sql) = (account, plan.sql)
        read = try accounts.hold(account)
        statement = try ArchiveError.wrapping(read.path) { [read] in try read.take(plan.sql) }
        for (index, parameter) in plan.parameters.enumerated() {
            values.bind(parameter, to: statement, at: Int32(index + 1))
        }
    }

    deinit { read.give(statement, as: sql) }

    /// Goes to the next row.
    ///
    /// - Returns: False at the end.
    /// - Throws: ``ArchiveError``; ``SQLQueryError`` for a query of the search index that FTS5 can't read.
    func step(limit: ReadLimit, isMatch: Bool) throws -> Bool {
        do {
            return try statement.step()
        } catch {
            if error.primaryCode == SQLITE_INTERRUPT { try limit.check() }
            if isMatch, error.primaryCode == SQLITE_ERROR {
                throw SQLQueryError(.statement, error.message)
            }
            throw ArchiveError(error, path: read.path)
        }
    }
}

/// The values of a statement's conditions, which SQLite lends only for a moment.
final class SQLValues {
    private let values: [OpaquePointer?]

    init(_ values: UnsafeMutablePointer<OpaquePointer?>?, count: Int) {
        self.values = (0..<max(0, count)).map { sqlite3_value_dup(values?[$0]) }
    }

    deinit { for value in values { sqlite3_value_free(value) } }

    /// Returns the value of a condition as SQLite compares it with a text; nil for a value that equals no text.
    func text(_ condition: Int) -> String? {
        guard values.indices.contains(condition), let value = values[condition] else { return nil }
        switch sqlite3_value_type(value) {
        case SQLITE_NULL, SQLITE_BLOB: return nil
        default:
            guard let bytes = sqlite3_value_text(value) else { return nil }
            let count = Int(sqlite3_value_bytes(value))
            return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
        }
    }

    func bind(_ parameter: SQLPlan.Parameter, to statement: Statement, at index: Int32) {
        switch parameter {
        case .value(let condition, let isText):
            guard values.indices.contains(condition), let value = values[condition] else { return }
            // Makes a number a text.
            if isText, sqlite3_value_type(value) != SQLITE_BLOB { sqlite3_value_text(value) }
            if isText, let text = text(condition) {
                statement.bind(.text(text), at: index)
            } else {
                sqlite3_bind_value(statement.handle, index, value)
            }
        case .start(let condition):
            statement.bind(.integer(text(condition).flatMap(SQLPlan.instants)?.start ?? .min), at: index)
        case .end(let condition):
            statement.bind(.integer(text(condition).flatMap(SQLPlan.instants)?.end ?? .max), at: index)
        }
    }
}
