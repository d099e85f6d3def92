package import Archive
import ChatModel
package import PostgreSQL
import SearchText

/// Replicates one account's change feed into the shared archive.
///
/// Each batch is one transaction, which also writes the position after it. After any failure, the next transaction
/// continues from the position in the shared archive, which is the only one.
package struct AccountReplicator {
    let mirror: AccountMirror

    package init(_ mirror: AccountMirror) { self.mirror = mirror }

    /// The result of a transaction.
    package struct Step: Sendable, Hashable {
        /// The account's number in the shared archive.
        package var account: Int64
        /// The number of replicated changes.
        package var changes: Int
        /// The number of changes that remain in the feed, as far as it was read.
        package var left: Int64
        /// The number of words that a search does not find, because PostgreSQL limits a message's words.
        package var cutWords = 0
    }

    /// Replicates one batch, and creates the account if the shared archive does not have it.
    ///
    /// - Parameter statementSeconds: The server's limit for each statement, in seconds.
    /// - Throws: ``PostgreSQLError``; `ArchiveError` for the file; ``SharedArchiveError/busy(account:)``.
    package func step(
        into server: PostgreSQLConnection, count: Int = MirrorBatch.usualCount,
        statementSeconds: Int = PostgreSQLConnection.statementSeconds
    ) throws -> Step {
        let end = try mirror.end()
        let account = try self.account(of: end.position, createdAt: end.createdAt.microseconds, server)
        let step: Step
        do {
            step = try server.transaction(Self.begin, timeout: statementSeconds) {
                try replicate(account, end.position.epoch, count, server)
            }
        } catch let error as PostgreSQLError where error.state == "55P03" {
            throw SharedArchiveError.busy(account: mirror.account.name)
        }
        if step.left == 0, account.isLoading { try Self.replaceOlder(folder: mirror.folder, with: account.id, server) }
        if step.left == 0, account.isLoading || account.hasReplaced {
            try Self.removeReplaced(folder: mirror.folder, server)
        }
        return step
    }

    private struct Account {
        var id: Int64
        var isLoading: Bool
        /// True if older accounts of the folder were replaced and are not removed yet.
        var hasReplaced: Bool
    }

    /// Returns the account of the file's epoch, and creates it if it is missing.
    private func account(
        of position: FeedPosition, createdAt: Int64, _ server: PostgreSQLConnection
    ) throws -> Account {
        for _ in 0..<Self.attempts {
            let found = try server.execute(
                """
                SELECT id, state = 'loading',
                  EXISTS (SELECT FROM scrollback.account WHERE folder = $1 AND state = 'replaced')
                FROM scrollback.account WHERE folder = $1 AND epoch = $2
                """,
                [.text(mirror.folder), .text(position.epoch)])
            if found.count > 0 {
                return Account(
                    id: try found.integer(0, 0) ?? 0, isLoading: try found.integer(0, 1) == 1,
                    hasReplaced: try found.integer(0, 2) == 1)
            }
            do {
                // An account that is the first of its folder is read while it is loaded; another replaces the one
                // before it when it is complete.
                try server.execute(
                    """
                    WITH new AS (
                      INSERT INTO scrollback.account (id, folder, name, network, epoch, created_at_us, state)
                        SELECT coalesce(max(id), 0) + 1, $1, $2, $3, $4, $5,
                          CASE WHEN count(*) FILTER (WHERE folder = $1) = 0 THEN 'current' ELSE 'loading' END
                        FROM scrollback.account RETURNING id)
                    INSERT INTO scrollback.feed_position (account_id, seq, end_seq) SELECT id, 0, 0 FROM new
                    """,
                    [
                        .text(mirror.folder), .text(mirror.account.name), .text(mirror.account.network),
                        .text(position.epoch), .integer(createdAt),
                    ])
            } catch let error as PostgreSQLError where error.state == "23505" {
                // Another worker made an account at the same time.
                continue
            }
        }
        throw SharedArchiveError.busy(account: mirror.account.name)
    }

    /// A server that crashes may lose the last commits, rows and position alike, and the next step starts from there. So
    /// no commit waits for the server's disk.
    private static let begin = "BEGIN; SET LOCAL synchronous_commit = off"
    /// The attempts to find a number that no other worker takes at the same time.
    private static let attempts = 20

    private func replicate(
        _ account: Account, _ epoch: String, _ count: Int, _ server: PostgreSQLConnection
    ) throws -> Step {
        // Keeps other workers out until COMMIT.
        let place = try server.execute(
            "SELECT seq FROM scrollback.feed_position WHERE account_id = $1 FOR UPDATE NOWAIT", [.integer(account.id)])
        let seq = try place.integer(0, 0) ?? 0
        guard let batch = try mirror.batch(after: FeedPosition(epoch: epoch, seq: seq), count: count) else {
            // The file was replaced meanwhile: the next step sees its epoch.
            return Step(account: account.id, changes: 0, left: 1)
        }
        let cut = try store(batch, account: account.id, server)
        let isThrough = batch.position.seq >= batch.end
        try server.execute(
            """
            UPDATE scrollback.feed_position
            SET seq = $2, end_seq = $3, caught_up_at_us = CASE WHEN $4 = 1 THEN $5 ELSE caught_up_at_us END
            WHERE account_id = $1
            """,
            [
                .integer(account.id), .integer(batch.position.seq), .integer(batch.end), .integer(isThrough ? 1 : 0),
                .integer(Timestamp.now().microseconds),
            ])
        return Step(
            account: account.id, changes: batch.count, left: batch.end - batch.position.seq, cutWords: cut)
    }

    /// - Returns: The number of words that are left out of the search.
    private func store(_ batch: MirrorBatch, account: Int64, _ server: PostgreSQLConnection) throws -> Int {
        var cut = 0
        for rows in batch.rows {
            if rows.table == .message {
                try makeParts(for: rows, server)
                cut = try store(messages: rows, batch, account: account, server)
                continue
            }
            if let owners = rows.owners { try delete(owners, except: rows, account: account, server) }
            guard rows.count > 0 else { continue }
            try server.execute(TableStatements(rows.table).upsert, [.integer(account)] + rows.sqlValues)
        }
        if !batch.goneMessages.isEmpty { try delete(batch.goneMessages, account: account, server) }
        return cut
    }

    private func store(
        messages: MirrorRows, _ batch: MirrorBatch, account: Int64, _ server: PostgreSQLConnection
    ) throws -> Int {
        var cut = 0
        let vectors = batch.searchEntries().map { entry -> [UInt8]? in
            guard let entry else { return nil }
            var vector = SearchVector()
            vector.add(mark: "a\(account)")
            for facet in entry.facets.split(separator: " ") { vector.add(mark: facet) }
            for character in entry.body.chars.split(separator: " ") { vector.add(mark: character) }
            vector.add(words: entry.body.text, isPlain: entry.body.text.utf8.allSatisfy { $0 < 0x80 })
            cut += vector.cut
            return vector.bytes
        }
        try server.execute(
            TableStatements(.message, hasSearch: true).upsert,
            [.integer(account)] + messages.sqlValues + [.vectors(vectors)])
        return cut
    }

    /// Makes the parts of `message` for the years of these messages. In the batch's transaction: a part that another
    /// transaction makes at the same time fails this one, which is then tried again.
    private func makeParts(for messages: MirrorRows, _ server: PostgreSQLConnection) throws {
        let years = Set(messages.integers("id").compactMap { id in id.map { CivilMonth.of(microseconds: $0) / 12 } })
        for year in years.sorted() {
            try server.execute("SELECT scrollback.make_messages_of($1)", [.integer(year)])
        }
    }

    private func delete(
        _ owners: MirrorRows.Owners, except rows: MirrorRows, account: Int64, _ server: PostgreSQLConnection
    ) throws {
        let keys = Array(rows.sqlValues.prefix(rows.table.keyCount))
        let values = [.integer(account), .integers(owners.ids)] + keys
        let deletion = TableStatements.deletion(rows.table, owner: owners.column)
        guard rows.table == .attachment else {
            try server.execute(deletion, values)
            return
        }
        // A file goes with its last message, and a content with its last file, as in the account's file.
        let deleted = try server.execute("\(deletion) RETURNING file_id", values)
        let files = try (0..<deleted.count).map { try deleted.integer($0, 0) }
        guard !files.isEmpty else { return }
        try server.execute(
            """
            WITH gone AS (
              DELETE FROM scrollback.file AS f WHERE account_id = $1 AND id = ANY($2::bigint[])
                AND NOT EXISTS (SELECT FROM scrollback.attachment WHERE account_id = $1 AND file_id = f.id)
              RETURNING id, sha256)
            DELETE FROM scrollback.content AS c WHERE account_id = $1 AND sha256 IN (SELECT sha256 FROM gone)
              AND NOT EXISTS (SELECT FROM scrollback.file WHERE account_id = $1 AND sha256 = c.sha256
                AND id NOT IN (SELECT id FROM gone))
            """, [.integer(account), .integers(files)])
    }

    private func delete(_ messages: [Int64], account: Int64, _ server: PostgreSQLConnection) throws {
        for (table, column) in [("message", "id"), ("message_version", "message_id"), ("attachment", "message_id")] {
            try server.execute(
                "DELETE FROM scrollback.\(table) WHERE account_id = $1 AND \(column) = ANY($2::bigint[])",
                [.integer(account), .integers(messages)])
        }
    }

    /// Shows a loaded account in place of the older ones of the same folder.
    private static func replaceOlder(folder: String, with account: Int64, _ server: PostgreSQLConnection) throws {
        try server.transaction {
            try server.execute(
                "UPDATE scrollback.account SET state = 'replaced' WHERE folder = $1 AND id <> $2",
                [.text(folder), .integer(account)])
            try server.execute("UPDATE scrollback.account SET state = 'current' WHERE id = $1", [.integer(account)])
        }
    }

    /// The rows that one transaction removes.
    private static let removal = 20_000

    /// Removes the rows of replaced accounts of a folder, in steps.
    private static func removeReplaced(folder: String, _ server: PostgreSQLConnection) throws {
        let old = try server.execute(
            "SELECT id FROM scrollback.account WHERE folder = $1 AND state = 'replaced'", [.text(folder)])
        for row in 0..<old.count {
            guard let id = try old.integer(row, 0) else { continue }
            for table in MirrorTable.all {
                let key = table.key.map(\.name).joined(separator: ", ")
                let deletion = """
                    DELETE FROM scrollback.\(table.name) WHERE account_id = $1 AND (\(key)) IN (
                      SELECT \(key) FROM scrollback.\(table.name) WHERE account_id = $1 LIMIT $2)
                    """
                while try server.execute(deletion, [.integer(id), .integer(Int64(removal))]).changed == removal {}
            }
            try server.transaction {
                try server.execute("DELETE FROM scrollback.feed_position WHERE account_id = $1", [.integer(id)])
                try server.execute("DELETE FROM scrollback.account WHERE id = $1", [.integer(id)])
            }
        }
    }
}
