import CSQLite
import SearchText

extension FuzzTarget {
    /// Search queries. The first line is the query, and the rest a message's text.
    static let query = FuzzTarget("query", limit: 2048) { input in
        let (line, rest) = input.firstLine
        let (query, body) = (SearchQuery(parsing: line.text), rest.text)
        _ = (query.remarks, query.roomNames, query.wanted)
        let matcher = Matcher(query)
        try checkRanges(matcher.ranges(in: body), body)
        let isFound = try SearchIndex.shared.finds(query, in: body)
        try requireEqual(isFound, matcher.matches(body) { $0 == .room("a") }, "the index and a comparison")
        let expression = MatchExpression(query, in: .tsquery, users: { _ in [] }, rooms: { _ in ["r1"] })
        if case .match(let text) = expression {
            try require(text.utf8.count { $0 == UInt8(ascii: "'") } % 2 == 0, "quotes of \(text)")
        }
    }

    /// Regular expressions. The first line is the expression, and the rest a text.
    static let regex = FuzzTarget("regex", limit: 2048) { input in
        let (line, rest) = input.firstLine
        guard let expression = try? RegularExpression(line.text) else { return }
        let body = rest.text
        let ranges = expression.ranges(in: body)
        try checkRanges(ranges, body)
        if !ranges.isEmpty { try require(expression.matches(body) != false, "ranges without a match") }
    }

    /// Ranges to highlight are not empty, are in order and don't overlap.
    private static func checkRanges(_ ranges: [Range<String.Index>], _ body: String) throws {
        var last = body.startIndex
        for range in ranges {
            try require(range.lowerBound >= last && !range.isEmpty && range.upperBound <= body.endIndex, "\(ranges)")
            last = range.upperBound
        }
    }
}

/// A search index of one message in the room `a`.
private final class SearchIndex {
    /// Targets run on one thread.
    nonisolated(unsafe) static let shared = SearchIndex()

    private var connection: OpaquePointer?

    private init() {
        sqlite3_open(":memory:", &connection)
        run("CREATE VIRTUAL TABLE t USING fts5(text, chars, facets, content='', columnsize=0, tokenize='unicode61')")
    }

    /// Returns true if the index finds the text.
    ///
    /// - Throws: ``BrokenRule`` for a query that SQLite can't read.
    func finds(_ query: SearchQuery, in body: String) throws -> Bool {
        let indexed = Analyser.analyse(body)
        let rooms = { (name: String) in name == "a" ? ["r1"] : [] }
        switch MatchExpression(query, users: { _ in [] }, rooms: rooms, words: { words(of: indexed, with: $0) }) {
        case .everything: return true
        case .nothing: return false
        case .match(let expression):
            run("BEGIN")
            defer { run("ROLLBACK") }
            _ = step(
                "INSERT INTO t (rowid, text, chars, facets) VALUES (1, ?, ?, ?)", indexed.text, indexed.chars, "all r1")
            let result = step("SELECT rowid FROM t WHERE t MATCH ?", expression)
            try require(result == SQLITE_ROW || result == SQLITE_DONE, "SQLite can't read \(expression)")
            return result == SQLITE_ROW
        }
    }

    private func words(of text: IndexedText, with part: WordPart) -> [String] {
        var words: [String] = []
        text.forEachWord { bytes in
            let word = String(decoding: bytes, as: UTF8.self)
            let (scalars, letters) = (Array(word.unicodeScalars), Array(part.letters.unicodeScalars))
            let places = part.isEnd ? [max(0, scalars.count - letters.count)] : Array(scalars.indices)
            let isFound = places.contains { place in
                part.isEnd ? scalars[place...].elementsEqual(letters) : scalars[place...].starts(with: letters)
            }
            if isFound { words.append(word) }
        }
        return words
    }

    private func run(_ sql: String) { sqlite3_exec(connection, sql, nil, nil, nil) }

    /// Returns the result of a statement's first step.
    private func step(_ sql: String, _ values: String...) -> Int32 {
        var statement: OpaquePointer?
        sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        for (index, value) in values.enumerated() {
            let bytes = Array(value.utf8)
            // SQLite copies the value (SQLITE_TRANSIENT).
            let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            bytes.withUnsafeBytes { bytes in
                let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                _ = sqlite3_bind_text(statement, Int32(index + 1), start, Int32(bytes.count), copied)
            }
        }
        return sqlite3_step(statement)
    }
}
