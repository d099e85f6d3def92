import PostgreSQL
import Reading
import Schema

/// The statements that store rows of a table.
struct TableStatements {
    /// Stores rows of any accounts, from an array of each column: first the account's number, then the table's columns.
    let upsert: String

    /// - Parameter hasSearch: Adds the column `search` as the last one.
    init(_ table: SchemaTable, hasSearch: Bool = false) {
        let names = table.sent.map(\.name) + (hasSearch ? ["search"] : [])
        let types = table.sent.map { "\($0.kind.shared)[]" } + (hasSearch ? ["tsvector[]"] : [])
        let arrays = types.enumerated().map { "$\($0 + 2)::\($1)" }.joined(separator: ", ")
        let others = names.dropFirst(table.keyCount)
        // A row that is the same is not written again.
        let conflict =
            others.isEmpty
            ? "DO NOTHING"
            : """
            DO UPDATE SET \(others.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            WHERE (\(others.map { "t.\($0)" }.joined(separator: ", ")))
              IS DISTINCT FROM (\(others.map { "excluded.\($0)" }.joined(separator: ", ")))
            """
        upsert = """
            INSERT INTO scrollback.\(table.sharedName) AS t (account_id, \(names.joined(separator: ", ")))
            SELECT * FROM unnest($1::bigint[], \(arrays))
            ON CONFLICT (account_id, \(table.key.map(\.name).joined(separator: ", "))) \(conflict)
            """
    }

    /// Returns the statement that deletes the rows of owners that are not among the rows to store.
    static func deletion(_ table: SchemaTable, owner: String) -> String {
        let key = table.key.map(\.name).joined(separator: ", ")
        let arrays = table.key.enumerated().map { "$\($0 + 3)::\($1.kind.shared)[]" }
            .joined(separator: ", ")
        return """
            DELETE FROM scrollback.\(table.sharedName) AS t
            WHERE account_id = $1 AND \(owner) = ANY($2::bigint[])
              AND NOT EXISTS (SELECT FROM unnest(\(arrays)) AS kept (\(key))
                WHERE \(table.key.map { "kept.\($0.name) = t.\($0.name)" }.joined(separator: " AND ")))
            """
    }
}

extension MirrorRows {
    /// Returns an array of each column, of the rows of one table.
    static func sqlValues(_ parts: [MirrorRows]) -> [SQLValue] {
        guard let first = parts.first else { return [] }
        return first.values.indices.map { column in
            switch first.values[column] {
            case .integers: .integers(parts.flatMap { $0.integers(column) })
            case .texts: .texts(parts.flatMap { $0.texts(column) })
            }
        }
    }

    private func integers(_ column: Int) -> [Int64?] {
        if case .integers(let list) = values[column] { list } else { [] }
    }

    private func texts(_ column: Int) -> [String?] {
        if case .texts(let list) = values[column] { list } else { [] }
    }
}
