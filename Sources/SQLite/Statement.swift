import CSQLite

/// A prepared statement of one connection, used only where the connection is.
package final class Statement {
    /// SQLite's statement, for functions of SQLite that this type lacks.
    package let handle: OpaquePointer
    /// The values of the last execution; nil for a statement whose values are cleared after each.
    private let kept: KeptValues?

    /// SQLite reads short texts in this buffer: a copy of its own for each takes 2% of the time of storing a message
    /// *(measured)*.
    private final class KeptValues {
        /// The parameters that have a value, a bit for each from the lowest on.
        var parameters: UInt64 = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)

        deinit { buffer.deallocate() }
    }

    /// - Parameters:
    ///   - sql: One statement; what follows it is ignored.
    ///   - isPersistent: True for a statement that is kept for long.
    ///   - keepsValues: True for a statement that runs for every message.
    init(_ sql: String, _ connection: OpaquePointer, isPersistent: Bool = false, keepsValues: Bool = false)
        throws(DatabaseError)
    {
        let flags = isPersistent || keepsValues ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, flags, &prepared, nil)
        guard code == SQLITE_OK else { throw DatabaseError(of: connection, sql: sql) }
        guard let prepared else { throw DatabaseError(code: SQLITE_MISUSE, message: "there is no statement", sql: sql) }
        handle = prepared
        kept = keepsValues && sqlite3_bind_parameter_count(prepared) <= UInt64.bitWidth ? KeptValues() : nil
    }

    init(_ prepared: OpaquePointer) { (handle, kept) = (prepared, nil) }

    deinit { sqlite3_finalize(handle) }

    package var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

    var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

    /// True between the first step and the end of an execution.
    var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

    /// Runs the statement, with a value for each parameter.
    package func execute(arguments: StatementArguments = []) throws {
        _ = try firstRow(arguments: arguments) { _ in Never?.none }
    }

    /// Runs the statement.
    ///
    /// - Parameter bind: Binds each parameter once at most; one without a value is NULL. SQLite does not keep its copies of
    ///   values afterwards, because a body may have megabytes.
    package func execute(_ bind: (inout Parameters) -> Void) throws {
        _ = try firstRow(bind) { _ in Never?.none }
    }

    /// Returns what `read` returns for each row.
    package func allRows<T>(arguments: StatementArguments = [], _ read: (Row) throws -> T) throws -> [T] {
        var found: [T] = []
        _ = try firstRow(arguments: arguments) { row -> Never? in
            found.append(try read(row))
            return nil
        }
        return found
    }

    /// Runs the statement until `read` returns a value for a row, and returns that value; nil if it returns none.
    package func firstRow<T>(arguments: StatementArguments = [], _ read: (Row) throws -> T?) throws -> T? {
        let values = try values(arguments)
        return try firstRow({ $0.bind(values) }, read)
    }

    package func firstRow<T>(_ bind: (inout Parameters) -> Void, _ read: (Row) throws -> T?) throws -> T? {
        var parameters = Parameters(handle, kept?.buffer)
        bind(&parameters)
        if let kept { parameters.unbind(kept.parameters) }
        defer { end(parameters) }
        let row = Row(self)
        while try step() {
            if let value = try read(row) { return value }
        }
        return nil
    }

    private func end(_ parameters: Parameters) {
        sqlite3_reset(handle)
        if let kept, !parameters.hasCopies {
            kept.parameters = parameters.bound
        } else {
            sqlite3_clear_bindings(handle)
            kept?.parameters = 0
        }
    }

    /// Returns a value for each parameter, in their order.
    private func values(_ arguments: StatementArguments) throws(DatabaseError) -> [DatabaseValue] {
        var values = arguments.values
        if arguments.isNamed {
            values = (0..<Int32(parameterCount)).compactMap { index in
                sqlite3_bind_parameter_name(handle, index + 1).flatMap { arguments[String(cString: $0 + 1)] }
            }
        }
        guard values.count == parameterCount else {
            throw DatabaseError(
                code: SQLITE_MISUSE, message: "\(values.count) values for \(parameterCount) parameters", sql: sql)
        }
        return values
    }

    /// Goes to the next row. A statement that runs in steps must be ``reset()`` after the last.
    ///
    /// - Returns: False at the end.
    package func step() throws(DatabaseError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw DatabaseError(of: sqlite3_db_handle(handle), sql: sql)
        }
    }

    /// Ends an execution. The values of the parameters stay, unless they are cleared.
    package func reset(clearsValues: Bool = false) {
        sqlite3_reset(handle)
        if clearsValues { sqlite3_clear_bindings(handle) }
    }

    /// Sets a parameter of a statement that runs in steps. The first parameter is 1.
    package func bind(_ value: DatabaseValue, at index: Int32) {
        var parameters = Parameters(handle, nil)
        parameters.bind(index, value)
    }
}

extension Statement {
    /// The parameters of one execution. The first is 1.
    package struct Parameters {
        private let statement: OpaquePointer
        /// The parameters that are bound, a bit for each of the first 64.
        fileprivate private(set) var bound: UInt64 = 0
        /// True if SQLite has copies of values.
        fileprivate private(set) var hasCopies = false
        /// The rest of the statement's buffer, and its length in bytes.
        private var room: UnsafeMutableRawPointer?
        private var left: Int

        fileprivate init(_ statement: OpaquePointer, _ buffer: UnsafeMutableRawBufferPointer?) {
            (self.statement, room, left) = (statement, buffer?.baseAddress, buffer?.count ?? 0)
        }

        package var count: Int { Int(sqlite3_bind_parameter_count(statement)) }

        package mutating func bind(_ index: Int32, _ value: Int64?) {
            guard let value else { return }
            sqlite3_bind_int64(statement, index, value)
            note(index)
        }

        package mutating func bind(_ index: Int32, blob bytes: [UInt8]) {
            bytes.withUnsafeBytes {
                _ = sqlite3_bind_blob64(statement, index, $0.baseAddress ?? Self.empty, UInt64($0.count), Self.copied)
            }
            hasCopies = true
            note(index)
        }

        package mutating func bind(_ index: Int32, _ value: String?) {
            guard let value else { return }
            // `withUTF8` would need a copy of the string.
            let bound: Void? = value.utf8.withContiguousStorageIfAvailable { bind(index, utf8: $0) }
            if bound == nil { Array(value.utf8).withUnsafeBufferPointer { bind(index, utf8: $0) } }
        }

        package mutating func bind(_ index: Int32, _ value: DatabaseValue) {
            switch value {
            case .null: sqlite3_bind_null(statement, index)
            case .integer(let integer): bind(index, integer)
            case .real(let number):
                sqlite3_bind_double(statement, index, number)
                note(index)
            case .text(let text): bind(index, text)
            case .blob(let bytes): bind(index, blob: bytes)
            }
        }

        package mutating func bind(_ index: Int32, _ test: TextTest) {
            TextTest.bind(test, statement, index)
            hasCopies = true
            note(index)
        }

        /// Binds all parameters, in their order.
        fileprivate mutating func bind(_ values: [DatabaseValue]) {
            for (index, value) in zip(Int32(1)..., values) { bind(index, value) }
        }

        private mutating func bind(_ index: Int32, utf8 bytes: UnsafeBufferPointer<UInt8>) {
            let kept = keep(bytes)
            let text = kept ?? bytes.baseAddress.map { UnsafeRawPointer($0) } ?? Self.empty
            sqlite3_bind_text64(
                statement, index, text?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
                kept == nil ? Self.copied : nil, UInt8(SQLITE_UTF8))
            if kept == nil { hasCopies = true }
            note(index)
        }

        /// Copies the bytes to the buffer. Returns their place; nil if they are longer than the rest of the buffer.
        private mutating func keep(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeRawPointer? {
            guard let place = room, bytes.count <= left else { return nil }
            if let start = bytes.baseAddress { place.copyMemory(from: start, byteCount: bytes.count) }
            (room, left) = (place + bytes.count, left - bytes.count)
            return UnsafeRawPointer(place)
        }

        /// Sets those of the parameters to NULL that are not bound.
        fileprivate func unbind(_ parameters: UInt64) {
            var left = parameters & ~bound
            while left != 0 {
                sqlite3_bind_null(statement, Int32(left.trailingZeroBitCount) + 1)
                left &= left - 1
            }
        }

        private mutating func note(_ index: Int32) { bound |= 1 << UInt64(index - 1) }

        /// An address without bytes: none would bind NULL.
        private static var empty: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: 1) }

        /// `SQLITE_TRANSIENT`, a macro that Swift can't read: SQLite copies the value.
        private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
    }
}
