import Accounts
import ChatModel
import Files
package import PostgreSQL
package import Reading
import Schema
import SearchText

/// Replicates the change feeds of accounts into the shared archive.
///
/// Each transaction has a batch of every account and the positions after them, so that messages of many accounts share
/// the server's work. After any failure, the next transaction continues from the positions in the shared archive, which
/// are the only ones.
package struct Replicator {
    let mirrors: [AccountMirror]

    package init(_ mirrors: [AccountMirror]) { self.mirrors = mirrors }

    /// The result of a transaction for an account.
    package struct Step: Sendable, Hashable {
        /// The account's number in the shared archive.
        package var account: Int64
        /// The number of replicated changes.
        package var changes: Int
        /// The number of changes that remain in the feed, as far as it was read; at least 1 while words are made again.
        package var left: Int64
        /// The number of words that a search does not find, because PostgreSQL limits a message's words.
        package var cutWords = 0
    }

    /// Replicates a batch of each account in one transaction. Creates accounts that the shared archive does not have.
    ///
    /// - Parameters:
    ///   - count: The largest number of changes, of all accounts together.
    ///   - statementSeconds: The server's limit for each statement, in seconds.
    /// - Returns: The accounts' results, in their order. An account that can't be read fails with an `ArchiveError`, one
    ///   that another process copies with ``SharedArchiveError/busy(account:)``; the others go on.
    /// - Throws: ``PostgreSQLError``
    package func steps(
        into server: PostgreSQLConnection, count: Int = MirrorBatch.usualCount,
        statementSeconds: Int = PostgreSQLConnection.statementSeconds
    ) throws -> [Result<Step, any Error>] {
        let copies = mirrors.map(AccountCopy.init)
        for copy in copies { try copy.attempt { copy.end = try copy.mirror.end() } }
        try find(copies.filter { $0.failure == nil }, server)
        try server.transaction(Self.begin, timeout: statementSeconds) {
            let open = copies.filter { $0.failure == nil }
            try lock(open, server)
            // The accounts share the transaction's memory.
            let (count, bytes) = (max(count / max(open.count, 1), 1), MirrorBatch.usualBytes / max(open.count, 1))
            for copy in open where copy.failure == nil {
                try copy.attempt { try copy.readBatch(count: count, bytes: bytes) }
            }
            try RowStore(server: server).store(open.filter { $0.batch != nil })
            for copy in open where copy.failure == nil && copy.isRenewing && copy.isAtEnd {
                try copy.attempt { try WordRenewal(copy: copy, server: server).step(count: count, bytes: bytes) }
            }
        }
        return try copies.map { copy in
            if let failure = copy.failure { return .failure(failure) }
            let step = copy.step
            if step.left == 0 { try finish(copy, server) }
            return .success(step)
        }
    }

    /// Replicates a batch of the only account.
    ///
    /// - Throws: ``PostgreSQLError``, or the account's error.
    package func step(
        into server: PostgreSQLConnection, count: Int = MirrorBatch.usualCount,
        statementSeconds: Int = PostgreSQLConnection.statementSeconds
    ) throws -> Step {
        try steps(into: server, count: count, statementSeconds: statementSeconds)[0].get()
    }

    // MARK: Accounts

    /// Finds the accounts of the files' epochs, and creates those that are missing.
    private func find(_ copies: [AccountCopy], _ server: PostgreSQLConnection) throws {
        var missing = copies
        for _ in 0..<Self.attempts {
            missing = try findKnown(missing, server)
            if missing.isEmpty { return }
            for copy in missing { try create(copy, server) }
        }
        for copy in missing { copy.failure = SharedArchiveError.busy(account: copy.mirror.account.name) }
    }

    /// - Returns: Those that the shared archive does not have.
    private func findKnown(_ copies: [AccountCopy], _ server: PostgreSQLConnection) throws -> [AccountCopy] {
        let found = try server.executeKept(
            """
            SELECT n, id, state = 'loading',
              EXISTS (SELECT FROM scrollback.account AS old WHERE old.folder = a.folder AND old.state = 'replaced')
            FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w (folder, epoch, n)
              JOIN scrollback.account AS a ON a.folder = w.folder AND a.epoch = w.epoch
            """,
            [.texts(copies.map(\.mirror.folder)), .texts(copies.map { $0.end?.position.epoch })])
        var missing = Set(copies.indices)
        for row in 0..<found.count {
            guard let number = try found.integer(row, 0), let id = try found.integer(row, 1) else { continue }
            let copy = copies[Int(number) - 1]
            copy.account = id
            copy.isLoading = try found.integer(row, 2) == 1
            copy.hasReplaced = try found.integer(row, 3) == 1
            missing.remove(Int(number) - 1)
        }
        return missing.sorted().map { copies[$0] }
    }

    private func create(_ copy: AccountCopy, _ server: PostgreSQLConnection) throws {
        do {
            // An account that is the first of its folder is read while it is loaded; another replaces the one before
            // it when it is complete.
            try server.execute(
                """
                WITH new AS (
                  INSERT INTO scrollback.account (id, folder, name, network, epoch, created_at_us, state)
                    SELECT coalesce(max(id), 0) + 1, $1, $2, $3, $4, $5,
                      CASE WHEN count(*) FILTER (WHERE folder = $1) = 0 THEN 'current' ELSE 'loading' END
                    FROM scrollback.account RETURNING id)
                INSERT INTO scrollback.feed_position (account_id, seq, end_seq, analyser, next_analyser)
                  SELECT id, 0, 0, $6, $6 FROM new
                """,
                [
                    .text(copy.mirror.folder), .text(copy.mirror.account.name), .text(copy.mirror.account.network),
                    .text(copy.end?.position.epoch), .integer(copy.end?.createdAt.microseconds),
                    .integer(Int64(Analyser.version)),
                ])
        } catch let error as PostgreSQLError where error.state == "23505" {
            // Another worker made an account at the same time.
        }
    }

    /// A server that crashes may lose the last commits, rows and position alike, and the next step starts from there. So
    /// no commit waits for the server's disk.
    private static let begin = "BEGIN; SET LOCAL synchronous_commit = off"
    /// The attempts to find a number that no other worker takes at the same time.
    private static let attempts = 20

    /// Keeps other workers out until COMMIT, and reads the positions. An account that another worker has fails. An account
    /// whose words another analyser made is copied again from its first change, which keeps its rows for readers.
    private func lock(_ copies: [AccountCopy], _ server: PostgreSQLConnection) throws {
        let found = try server.executeKept(
            """
            SELECT account_id, CASE WHEN next_analyser = $2 THEN seq ELSE 0 END, analyser <> $2,
              CASE WHEN next_analyser = $2 THEN renewed_to END
            FROM scrollback.feed_position
            WHERE account_id = ANY($1) FOR UPDATE SKIP LOCKED
            """,
            [.integers(copies.map(\.account)), .integer(Int64(Analyser.version))])
        var positions: [Int64: (seq: Int64, isRenewing: Bool, renewedTo: Int64?)] = [:]
        for row in 0..<found.count {
            guard let account = try found.integer(row, 0), let seq = try found.integer(row, 1) else { continue }
            positions[account] = (seq, try found.integer(row, 2) == 1, try found.integer(row, 3))
        }
        for copy in copies {
            guard let position = positions[copy.account] else {
                copy.failure = SharedArchiveError.busy(account: copy.mirror.account.name)
                continue
            }
            (copy.seq, copy.isRenewing, copy.renewedTo) = position
        }
    }
}
