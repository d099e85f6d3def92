import Accounts
import ChatModel
import Records
import Schema

/// The state of following one account: its place in the change feed, and the history that was already shown from after
/// that place.
///
/// Messages arrive while history is read page by page, each page in its own transaction, and the feed has those
/// messages as well. A message was already shown if it was stored before the page that spans its id was read.
final class AccountFollower {
    let reader: AccountReader
    private let query: MessageQuery
    /// The search that the messages have to match; nil for all messages.
    private let search: SearchScope?
    private let pages: PageReader
    private var cursor: FeedCursor
    /// For each page of history, the last id that it spans and the feed's end when it was read.
    private var shownPages: [(through: Int64, seq: Int64)] = []
    private var shownIDs: Set<MessageID> = []
    /// The feed's end when the current page was read.
    private var pageSeq: Int64 = 0

    init(reader: AccountReader, query: MessageQuery, search: SearchScope? = nil) throws {
        self.reader = reader
        self.query = query
        self.search = search
        pages = PageReader(account: reader.account, query: query)
        cursor = FeedCursor(reader: reader, after: try reader.read { db in try FeedPosition.end(db) })
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
        let step = try cursor.next { after, through, db in
            Found(
                messages: try matching(
                    pages.changed(after: after.seq, through: through, whose: Feed.shownCodes, db), db),
                rooms: try db.integers(
                    "SELECT DISTINCT subject_id FROM change WHERE seq > ?1 AND seq <= ?2 AND what = 1",
                    [.integer(after.seq), .integer(through)]))
        }
        switch step {
        case .end: return []
        case .changes(let found):
            let messages = unseen(found.messages)
            return try lastGaps(of: found.rooms) + (messages.isEmpty ? [] : [.messages(messages)])
        case .reset(let end):
            shownPages = []
            shownIDs = []
            // Only a reader that began at an instant reads the new file's history from its beginning.
            if !isFromInstant { cursor.position = end }
            return [.startedOver(account: reader.account.name)]
        }
    }

    private struct Found: Sendable {
        var messages: [MessageChange]
        /// The rooms whose coverage changed.
        var rooms: [Int64]
    }

    private func matching(_ changes: [MessageChange], _ db: ReadTransaction) throws -> [MessageChange] {
        guard let search, !changes.isEmpty else { return changes }
        let isHit = try search.test(of: reader.account, db)
        return changes.filter { isHit($0.message) }
    }

    private var isFromInstant: Bool { if case .after = query.anchor { true } else { false } }

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
            // The time before listening began is shown with the history. It only shrinks, with each fetched page.
            let gap = try reader.gaps(rooms: [room]).last { $0.state != .notArchived }
            if let gap, search?.looksInto(gap) ?? true {
                gaps.append(.gap(gap))
            }
        }
        return gaps
    }
}
