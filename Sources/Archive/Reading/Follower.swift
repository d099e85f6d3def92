package import ChatModel

/// Reads a query's messages and then the change feeds of its accounts, by asking each file a few times a second.
actor Follower {
    private let reading: ArchiveReading
    private let query: MessageQuery
    private var accounts: [AccountFollower]?
    private var waiting: [Followed] = []
    /// The instant up to which history has been read; nil once that is done.
    private var catchingUpFrom: MessageID?
    /// The last gap given of each room, so that none is given twice.
    private var gaps: [String: Gap] = [:]

    /// Between two looks at the files, each of which costs two `stat` where nothing changed. A commit is seen within 250 ms.
    static let interval = Duration.milliseconds(200)

    init(reading: ArchiveReading, query: MessageQuery) {
        self.reading = reading
        self.query = query
        if case .after(let start) = query.anchor { catchingUpFrom = start }
    }

    /// The next of what there is, in order; waits while there is nothing. Nil when the task is cancelled.
    func next() async throws -> Followed? {
        do {
            while waiting.isEmpty { try await read() }
            return waiting.removeFirst()
        } catch is CancellationError {
            return nil
        }
    }

    private func read() async throws {
        try Task.checkCancellation()
        guard let accounts else { return try await begin() }
        if let start = catchingUpFrom { return try catchUp(from: start, accounts) }
        for account in accounts { waiting += unseen(try account.poll()) }
        if waiting.isEmpty { try await Task.sleep(for: Self.interval) }
    }

    private func begin() async throws {
        var accounts: [AccountFollower] = []
        for reader in try await reading.readers(of: query.scope) {
            accounts.append(try AccountFollower(reader: reader, query: query))
        }
        self.accounts = accounts
        guard catchingUpFrom == nil else { return }
        var merge = PageMerge(query)
        for account in accounts { try merge.add(account.reader) }
        let page = merge.page()
        for account in accounts { account.hasShown(page.messages) }
        give(page.messages, gaps: page.gaps)
    }

    private func catchUp(from start: MessageID, _ accounts: [AccountFollower]) throws {
        var all: [Message] = []
        for account in accounts { all += try account.history(after: start) }
        let run = Run(messages: all.merged()).cutToEarliest(query.limit)
        let end = run.beyond == nil ? nil : run.messages.last?.id
        for account in accounts { account.hasShown(through: end) }
        catchingUpFrom = end
        var gaps: [Gap] = []
        for account in accounts {
            gaps += try account.reader.gaps(
                room: query.scope.roomID, from: start.microseconds, to: run.beyond ?? .max)
        }
        give(run.messages, gaps: gaps.inOrder())
    }

    private func give(_ messages: [Message], gaps: [Gap]) {
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

extension ArchiveReading {
    /// What a query finds, and then every message that is stored, late ones included, and again when it is edited or
    /// deleted, until the consumer stops.
    ///
    /// With the anchor `after` it pages forward from there to the end and goes on with what comes after that instant;
    /// with `latest` it begins with that page and goes on with everything. Nothing twice, nothing missing.
    package func follow(_ query: MessageQuery) -> AsyncThrowingStream<Followed, any Error> {
        let follower = Follower(reading: self, query: query)
        keepOnly(query.scope)
        let thread = OwnThread()
        return AsyncThrowingStream { try await thread.run { try await follower.next() } }
    }
}

/// What following brings.
package enum Followed: Sendable, Hashable {
    /// History, in time order, with the gaps in it that were not given before.
    case history([Message], gaps: [Gap])
    /// Messages that have been stored, edited or deleted meanwhile, in commit order: a late one, and one that was there
    /// before, has an earlier id than those before it.
    case messages([Message])
    /// A gap that began, or that ended and now has its `to`.
    case gap(Gap)
    /// The account's file was replaced by a restored one; it is read from the start.
    case startedOver(account: String)
}
