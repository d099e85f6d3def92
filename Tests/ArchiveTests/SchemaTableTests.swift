import PostgreSQL
import SQLite
import TestSupport
import Testing

@testable import Schema
@testable import Writing

/// The list of columns says what becomes of each. A new one fails until it is in the list.
@Suite struct SchemaTableTests {
    private static let tables = SchemaTable.allSent + SchemaTable.allOwn

    private static func type(_ column: SchemaTable.Column) -> String {
        switch column.kind {
        case .integer: "INTEGER"
        case .text: "TEXT"
        case .bytes: "BLOB"
        }
    }

    @Test func `the list has every column of an account's file, with its type and its place in the key`() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.openWriter().close()
        let queue = try DatabaseQueue(path: try fixture.file())
        let columns = try queue.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT t.name || ' ' || c.name || ' ' || c.type || ' ' || c.pk || ' ' || c.hidden
                    FROM pragma_table_list AS t, pragma_table_xinfo(t.name) AS c
                    WHERE t.schema = 'main' AND t.type = 'table' AND t.name <> 'sqlite_schema'
                    """)
        }
        try queue.close()
        let listed = Self.tables.flatMap { table in
            table.columns.enumerated().map { index, column in
                let place = index < table.keyCount ? index + 1 : 0
                return "\(table.name) \(column.name) \(Self.type(column)) \(place) \(column.use == .computed ? 2 : 0)"
            }
        }
        #expect(Set(columns).subtracting(listed).sorted() == [], "not in the list")
        #expect(Set(listed).subtracting(columns).sorted() == [], "no such column")
    }

    @Test func `a message's row has a place for each column that is stored`() {
        #expect(MessageColumn.allCases.count == SchemaTable.message.sent.count)
        for (column, place) in zip(SchemaTable.message.sent, MessageColumn.allCases) {
            let name = "\(place)".replacing("ID", with: "Id").replacing(/[A-Z]/) { "_\($0.output.lowercased())" }
            #expect(["", "_id", "_us"].contains { name + $0 == column.name }, "\(place) is \(column.name)")
        }
    }

    @Test(.enabled(if: PostgreSQLServer.isAvailable, "needs PostgreSQL, which .ci/fetch-tools fetches"))
    func `the shared archive has every column that is copied, with its type`() async throws {
        let rows = try await SharedCopy().connect().execute(
            """
            SELECT table_name || ' ' || column_name || ' ' || data_type FROM information_schema.columns
            WHERE table_schema = 'scrollback' AND column_name NOT IN ('account_id', 'search')
            """)
        let columns = Set(try (0..<rows.count).compactMap { try rows.text($0, 0) })
        let copied = SchemaTable.allSent.flatMap { table in
            table.columns.filter { table.sent.contains($0) || $0.use == .computed }.map {
                "\(table.sharedName) \($0.name) \($0.kind.shared)"
            }
        }
        #expect(Set(copied).subtracting(columns).sorted() == [])
        let tables = SchemaTable.allSent.map(\.sharedName)
        let others = columns.subtracting(copied).filter { column in tables.contains { column.hasPrefix("\($0) ") } }
        #expect(others.sorted() == [])
    }
}
