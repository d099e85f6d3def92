import Accounts
package import ChatModel
import Records

/// Reads the change feeds of accounts.
package struct AccountFeeds: Sendable {
    package let reading: ArchiveReading

    /// Returns the position after the last change of an account's feed.
    package func end(of account: String) throws -> FeedPosition {
        try reading.collect(of: [account], isUse: true, into: FeedPosition(epoch: "", seq: 0)) { end, reader in
            end = try reader.read { db in try FeedPosition.end(db) }
        }.result
    }

    /// Returns the account whose feed has an epoch; nil if there is none among those that are seen whole. Compressed
    /// accounts are not searched, because their files would have to be expanded.
    package func account(withEpoch epoch: String) throws -> String? {
        var names: [String] = []
        for name in try reading.accounts().map(\.name) where reading.access.seesAll(of: name) {
            if try !reading.isCompressed(name) { names.append(name) }
        }
        guard !names.isEmpty else { return nil }
        return try reading.collect(of: names, restores: false, needsOne: false, into: String?.none) { found, reader in
            if try reader.read({ db in try FeedPosition.end(db) }).epoch == epoch { found = reader.account.name }
        }.result
    }

    /// Returns a reading of what is new in accounts since a position, in commit order, in batches of one account each.
    ///
    /// A position of another epoch, or after the feed's end, gives a ``FeedChange/Kind/reset``, and then all changes.
    /// A reader that stops anywhere and continues from the last position that it noted gets every later change; it
    /// gets the changes that it handled after that position again.
    ///
    /// - Parameters:
    ///   - accounts: The accounts. Of an account that can't be read whole, only the
    ///     changes of its rooms come. One when there is a position, which belongs to one account.
    ///   - position: The last change that the reader has; nil to begin at the beginning.
    package func changes(
        of accounts: [String], after position: FeedPosition? = nil, names: MessageQuery.Names = .then
    ) -> FeedReading {
        precondition(position == nil || accounts.count == 1)
        return FeedReading(
            reading: reading, accounts: accounts, after: position, names: names, bytes: reading.pageBytes)
    }

    /// Streams what ``changes(of:after:names:)`` reads, and after it every further change until the consumer stops. Holds
    /// one batch at a time.
    package func follow(
        of accounts: [String], after position: FeedPosition? = nil, names: MessageQuery.Names = .then
    ) -> AsyncThrowingStream<[FeedChange], any Error> {
        let follower = FeedFollower(changes(of: accounts, after: position, names: names))
        return AsyncThrowingStream { try await follower.next() }
    }
}
