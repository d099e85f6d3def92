import FoundationEssentials
import LogFormats

/// A program's SQLite database that can be imported.
struct KnownDatabase {
    let format: any DatabaseFormat.Type
    let schema: DatabaseSchema

    /// All known databases, in the order of their formats.
    private static let all = KnownLogFormats.databases.flatMap { format in
        format.schemas.map { KnownDatabase(format: format, schema: $0) }
    }

    /// The tables that distinguish the databases, in lower case.
    static let tableNames = Set(
        all.flatMap(\.schema.tables.keys) + KnownLogFormats.databases.flatMap { Array($0.otherTables) })

    /// Finds the program whose tables a file has; nil if no known one has such tables.
    ///
    /// - Throws: ``UnreadableBytes`` if a table lacks the key by which rows are looked up.
    static func find(_ tables: [String: SQLiteTable]) throws(UnreadableBytes) -> KnownDatabase? {
        let found = all.first { known in
            known.schema.tables.allSatisfy { name, columns in tables[name]?.columns.isSuperset(of: columns) ?? false }
        }
        for (table, key) in found?.schema.keys ?? [:] where tables[table]?.key != key {
            throw UnreadableBytes(
                reason: "\"\(key)\" is not the key of its table \"\(table)\"",
                hint: "open it once with the program that wrote it")
        }
        return found
    }

    /// Returns the reason why a file of a known program has no messages to import, and advice; nil for another file.
    static func refusal(of file: OpenDatabase) -> (reason: String, hint: String)? {
        KnownLogFormats.databases.lazy.compactMap { $0.refusal(of: file) }.first
    }
}

/// An SQLite file with the tables that formats know.
struct OpenDatabase: DatabaseFile {
    let file: SQLiteFile
    let tables: [String: SQLiteTable]

    func columns(of table: String) -> Set<String>? { tables[table]?.columns }
    func number(of table: String) -> String? { tables[table]?.number }
    func texts(_ sql: String, _ arguments: [String]) throws -> [[String?]] { try file.texts(sql, arguments) }

    func bytes(beside path: (String) -> String, count: Int) -> [UInt8]? {
        let database = URL(filePath: file.path)
        let name = path(database.deletingPathExtension().lastPathComponent)
        let beside = database.deletingLastPathComponent().appending(path: name).standardized.path
        return try? SQLiteFile.bytes(of: beside, count: count)
    }
}
