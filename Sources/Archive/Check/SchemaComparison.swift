import SQLite

/// The schema of an account's file, compared with the schema of a new file of the same version.
struct SchemaComparison {
    private struct Object {
        /// Such as `table message`.
        var title: String
        var name: String
        var sql: String
    }

    /// The tables, indices, triggers and views that the file lacks, such as `table message`.
    let missing: [String]
    /// The triggers and indices of others, and whatever has the name of an object of Scrollback's with another meaning.
    /// They would run or fail whenever the account is written or read.
    let foreign: [String]

    init(_ db: Database, version: Int) throws {
        let expected = try DatabaseQueue().sync { empty in
            try Schema.migrate(empty, path: ":memory:", isNew: true, to: version)
            return try Self.objects(empty)
        }
        let found = try Self.objects(db)
        let own = Dictionary(expected.map { ($0.title, $0.sql) }) { first, _ in first }
        let (titles, names) = (Set(found.map(\.title)), Set(expected.map(\.name)))
        missing = expected.map(\.title).filter { !titles.contains($0) }
        foreign = found.filter { object in
            if let sql = own[object.title] { return object.sql != sql }
            // A further table or view does nothing by itself.
            let runs = object.title.hasPrefix("trigger ") || object.title.hasPrefix("index ")
            return runs || names.contains(object.name)
        }.map(\.title)
    }

    /// Returns the objects of a schema but SQLite's own, each with its statement; of a virtual table, only with the module,
    /// because its options may be written in another way. SQLite quotes the name of a table that was renamed, as the
    /// search index is when it is rebuilt.
    private static func objects(_ db: Database) throws -> [Object] {
        try db.all(
            sql: """
                SELECT type || ' ' || name, name,
                  replace(replace(
                    CASE WHEN type = 'table' AND sql NOT LIKE 'CREATE TABLE %' THEN substr(sql, 1, instr(sql, '('))
                      ELSE ifnull(sql, '') END,
                    '"' || name || '"', name), '''' || name || '''', name)
                FROM sqlite_schema
                WHERE type IN ('trigger', 'view')
                  OR name NOT GLOB 'sqlite_stat[14]' AND name NOT GLOB 'sqlite_autoindex_*' AND name <> 'sqlite_sequence'
                ORDER BY rowid
                """
        ) { row in try Object(title: row.value(0), name: row.value(1), sql: row.value(2)) }
    }
}
