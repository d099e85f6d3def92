/// The SQLite database of another program. An import reads its tables by the queries that the format gives.
package protocol DatabaseFormat: LogFormat {
    /// The forms of the program's tables, those with more columns first.
    static var schemas: [DatabaseSchema] { get }
    /// Further tables that ``header(of:)`` and ``refusal(of:)`` look for, in lower case.
    static var otherTables: Set<String> { get }

    /// Returns the first line of the database's rows.
    static func header(of file: some DatabaseFile) throws -> DatabaseHeader
    /// Returns the reason why a database of the program has no messages to import, and advice; nil for another file.
    static func refusal(of file: some DatabaseFile) -> (reason: String, hint: String)?
}

extension DatabaseFormat {
    package static var otherTables: Set<String> { [] }
    package static var hasLocalTimes: Bool { false }
    package var hasOwnRooms: Bool { true }

    package static func refusal(of file: some DatabaseFile) -> (reason: String, hint: String)? { nil }
    package static func recognises(_ source: LogSource) -> Bool { DatabaseHeader.names(Self.self, in: source) }
    package static func cutter() -> any SourceCutter { DatabaseRowCutter(maximumRow: maximumLine) }
}

/// The questions that a format asks an open SQLite database.
package protocol DatabaseFile {
    /// Returns the columns of a table, in lower case; nil for an unknown table.
    ///
    /// - Parameter table: A name of ``DatabaseFormat/schemas`` or ``DatabaseFormat/otherTables``.
    func columns(of table: String) -> Set<String>?
    /// Returns a name of the numbers of a table's rows, such as `rowid`; nil if they have none.
    func number(of table: String) -> String?
    /// Returns the texts of a query's rows; nil for a null.
    func texts(_ sql: String, _ arguments: [String]) throws -> [[String?]]
    /// Returns the first bytes of a file beside the database; nil if it can't be read.
    ///
    /// - Parameter path: Makes a path relative to the database's folder from the database's name without its extension.
    func bytes(beside path: (String) -> String, count: Int) -> [UInt8]?
}

extension DatabaseFile {
    package func texts(_ sql: String) throws -> [[String?]] { try texts(sql, []) }
}

/// The tables of a program's SQLite database, and the queries that read them.
package struct DatabaseSchema: Sendable {
    /// The columns that the tables must have, by table, in lower case.
    package let tables: [String: Set<String>]
    /// The columns that must be the primary keys of tables, because rows are looked up by them.
    package let keys: [String: String]
    package let queries: [Query]

    init(tables: [String: Set<String>], keys: [String: String] = [:], queries: [Query]) {
        (self.tables, self.keys, self.queries) = (tables, keys, queries)
    }

    /// A query that reads a table in the order in which its rows are stored. It uses no index of the table, which could
    /// have other rows.
    package struct Query: Sendable {
        /// The table whose rows are read.
        package let table: String
        /// The columns after the row's number, in SQL; the table's own name is `m`.
        let columns: String
        /// The tables that are joined by their keys, in SQL.
        let joins: String

        /// - Parameter columns: The columns in SQL, each with its name in the rows. Every value is read as a text,
        ///   whatever type it has: a damaged file may have any.
        init(table: String, columns: [(sql: String, name: String)], joins: String = "") {
            self.table = table
            self.columns = columns.map { "CAST(\($0.sql) AS TEXT) AS \"\($0.name)\"" }.joined(separator: ", ")
            self.joins = joins
        }

        /// Reads at most ?2 rows from the number ?1 on.
        package func rows(by number: String) -> String {
            "SELECT m.\(number), \(columns) FROM \(source) \(joins) WHERE m.\(number) >= ?1 ORDER BY m.\(number) LIMIT ?2"
        }

        /// Reads all rows of a table without numbers, with 0 in place of the number.
        package var allRows: String { "SELECT 0, \(columns) FROM \(source) \(joins)" }

        /// Returns the first number from ?1 on.
        package func next(by number: String) -> String {
            "SELECT m.\(number) FROM \(source) WHERE m.\(number) >= ?1 ORDER BY m.\(number) LIMIT 1"
        }

        /// Counts the rows one by one, unlike `count(*)`, which can't be interrupted.
        package var count: String { "SELECT sum(1) FROM \(source)" }

        private var source: String { "\(table) AS m NOT INDEXED" }
    }
}
