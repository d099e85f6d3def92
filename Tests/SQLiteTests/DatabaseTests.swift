import SQLite
import TestSupport
import Testing

@Suite struct DatabaseTests {
    private struct Stop: Error {}

    @Test func `values of every type come back as they were`() throws {
        let values: [DatabaseValue] = [
            .null, .integer(.min), .integer(.max), .real(0.5), .real(-.infinity), .text(""), .text("말\0끝"), .blob([]),
            .blob([0, 255]),
        ]
        try DatabaseQueue().sync { (db: Database) throws in
            for value in values {
                #expect(try db.allRows(sql: "SELECT ?", arguments: [value]) { $0[0] } == [value])
            }
        }
    }

    @Test func `a value of another type is an error that names the column and not the text`() throws {
        try DatabaseQueue().sync { (db: Database) throws in
            let error = #expect(throws: DatabaseError.self) {
                try db.allRows(sql: "SELECT 'secret' AS room_id") { try $0.integer(0) }
            }
            #expect(error?.message == "room_id holds a text of 6 bytes, which is invalid")
            #expect(throws: DatabaseError.self) { try Int64.fetchOne(db, sql: "SELECT '12'") }
            #expect(throws: DatabaseError.self) { try Int32.fetchOne(db, sql: "SELECT 1 << 40") }
            #expect(throws: DatabaseError.self) { try String.fetchAll(db, sql: "SELECT NULL") }
            #expect(try String.fetchOne(db, sql: "SELECT NULL") == nil)
        }
    }

    @Test func `arguments go to parameters by their order or by their names`() throws {
        try DatabaseQueue().sync { (db: Database) throws in
            let named: StatementArguments = ["from": 1, "into": "둘", "unused": nil]
            let rows = try db.allRows(sql: "SELECT :into, :from, :into", arguments: named) { $0.values }
            #expect(rows == [[.text("둘"), .integer(1), .text("둘")]])
            try db.execute(
                sql: "CREATE TABLE t (a, b); INSERT INTO t VALUES (?, ?); UPDATE t SET b = ?; -- the end",
                arguments: [1, 2, 3])
            #expect(try db.allRows(sql: "SELECT a, b FROM t") { $0.values } == [[.integer(1), .integer(3)]])
        }
    }

    @Test(arguments: [[], [1], [1, 2, 3]] as [[Int]])
    func `too few and too many arguments are errors`(arguments: [Int]) throws {
        try DatabaseQueue().sync { (db: Database) throws in
            #expect(throws: DatabaseError.self) {
                try db.execute(sql: "SELECT ?, ?", arguments: StatementArguments(arguments))
            }
            #expect(throws: DatabaseError.self) {
                try db.cachedStatement(sql: "SELECT ?, ?").execute(arguments: StatementArguments(arguments))
            }
        }
    }

    @Test func `a word in double quotes is a name, and never a text`() throws {
        let queue = try DatabaseQueue()
        #expect(throws: DatabaseError.self) { try queue.sync { db in try db.execute(sql: "SELECT \"nothing\"") } }
    }

    @Test func `the cached statement of a text can run inside itself`() throws {
        try DatabaseQueue().sync { (db: Database) throws in
            let sql = "SELECT value FROM json_each('[1, 2]')"
            let pairs = try db.cachedStatement(sql: sql).allRows { one in
                let first = try one.integer(0)
                return try db.cachedStatement(sql: sql).allRows { "\(first)\(try $0.integer(0))" }
            }
            #expect(pairs.flatMap(\.self) == ["11", "12", "21", "22"])
        }
    }

    @Test func `rolling back a savepoint undoes only later changes`() throws {
        try DatabaseQueue().sync { (db: Database) throws in
            try db.execute(sql: "CREATE TABLE t (a)")
            try db.inTransaction(.immediate) {
                try db.execute(sql: "INSERT INTO t VALUES (1)")
                #expect(throws: Stop.self) {
                    try db.inSavepoint {
                        try db.execute(sql: "INSERT INTO t VALUES (2)")
                        throw Stop()
                    }
                }
                let count = try db.inSavepoint {
                    try db.execute(sql: "INSERT INTO t VALUES (4)")
                    return db.changesCount
                }
                #expect(count == 1)
            }
            #expect(try Int64.fetchAll(db, sql: "SELECT a FROM t") == [1, 4])
        }
    }

    @Test func `a copy made in steps equals its source, and one that is stopped is an error`() throws {
        let (source, copy) = (try DatabaseQueue(), try DatabaseQueue())
        try source.sync { from in
            try from.execute(
                sql: "CREATE TABLE t (a); INSERT INTO t SELECT hex(zeroblob(3000)) FROM json_each('[1,2,3,4]')")
            try copy.sync { into in
                #expect(throws: Stop.self) { try from.backup(to: into, pagesPerStep: 1) { _, _ in throw Stop() } }
                var left: [Int] = []
                try from.backup(to: into, pagesPerStep: 2) { rest, _ in left.append(rest) }
                #expect(left.count > 1 && left.last == 0)
                #expect(try Int64.fetchOne(into, sql: "SELECT count(*) FROM t") == 4)
            }
        }
    }

    @Test func `threads use a connection one after the other`() async throws {
        let queue = try DatabaseQueue()
        try queue.sync { try $0.execute(sql: "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (0)") }
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    try await queue.run { db in
                        let before = try Int64.fetchOne(db, sql: "SELECT a FROM t") ?? -1
                        try db.execute(sql: "UPDATE t SET a = ?", arguments: [before + 1])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try queue.read { try Int64.fetchOne($0, sql: "SELECT a FROM t") } == 50)
    }
}
