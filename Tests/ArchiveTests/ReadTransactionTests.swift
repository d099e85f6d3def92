import SQLite
import Testing

@testable import Archive
@testable import Schema

@Suite struct ReadTransactionTests {
    private func read<T>(_ body: (ReadTransaction) throws -> T) throws -> T {
        let queue = try DatabaseQueue()
        defer { try? queue.close() }
        return try queue.write { db in
            try db.execute(sql: "CREATE TABLE t (x INTEGER) STRICT; INSERT INTO t VALUES (1), (2), (NULL), (3)")
            return try body(ReadTransaction(db))
        }
    }

    private static let numbers: SQLText = "SELECT x FROM t WHERE x >= ?1 ORDER BY x"

    @Test func `a statement can run while the same statement runs`() throws {
        let found = try read { db in
            try db.all(Self.numbers, [1]) { row in
                let larger = try db.integers(Self.numbers, [.integer(try row.integer(0) + 1)])
                return [try row.integer(0)] + larger
            }
        }
        #expect(found == [[1, 2, 3], [2, 3], [3]])
    }

    @Test func `a statement that was left early or failed starts again`() throws {
        try read { db throws in
            #expect(try db.integer(Self.numbers, [2]) == 2)
            #expect(throws: DatabaseError.self) { try db.forEach(Self.numbers, [1]) { _ = try $0.text(0) } }
            #expect(try db.integers(Self.numbers, [2]) == [2, 3])
        }
    }

    @Test func `the first value is from the first row that has one`() throws {
        try read { db throws in
            #expect(try db.integer("SELECT x FROM t ORDER BY x") == 1)
            #expect(try db.integer("SELECT x FROM t WHERE x > ?1", [9]) == nil)
            #expect(try db.text("SELECT ?1 UNION ALL SELECT ?2", [.text(nil), ""]) == "")
            #expect(try db.holds("SELECT EXISTS (SELECT 1 FROM t WHERE x = ?1)", [3]))
            #expect(try !db.holds("SELECT x > 0 FROM t WHERE x IS NULL"))
            #expect(try db.integers("SELECT value FROM \(.each(1)) ORDER BY key", [.list([7, -5])]) == [7, -5])
            #expect(try db.holds("SELECT ?1 IS NULL AND ?2 = 1", [.list(nil), .bool(true)]))
        }
    }

    @Test func `a text has the words of each engine`() {
        let text: SQLText = """
            SELECT \(.bytes(of: "body")) FROM \(.each(1)) \(.crossJoin) message \(.indexed("i")) ON id = value \
            WHERE \(.folded("body")) = ?2 AND id \(.among(1))\(file: " LIMIT 1", shared: "")
            """
        #expect(
            text.file == """
                SELECT length(CAST(body AS BLOB)) FROM json_each(?1) CROSS JOIN message INDEXED BY i ON id = value \
                WHERE body COLLATE NOCASE = ?2 AND id IN (SELECT value FROM json_each(?1)) LIMIT 1
                """)
        let list = """
            (SELECT v::bigint AS value, n AS key
            FROM jsonb_array_elements_text($1::jsonb) WITH ORDINALITY AS e (v, n)) AS each
            """
        let shared = SharedStatement.of(text, parameters: 2)
        #expect(shared.namesAccount)
        #expect(
            shared.text == """
                WITH "message" AS NOT MATERIALIZED (SELECT * FROM scrollback.message WHERE account_id = $3)
                SELECT octet_length(body) FROM \(list) JOIN message  ON id = value \
                WHERE lower(body) = $2 AND id IN (SELECT value FROM \(list))
                """)
        #expect(
            SharedStatement.of("WITH RECURSIVE n AS (SELECT 1) SELECT ?1 FROM room, n", parameters: 1).text == """
                WITH RECURSIVE "room" AS NOT MATERIALIZED (SELECT * FROM scrollback.room WHERE account_id = $2),
                n AS (SELECT 1) SELECT $1 FROM room, n
                """)
    }

    @Test(arguments: ["'1'", "1.5", "x'31'", "NULL"])
    func `a value of another type is an error`(value: String) throws {
        try read { db throws in
            func fails(_ read: (Columns) throws -> some Any) -> Bool {
                do {
                    try db.forEach("SELECT \(value) AS x") { _ = try read($0) }
                    return false
                } catch {
                    return (error as? DatabaseError)?.message.hasPrefix("x holds ") == true
                }
            }
            #expect(fails { try $0.integer(0) } && fails { try $0.bool(0) } && fails { try $0.time(0) })
            #expect(fails { try $0.limit(0) } && fails { try $0.messageID(0) })
            #expect(fails { try $0.text(0) } == (value != "'1'") && fails { try $0.blob(0) } == (value != "x'31'"))
            #expect(fails { try $0.real(0) } == (value != "1.5"))
            #expect(fails { try $0.optionalInteger(0) } == (value != "NULL"))
        }
    }
}
