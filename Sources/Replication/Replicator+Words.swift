import PostgreSQL
import Reading

/// The words of each account's messages, in which a search finds those that contain some letters.
extension Replicator {
    /// Stores the words that messages may have brought.
    ///
    /// - Parameter words: The words, with their accounts' numbers.
    func store(words: [Int64: Set<String>], _ server: PostgreSQLConnection) throws {
        let accounts = words.flatMap { account, words in [Int64?](repeating: account, count: words.count) }
        guard !accounts.isEmpty else { return }
        try server.executeKept(
            """
            INSERT INTO scrollback.word (account_id, word) SELECT * FROM unnest($1::bigint[], $2::text[])
            ON CONFLICT DO NOTHING
            """, [.integers(accounts), .texts(words.values.flatMap { $0.map(Optional.some) })])
    }

    /// Returns the words that messages have before a change.
    func words(of messages: [Int64], account: Int64, _ server: PostgreSQLConnection) throws -> Set<String> {
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
    func removeUnused(_ words: Set<String>, account: Int64, _ server: PostgreSQLConnection) throws {
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
