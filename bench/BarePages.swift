import CSQLite

/// The statements that the store runs for some pages, with the same values in the same order, run by SQLite's C API
/// alone.
final class BarePages {
    private let connection: BareConnection
    private let pages: [[(statement: OpaquePointer, values: [(index: Int32, value: BoundValue)])]]

    init(file: String, _ pages: [[TracedStatement]]) throws {
        let connection = try BareConnection(path: file, readOnly: true)
        var prepared: [String: OpaquePointer] = [:]
        self.pages = try pages.map { page in
            try page.map { traced in
                let statement = try prepared[traced.sql] ?? connection.prepare(traced.sql)
                prepared[traced.sql] = statement
                return (statement, traced.values)
            }
        }
        self.connection = connection
    }

    /// Runs a page and reads every value.
    ///
    /// - Returns: The number of rows of the statement with the most rows.
    func run(_ page: Int) throws -> Int {
        var most = 0
        for (statement, values) in pages[page] {
            for (index, value) in values { value.bind(to: statement, index) }
            var rows = 0
            var status = sqlite3_step(statement)
            while status == SQLITE_ROW {
                rows += 1
                for column in 0..<sqlite3_column_count(statement) {
                    _ = sqlite3_column_int64(statement, column)
                    _ = sqlite3_column_bytes(statement, column)
                }
                status = sqlite3_step(statement)
            }
            guard status == SQLITE_DONE else { throw BenchmarkError("a bare page ended with \(status)") }
            sqlite3_reset(statement)
            most = max(most, rows)
        }
        return most
    }
}
