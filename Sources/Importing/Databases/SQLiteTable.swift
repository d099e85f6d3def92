import Rendering

/// A table with rows of its own, as SQLite sees it: neither a view nor virtual, whatever its schema says.
struct SQLiteTable {
    /// The columns whose values are stored, in lower case.
    let columns: Set<String>
    /// The primary key if it is one column, in lower case; nil for others.
    let key: String?
    /// A name of the rows' numbers; nil if the rows have none, or columns have all of its names.
    let number: String?
    /// True for a table whose rows have no numbers (`WITHOUT ROWID`). They are in the order of the primary key.
    let isWithoutNumbers: Bool

    /// The names of rows' numbers (sqlite.org/lang_createtable.html §5). A column of the same name hides them.
    private static let numbers = ["rowid", "_rowid_", "oid"]

    fileprivate init(_ name: String, isWithoutNumbers: Bool, in file: SQLiteFile) throws {
        let rows = try file.texts("PRAGMA main.table_xinfo(\"\(name)\")").map { row in
            (name: row[1]?.lowercased() ?? "", isKey: row[5] != "0", isStored: row[6] == "0")
        }
        let keys = rows.filter(\.isKey)
        columns = Set(rows.filter(\.isStored).map(\.name))
        key = keys.count == 1 ? keys[0].name : nil
        number = isWithoutNumbers ? nil : Self.numbers.first { number in !rows.contains { $0.name == number } }
        self.isWithoutNumbers = isWithoutNumbers
    }
}

extension SQLiteFile {
    /// Returns the file's tables of these names.
    ///
    /// - Parameter names: In lower case, of letters and `_`.
    func tables(named names: Set<String>) throws -> [String: SQLiteTable] {
        try tableList().reduce(into: [:]) { tables, row in
            guard row[0] == "main", row[2] == "table", let name = row[1]?.lowercased(), names.contains(name)
            else { return }
            tables[name] = try SQLiteTable(name, isWithoutNumbers: row[4] == "1", in: self)
        }
    }

    /// True if the file has neither tables nor views.
    var isEmpty: Bool {
        get throws {
            try !tableList().contains { $0[0] == "main" && $0[1] != "sqlite_schema" }
        }
    }

    /// The schema, the name, the type, the number of columns, and 1 for a table `WITHOUT ROWID`, of each table.
    private func tableList() throws -> [[String?]] { try texts("PRAGMA main.table_list") }
}
