import PostgreSQL
import Reading
import Records
import Schema
import SearchText

/// Stores messages with their words, and the words of each account, in which a search finds those that contain some
/// letters. Works in the caller's transaction.
struct WordStore {
    let server: PostgreSQLConnection

    /// Messages of one account.
    struct Part {
        /// Receives the number of words that are left out.
        let copy: AccountCopy
        let messages: SearchedMessages
        /// True if other rules made the words that the shared archive has of all these messages.
        let replacesWords: Bool
    }

    /// Stores messages with their words.
    func store(_ parts: [Part]) throws {
        let rows = parts.map(\.messages.rows)
        try makeYears(of: rows)
        var (vectors, words) = ([[UInt8]?](), [Int64: Set<String>]())
        for part in parts { vectors += self.vectors(of: part, words: &words[part.copy.account, default: []]) }
        let earlier = try parts.map { part in
            (
                account: part.copy.account,
                words: try self.words(
                    of: part.messages.rows.changed(all: part.replacesWords), account: part.copy.account)
            )
        }
        let accounts = parts.flatMap { [Int64?](repeating: $0.copy.account, count: $0.messages.rows.count) }
        try server.executeKept(
            TableStatements(.message, hasSearch: true).upsert,
            [.integers(accounts)] + MirrorRows.sqlValues(rows) + [.vectors(vectors)])
        try store(words: words)
        for (account, earlier) in earlier {
            try removeUnused(earlier.subtracting(words[account] ?? []), account: account)
        }
    }

    /// Returns what a search finds of each message, and counts the words that are left out.
    ///
    /// - Parameter words: Receives the messages' words.
    private func vectors(of part: Part, words: inout Set<String>) -> [[UInt8]?] {
        part.messages.entries().map { entry in
            guard let entry else { return nil }
            var vector = SearchVector()
            for facet in entry.facets.split(separator: " ") { vector.add(mark: facet) }
            for character in entry.body.chars.split(separator: " ") { vector.add(mark: character) }
            vector.add(words: entry.body.text, isPlain: entry.body.text.utf8.allSatisfy { $0 < 0x80 })
            part.copy.cutWords += vector.cut
            entry.body.forEachWord { words.insert(String(decoding: $0, as: UTF8.self)) }
            return vector.bytes
        }
    }

    /// Makes the parts of the table `message` for the years of these messages. In the batch's transaction: a part that another
    /// transaction makes at the same time fails this one, which is then tried again.
    private func makeYears(of rows: [MirrorRows]) throws {
        let ids = rows.flatMap { $0.integers("id") }
        let years = Set(ids.compactMap { id in id.map { CivilMonth.of(microseconds: $0) / 12 } }).sorted()
        try server.executeKept(
            "SELECT scrollback.make_messages_of(year) FROM unnest($1::bigint[]) AS years (year)", [.integers(years)])
    }

    /// Stores the words that messages may have brought.
    ///
    /// - Parameter words: The words, with their accounts' numbers.
    private func store(words: [Int64: Set<String>]) throws {
        let accounts = words.flatMap { account, words in [Int64?](repeating: account, count: words.count) }
        guard !accounts.isEmpty else { return }
        try server.executeKept(
            """
            INSERT INTO scrollback.word (account_id, word) SELECT * FROM unnest($1::bigint[], $2::text[])
            ON CONFLICT DO NOTHING
            """, [.integers(accounts), .texts(words.values.flatMap { $0.map(Optional.some) })])
    }

    /// Returns the words that messages have before a change.
    func words(of messages: [Int64], account: Int64) throws -> Set<String> {
        guard !messages.isEmpty else { return [] }
        let found = try server.execute(
            """
            SELECT DISTINCT lexeme FROM scrollback.message, unnest(search) AS words (lexeme, positions, weights)
            WHERE account_id = $1 AND id = ANY($2::bigint[]) AND lexeme NOT LIKE ':%'
            """, [.integer(account), .integers(messages)])
        return Set(try (0..<found.count).compactMap { try found.text($0, 0) })
    }

    /// The words that one statement looks up, at some milliseconds each.
    private static let wordsAtOnce = 500

    /// Removes those words that no message of the account has any more.
    func removeUnused(_ words: Set<String>, account: Int64) throws {
        let all = Array(words)
        for start in stride(from: 0, to: all.count, by: Self.wordsAtOnce) {
            let some = all[start..<min(start + Self.wordsAtOnce, all.count)]
            try server.execute(
                """
                DELETE FROM scrollback.word AS w WHERE account_id = $1 AND word = ANY($2::text[])
                  AND NOT EXISTS (SELECT FROM scrollback.hits(
                    $1, quote_literal(w.word), \(Int64.min + 1), \(Int64.max), 1, true))
                """, [.integer(account), .texts(some.map(Optional.some))])
        }
    }
}

extension MirrorRows {
    /// The ids of messages that may have had other words.
    ///
    /// - Parameter all: True if other rules made the words of all messages.
    func changed(all: Bool) -> [Int64] {
        zip(integers("id"), zip(integers("edited_at_us"), integers("deleted_at_us")))
            .compactMap { id, times in all || times.0 != nil || times.1 != nil ? id : nil }
    }
}
