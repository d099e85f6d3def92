import ChatModel
import SQLite
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Schema
@testable import Writing

/// An account whose file has the last schema before the first migration.
extension ArchiveFixture {
    /// Fills the account and gives its file the last schema.
    ///
    /// - Returns: ``lastSchemaRows(generation:)``.
    @discardableResult
    func fillLastSchema(seed: UInt64 = 1) async throws -> [String] {
        let writer = try await openWriter()
        var random = RandomArchive(seed: seed)
        try await random.write(to: writer)
        while try await writer.indexStep().from != nil {}
        try await writer.close()
        let rows = try lastSchemaRows()
        try LastSchema.restore(try file())
        #expect(try value("PRAGMA user_version") == Schema.account.last)
        #expect(try lastSchemaRows() == rows)
        return rows
    }

    /// Every row of the tables of the last schema, without the columns that were added later.
    func lastSchemaRows(generation: Int = 1) throws -> [String] {
        let tables: [(name: String, columns: String)] = try DatabaseQueue().sync { db in
            try db.execute(sql: LastSchema.sql(of: "account"))
            return try db.all(
                sql: """
                    SELECT t.name, '"' || group_concat(c.name, '", "') || '"'
                    FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
                    WHERE t.type = 'table' AND t.rootpage > 0 GROUP BY t.name ORDER BY t.name
                    """
            ) { try ($0.value(0), $0.value(1)) }
        }
        let queue = try DatabaseQueue(path: try file(generation: generation), isReadOnly: true)
        defer { try? queue.close() }
        return try queue.read { db in
            try tables.flatMap { table in
                try db.allRows(sql: "SELECT \(table.columns) FROM \(table.name)") { "\(table.name) \($0.values)" }
                    .sorted()
            }
        }
    }

    /// Returns the account's messages in an archive, at least one.
    func allMessages(in archive: Archive? = nil) async throws -> [Message] {
        let page = try (archive ?? self.archive).reading().page(query(.oldest, limit: 1000, room: nil))
        #expect(!page.messages.isEmpty)
        return page.messages
    }

    /// Returns the statements of the file's schema, by type and name.
    func statements(of account: String = "demo") throws -> [[DatabaseValue]] {
        let queue = try DatabaseQueue(path: try file(of: account))
        defer { try? queue.close() }
        return try queue.read { db in try Self.statements(db) }
    }

    static func statements(_ db: Database) throws -> [[DatabaseValue]] {
        try db.all(sql: "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name") { $0.values }
    }
}
