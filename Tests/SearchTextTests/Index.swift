import SQLite
import SearchText

/// A real FTS5 table of rows, as an archive holds it.
struct Index {
    let rows: [String]
    private let database: DatabaseQueue
    /// The words of all rows.
    private let words: [String]

    init(_ rows: [String], tokenizer: String = "unicode61") throws {
        self.rows = rows
        words = Self.words(of: rows)
        database = try DatabaseQueue()
        try database.write { database in
            try database.execute(
                sql: """
                    CREATE VIRTUAL TABLE message_search
                    USING fts5(text, chars, facets, content='', tokenize='\(tokenizer)')
                    """)
            for (id, row) in rows.enumerated() {
                let indexed = Analyser.analyse(row)
                try database.cachedStatement(
                    sql: "INSERT INTO message_search (rowid, text, chars, facets) VALUES (?, ?, ?, ?)"
                ).execute(arguments: [id, indexed.text, indexed.chars, Self.facets(id).joined(separator: " ")])
            }
        }
    }

    /// The different words of texts.
    static func words(of texts: [String]) -> [String] {
        var words: Set<[UInt8]> = []
        for text in texts { Analyser.analyse(text).forEachWord { words.insert(Array($0)) } }
        return words.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Invented facts about a row, by its number.
    static func facets(_ id: Int) -> [String] {
        ["all", "r\(id % 3)", "u\(id % 5)", "kmessage"] + (id % 7 == 0 ? ["hlink"] : [])
            + (id % 4 == 0 ? ["xedited"] : [])
    }

    /// What the index finds.
    func found(_ query: SearchQuery) throws -> [Int] {
        let expression = MatchExpression(
            query, users: Self.users, rooms: { Self.token("r", $0) }, words: { part in words.filter { part.isIn($0) } })
        return try database.read { database in
            switch expression {
            case .everything: return Array(rows.indices)
            case .nothing: return []
            case .match(let text):
                return try Int.fetchAll(
                    database.cachedStatement(
                        sql: "SELECT rowid FROM message_search WHERE message_search MATCH ? ORDER BY rowid"),
                    arguments: [text])
            }
        }
    }

    /// The users of a term, of whom 0 to 4 are there.
    private static func users(_ term: Term) -> [String] {
        switch term {
        case .from(let name): token("u", name)
        case .fromPrefix(let name): (0..<5).filter { "\($0)".hasPrefix(name) }.map { "u\($0)" }
        default: []
        }
    }

    /// Users and rooms are called by their number.
    private static func token(_ letter: String, _ name: String) -> [String] {
        Int(name).map { ["\(letter)\($0)"] } ?? []
    }

    /// What a look at every row finds.
    func matching(_ query: SearchQuery) -> [Int] {
        let matcher = Matcher(query)
        return rows.indices.filter { id in
            matcher.matches(rows[id]) { Self.fulfils(id, $0) }
        }
    }

    private static func fulfils(_ id: Int, _ term: Term) -> Bool {
        switch term {
        case .from(let name): Int(name) == id % 5
        case .fromPrefix(let name): "\(id % 5)".hasPrefix(name)
        case .room(let name): Int(name) == id % 3
        case .has(let has): has == .link && id % 7 == 0
        case .is(let state): state == .edited && id % 4 == 0
        case .word, .phrase, .exact, .prefix, .infix, .suffix, .group: false
        }
    }
}

extension WordPart {
    /// Returns true if the word has the part, code point by code point.
    func isIn(_ word: String) -> Bool {
        let (word, part) = (Array(word.unicodeScalars), Array(letters.unicodeScalars))
        if isEnd { return word.suffix(part.count).elementsEqual(part) }
        return word.indices.contains { word[$0...].starts(with: part) }
    }
}
