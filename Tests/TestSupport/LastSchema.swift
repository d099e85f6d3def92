import Foundation

/// Files of the last schema before the first migration, as earlier builds left them.
package enum LastSchema {
    /// Returns the SQL that turns an empty file into one of that schema.
    ///
    /// - Parameter kind: `account` or `catalog`.
    package static func sql(of kind: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "LastSchemas")
        return try String(contentsOf: folder.appending(path: kind + ".sql"), encoding: .utf8)
    }

    /// Replaces a file, which no connection has open, with one of that schema and the same rows.
    package static func restore(_ path: String, kind: String = "account") throws {
        let last = path + ".last"
        try copyRows(of: path, to: last, kind: kind)
        chmod(last, 0o600)
        for ending in ["", "-wal", "-shm"] { unlink(path + ending) }
        try FileManager.default.moveItem(atPath: last, toPath: path)
    }

    private static func copyRows(of path: String, to last: String, kind: String) throws {
        let settings = kind == "account" ? "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;" : ""
        let file = try SQLiteFixture(last, settings + sql(of: kind) + "ATTACH '\(path)' AS new")
        // The search index keeps its words in tables of its own, which are copied, too.
        for table in try file.texts("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0") {
            let columns = try file.texts("SELECT name FROM pragma_table_info('\(table)')").map { "\"\($0)\"" }
                .joined(separator: ", ")
            try file.execute(
                """
                DELETE FROM main.\(table);
                INSERT INTO main.\(table) (\(columns)) SELECT \(columns) FROM new.\(table);
                """)
        }
    }
}
