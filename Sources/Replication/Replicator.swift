import Accounts
import ChatModel
import Files
package import PostgreSQL
package import Reading
import Records
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
        /// The number of changes that remain in the feed, as far as it was read.
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
        let copies = mirrors.map(Copy.init)
        for copy in copies { try copy.attempt { copy.end = try copy.mirror.end() } }
        try find(copies.filter { $0.failure == nil }, server)
        try server.transaction(Self.begin, timeout: statementSeconds) {
            let open = copies.filter { $0.failure == nil }
            try lock(open, server)
            for copy in open where copy.failure == nil {
                try copy.attempt { try copy.readBatch(count: max(count / open.count, 1), of: open.count) }
            }
            try store(open.filter { $0.batch != nil }, server)
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

    /// The state of one account's part of a transaction.
    private final class Copy {
        let mirror: AccountMirror
        var end: (position: FeedPosition, createdAt: Timestamp)?
        /// The account's number in the shared archive.
        var account: Int64 = 0
        /// True if readers see an older account of the same folder until this one is complete.
        var isLoading = false
        /// True if older accounts of the folder were replaced and are not removed yet.
        var hasReplaced = false
        /// The last change in the shared archive.
        var seq: Int64 = 0
        /// True while the account is copied again because another analyser made its words.
        var isRenewing = false
        /// Nil if the file was replaced meanwhile: the next transaction sees its epoch.
        var batch: MirrorBatch?
        var cutWords = 0
        var failure: (any Error)?

        init(_ mirror: AccountMirror) { self.mirror = mirror }

        /// Runs a part that fails for this account only.
        func attempt(_ body: () throws -> Void) throws {
            do {
                try body()
            } catch let error as ArchiveError {
                failure = error
            }
        }

        /// Reads the next batch.
        ///
        /// - Parameter accounts: The number of accounts in the transaction, which share its memory.
        func readBatch(count: Int, of accounts: Int) throws {
            guard let end else { return }
            batch = try mirror.batch(
                after: FeedPosition(epoch: end.position.epoch, seq: seq), count: count,
                bytes: MirrorBatch.usualBytes / accounts)
        }

        var step: Step {
            guard let batch else { return Step(account: account, changes: 0, left: 1) }
            return Step(
                account: account, changes: batch.count, left: batch.end - batch.position.seq, cutWords: cutWords)
        }
    }

    // MARK: Accounts

    /// Finds the accounts of the files' epochs, and creates those that are missing.
    private func find(_ copies: [Copy], _ server: PostgreSQLConnection) throws {
        var missing = copies
        for _ in 0..<Self.attempts {
            missing = try findKnown(missing, server)
            if missing.isEmpty { return }
            for copy in missing { try create(copy, server) }
        }
        for copy in missing { copy.failure = SharedArchiveError.busy(account: copy.mirror.account.name) }
    }

    /// - Returns: Those that the shared archive does not have.
    private func findKnown(_ copies: [Copy], _ server: PostgreSQLConnection) throws -> [Copy] {
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

    private func create(_ copy: Copy, _ server: PostgreSQLConnection) throws {
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
    private func lock(_ copies: [Copy], _ server: PostgreSQLConnection) throws {
        let found = try server.executeKept(
            """
            SELECT account_id, CASE WHEN next_analyser = $2 THEN seq ELSE 0 END, analyser <> $2
            FROM scrollback.feed_position
            WHERE account_id = ANY($1) FOR UPDATE SKIP LOCKED
            """,
            [.integers(copies.map(\.account)), .integer(Int64(Analyser.version))])
        var positions: [Int64: (seq: Int64, isRenewing: Bool)] = [:]
        for row in 0..<found.count {
            guard let account = try found.integer(row, 0), let seq = try found.integer(row, 1) else { continue }
            positions[account] = (seq, try found.integer(row, 2) == 1)
        }
        for copy in copies {
            guard let position = positions[copy.account] else {
                copy.failure = SharedArchiveError.busy(account: copy.mirror.account.name)
                continue
            }
            (copy.seq, copy.isRenewing) = position
        }
    }

    // MARK: Rows

    private func store(_ copies: [Copy], _ server: PostgreSQLConnection) throws {
        guard !copies.isEmpty else { return }
        for copy in copies { try deleteGone(copy, server) }
        for group in Self.groups(copies) {
            if group.table == .message {
                try store(messages: group, server)
            } else {
                try server.executeKept(TableStatements(group.table).upsert, group.values)
            }
        }
        let batches = copies.compactMap(\.batch)
        try server.executeKept(
            """
            UPDATE scrollback.feed_position AS p
            SET seq = w.seq, end_seq = w.end_seq, next_analyser = $5,
              analyser = CASE WHEN w.seq >= w.end_seq THEN $5 ELSE analyser END,
              caught_up_at_us = CASE WHEN w.seq >= w.end_seq THEN $4 ELSE caught_up_at_us END
            FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS w (account_id, seq, end_seq)
            WHERE p.account_id = w.account_id
            """,
            [
                .integers(copies.map(\.account)), .integers(batches.map(\.position.seq)), .integers(batches.map(\.end)),
                .integer(Timestamp.now().microseconds), .integer(Int64(Analyser.version)),
            ])
    }

    /// Rows of one table, of several accounts.
    private struct Group {
        let table: SchemaTable
        var parts: [(copy: Copy, rows: MirrorRows)] = []

        /// The account's number and the table's columns, as arrays.
        var values: [SQLValue] {
            let accounts = parts.flatMap { part in [Int64?](repeating: part.copy.account, count: part.rows.count) }
            return [.integers(accounts)] + MirrorRows.sqlValues(parts.map(\.rows))
        }
    }

    /// Returns the rows to store, in the order of the batches. A statement must not store a row twice, so a table that
    /// a batch has more than once is in as many groups.
    private static func groups(_ copies: [Copy]) -> [Group] {
        var groups: [Group] = []
        for copy in copies {
            var places: [SchemaTable: Int] = [:]
            for rows in copy.batch?.rows ?? [] where rows.count > 0 {
                let first = places[rows.table, default: 0]
                let place =
                    groups[first...].firstIndex { $0.table == rows.table } ?? groups.endIndex
                if place == groups.endIndex { groups.append(Group(table: rows.table)) }
                groups[place].parts.append((copy, rows))
                places[rows.table] = place + 1
            }
        }
        return groups
    }

    private func store(messages group: Group, _ server: PostgreSQLConnection) throws {
        try makeParts(for: group, server)
        var (vectors, words) = ([[UInt8]?](), [Int64: Set<String>]())
        for part in group.parts {
            vectors += self.vectors(of: part.copy, words: &words[part.copy.account, default: []])
        }
        let earlier = try group.parts.map { part in
            (
                account: part.copy.account,
                words: try self.words(
                    of: part.rows.changed(all: part.copy.isRenewing), account: part.copy.account, server)
            )
        }
        try server.executeKept(
            TableStatements(.message, hasSearch: true).upsert, group.values + [.vectors(vectors)])
        try store(words: words, server)
        for (account, earlier) in earlier {
            try removeUnused(earlier.subtracting(words[account] ?? []), account: account, server)
        }
    }

    /// Returns what a search finds of each message of a batch, and counts the words that are left out.
    ///
    /// - Parameter words: Receives the messages' words.
    private func vectors(of copy: Copy, words: inout Set<String>) -> [[UInt8]?] {
        (copy.batch?.searchEntries() ?? []).map { entry in
            guard let entry else { return nil }
            var vector = SearchVector()
            for facet in entry.facets.split(separator: " ") { vector.add(mark: facet) }
            for character in entry.body.chars.split(separator: " ") { vector.add(mark: character) }
            vector.add(words: entry.body.text, isPlain: entry.body.text.utf8.allSatisfy { $0 < 0x80 })
            copy.cutWords += vector.cut
            entry.body.forEachWord { words.insert(String(decoding: $0, as: UTF8.self)) }
            return vector.bytes
        }
    }

    /// Makes the parts of `message` for the years of these messages. In the batch's transaction: a part that another
    /// transaction makes at the same time fails this one, which is then tried again.
    private func makeParts(for group: Group, _ server: PostgreSQLConnection) throws {
        let ids = group.parts.flatMap { $0.rows.integers("id") }
        let years = Set(ids.compactMap { id in id.map { CivilMonth.of(microseconds: $0) / 12 } }).sorted()
        try server.executeKept(
            "SELECT scrollback.make_messages_of(year) FROM unnest($1::bigint[]) AS years (year)", [.integers(years)])
    }

    /// Deletes what the account's file has no more.
    private func deleteGone(_ copy: Copy, _ server: PostgreSQLConnection) throws {
        guard let batch = copy.batch else { return }
        try forget(batch, account: copy.account, server)
        for rows in batch.rows {
            if let owners = rows.owners { try delete(owners, except: rows, account: copy.account, server) }
        }
    }

    private func delete(
        _ owners: MirrorRows.Owners, except rows: MirrorRows, account: Int64, _ server: PostgreSQLConnection
    ) throws {
        let keys = Array(MirrorRows.sqlValues([rows]).prefix(rows.table.keyCount))
        let values = [.integer(account), .integers(owners.ids)] + keys
        let deletion = TableStatements.deletion(rows.table, owner: owners.column)
        switch rows.table {
        case .attachment:
            try deleteFiles(of: server.execute("\(deletion) RETURNING file_id", values), account: account, server)
        case _ where SchemaTable.pictures.contains(rows.table):
            try deletePictures(server.execute("\(deletion) RETURNING path", values), account: account, server)
        default: try server.execute(deletion, values)
        }
    }

    /// Deletes the files of deleted pictures, unless a message or another picture has them.
    func deletePictures(_ deleted: SQLRows, account: Int64, _ server: PostgreSQLConnection) throws {
        let paths = try (0..<deleted.count).map { try deleted.text($0, 0) }
        guard !paths.isEmpty else { return }
        let files = try server.execute(
            """
            SELECT id FROM scrollback.file AS f WHERE account_id = $1 AND path = ANY($2::text[])
              AND NOT EXISTS (SELECT FROM scrollback.attachment WHERE account_id = $1 AND file_id = f.id)
            """, [.integer(account), .texts(paths)])
        try deleteFiles(of: files, account: account, server)
    }

    /// Deletes a file with its last message, unless it is the only one of a picture's path, and a content with its last
    /// file, as in the account's file.
    ///
    /// - Parameter deleted: The files' numbers.
    func deleteFiles(of deleted: SQLRows, account: Int64, _ server: PostgreSQLConnection) throws {
        let files = try (0..<deleted.count).map { try deleted.integer($0, 0) }
        guard !files.isEmpty else { return }
        let pictures = SchemaTable.pictures.map {
            "EXISTS (SELECT FROM scrollback.\($0.sharedName) WHERE account_id = $1 AND path = f.path)"
        }
        try server.execute(
            """
            WITH gone AS (
              DELETE FROM scrollback.file AS f WHERE account_id = $1 AND id = ANY($2::bigint[])
                AND NOT EXISTS (SELECT FROM scrollback.attachment WHERE account_id = $1 AND file_id = f.id)
                AND (NOT (\(pictures.joined(separator: " OR "))) OR EXISTS (
                  SELECT FROM scrollback.file WHERE account_id = $1 AND path = f.path AND id <> f.id))
              RETURNING id, sha256)
            DELETE FROM scrollback.content AS c WHERE account_id = $1 AND sha256 IN (SELECT sha256 FROM gone)
              AND NOT EXISTS (SELECT FROM scrollback.file WHERE account_id = $1 AND sha256 = c.sha256
                AND id NOT IN (SELECT id FROM gone))
            """, [.integer(account), .integers(files)])
    }

    /// Ends the loading of an account whose copy is complete.
    private func finish(_ copy: Copy, _ server: PostgreSQLConnection) throws {
        guard copy.isLoading || copy.hasReplaced else { return }
        if copy.isLoading { try Self.replaceOlder(folder: copy.mirror.folder, with: copy.account, server) }
        try Self.removeReplaced(folder: copy.mirror.folder, server)
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
            for table in SchemaTable.allSent {
                let key = table.key.map(\.name).joined(separator: ", ")
                let deletion = """
                    DELETE FROM scrollback.\(table.sharedName) WHERE account_id = $1 AND (\(key)) IN (
                      SELECT \(key) FROM scrollback.\(table.sharedName) WHERE account_id = $1 LIMIT $2)
                    """
                while try server.execute(deletion, [.integer(id), .integer(Int64(removal))]).changed == removal {}
            }
            let words = """
                DELETE FROM scrollback.word WHERE account_id = $1 AND word IN (
                  SELECT word FROM scrollback.word WHERE account_id = $1 LIMIT $2)
                """
            while try server.execute(words, [.integer(id), .integer(Int64(removal))]).changed == removal {}
            try server.transaction {
                try server.execute("DELETE FROM scrollback.feed_position WHERE account_id = $1", [.integer(id)])
                try server.execute("DELETE FROM scrollback.account WHERE id = $1", [.integer(id)])
            }
        }
    }
}
