import Glibc

/// A connection to a PostgreSQL server. Every call waits for the server, but not longer than its limit, so use it on a
/// thread that may wait.
///
/// A pooler such as PgBouncer in transaction mode may stand between: then it keeps no state in the server's session.
package final class PostgreSQLConnection {
    private let library: LibPQ
    private let connection: LibPQ.Connection
    /// The longest wait for the server's next bytes, in seconds. Longer than ``statementSeconds``, so that a server
    /// that is alive says itself that a statement took too long.
    private let silence: Int
    /// False once an error left the connection in an unknown state.
    package private(set) var isUsable = true
    /// The names of kept statements; nil for one that was run once.
    private var kept: [KeptStatement: String?] = [:]
    /// The number of names given.
    private var names = 0
    /// False if a pooler stands between; nil before that is known.
    private var isDirect: Bool?

    /// The largest number of statements that the server keeps for a connection. Readers have some hundred.
    private static let keptStatements = 500

    /// The longest wait for a connection, in seconds.
    package static let connectSeconds = 15
    /// The usual `statement_timeout` of a transaction, in seconds.
    package static let statementSeconds = 60

    /// Connects.
    ///
    /// - Parameter address: A connection string of libpq: `postgres://…`, or `key=value` words. Libpq completes it from
    ///   its environment variables, the service file and `~/.pgpass`.
    /// - Throws: ``PostgreSQLError``
    package init(_ address: String, silence seconds: Int = statementSeconds + 15) throws {
        library = try LibPQ.load()
        silence = seconds
        // The address may override what stands before it. The last entries hold for all.
        let settings = [
            ("connect_timeout", "\(Self.connectSeconds)"), ("keepalives_idle", "30"), ("keepalives_interval", "10"),
            ("keepalives_count", "3"), ("tcp_user_timeout", "30000"), ("fallback_application_name", "scrollback"),
            ("dbname", address), ("client_encoding", "UTF8"),
        ]
        guard let connection = Self.start(library, settings) else {
            throw PostgreSQLError(kind: .connection, detail: "out of memory")
        }
        self.connection = connection
        // Notices, such as "relation exists already", would go to standard error.
        _ = library.setNoticeProcessor(connection, { _, _ in }, nil)
        try connect()
        guard library.setNonblocking(connection, 1) == 0 else { throw failure(.connection) }
    }

    deinit { library.finish(connection) }

    private static func start(_ library: LibPQ, _ settings: [(String, String)]) -> LibPQ.Connection? {
        let keys = settings.map { strdup($0.0) }
        let values = settings.map { strdup($0.1) }
        defer { for text in keys + values { free(text) } }
        let keyList = keys.map { UnsafePointer($0) } + [nil]
        let valueList = values.map { UnsafePointer($0) } + [nil]
        return library.startParameters(keyList, valueList, 1)
    }

    private func connect() throws {
        let deadline = ContinuousClock.now + .seconds(Self.connectSeconds)
        // PGRES_POLLING_WRITING, the state before the first call.
        var step: CInt = 2
        while true {
            guard library.status(connection) != 1 else { throw failure(.connection) }  // CONNECTION_BAD
            switch step {
            case 3: return  // PGRES_POLLING_OK
            case 1: try wait(for: POLLIN, until: deadline, "no connection")
            case 2: try wait(for: POLLOUT, until: deadline, "no connection")
            default: throw failure(.connection)
            }
            step = library.pollConnection(connection)
        }
    }

    /// Runs a statement and returns its rows.
    ///
    /// - Parameters:
    ///   - sql: One statement, with `$1`, `$2` … for the values.
    ///   - values: The values.
    /// - Throws: ``PostgreSQLError``. After an error other than a refused statement the connection is not usable.
    @discardableResult
    package func execute(_ sql: String, _ values: [SQLValue] = []) throws -> SQLRows {
        try send(values) { buffers in
            sql.withCString {
                library.send(
                    connection, $0, CInt(values.count), values.map(\.type), buffers.map(\.start), buffers.map(\.count),
                    [CInt](repeating: 1, count: values.count), 1)
            }
        }
    }

    /// Runs a statement that will be run again on this connection, and returns its rows. From its second time on, the
    /// server keeps it with its plan, because planning takes longer than reading. Behind a pooler it does not.
    @discardableResult
    package func executeKept(_ sql: String, _ values: [SQLValue] = []) throws -> SQLRows {
        guard let name = try keep(KeptStatement(sql: sql, types: values.map(\.type))) else {
            return try execute(sql, values)
        }
        do {
            return try send(values) { buffers in
                name.withCString {
                    library.sendPrepared(
                        connection, $0, CInt(values.count), buffers.map(\.start), buffers.map(\.count),
                        [CInt](repeating: 1, count: values.count), 1)
                }
            }
        } catch let error as PostgreSQLError where error.state == "26000" || error.state == "0A000" {
            // The statement is gone, or an upgrade of the schema changed its columns. A new connection has neither.
            isUsable = false
            throw error
        }
    }

    /// A statement with the types of its values.
    private struct KeptStatement: Hashable {
        var sql: String
        var types: [UInt32]
    }

    /// Returns the statement's name in the server's session; nil for a statement that is not kept.
    private func keep(_ statement: KeptStatement) throws -> String? {
        guard let known = kept[statement] else {
            if kept.count >= Self.keptStatements {
                if isDirect == true { try execute("DEALLOCATE ALL") }
                kept = [:]
            }
            kept.updateValue(nil, forKey: statement)
            return nil
        }
        if let known { return known }
        guard try checkDirect() else { return nil }
        names += 1
        let name = "scrollback_\(names)"
        _ = try perform {
            statement.sql.withCString {
                library.sendPrepare(connection, name, $0, CInt(statement.types.count), statement.types)
            }
        }
        kept[statement] = name
        return name
    }

    /// Returns true if one process of the server answers this connection as long as it lives. A pooler names a process
    /// that does not exist.
    private func checkDirect() throws -> Bool {
        if let isDirect { return isDirect }
        let process = try execute("SELECT pg_backend_pid()").integer(0, 0)
        isDirect = process == Int64(library.serverProcess(connection))
        return isDirect == true
    }

    private func send(_ values: [SQLValue], _ send: ([BoundBytes]) -> CInt) throws -> SQLRows {
        let buffers = values.map { BoundBytes($0.bytes) }
        return try withExtendedLifetime(buffers) { try perform { send(buffers) } }
    }

    /// Runs a script of several statements, in one transaction unless it has its own.
    ///
    /// - Returns: The rows of the last statement, in text form: only texts can be read.
    @discardableResult
    package func run(script: String) throws -> SQLRows {
        try perform { script.withCString { library.sendScript(connection, $0) } }
    }

    /// True if the server has sent nothing since the last answer. A server that stops, or that ends an idle connection,
    /// sends an error or the end.
    package var isQuiet: Bool {
        var socket = pollfd(fd: library.socket(connection), events: Int16(POLLIN), revents: 0)
        return isUsable && socket.fd >= 0 && poll(&socket, 1, 0) == 0
    }

    /// - Parameter send: Hands a statement to libpq, which returns 1 if it takes it.
    private func perform(_ send: () -> CInt) throws -> SQLRows {
        guard isUsable else { throw PostgreSQLError(kind: .connection, detail: "the connection is closed") }
        do {
            guard send() == 1 else { throw failure(.connection) }
            try flush()
            return try answer()
        } catch let error as PostgreSQLError {
            if error.state == nil || library.status(connection) != 0 { isUsable = false }
            throw error
        }
    }

    private func flush() throws {
        while true {
            switch library.flush(connection) {
            case 0: return
            case 1:
                // The server may have to get rid of an answer before it reads on.
                try wait(for: POLLIN | POLLOUT, until: .now + .seconds(silence), "the server reads nothing")
                guard library.consumeInput(connection) == 1 else { throw failure(.connection) }
            default: throw failure(.connection)
            }
        }
    }

    private func answer() throws -> SQLRows {
        var found: SQLRows?
        var failed: PostgreSQLError?
        while let result = try nextResult() {
            switch library.resultStatus(result) {
            case 1, 2:  // PGRES_COMMAND_OK, PGRES_TUPLES_OK
                found = SQLRows(library, result)
            case 3, 4, 8:  // PGRES_COPY_OUT, PGRES_COPY_IN, PGRES_COPY_BOTH, which libpq would return forever
                library.clear(result)
                throw PostgreSQLError(kind: .connection, detail: "the server began a COPY that no statement requests")
            default:
                failed = failed ?? error(of: result)
                library.clear(result)
            }
        }
        if let failed { throw failed }
        guard let found else { throw failure(.connection) }
        return found
    }

    private func nextResult() throws -> LibPQ.Result? {
        while library.isBusy(connection) == 1 {
            try wait(for: POLLIN, until: .now + .seconds(silence), "no answer")
            guard library.consumeInput(connection) == 1 else { throw failure(.connection) }
        }
        return library.nextResult(connection)
    }

    private func wait(for events: Int32, until deadline: ContinuousClock.Instant, _ what: String) throws {
        while true {
            let left = max((deadline - .now) / .milliseconds(1), 0)
            var socket = pollfd(fd: library.socket(connection), events: Int16(events), revents: 0)
            guard socket.fd >= 0 else { throw failure(.connection) }
            switch poll(&socket, 1, CInt(left.rounded(.up))) {
            case 0: throw PostgreSQLError(kind: .timeout, detail: "the PostgreSQL server does not respond (\(what))")
            case ..<0 where errno != EINTR:
                throw PostgreSQLError(kind: .connection, detail: String(cString: strerror(errno)))
            case ..<0: continue
            default: return
            }
        }
    }

    /// The first line of the server's message. Its details may have a row, and messages are private.
    private func error(of result: LibPQ.Result) -> PostgreSQLError {
        func field(_ code: Character) -> String? {
            library.resultErrorField(result, CInt(code.asciiValue ?? 0)).map { String(cString: $0) }
        }
        guard let state = field("C") else {
            // Libpq's own errors, such as a lost connection, have no state.
            return PostgreSQLError(
                kind: .connection,
                detail: library.resultErrorMessage(result).map { Self.line(String(cString: $0)) } ?? "unknown error")
        }
        return PostgreSQLError(kind: .statement(state: state), detail: field("M").map(Self.line) ?? state)
    }

    private func failure(_ kind: PostgreSQLError.Kind) -> PostgreSQLError {
        let message = library.errorMessage(connection).map { Self.line(String(cString: $0)) }
        return PostgreSQLError(kind: kind, detail: message.flatMap { $0.isEmpty ? nil : $0 } ?? "the connection broke")
    }

    /// Returns a message of several lines as one.
    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" } }.joined(separator: "; ")
    }
}

extension PostgreSQLConnection {
    /// Runs the body in a transaction: committed when the body returns, rolled back when it throws.
    ///
    /// - Parameters:
    ///   - start: BEGIN, with the properties of the transaction, and settings for it.
    ///   - timeout: The server's limit for each statement, in seconds.
    /// - Throws: What the body throws, or ``PostgreSQLError``. If COMMIT fails with the connection, its outcome is
    ///   unknown.
    package func transaction<T>(
        _ start: String = "BEGIN", timeout: Int = statementSeconds, _ body: () throws -> T
    ) throws -> T {
        do {
            try run(script: "\(start); SET LOCAL statement_timeout = \(timeout * 1000)")
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            if isUsable { _ = try? execute("ROLLBACK") }
            throw error
        }
    }
}
