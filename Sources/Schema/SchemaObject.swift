package import SQLite

/// A table, index, trigger or view, but none of SQLite's own.
package struct SchemaObject {
    package let type: String
    package let name: String
    /// The statement that creates it.
    package let sql: String

    /// Such as `table message`.
    package var title: String { type + " " + name }

    /// True for a table or an index, which has pages.
    var hasContent: Bool { type == "table" || type == "index" }

    /// The words and signs of the statement, without comments and white space; for a virtual table, only with the
    /// module, because its options may be written in another way. SQLite quotes the name of a table that was renamed, as
    /// the search index is when it is rebuilt.
    package var tokens: [String] {
        let tokens = Self.tokens(of: sql).map { $0 == "\"\(name)\"" || $0 == "'\(name)'" ? name : $0 }
        return tokens.dropFirst().first == "VIRTUAL" ? Array(tokens.prefix { $0 != "(" }) : tokens
    }

    /// Returns the objects of a file.
    package static func all(_ db: Database) throws -> [SchemaObject] {
        try db.all(
            sql: """
                SELECT type, name, ifnull(sql, '') FROM sqlite_schema
                WHERE type IN ('trigger', 'view')
                  OR name NOT GLOB 'sqlite_stat[14]' AND name NOT GLOB 'sqlite_autoindex_*' AND name <> 'sqlite_sequence'
                ORDER BY rowid
                """
        ) { row in try SchemaObject(type: row.value(0), name: row.value(1), sql: row.value(2)) }
    }

    /// Returns the objects of a new file of that schema.
    package static func all(of schema: Schema, number: Int) throws -> [SchemaObject] {
        try DatabaseQueue().sync { db in
            try schema.migrate(db, path: ":memory:", isNew: true, to: number)
            return try all(db)
        }
    }

    private static func tokens(of sql: String) -> [String] {
        var (tokens, rest) = ([String](), Array(sql.utf8)[...])
        while let first = rest.first {
            let length: Int
            switch first {
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                length = rest.dropFirst().firstIndex(of: first).map { $0 + 1 - rest.startIndex } ?? rest.count
            case _ where isOfWord(first): length = rest.prefix(while: isOfWord).count
            default: length = 1
            }
            if rest.starts(with: "--".utf8) {
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
                continue
            }
            if !" \t\r\n".utf8.contains(first) { tokens.append(String(decoding: rest.prefix(length), as: UTF8.self)) }
            rest = rest.dropFirst(length)
        }
        return tokens
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
