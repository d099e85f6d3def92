import Accounts
package import ChatModel
import Records

/// Reads the feeds of accounts in turns, a batch at a time, to their ends.
package struct FeedReading {
    private let reading: ArchiveReading
    private let accounts: [String]
    private let start: FeedPosition?
    private let names: MessageQuery.Names
    private let batch: Int
    private let bytes: Int
    private var feeds: [(cursor: FeedCursor, reader: FeedReader)]?
    /// The number of the feed that is read next, so that a busy account does not keep others waiting.
    private var turn = 0

    init(
        reading: ArchiveReading, accounts: [String], after start: FeedPosition?, names: MessageQuery.Names,
        batch: Int = FeedCursor.usualBatch, bytes: Int = .max
    ) {
        (self.reading, self.accounts, self.start) = (reading, accounts, start)
        (self.names, self.batch, self.bytes) = (names, batch, bytes)
    }

    /// Returns the next changes of one account; nil if no account has any at present.
    package mutating func next() throws -> [FeedChange]? {
        try open()
        for _ in feeds?.indices ?? 0..<0 {
            if let changes = try nextBatch() { return changes }
        }
        return nil
    }

    private mutating func open() throws {
        guard feeds == nil else { return }
        feeds = try reading.readers(of: .accounts(accounts)).map { reader in
            (
                FeedCursor(reader: reader, after: start, batch: batch, bytes: bytes),
                FeedReader(reader: reader, names: names)
            )
        }
        reading.writeFirstUses()
    }

    /// Returns the changes of the account whose turn it is; nil if there are none.
    private mutating func nextBatch() throws -> [FeedChange]? {
        guard var feed = feeds?[turn], let count = feeds?.count else { return nil }
        let step = try feed.cursor.next { after, through, db in
            try feed.reader.changes(after: after, through: through, db)
        }
        feeds?[turn].cursor = feed.cursor
        turn = (turn + 1) % count
        switch step {
        case .end: return nil
        case .changes(let changes): return changes
        case .reset(let end):
            return [
                FeedChange(
                    kind: .reset, account: feed.cursor.reader.account.name,
                    position: FeedPosition(epoch: end.epoch, seq: 0), subject: .account)
            ]
        }
    }
}

extension ArchiveReading {
    /// Returns the position after the last change of an account's feed.
    package func feedEnd(of account: String) throws -> FeedPosition {
        try collect(of: [account], isUse: true, into: FeedPosition(epoch: "", seq: 0)) { end, reader in
            end = try reader.read { db in try FeedPosition.end(db) }
        }.result
    }

    /// Returns the account whose feed has an epoch; nil if there is none among those that are seen whole. Compressed
    /// accounts are not searched, because their files would have to be expanded.
    package func account(withEpoch epoch: String) throws -> String? {
        var names: [String] = []
        for name in try accounts().map(\.name) where access.seesAll(of: name) {
            if try !isCompressed(name) { names.append(name) }
        }
        guard !names.isEmpty else { return nil }
        return try collect(of: names, restores: false, needsOne: false, into: String?.none) { found, reader in
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
        return FeedReading(reading: self, accounts: accounts, after: position, names: names, bytes: pageBytes)
    }
}
