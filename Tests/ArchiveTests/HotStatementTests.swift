import GRDB
import Testing

@testable import Archive

@Suite struct HotStatementTests {
    private static let insertion = "INSERT INTO word (id, text, length) VALUES (?, ?, ?)"

    /// A table, and one row in it by GRDB's own statement.
    private func writing(_ body: (Database) throws -> Void) throws -> [String?] {
        try DatabaseQueue().write { db in
            try db.execute(sql: "CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT, length INTEGER)")
            try db.cachedStatement(sql: Self.insertion).execute(arguments: [1, "말", 1])
            try body(db)
            return try String?.fetchAll(db, sql: "SELECT text FROM word ORDER BY id")
        }
    }

    @Test func `a parameter without a value is NULL, whatever it was before`() throws {
        let texts = try writing { db in
            let insertion = try HotStatement(cached: Self.insertion, db)
            try insertion.execute { $0.bind(1, 2) }
            try insertion.execute {
                $0.bind(1, 3)
                $0.bind(2, "낱말")
                $0.bind(3, Int64?.none)
            }
            try insertion.execute {
                $0.bind(1, 4)
                $0.bind(2, String?.none)
            }
        }
        #expect(texts == ["말", nil, "낱말", nil])
    }

    @Test func `a statement that failed runs again`() throws {
        let texts = try writing { db in
            let insertion = try HotStatement(cached: Self.insertion, db)
            #expect(throws: DatabaseError.self) {
                try insertion.execute {
                    $0.bind(1, 1)
                    $0.bind(2, "두 번")
                }
            }
            try insertion.execute { $0.bind(1, 2) }
        }
        #expect(texts == ["말", nil])
    }
}
