import Accounts
package import ChatModel
import Files
import Records

/// Reads a query's messages, and after them the change feeds of its accounts, by polling each file a few times a
/// second.
actor Follower {
    private let reading: ArchiveReading
    private let query: MessageQuery
    private let search: SearchScope?
    /// True to begin with what is stored from now on.
    private let skipsHistory: Bool
    private var accounts: [AccountFollower]?
    private var waiting: [Followed] = []
    /// The instant up to which history has been read; nil once all of it has been.
    private var catchingUpFrom: MessageID?
    /// The last reported gap of each room, so that no gap is reported twice.
    private var gaps: [String: Gap] = [:]

    private nonisolated let thread = OwnThread()

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// The time between two polls, each of which costs two `stat` when nothing changed. A commit is seen within 60 ms.
    static let interval = Duration.milliseconds(50)

    init(reading: ArchiveReading, query: MessageQuery, search: SearchScope? = nil, skipsHistory: Bool = false) {
        (self.reading, self.query, self.search, self.skipsHistory) = (reading, query, search, skipsHistory)
        if case .after(let start) = query.anchor { catchingUpFrom = start }
    }

    /// Returns the next item in order, and waits until there is one. Nil if the task is cancelled.
    func next() async throws -> Followed? {
        do {
            while waiting.isEmpty { try await readNext() }
            return waiting.removeFirst()
        } catch is CancellationError {
            return nil
        }
    }

    private func readNext() async throws {
        try Task.checkCancellation()
        guard let accounts else { return try begin() }
        if let start = catchingUpFrom { return try catchUp(from: start, accounts) }
        for account in accounts { waiting += unseen(try account.poll()) }
        if waiting.isEmpty { try await Task.sleep(for: Self.interval) }
    }

    private func begin() throws {
        var accounts: [AccountFollower] = []
        for reader in try reading.readers(of: query.scope) {
            accounts.append(try AccountFollower(reader: reader, query: query, search: search))
        }
        self.accounts = accounts
        reading.writeFirstUses()
        guard catchingUpFrom == nil, !skipsHistory else { return }
        var merge = PageMerge(query, search: search)
        for account in accounts { try merge.addAccount(account.reader) }
        let page = merge.page()
        for account in accounts { account.hasShown(page.messages) }
        // Hits may be years apart.
        enqueue(page.messages, gaps: search == nil ? page.gaps : [])
    }

    private func catchUp(from start: MessageID, _ accounts: [AccountFollower]) throws {
        var all: [Message] = []
        for account in accounts { all += try account.history(after: start) }
        let run = MessageRun(all.merged()).cutToEarliest(PageSize(count: query.limit, bytes: .max))
        let end = run.beyond == nil ? nil : run.messages.last?.id
        for account in accounts { account.hasShown(through: end) }
        catchingUpFrom = end
        var gaps: [Gap] = []
        for account in accounts {
            gaps += try account.reader.gaps(
                rooms: query.scope.rooms(of: account.reader.account.name), from: start.microseconds,
                to: run.beyond ?? .max)
        }
        enqueue(Array(run.messages), gaps: gaps.inOrder())
    }

    private func enqueue(_ messages: [Message], gaps: [Gap]) {
        let new = gaps.filter(isNew)
        if !messages.isEmpty || !new.isEmpty { waiting.append(.history(messages, gaps: new)) }
    }

    private func unseen(_ found: [Followed]) -> [Followed] {
        found.filter { item in
            if case .gap(let gap) = item { isNew(gap) } else { true }
        }
    }

    private func isNew(_ gap: Gap) -> Bool {
        gaps.updateValue(gap, forKey: "\(gap.account)\u{0}\(gap.room)") != gap
    }
}

extension AccountFeeds {
    /// Streams the query's messages, and after them every newly stored message, late ones included. Repeats a message
    /// when it is edited or deleted. Ends when the consumer stops.
    ///
    /// With the anchor `after`, pages forward from there to the end and continues with messages after that instant.
    /// With `latest`, begins with that page and continues with all messages. Repeats no message and misses none.
    ///
    /// - Parameters:
    ///   - search: The search that the messages have to match, with the anchor `latest`; nil for all messages.
    ///   - skipsHistory: True to begin with what is stored from now on, with the anchor `latest`.
    package func follow(
        _ query: MessageQuery, matching search: SearchScope? = nil, skipsHistory: Bool = false
    ) -> AsyncThrowingStream<Followed, any Error> {
        let follower = Follower(reading: reading, query: query, search: search, skipsHistory: skipsHistory)
        reading.opened.keepOnly(query.scope)
        return AsyncThrowingStream { try await follower.next() }
    }
}

/// One item of a stream of messages.
package enum Followed: Sendable, Hashable {
    /// History in time order, with the gaps in it that were not given before.
    case history([Message], gaps: [Gap])
    /// Messages that were stored, edited or deleted meanwhile, in commit order. A late message has an earlier id than
    /// the messages before it.
    case messages([Message])
    /// A gap that began, or that ended and now has its `to`.
    case gap(Gap)
    /// The account's file was replaced by a restored one; it is read from the start.
    case startedOver(account: String)
}
