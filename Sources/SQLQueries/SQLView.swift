import Schema

/// A view that `scrollback sql` offers: a view of the accounts' files with the account's name before its columns.
package struct SQLView: Sendable {
    package struct Column: Sendable {
        package let name: String
        package let type: ColumnType
        /// The meaning, for people.
        package let about: String
        /// True if the value is never null and, with the other keys, names a row.
        let isKey: Bool
        let filter: Filter
        /// The expression that an account's SQL selects.
        let sql: String

        /// - Parameter sql: An expression of the source's columns, which excludes a filter; nil for its column of this name.
        init(
            _ name: String, _ type: ColumnType, _ about: String, isKey: Bool = false, filter: Filter = .none,
            sql: String? = nil
        ) {
            (self.name, self.type, self.about, self.isKey, self.filter) = (name, type, about, isKey, filter)
            self.sql = sql ?? "\"\(name)\""
        }

        /// A column with a text.
        init(_ name: String, _ about: String, isKey: Bool = false, filter: Filter = .none, sql: String? = nil) {
            self.init(name, .text, about, isKey: isKey, filter: filter, sql: sql)
        }
    }

    package enum ColumnType: String, Sendable {
        case integer = "INTEGER"
        case text = "TEXT"
        /// For a condition only; its value is null.
        case hidden = "HIDDEN"
    }

    /// The conditions on a column that an account's file evaluates with an index. SQLite checks each of them again, so a
    /// file may return more rows than they allow, and never fewer.
    enum Filter: Sendable {
        case none
        /// The account's name, which chooses the files.
        case account
        case equal
        /// Equal, or before or after.
        case range
        /// The text of the time `id`: a comparison limits the days that are read.
        case day
        /// A query of the search index. SQLite can't check it again.
        case match
    }

    package let name: String
    /// The meaning of a row, for people.
    package let about: String
    package let columns: [Column]
    /// A statement that has an answer in every archive.
    package let example: String
    /// The source in the account's file: the name of a view or table, or a SELECT in brackets.
    let source: String
    /// The usual number of rows in an account, by which SQLite orders the parts of a query.
    let rows: Double

    /// The place of the column `id` if the view is read in its order along an index; nil otherwise.
    let ordered: Int?

    init(
        _ name: String, _ about: String, rows: Double, source: String? = nil, isOrdered: Bool = false, example: String,
        _ columns: [Column]
    ) {
        (self.name, self.about, self.rows, self.example) = (name, about, rows, example)
        self.source = source ?? name
        self.columns = [Column("account", .text, "The account's name", isKey: true, filter: .account)] + columns
        ordered = isOrdered ? self.columns.firstIndex { $0.name == "id" } : nil
    }

    /// Creates a view that an account's file has, with the file's columns and comments.
    ///
    /// - Parameters:
    ///   - integers: The columns that are not texts.
    ///   - expressions: The SQL of columns that have other values here than in the file's view.
    ///   - more: Columns that the file's view lacks.
    init(
        ofFile name: String, _ about: String, rows: Double, isOrdered: Bool = false, example: String,
        integers: Set<String>, keys: Set<String>, filters: [String: Filter], expressions: [String: String] = [:],
        more: [Column] = []
    ) {
        let columns = SchemaView.all.first { $0.name == name }?.columns ?? []
        self.init(
            name, about, rows: rows, isOrdered: isOrdered, example: example,
            columns.map { column in
                Column(
                    column.name, integers.contains(column.name) ? .integer : .text, column.about,
                    isKey: keys.contains(column.name), filter: filters[column.name, default: .none],
                    sql: expressions[column.name])
            } + more)
    }

    /// The declaration for SQLite. Rows have no number, because the ids of two accounts may be the same.
    var declaration: String {
        let columns = columns.map { "\"\($0.name)\" \($0.type.rawValue)\($0.isKey ? " NOT NULL" : "")" }
        let keys = self.columns.filter(\.isKey).map { "\"\($0.name)\"" }
        return
            "CREATE TABLE x (\((columns + ["PRIMARY KEY (\(keys.joined(separator: ", ")))"]).joined(separator: ", ")))"
            + " WITHOUT ROWID"
    }
}
