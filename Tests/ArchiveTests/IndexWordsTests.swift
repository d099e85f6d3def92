import CSQLite
import SQLite
import TestSupport
import Testing

@testable import Checks

/// The words of the search index, as they are read from FTS5's own tables.
@Suite struct IndexWordsTests {
    private let queue: DatabaseQueue

    init() throws { queue = try DatabaseQueue() }

    /// A place of a word in a message.
    private struct Place: Hashable {
        var word: [UInt8]
        var row, column, place: Int64
    }

    @Test(arguments: 0..<6)
    func `the words and their places are those that SQLite finds`(seed: Int) throws {
        let (found, stepwise, expected) = try queue.sync { db in
            try Self.fill(seed, db)
            let expected = try db.allRows(sql: "SELECT term, doc, col, offset FROM temp.words") { row in
                let column = try row.text(2)
                return try Place(
                    word: Array(row.bytes(0)), row: row.integer(1),
                    column: column == "text" ? 0 : column == "chars" ? 1 : 2, place: row.integer(3))
            }
            return try (Self.places(1000, db), Self.places(1, db), expected)
        }
        #expect(!expected.isEmpty)
        #expect(found == expected)
        #expect(stepwise == expected)
    }

    @Test func `a changed byte in any page ends with other words or an error`() throws {
        var random = SeededGenerator(seed: 7)
        try queue.sync { db in
            try Self.fill(1, db)
            let pages = try Int64.fetchAll(db, sql: "SELECT id FROM message_search_data")
            for _ in 0..<100 {
                let page = try #require(pages.randomElement(using: &random))
                let whole = try #require(
                    try [UInt8].fetchOne(
                        db, sql: "SELECT block FROM message_search_data WHERE id = ?", arguments: [page]))
                var bytes = whole
                guard let place = bytes.indices.randomElement(using: &random) else { continue }
                bytes[place] = UInt8.random(in: 0...255, using: &random)
                try Self.write(bytes, to: page, db)
                do {
                    _ = try Self.places(1, db)
                } catch let error as DatabaseError {
                    #expect(error.primaryCode == SQLITE_CORRUPT)
                }
                try Self.write(whole, to: page, db)
            }
        }
    }

    private static func write(_ bytes: [UInt8], to page: Int64, _ db: Database) throws {
        try db.execute(sql: "UPDATE message_search_data SET block = ? WHERE id = ?", arguments: [bytes, page])
    }

    /// Returns all places, and begins again after at least so many.
    private static func places(_ step: Int, _ db: Database) throws -> [Place] {
        var places: [Place] = []
        var last: [UInt8]? = []
        while let after = last {
            last = nil
            var words = try IndexWords(after: after, db)
            let start = places.count
            while let word = words.word {
                try words.readPlaces { row, column, place in
                    places.append(Place(word: word, row: row, column: column, place: place))
                }
                if places.count - start >= step {
                    last = word
                    break
                }
            }
        }
        return places
    }

    /// Makes an index of small pages and several segments, with removed and replaced texts, and lists of places that are longer than
    /// a page.
    private static func fill(_ seed: Int, _ db: Database) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var texts: [Int64: String] = [:]
        try db.execute(
            sql: """
                CREATE TABLE message_search_text (number INTEGER PRIMARY KEY, text, chars, facets);
                CREATE VIRTUAL TABLE message_search USING fts5(text, chars, facets, content = 'message_search_text',
                  content_rowid = 'number', columnsize = 0, tokenize = 'unicode61');
                CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, message_search, instance);
                INSERT INTO message_search (message_search, rank) VALUES ('pgsz', \([32, 64, 200][seed % 3]));
                INSERT INTO message_search (message_search, rank) VALUES ('automerge', \([0, 2][seed % 2]));
                """)
        for batch in 0..<12 {
            try db.inTransaction {
                for _ in 0..<15 {
                    let row = Int64.random(in: -100...100, using: &random)
                    if let text = texts.removeValue(forKey: row) {
                        try db.execute(
                            sql: """
                                INSERT INTO message_search (message_search, rowid, text, chars, facets)
                                  VALUES ('delete', \(row), '\(text)', '가', 'all r1')
                                """)
                    }
                    guard batch < 6 || Bool.random(using: &random) else { continue }
                    let text = Self.text(&random)
                    texts[row] = text
                    try db.execute(
                        sql: """
                            INSERT INTO message_search (rowid, text, chars, facets)
                              VALUES (\(row), '\(text)', '가', 'all r1')
                            """)
                }
            }
            if batch % 4 == 3 {
                try db.execute(sql: "INSERT INTO message_search (message_search, rank) VALUES ('merge', 2)")
            }
        }
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        let count = Int.random(in: 0..<20, using: &random) == 0 ? 150 : Int.random(in: 0..<5, using: &random)
        return (0..<count).map { _ in
            let number = Int.random(in: 0..<12, using: &random)
            return number == 0 ? String(repeating: "long", count: 60) : "word\(number)"
        }.joined(separator: " ")
    }
}
