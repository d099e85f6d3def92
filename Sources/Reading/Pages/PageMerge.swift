import Accounts
import ChatModel
import Records

/// Builds a page from one or several accounts: the same span of time from each, sorted by (id, account name).
///
/// Never cuts a page between equal ids, so that an id alone is the cursor: a page may exceed its limit by the number of
/// accounts less one.
struct PageMerge: Sendable {
    let query: MessageQuery
    /// The search that the messages have to match; nil for all messages.
    var search: SearchScope?
    private let size: PageSize
    private var part = PagePart()
    /// The gaps in the time that a page of the messages so far can cover.
    private var gaps: [Gap] = []
    /// The states of the accounts' search indexes, in the order in which the accounts were added; empty without a search.
    private(set) var indexes: [SearchedIndex] = []

    /// - Parameter bytes: The bytes of messages after which the page ends.
    init(_ query: MessageQuery, search: SearchScope? = nil, bytes: Int = .max) {
        self.query = query
        self.search = search
        size = PageSize(count: query.limit, bytes: bytes)
    }

    /// Adds an account's messages, in one read transaction.
    mutating func addAccount(_ reader: AccountReader) throws {
        let read = try readAccount(reader)
        part = read.whole
        take(read.account)
    }

    /// The messages and gaps that an account adds to the page.
    struct AccountPart: Sendable {
        fileprivate var messages: PagePart
        fileprivate var gaps: [Gap]
        /// Nil without a search.
        fileprivate var index: SearchedIndex?
    }

    /// Reads an account's messages in the time that the page can still take, in one read transaction.
    func part(of reader: AccountReader) throws -> AccountPart { try readAccount(reader).account }

    /// Adds an account, in any order.
    mutating func addPart(_ account: AccountPart) {
        part.add(account.messages, size: size)
        take(account)
    }

    private mutating func take(_ account: AccountPart) {
        let (lower, upper) = part.bounds(query, size)
        gaps = (gaps + account.gaps).between(lower, upper)
        if let index = account.index { indexes.append(index) }
    }

    /// Returns also the messages so far with those of the account.
    private func readAccount(_ reader: AccountReader) throws -> (account: AccountPart, whole: PagePart) {
        let gapReader = reader.gapReader
        return try reader.read { db in
            let hits = try search.map { try $0.hits(scope: query.scope, of: reader.account, db) }
            let pages = PageReader(account: reader.account, query: query, hits: hits, bytes: size.bytes)
            let known = part.bounds(query, size)
            let messages = try PagePart.read(query, after: known.lower, before: known.upper, pages, db)
            var whole = part
            whole.add(messages, size: size)
            let (lower, upper) = whole.bounds(query, size)
            let rooms =
                search.map { $0.rooms(of: reader.account.name, in: query.scope) }
                ?? query.scope.rooms(of: reader.account.name)
            let gaps = try gapReader.gaps(rooms: rooms, from: lower, to: upper, with: [.purged], db)
                .filter { search?.looksInto($0) ?? true }
            let index = try search == nil ? nil : SearchedIndex(of: reader.account.name, db)
            return (AccountPart(messages: messages, gaps: gaps, index: index), whole)
        }
    }

    /// Returns the page of the accounts that were added.
    ///
    /// - Parameter skipped: The skipped accounts.
    func page(skipped: [SkippedAccount] = []) -> Page {
        let frame = PageFrame(query, part, size)
        let gaps = gaps.between(frame.lower, frame.upper).filter { gap in
            // A departure long ago is shown on pages of that room, and not on every page of several rooms. The same holds
            // for a log that ended long before the room was listened to.
            ![.ended, .notArchived].contains(gap.state) || query.scope.onlyRoom != nil
                || gap.from.microseconds > frame.lower
        }
        return Page(
            messages: frame.messages, older: frame.older, newer: frame.newer, gaps: gaps.inOrder(), skipped: skipped,
            day: day)
    }

    private var day: Page.Day? {
        guard case .day(let day) = query.anchor else { return nil }
        func active(_ id: MessageID?) -> CivilDay? { id.map { CivilDay(containing: $0.time, in: day.zone) } }
        return Page.Day(day, previous: active(part.beforeDay), next: active(part.afterDay))
    }
}

extension [Gap] {
    /// Returns the gaps that lie at least partly between two instants.
    fileprivate func between(_ lower: Int64, _ upper: Int64) -> [Gap] {
        filter { $0.from.microseconds < upper && $0.to?.microseconds ?? .max > lower }
    }
}
