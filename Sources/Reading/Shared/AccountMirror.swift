import Accounts
import Bytes
package import ChatModel
package import Files
import Records
import Schema

/// Reads an account's change feed, from any position, as rows for the shared archive.
package final class AccountMirror: Sendable {
    private let reader: AccountReader
    private let files: AccountFolder

    package var account: AccountIdentity { reader.account }
    /// The name of the account's folder, which identifies the account in the shared archive.
    package var folder: String { files.name }

    /// - Returns: Nil for an account of a shared archive.
    init?(_ reader: AccountReader) {
        guard let files = reader.file?.folder else { return nil }
        (self.reader, self.files) = (reader, files)
    }

    /// The state of the file, which changes with each commit. Costs two `stat`.
    package var stamp: FileStamp { FileStamp(database: path) }

    /// The path of the account's file.
    package var path: String { files.database }

    /// Returns the feed's end, and the time at which the file was made.
    package func end() throws -> (position: FeedPosition, createdAt: Timestamp) {
        try reader.read { db in
            let created = try db.integer("SELECT created_at_us FROM account") ?? 0
            return (try FeedPosition.end(db), Timestamp(microseconds: created))
        }
    }

    /// Returns the changes after a position, in one read transaction.
    ///
    /// - Parameters:
    ///   - count: The largest number of changes.
    ///   - bytes: The size of the messages' bodies at which the batch ends.
    /// - Returns: Nil if the feed does not have the position: its epoch is another, or it ends earlier.
    package func batch(
        after position: FeedPosition, count: Int = MirrorBatch.usualCount, bytes: Int = MirrorBatch.usualBytes
    ) throws -> MirrorBatch? {
        try reader.read { db in
            let end = try FeedPosition.end(db)
            guard end.epoch == position.epoch, position.seq <= end.seq else { return nil }
            return try MirrorBatch(after: position.seq, count: count, bytes: bytes, end: end, db)
        }
    }

    /// Returns those of the messages that the file does not have, in their order.
    ///
    /// - Parameter messages: Ids in ascending order.
    package func missing(among messages: [Int64]) throws -> [Int64] {
        try reader.read { db in
            try db.integers(
                """
                SELECT value FROM \(.each(1)) WHERE NOT EXISTS (SELECT 1 FROM message WHERE id = value) ORDER BY value
                """, [.list(messages)])
        }
    }

    func read<T>(_ body: (ReadTransaction) throws -> T) throws -> T { try reader.read(body) }
}

extension ArchiveReading {
    /// Returns the folder's name and the last change of a compressed account; nil for another.
    package func compressedEnd(of account: String) throws -> (folder: String, seq: Int64)? {
        guard let entry = try dataFolder?.entry(named: account.withoutNUL), let cold = entry.cold else {
            return nil
        }
        return (entry.directory, cold.holdings.seq)
    }

    /// Opens accounts, or all, for replication. Compressed accounts are left out; ``skipped`` has them.
    package func mirrors(of accounts: [String]? = nil) throws -> [AccountMirror] {
        try collect(of: accounts, restores: false, needsOne: false, into: []) {
            if let mirror = AccountMirror($1) { $0.append(mirror) }
        }.result
    }
}
