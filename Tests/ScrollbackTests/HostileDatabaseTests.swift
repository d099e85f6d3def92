import Foundation
import LogFormats
import Rendering
import TestSupport
import Testing

@testable import Importing

/// Databases of strangers, which look like those of known programs: each is read whole, or refused with the reason.
@Suite(.disabled(if: QuickCheck.isRunning))
struct HostileDatabaseTests {
    let home: DatabaseHome

    init() throws {
        home = try DatabaseHome()
    }

    static func rows(_ count: Int, from first: Int = 0) -> String {
        "BEGIN;"
            + (first..<first + count).map { ClientDatabase.lounge(1_795_242_191_123 + $0, "alice", "line \($0)") }
            .joined()
            + "COMMIT;"
    }

    static func told(_ count: Int) -> [String] { (0..<count).map { "alice: line \($0)" } }

    /// The Lounge's table with other columns after its own.
    static func lounge(_ columns: String, _ options: String = "") -> String {
        """
        CREATE TABLE messages (
            id INTEGER PRIMARY KEY, network TEXT, channel TEXT, time INTEGER, type TEXT, msg TEXT\(columns))\(options);\n
        """
    }

    // MARK: - Rows

    @Test(arguments: [", rowid TEXT DEFAULT 'zzz'", ", rowid INTEGER DEFAULT 7", ", ROWID, _rowid_ TEXT DEFAULT 'z'"])
    func `a column named like the row number hides and repeats no row`(column: String) async throws {
        try home.write(Self.lounge(column) + Self.rows(1200), to: "a.sqlite3")
        let result = try await home.read("a.sqlite3")
        #expect(result.told == Self.told(1200))
        #expect(result.troubles == [] && result.invalid == [])
    }

    @Test func `columns with all names of the row number are an error`() async throws {
        try home.write(Self.lounge(", rowid, _rowid_, oid") + Self.rows(2), to: "a.sqlite3")
        #expect(
            try await home.read("a.sqlite3").troubles == [
                """
                a.sqlite3: the rows' numbers are hidden by columns rowid, _rowid_ and oid of its table "messages"; rename \
                one of these columns in a copy of the file
                """
            ])
    }

    @Test func `the smallest and largest row number are read once each`() async throws {
        try home.write(
            Self.lounge("") + Self.rows(600) + """
                UPDATE messages SET id = -9223372036854775808 WHERE id = 1;
                UPDATE messages SET id = 9223372036854775807 WHERE id = 600;
                """, to: "a.sqlite3")
        #expect(try await home.read("a.sqlite3").told == Self.told(600))
    }

    @Test func `a table without row numbers is read by its primary key`() async throws {
        let columns = "network TEXT, channel TEXT, time INTEGER, type TEXT, msg TEXT, PRIMARY KEY (network, time)"
        try home.write("CREATE TABLE messages (\(columns)) WITHOUT ROWID;" + Self.rows(1200), to: "a.sqlite3")
        let result = try await home.read("a.sqlite3")
        #expect(result.told == Self.told(1200) && result.troubles == [])
        try SQLiteFixture(home.path("a.sqlite3")).execute(
            "UPDATE messages SET msg = hex(zeroblob(2000000)) WHERE time = 1795242191123 + 700")
        let cut = try await home.read("a.sqlite3")
        #expect(cut.told == Self.told(700))
        #expect(
            cut.troubles == [
                """
                a.sqlite3: after 700 rows, a value is longer than 2097152 bytes; its rows have no numbers, so the rest can't \
                be read
                """
            ])
    }

    @Test func `rows hidden by a damaged tree are an error`() async throws {
        try home.write(Self.lounge("") + Self.rows(3000), to: "a.sqlite3")
        // A search for a number in the middle of a page goes to the page after it.
        try changeTree { cells in
            for (cell, before) in zip(cells, [TreeCell(page: 0, number: 0)] + cells) { cell.number = before.number + 1 }
        }
        let result = try await home.read("a.sqlite3")
        let trouble = try #require(result.troubles.first)
        let found = try #require(
            trouble.wholeMatch(of: #/.*\(of 3,000 rows in the table "messages", ([0-9,]+) could be read\).*/#))
        #expect(String(found.1) == result.told.count.grouped)
        #expect(result.told.count < 3000)
    }

    @Test func `a damaged tree that repeats rows is an error`() async throws {
        try home.write(Self.lounge("") + Self.rows(3000), to: "a.sqlite3")
        try changeTree { cells in cells[5].page = cells[4].page }
        #expect(
            try await home.read("a.sqlite3").troubles == [
                """
                a.sqlite3: the database is damaged (its rows are out of order); save what is left: \
                sqlite3 FILE .recover | sqlite3 NEW-FILE
                """
            ])
    }

    /// A cell of the table's first page: the number of a page, and the greatest number of a row in it.
    private final class TreeCell {
        var page: UInt32
        var number: Int

        init(page: UInt32, number: Int) {
            (self.page, self.number) = (page, number)
        }
    }

    /// Changes the first page of the table `messages` (sqlite.org/fileformat2.html §1.6). Numbers stay below 16,384.
    private func changeTree(_ change: ([TreeCell]) -> Void) throws {
        let root = try #require(
            SQLiteFixture(home.path("a.sqlite3")).texts(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'messages'"
            ).first.flatMap { Int($0) })
        var bytes = try home.bytes("a.sqlite3")
        let page = (root - 1) * 4096
        try #require(bytes[page] == 5)
        func pair(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
        let places = (0..<pair(page + 3)).map { page + pair(page + 12 + 2 * $0) }.filter { bytes[$0 + 4] & 0x80 != 0 }
        let cells = places.map { place in
            TreeCell(
                page: bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) },
                number: Int(bytes[place + 4] & 0x7F) << 7 | Int(bytes[place + 5]))
        }
        change(cells)
        for (place, cell) in zip(places, cells) {
            for index in 0..<4 {
                bytes[place + index] = UInt8(truncatingIfNeeded: cell.page >> (24 - 8 * UInt32(index)))
            }
            (bytes[place + 4], bytes[place + 5]) = (UInt8(0x80 | cell.number >> 7), UInt8(cell.number & 0x7F))
        }
        try home.write(bytes, to: "a.sqlite3")
    }

    @Test func `rows of an unlisted network are invalid, not lost`() async throws {
        try home.write(
            ClientDatabase.quassel + ClientDatabase.quasselNetwork(1, "libera")
                + ClientDatabase.quasselNetwork(2, "OFTC") + ClientDatabase.quassel(1_795_242_191_123, "alice", "hi")
                + ClientDatabase.quassel(1_795_242_192_123, "bob", "ho", buffer: 2)
                + "DELETE FROM network WHERE networkid = 2", to: "a.sqlite")
        let result = try await home.read("a.sqlite")
        #expect(result.told == ["alice: hi"])
        #expect(result.invalid == ["its network is not in the database's list of networks"])
    }

    // MARK: - Schemas

    private static let unknown =
        "this is a SQLite database of an unknown program; export its messages as CSV, and import that"

    @Test(arguments: [
        // A virtual table with a comment in its statement.
        """
        CREATE VIRTUAL TABLE messages USING fts5 (id, network, channel, time, type, msg);
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'CREATE VIRTUAL', 'CREATE/**/VIRTUAL') WHERE name = 'messages'
        """,
        // Texts that are computed when they are read.
        """
        CREATE TABLE messages (
            id INTEGER PRIMARY KEY, network TEXT, channel TEXT, time INTEGER, type TEXT,
            msg TEXT GENERATED ALWAYS AS ('{"text":"' || hex(zeroblob(500000)) || '"}') VIRTUAL)
        """,
    ])
    func `only real tables are read`(sql: String) async throws {
        try home.write(sql, to: "a.sqlite3")
        #expect(try await home.read("a.sqlite3").troubles == ["a.sqlite3: \(Self.unknown)"])
    }

    @Test func `a view disguised as a table gives no rows`() async throws {
        try home.write(
            """
            CREATE TABLE other (x);
            CREATE VIEW messages (rowid, id, network, channel, time, type, msg) AS
            WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 1000000)
            SELECT x, x, 'net', '#example', 1795242191123, 'message', '{"from":{"nick":"alice"},"text":"hi"}' FROM c;
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET type = 'table' WHERE name = 'messages'
            """, to: "a.sqlite3")
        let result = try await home.read("a.sqlite3")
        // Versions of SQLite differ in what they make of it.
        let reasons = ["the database is damaged (malformed database schema (messages))", "of an unknown program"]
        #expect(result.told == [] && result.troubles.count == 1)
        #expect(reasons.contains { result.troubles.joined().contains($0) }, "\(result.troubles)")
    }

    @Test func `triggers, expression indices and computed columns change nothing`() async throws {
        try home.write(
            Self.lounge(", noise TEXT GENERATED ALWAYS AS (hex(zeroblob(500000))) VIRTUAL") + Self.rows(3) + """
                CREATE TABLE log (x);
                CREATE TRIGGER tr AFTER INSERT ON messages BEGIN INSERT INTO log VALUES (1); END;
                CREATE INDEX ix ON messages (lower(network));
                CREATE VIEW many AS SELECT a.id FROM messages a, messages b;
                """, to: "a.sqlite3")
        #expect(try await home.read("a.sqlite3").told == Self.told(3))
    }

    @Test func `a schema that needs much memory is an error`() async throws {
        let list = Array(repeating: "1", count: 45_000).joined(separator: ",")
        let views = (0..<20).map { "CREATE VIEW v\($0) AS SELECT 1 IN (\(list));" }.joined()
        try home.write(Self.lounge("") + Self.rows(3) + views, to: "a.sqlite3")
        #expect(
            try await home.read("a.sqlite3").troubles == [
                "a.sqlite3: its schema takes more than 16 MiB; export its messages as text or CSV"
            ])
    }

    // MARK: - Work

    @Test(arguments: [
        ("INSERT INTO backlog VALUES (1, 1795242191123, 1, 1, 0, 1, '', 'hi');", "buffer", "bufferid"),
        ("", "sender", "senderid"),
    ])
    func `a table without the key for lookups is an error`(
        row: String, table: String, key: String
    ) async throws {
        try home.write(
            ClientDatabase.quassel + row + "CREATE TABLE copy AS SELECT * FROM \(table); DROP TABLE \(table);"
                + "ALTER TABLE copy RENAME TO \(table);", to: "a.sqlite")
        #expect(
            try await home.read("a.sqlite").troubles == [
                #"a.sqlite: "\#(key)" is not the key of its table "\#(table)"; open it once with the program that wrote it"#
            ])
    }

    /// A database in which the search for networks with messages compares each of the networks with each message.
    private static func unindexed(_ count: Int) -> String {
        """
        DROP INDEX backlog_buffer_msgid_idx;
        WITH RECURSIVE c (x) AS (SELECT 2 UNION ALL SELECT x + 1 FROM c LIMIT \(count))
        INSERT INTO network (networkid, userid, networkname) SELECT x, 1, x FROM c;
        WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT \(count))
        INSERT INTO backlog SELECT x, 1795242191123, 0, 1, 0, 1, '', 'hi' FROM c;
        """
    }

    @Test func `a query that searches too long is an error`() async throws {
        try home.write(
            ClientDatabase.quassel + ClientDatabase.quasselNetwork(1, "libera") + Self.unindexed(5000), to: "a.sqlite")
        let trouble = try await home.read("a.sqlite").troubles.joined()
        #expect(trouble.hasPrefix("a.sqlite: a query takes more than 10,"), "\(trouble)")
        #expect(trouble.hasSuffix(" steps; rebuild it: sqlite3 FILE .recover | sqlite3 NEW-FILE"), "\(trouble)")
    }

    @Test func `reading stops within a query on request`() throws {
        try home.write(
            ClientDatabase.quassel + ClientDatabase.quasselNetwork(1, "libera") + Self.unindexed(5000), to: "a.sqlite")
        var calls = 0
        #expect(throws: ImportStopped.self) {
            _ = try DatabaseChunks.open(home.path("a.sqlite")) {
                calls += 1
                return calls > 1000
            }
        }
        #expect(calls == 1001)
    }

    @Test func `rows that expand to hundreds of times the file's size are an error`() throws {
        let sender = "INSERT INTO sender (sender) VALUES (hex(zeroblob(160000)));"
        let rows = """
            WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 300)
            INSERT INTO backlog SELECT x, 1795242191123, 1, 1, 0, 1, '', 'hi' FROM c;
            """
        try home.write(
            ClientDatabase.quassel + ClientDatabase.quasselNetwork(1, "libera") + sender + rows, to: "a.sqlite")
        let chunks = try #require(try DatabaseChunks.open(home.path("a.sqlite")) { false })
        var count = 0
        let error = #expect(throws: UnreadableBytes.self) {
            while case let bytes = try chunks.next(), !bytes.isEmpty { count += bytes.count }
        }
        #expect(error?.reason == "its rows take more than 200 times its size")
        let attributes = try FileManager.default.attributesOfItem(atPath: home.path("a.sqlite"))
        let most = try 200 * #require(attributes[.size] as? Int)
        #expect(abs(count - most) <= 1 << 20, "\(count) of \(most) bytes")
    }
}
