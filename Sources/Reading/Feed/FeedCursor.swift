import Accounts
import ChatModel
import Records
import Schema

/// A place in an account's change feed, which moves on as changes are read, a batch at a time.
struct FeedCursor {
    let reader: AccountReader
    /// Everything up to here was read; nil for a reader that begins at the beginning, whatever the epoch.
    var position: FeedPosition?
    /// The account's stamp from just before the feed was last read to its end; nil if the feed must be read.
    private var stamp: OpenAccount.Stamp?

    /// The limit of changes in a batch.
    private let batch: Int
    /// The bytes of messages after which a batch ends. It has one change at least.
    private let bytes: Int

    /// The usual limit: one short read transaction, and at most some MiB.
    static let usualBatch = 1000

    enum Step<Changes> {
        /// There are no further changes. Costs little when the account did not change.
        case end
        /// The position was not in the feed: it has another epoch, or is after the feed's end. The cursor is at the
        /// beginning of this feed.
        case reset(end: FeedPosition)
        case changes(Changes)
    }

    init(reader: AccountReader, after position: FeedPosition?, batch: Int = usualBatch, bytes: Int = .max) {
        (self.reader, self.position, self.batch, self.bytes) = (reader, position, batch, bytes)
    }

    /// Reads the next changes, and moves on behind them.
    ///
    /// - Parameter read: Reads the changes in `after < seq <= through`, within the batch's transaction.
    mutating func next<Changes>(
        _ read: (_ after: FeedPosition, _ through: Int64, ReadTransaction) throws -> Changes
    ) throws -> Step<Changes> {
        let seen = try reader.stamp()
        if let seen, seen == stamp { return .end }
        let old = position
        let (start, end, through, changes) = try reader.read { db in
            // A newer scrollback may have migrated the file meanwhile.
            if let file = db.file, let path = reader.file?.folder.database {
                _ = try Schema.account.version(file, path: path)
            }
            let end = try FeedPosition.end(db)
            let isThere = old.map { $0.epoch == end.epoch && $0.seq <= end.seq } ?? true
            let start = FeedPosition(epoch: end.epoch, seq: isThere ? old?.seq ?? 0 : 0)
            guard isThere, start.seq < end.seq else { return (start, end, start.seq, Changes?.none) }
            let last = try db.integer(
                "SELECT seq FROM change WHERE seq > ?1 ORDER BY seq LIMIT 1 OFFSET ?2",
                [.integer(start.seq), .integer(Int64(batch - 1))])
            let through = try fitting(after: start.seq, through: last ?? end.seq, db)
            return (start, end, through, try read(start, through, db))
        }
        position = FeedPosition(epoch: end.epoch, seq: through)
        if let old, start.epoch != old.epoch || start.seq != old.seq {
            stamp = nil
            return .reset(end: end)
        }
        stamp = through == end.seq ? seen : nil
        return changes.map { .changes($0) } ?? .end
    }

    /// Returns the last change whose message has a place in the batch.
    private func fitting(after: Int64, through: Int64, _ db: ReadTransaction) throws -> Int64 {
        guard bytes < .max else { return through }
        var (last, left) = (after, bytes)
        let end = try db.first(
            """
            SELECT seq, (SELECT \(.bytes(of: "body")) FROM message WHERE id = subject_id AND what IN \(Feed.messageCodes))
            FROM change WHERE seq > ?1 AND seq <= ?2 ORDER BY seq
            """, [.integer(after), .integer(through)]
        ) { row -> Int64? in
            left -= 128 + Int(try row.optionalInteger(1) ?? 0)
            guard left >= 0 || last == after else { return last }
            last = try row.integer(0)
            return nil
        }
        return end ?? through
    }
}
