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
