import ChatModel
import GRDB

/// The state of following one account: its place in the change feed, and the history that was already shown from after
/// that place.
///
/// Messages arrive while history is read page by page, each page in its own transaction, and the feed has those
/// messages as well. A message was already shown if it was stored before the page that spans its id was read.
final class AccountFollower {
    let reader: AccountReader
    private let query: MessageQuery
    private let pages: PageReader
    private var position: FeedPosition
    /// The file's stamp from just before the feed was last read to its end; nil if the feed must be read.
    private var stamp: FileStamp?
    /// For each page of history, the last id that it spans and the feed's end when it was read.
    private var shownPages: [(through: Int64, seq: Int64)] = []
    private var shownIDs: Set<MessageID> = []
    /// The feed's end when the current page was read.
    private var pageSeq: Int64 = 0

    /// The limit of feed entries that are read in one transaction.
    private static let batch: Int64 = 1000

    init(reader: AccountReader, query: MessageQuery) throws {
        self.reader = reader
        self.query = query
        pages = PageReader(account: reader.account, query: query)
        position = try reader.read { db in try FeedPosition.end(db) }
    }

    /// Returns the next page of history. The caller reports the shown part with ``hasShown(through:)``.
    func history(after start: MessageID) throws -> [Message] {
        let (pages, count) = (pages, query.limit + 1)
        let (messages, seq) = try reader.read { db in
            (
                try pages.forward(from: start.microseconds, count: count, db),
                try FeedPosition.end(db).seq
            )
        }
        pageSeq = seq
        return messages
    }

    /// Notes that the page of the last call of ``history(after:)`` was shown up to this id; nil for its end.
    func hasShown(through end: MessageID?) {
        shownPages.append((end?.microseconds ?? .max, pageSeq))
    }

    /// Notes that these messages were shown, so that their feed entries are skipped.
    func hasShown(_ messages: [Message]) {
        shownIDs.formUnion(messages.filter { $0.account == reader.account.name }.map(\.id))
    }

    /// Returns the changes after the position, and moves on. Costs two `stat` when the file did not change.
    func poll() throws -> [Followed] {
        let now = Timestamp.now()
        let seen = FileStamp(database: reader.folder.database)
        if seen == stamp { return [] }
        let (pages, old) = (pages, position)
        let path = reader.folder.database
        let found = try reader.read { db in
            // A newer scrollback may have migrated the file meanwhile.
            _ = try Schema.version(db, path: path)
            var found = Found(end: try FeedPosition.end(db))
            guard found.end.epoch == old.epoch, found.end.seq > old.seq else { return found }
            found.isAll = found.end.seq <= old.seq + Self.batch
            found.end.seq = min(found.end.seq, old.seq + Self.batch)
            found.messages = try pages.changed(after: old.seq, through: found.end.seq, db)
            found.rooms = try Int64.fetchAll(
                db, sql: "SELECT DISTINCT subject_id FROM change WHERE seq > ? AND seq <= ? AND what = 1",
                arguments: [old.seq, found.end.seq])
            return found
        }
        position = found.end
        stamp = found.isAll && seen.isSettled(atNanoseconds: now.microseconds * 1000) ? seen : nil
        if found.end.epoch != old.epoch {
            shownPages = []
            shownIDs = []
            stamp = nil
            if case .after = query.anchor { position.seq = 0 }
            return [.startedOver(account: reader.account.name)]
        }
        let messages = unseen(found.messages)
        return try lastGaps(of: found.rooms) + (messages.isEmpty ? [] : [.messages(messages)])
    }

    private struct Found: Sendable {
        var end: FeedPosition
        /// True if the feed has no further changes.
        var isAll = true
        var messages: [MessageChange] = []
        /// The rooms whose coverage changed.
        var rooms: [Int64] = []
    }

    /// Returns each unseen message once, at its first place in the feed, in its current state.
    private func unseen(_ changes: [MessageChange]) -> [Message] {
        var returned: Set<MessageID> = []
        return changes.filter { isUnseen($0) }.map(\.message).filter { returned.insert($0.id).inserted }
    }

    private func isUnseen(_ entry: MessageChange) -> Bool {
        let id = entry.message.id
        if case .after(let start) = query.anchor, id <= start { return false }
        if entry.isNew, !shownIDs.isEmpty, shownIDs.remove(id) != nil { return false }
        // Pages are sorted by id. The list is dropped once the feed has passed all of them.
        if let last = shownPages.last, entry.seq > last.seq { shownPages = [] }
        guard let page = shownPages.first(where: { $0.through >= id.microseconds }) else { return true }
        return entry.seq > page.seq
    }

    private func lastGaps(of rooms: [Int64]) throws -> [Followed] {
        var gaps: [Followed] = []
        let wanted = query.scope.rooms(of: reader.account.name)
        for room in rooms where wanted?.contains(room) ?? true {
            if let gap = try reader.gaps(rooms: [room], from: .min, to: .max).last { gaps.append(.gap(gap)) }
        }
        return gaps
    }
}

extension FeedPosition {
    static func end(_ db: Database) throws -> FeedPosition {
        let epoch = try String.fetchOne(db, sql: "SELECT epoch FROM account") ?? ""
        let seq = try Int64.first(db, sql: "SELECT seq FROM change ORDER BY seq DESC LIMIT 1") ?? 0
        return FeedPosition(epoch: epoch, seq: seq)
    }
}
