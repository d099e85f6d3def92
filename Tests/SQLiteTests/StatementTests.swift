import SQLite
import Testing

@Suite struct StatementTests {
    private static let insertion = "INSERT INTO word (id, text, length) VALUES (?, ?, ?)"

    /// A table, and one row in it by a cached statement.
    private func writing(_ body: (Database) throws -> Void) throws -> [String?] {
        try DatabaseQueue().write { db in
            try db.execute(sql: "CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT, length INTEGER)")
            try db.cachedStatement(sql: Self.insertion).execute(arguments: [1, "말", 1])
            try body(db)
            return try Self.texts(db, "SELECT text FROM word ORDER BY id")
        }
    }

    private static func texts(_ db: Database, _ sql: String) throws -> [String?] {
        try db.allRows(sql: sql) { row in row.isNull(0) ? nil : try row.text(0) }
    }

    private static func statement(isCached: Bool, _ db: Database) throws -> Statement {
        try isCached ? db.cachedStatement(sql: insertion) : db.makeStatement(sql: insertion, keepsValues: true)
    }

    @Test(arguments: [false, true])
    func `a parameter without a value is NULL, whatever its earlier value`(isCached: Bool) throws {
        let texts = try writing { db in
            let insertion = try Self.statement(isCached: isCached, db)
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

    @Test(arguments: [false, true])
    func `texts of every length are stored unchanged`(isCached: Bool) throws {
        let written: [String?] = (0..<40).map { String(repeating: "말", count: $0 * $0 * 2) } + ["", "a", "말"]
        let texts = try writing { db in
            let insertion = try Self.statement(isCached: isCached, db)
            for (place, text) in written.enumerated() {
                try insertion.execute {
                    $0.bind(1, Int64(place) + 2)
                    $0.bind(2, text)
                    $0.bind(3, text)
                }
            }
            #expect(try Self.texts(db, "SELECT length FROM word WHERE id > 1 ORDER BY id") == written)
        }
        #expect(Array(texts.dropFirst()) == written)
    }

    @Test func `a statement with more than 64 parameters has NULL for those without a value`() throws {
        let count = 70
        let rows = try DatabaseQueue().write { db in
            let marks = (1...count).map { "?\($0)" }.joined(separator: ", ")
            let statement = try db.makeStatement(sql: "SELECT coalesce(\(marks))", keepsValues: true)
            return try [70, 1, 65].map { place in
                try statement.firstRow({ $0.bind(Int32(place), Int64(place)) }) { try $0.integer(0) }
            }
        }
        #expect(rows == [70, 1, 65])
    }

    @Test(arguments: [false, true])
    func `a statement runs again after a failure`(isCached: Bool) throws {
        let texts = try writing { db in
            let insertion = try Self.statement(isCached: isCached, db)
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
