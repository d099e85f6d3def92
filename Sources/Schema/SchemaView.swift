import Migrations

/// A view of an account's file for people who use SQL, as `migrations/views.sql` makes it.
package struct SchemaView: Sendable {
    package struct Column: Sendable, Hashable {
        package let name: String
        /// The meaning, for people: the comment of the column.
        package let about: String
    }

    package let name: String
    /// The columns that have a comment, in their order.
    package let columns: [Column]

    /// All views, in the order of the file.
    package static let all = Migrations.views.sql.split(separator: "\nCREATE VIEW ").dropFirst().map { SchemaView($0) }

    /// - Parameter statement: A statement from the view's name on, with whatever follows it.
    private init(_ statement: Substring) {
        let lines = statement.split(separator: "\n")
        name = String(statement.prefix { $0 != " " })
        columns = lines.dropFirst().prefix { !$0.hasPrefix("FROM") }.compactMap(Self.column)
    }

    /// Returns the column of a line that ends in a comment, such as `  n.name AS room,  -- The room's name at that time`;
    /// nil for other lines.
    private static func column(_ line: Substring) -> Column? {
        let parts = line.split(separator: " -- ", maxSplits: 1)
        let words = parts[0].split { " .,".contains($0) }
        guard parts.count == 2, let word = words.last else { return nil }
        return Column(name: String(word), about: String(parts[1]))
    }
}
