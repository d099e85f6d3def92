import ChatModel
import Files
import Reading

/// The state of one account's part of a transaction.
final class AccountCopy {
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
    /// True while the words of another analyser are made again: first by copying the account again, then by ``WordRenewal``.
    var isRenewing = false
    /// The last message that ``WordRenewal`` has looked at; nil for none.
    var renewedTo: Int64?
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
    /// - Parameter bytes: The size of the messages' bodies at which the batch ends.
    func readBatch(count: Int, bytes: Int) throws {
        guard let end else { return }
        batch = try mirror.batch(
            after: FeedPosition(epoch: end.position.epoch, seq: seq), count: count, bytes: bytes)
    }

    /// True if the batch reaches the end of the feed.
    var isAtEnd: Bool { batch.map { $0.position.seq >= $0.end } ?? false }

    var step: Replicator.Step {
        guard let batch else { return Replicator.Step(account: account, changes: 0, left: 1) }
        return Replicator.Step(
            account: account, changes: batch.count, left: max(batch.end - batch.position.seq, isRenewing ? 1 : 0),
            cutWords: cutWords)
    }
}
