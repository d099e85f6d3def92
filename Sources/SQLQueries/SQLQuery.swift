import Bytes
import CSQLite
package import ChatModel
package import Files
package import Reading
import Schema

/// A value of an answer.
package enum SQLCell: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// A statement over the views of accounts, which reads one row at a time.
///
/// It runs on a connection of its own to an empty database in memory. The views are virtual tables of it, so that SQLite
/// computes joins, groups and orders over any number of accounts, and checks every condition again.
///
/// SQLite calls a ``SQLModule`` for each view. ``SQLPlan`` turns conditions and orders into the SQL of an account's file,
/// and ``SQLCursor`` reads the accounts one after the other, or all by id. ``BridgeFunctions`` removes the prefix of
/// bridged texts. ``SQLRules`` refuses everything except reading, and ``ReadLimit`` ends the statement.
///
/// Each account is read in one transaction. With more accounts than have a place, an account that the statement reads
/// again may have changed in between.
package final class SQLQuery {
    /// The names of the columns, each of them once: the second `id` is `id_2`.
    package private(set) var columns: [String] = []

    /// The longest statement in bytes.
    package static let maximumStatement = Int(SQLRules.maximumStatement)
    /// The names of the functions that a statement may use, if SQLite has them.
    package static let functions = SQLRules.functions

    private let sql: String
    private let accounts: SQLAccounts
    private let rules = SQLRules()
    private var handle: OpaquePointer?
    private var statement: OpaquePointer?

    /// The longest row in bytes, to bound the memory of its texts.
    private static let maximumRow = 16 << 20

    /// - Parameters:
    ///   - zone: The zone of local times.
    ///   - now: The instant from which relative times count.
    /// - Throws: ``SQLQueryError``
    init(_ sql: String, _ accounts: SQLAccounts, zone: Zone, now: Timestamp) throws {
        (self.sql, self.accounts) = (sql, accounts)
        try open(zone: zone, now: now)
        do {
            try prepare()
        } catch {
            close()
            throw error
        }
    }

    /// Begins a statement over the views of the named accounts, or of all if none is named (``SQLView``). Skips accounts as
    /// other readers of several accounts do, and counts as a use of each.
    ///
    /// The statement reads what the archive's owner may read.
    ///
    /// - Parameters:
    ///   - limit: The end of the statement. Long transactions let an account's WAL file grow, so give it one.
    ///   - zone: The zone of local times.
    ///   - now: The instant from which relative times count.
    /// - Throws: ``SQLQueryError``; ``ArchiveError``, with `sharedArchive` for a shared archive.
    package convenience init(
        _ statement: String, accounts: [String] = [], in reading: ArchiveReading, limit: ReadLimit, zone: Zone,
        now: Timestamp = .now()
    ) throws {
        let (opened, places) = try reading.ownedAccounts(accounts)
        try self.init(
            statement, SQLAccounts(opened, limit: limit, places: max(1, places - Self.placesForJoins)), zone: zone,
            now: now)
    }

    /// The open accounts that a statement may need besides those that it reads in order: one for each of its tables.
    private static let placesForJoins = 8

    deinit { close() }

    /// Ends the statement and the transactions. ``next()`` then returns nil.
    package func close() {
        sqlite3_finalize(statement)
        sqlite3_close_v2(handle)
        (statement, handle) = (nil, nil)
        accounts.release()
    }

    /// Returns the next row; nil at the end.
    ///
    /// - Throws: ``SQLQueryError``; ``ArchiveError``, with `stopped` when the time is up.
    package func next() throws -> [SQLCell]? {
        guard let statement else { return nil }
        try accounts.limit.check()
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return try row(statement)
        case SQLITE_DONE:
            close()
            return nil
        case let code: throw failure(code, while: nil)
        }
    }

    private func row(_ statement: OpaquePointer) throws -> [SQLCell] {
        let cells = (0..<Int32(columns.count))
        let size = cells.reduce(0) { size, index in
            let isLong = [SQLITE_TEXT, SQLITE_BLOB].contains(sqlite3_column_type(statement, index))
            return size + (isLong ? Int(sqlite3_column_bytes(statement, index)) : 8)
        }
        guard size <= Self.maximumRow else {
            throw SQLQueryError(.size, "a row is longer than \(Self.maximumRow >> 20) MiB")
        }
        return cells.map { SQLCell(statement, $0) }
    }

    private func open(zone: Zone, now: Timestamp) throws {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(":memory:", &handle, flags, nil)
        guard code == SQLITE_OK, let handle else { throw failure(code, while: nil) }
        accounts.limit.watch(handle)
        SQLFunctions(zone: zone, now: now).register(on: handle)
        for view in SQLView.all {
            let code = SQLModule.register(view, accounts, on: handle)
            guard code == SQLITE_OK else { throw failure(code, while: nil) }
        }
        rules.apply(to: handle)
    }

    private func prepare() throws {
        guard sql.utf8.count <= Self.maximumStatement else {
            throw SQLQueryError(.size, "the statement is longer than \(Self.maximumStatement) bytes")
        }
        guard !sql.hasNUL else { throw SQLQueryError(.statement, "the statement has the character U+0000") }
        let rest: Int = try sql.withCString { start in
            var end: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v2(handle, start, -1, &statement, &end)
            guard code == SQLITE_OK else { throw failure(code, while: sql) }
            guard let end else { return 0 }
            return end - start
        }
        guard let statement else { throw SQLQueryError(.count, "there is no statement") }
        try refuseFurther(String(decoding: sql.utf8.dropFirst(rest), as: UTF8.self), from: rest)
        guard sqlite3_stmt_readonly(statement) != 0, sqlite3_column_count(statement) > 0 else {
            throw SQLQueryError(.refused, "the statement returns no rows; only SELECT is allowed")
        }
        guard sqlite3_bind_parameter_count(statement) == 0 else {
            throw SQLQueryError(
                .statement, "the statement has parameters (?, :name); write their values in their place")
        }
        columns = Self.unique(
            (0..<sqlite3_column_count(statement)).map { index in
                sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "column"
            })
    }

    /// - Parameter text: The text after the statement, which may have comments.
    private func refuseFurther(_ text: String, from offset: Int) throws {
        var (rest, offset) = (text, offset)
        // Each `;` ends an empty statement.
        while !rest.isEmpty {
            var further: OpaquePointer?
            var length = 0
            let code = rest.withCString { start in
                var end: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v2(handle, start, -1, &further, &end)
                length = end.map { $0 - start } ?? 0
                return code
            }
            sqlite3_finalize(further)
            guard code == SQLITE_OK, further == nil else {
                let blank = rest.utf8.prefix { $0 == 0x20 || 0x09...0x0D ~= $0 }.count
                throw SQLQueryError(
                    .count, "there is more than one statement",
                    at: SQLQueryError.Place(Int32(clamping: offset + blank), in: sql))
            }
            guard length > 0 else { return }
            offset += length
            rest = String(decoding: rest.utf8.dropFirst(length), as: UTF8.self)
        }
    }

    /// Returns the error of a call.
    ///
    /// - Parameter sql: The statement that was being prepared; nil for one that runs.
    private func failure(_ code: Int32, while sql: String?) -> any Error {
        if let failure = accounts.failure { return failure }
        let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
        let place = sql.flatMap { SQLQueryError.Place(sqlite3_error_offset(handle), in: $0) }
        switch code & 0xFF {
        case SQLITE_INTERRUPT:
            do { try accounts.limit.check() } catch { return error }
            return CancellationError()
        case SQLITE_AUTH:
            return SQLQueryError(.refused, "\(rules.refused ?? "the statement") is not allowed", at: place)
        case SQLITE_NOMEM: return SQLQueryError(.size, "the statement needs too much memory")
        case SQLITE_TOOBIG:
            return SQLQueryError(.size, "a value is longer than \(SQLRules.maximumValue >> 20) MiB", at: place)
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_CANTOPEN:
            return ArchiveError(code: .storage, detail: "the temporary files of the statement failed (\(message))")
        default:
            if let refused = rules.refused { return SQLQueryError(.refused, "\(refused) is not allowed", at: place) }
            return SQLQueryError(SQLQueryError.Kind(message), Self.detail(message), at: place)
        }
    }

    /// Returns SQLite's message, or clearer words for a MATCH that no view can evaluate.
    private static func detail(_ message: String) -> String {
        message == "no query solution" || message.hasPrefix("unable to use function MATCH")
            ? "MATCH takes the column words of the view hits, and can't be negated" : message
    }

    /// Returns the names with a number after those that came before.
    private static func unique(_ names: [String]) -> [String] {
        var used: Set<String> = []
        return names.map { name in
            var (unique, number) = (name, 1)
            while !used.insert(unique).inserted {
                number += 1
                unique = "\(name)_\(number)"
            }
            return unique
        }
    }
}

extension SQLCell {
    fileprivate init(_ statement: OpaquePointer, _ index: Int32) {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, index))
        case SQLITE_TEXT:
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_text(statement, index), count: Int(sqlite3_column_bytes(statement, index)))
            self = .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(statement, index)
            self = .blob(
                [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))))
        default: self = .null
        }
    }
}
