import GRDB

/// The schema of an account's file, compared with the schema of a new file of the same version.
struct SchemaComparison {
    /// The tables, indices, triggers and views that the file lacks, such as `table message`.
    let missing: [String]
    /// The triggers of others, and the views and virtual tables in place of tables. They would run whenever the account
    /// is written or read.
    let foreign: [String]

    init(_ db: Database, version: Int) throws {
        let expected = try DatabaseQueue().writeWithoutTransaction { empty in
            try Schema.migrate(empty, path: ":memory:", isNew: true, to: version)
            return try Self.objects(empty)
        }
        let found = try Self.objects(db)
        let meanings = Dictionary(expected.map { ($0.name, $0.meaning) }) { $1 }
        let names = Set(found.map(\.name))
        missing = expected.map(\.name).filter { !names.contains($0) }
        foreign = found.filter { object in
            guard let meaning = meanings[object.name] else { return object.name.hasPrefix("trigger ") }
            return object.meaning != meaning
        }.map(\.name)
    }

    /// Returns the objects of a schema with what they do: the statement of a trigger; the beginning of that of a virtual
    /// table, or of another object that calls itself a table; an empty text for others. SQLite quotes the name of a table
    /// that was renamed, as the search index is when it is rebuilt.
    private static func objects(_ db: Database) throws -> [(name: String, meaning: String)] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT type || ' ' || name,
                  CASE WHEN type = 'trigger' THEN sql
                    WHEN type = 'table' AND sql NOT LIKE 'CREATE TABLE %' THEN replace(substr(sql, 1, instr(sql, '(')), '"' || name || '"', name)
                    ELSE '' END
                FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY rowid
                """
        ).map { row in (try row.value(0), try row.value(1)) }
    }
}
