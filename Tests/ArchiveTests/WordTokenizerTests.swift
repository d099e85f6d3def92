import SQLite
import Schema
import TestSupport
import Testing

@testable import Checks

struct WordTokenizerTests {
    private static let pieces = [
        "alice", "BOB", "Straße", "café", "e\u{301}", "서버", "안녕하세요", "日本", "ﬀ", "a_b", "a-b", "x'y", "1,234.5", " ",
        "  ",
        "\n", ".", "👍", "\u{0}", "\u{200D}", "İ", "ǆ", "٣٤", String(repeating: "long", count: 40),
    ]

    /// The words of a text in an index of FTS5, each with its place.
    private func indexed(_ text: String, _ db: Database) throws -> [String] {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS words;
                DROP TABLE IF EXISTS texts;
                CREATE VIRTUAL TABLE texts USING fts5(text, content = '', columnsize = 0, tokenize = 'unicode61');
                CREATE VIRTUAL TABLE words USING fts5vocab(texts, instance);
                """)
        try db.makeStatement(sql: "INSERT INTO texts (rowid, text) VALUES (1, ?)").execute(arguments: [text])
        return try db.all(sql: "SELECT term, offset FROM words ORDER BY offset") { row in
            try "\(row.integer(1)) \(row.text(0))"
        }
    }

    @Test func `the tokenizer gives the words and places that FTS5 stores`() throws {
        var random = SeededGenerator(seed: 64)
        let tokenizer = try WordTokenizer()
        try DatabaseQueue().sync { db in
            for _ in 0..<200 {
                let count = Int.random(in: 0..<12, using: &random)
                let text = (0..<count).compactMap { _ in Self.pieces.randomElement(using: &random) }.joined()
                var words: [String] = []
                try tokenizer.forEachWord(of: text) { word, place in
                    words.append("\(place) \(String(decoding: word, as: UTF8.self))")
                }
                #expect(try words == indexed(text, db), "\(text.debugDescription)")
            }
        }
    }

    @Test func `a word of 32,769 bytes is stored without its end`() throws {
        let text = String(repeating: "x", count: 32769) + " y"
        var words: [Int] = []
        try WordTokenizer().forEachWord(of: text) { word, _ in words.append(word.count) }
        #expect(words == [32768, 1])
    }
}
