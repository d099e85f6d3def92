import ChatModel
import Files
import Moves
import Records
import SQLite
import Schema
import SearchText

/// Compares the search index with the messages, word by word and place by place, in both directions.
///
/// FTS5's own checks pass when an index has lost a word or kept one of an earlier text. Here the texts are analysed again,
/// batch by batch, and divided by SQLite's tokenizer, as FTS5 divides them. Another thread does this, while this one reads the
/// index. Each word's hash with its message
/// and place is added to a sum. There are 1,048,576 sums, 8 MiB for any archive, and a second pass finds the messages
/// whose sums differ.
///
/// The index is read in the order of its words, and the messages in the order of their ids, by turns, in many short read
/// transactions. A message that changes meanwhile would differ. The change feed has such messages, and the comparison
/// skips them. Only the words that every message has, such as `all`, are read in one transaction each: 0.4 s for a
/// million messages *(measured)*.
struct WordComparison {
    private let db: Database
    private let divider: WordDivider
    /// The compared messages: the ones that the index reaches and that existed at the beginning.
    private let ids: ClosedRange<Int64>
    /// The change feed's end at the beginning.
    private let seq: Int64
    private let messages: Int
    private let progress: (Double) -> Void

    /// The number of sums, at 8 bytes each.
    private static let buckets = 1 << 20
    /// The limit of messages in a second pass, which keeps one sum each, at about 40 bytes.
    private static let suspects = 200_000
    /// The smallest number of words that one statement reads: about those of a batch of messages, which another thread
    /// divides meanwhile.
    private static let words = 100_000
    /// The limit of messages in one batch.
    private static let rows = 5000
    /// The bytes of bodies that end a batch.
    private static let bytes = 4 << 20

    static func run(_ db: Database, progress: (Double) -> Void) throws -> [String] {
        try withoutActuallyEscaping(progress) { progress in
            try WordComparison(db, progress: progress)?.problems() ?? []
        }
    }

    /// Nil if there is nothing to compare, because the index was abandoned or another analyser built it.
    private init?(_ db: Database, progress: @escaping (Double) -> Void) throws {
        let found = try db.first(
            sql: """
                SELECT from_us, (SELECT max(id) FROM message), (SELECT ifnull(max(seq), 0) FROM change),
                  (SELECT ifnull(sum(messages), 0) FROM room)
                FROM search_index WHERE name = 'message_search' AND analyser = \(Analyser.version)
                """
        ) { row in
            try (from: row.limit(0), last: row.number(1), seq: row.integer(2), messages: Int(row.integer(3)))
        }
        guard let found, let last = found.last, found.from <= last else { return nil }
        self.db = db
        divider = try WordDivider()
        self.progress = progress
        (ids, seq, messages) = (found.from...last, found.seq, found.messages)
    }

    private func problems() throws -> [String] {
        var differences = [UInt64](repeating: 0, count: Self.buckets)
        var last: [UInt8]? = []
        try readMessages(where: { _ in true }) { word in
            differences[Self.bucket(word.row)] &-= word.hash
        } meanwhile: {
            if let term = last { last = try readIndex(after: term) { differences[Self.bucket($0.row)] &+= $0.hash } }
        }
        while let term = last {
            last = try readIndex(after: term) { differences[Self.bucket($0.row)] &+= $0.hash }
        }
        return try sentences(differences.indices.filter { differences[$0] != 0 })
    }

    /// Returns sentences about the messages of these buckets that differ and have not changed meanwhile.
    private func sentences(_ suspected: [Int]) throws -> [String] {
        let size = max(1, Self.suspects * Self.buckets / max(1, messages))
        // Rowids of messages.
        var wrong: [Int64] = []
        for start in stride(from: 0, to: suspected.count, by: size) where wrong.count <= NamedCheck.shown {
            wrong += try differing(Set(suspected[start..<min(start + size, suspected.count)]))
        }
        let changed = try changedMeanwhile()
        let all = try wrong.map { row in (row: row, id: try SearchRows.message(ofRow: row, db)) }
        wrong = all.filter { $0.id.map { ids.contains($0) && !changed.contains($0) } ?? true }.map(\.row)
        guard try isStillThere() else { return [] }
        let shown = try wrong.sorted().prefix(NamedCheck.shown).map { try sentence(of: $0) }
        return shown + (wrong.count > shown.count ? ["and at least \(wrong.count - shown.count) more"] : [])
    }

    private func differing(_ buckets: Set<Int>) throws -> [Int64] {
        var differences: [Int64: UInt64] = [:]
        try readMessages(where: { buckets.contains(Self.bucket($0)) }) { word in
            differences[word.row, default: 0] &-= word.hash
        }
        var last: [UInt8]? = []
        while let term = last {
            last = try readIndex(after: term) { word in
                if buckets.contains(Self.bucket(word.row)) { differences[word.row, default: 0] &+= word.hash }
            }
        }
        return differences.filter { $0.value != 0 }.map(\.key)
    }

    private func changedMeanwhile() throws -> Set<Int64> {
        Set(
            try Int64.fetchAll(
                db, sql: "SELECT subject_id FROM change WHERE seq > ? AND what IN (0, 3, 4, 6) AND subject_id <= ?",
                arguments: [seq, ids.upperBound]))
    }

    /// Returns true if the index has been neither abandoned nor replaced since the start.
    private func isStillThere() throws -> Bool {
        try SearchReach.all(ReadTransaction(db)).contains {
            $0.name == SearchIndex.name && $0.from <= ids.lowerBound && $0.analyser == Analyser.version
        }
    }

    private func sentence(of row: Int64) throws -> String {
        if let id = try SearchRows.message(ofRow: row, db) {
            return "message \(MessageID(microseconds: id)) has wrong words in the search index"
        }
        let id = MessageID(microseconds: SearchRows.ids(ofRow: row).lowerBound)
        return "the search index has words of message \(id), which does not exist"
    }

    private static func bucket(_ row: Int64) -> Int {
        // Fibonacci hashing: rowids may be in steps of a power of two.
        Int(truncatingIfNeeded: (UInt64(bitPattern: row) &* 0x9E37_79B9_7F4A_7C15) >> 44)
    }
}

extension WordComparison {
    /// Calls `body` with the next words that the index has for the compared messages, at least ``words`` unless it ends.
    ///
    /// - Parameter word: The word after which to begin; empty for the first one.
    /// - Returns: The word to continue after; nil at the end.
    private func readIndex(after word: [UInt8], _ body: (IndexedWord) -> Void) throws -> [UInt8]? {
        try db.inSavepoint {
            var (words, count) = (try IndexWords(after: word, db), 0)
            while let word = words.word {
                let hash = word.withUnsafeBytes(IndexedWord.hash(of:))
                try words.readPlaces { row, column, place in
                    count += 1
                    guard ids.overlaps(SearchRows.ids(ofRow: row)) else { return }
                    body(IndexedWord(row: row, column: column, place: place, word: hash))
                }
                if count >= Self.words { return word }
            }
            return nil
        }
    }

    /// Calls `body` with each word that the index should have for the compared messages.
    ///
    /// - Parameters:
    ///   - isWanted: True for the rowids of the messages to read.
    ///   - meanwhile: Runs on this thread while another one divides a batch.
    private func readMessages(
        where isWanted: (Int64) -> Bool, _ body: (IndexedWord) -> Void, meanwhile: () throws -> Void = {}
    ) throws {
        var count = 0
        var ahead: ValueAhead<[IndexedWord]>?
        var next: Int64? = ids.lowerBound
        while let start = next {
            let batch = try entries(from: start)
            next = batch.last.map(\.entry.id).flatMap { $0 < ids.upperBound ? $0 + 1 : nil }
            let wanted = batch.filter { isWanted($0.row) }
            for word in try ahead?.value() ?? [] { body(word) }
            ahead = wanted.isEmpty ? nil : ValueAhead { [divider] in try divider.words(of: wanted) }
            try meanwhile()
            count += batch.count
            progress(min(1, Double(count) / Double(messages + 1)))
        }
        for word in try ahead?.value() ?? [] { body(word) }
    }

    private func entries(from start: Int64) throws -> [WordDivider.Entry] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(SearchEntry.columns), (SELECT first FROM search_slot WHERE slot = id >> \(SearchRows.bits))
                FROM message NOT INDEXED WHERE noise = 0 AND id BETWEEN ? AND ? ORDER BY id LIMIT \(Self.rows)
                """)
        var (entries, bytes) = ([WordDivider.Entry](), 0)
        _ = try statement.first(arguments: [start, ids.upperBound]) { row in
            let entry = try SearchEntry(row)
            entries.append(.init(row: SearchRows.row(of: entry.id, first: try row.optionalInteger(10)), entry: entry))
            bytes += entry.body?.utf8.count ?? 0
            return bytes < Self.bytes ? nil : ()
        }
        return entries
    }
}
