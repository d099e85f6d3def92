package import ChatModel

/// Connects one account to its network and reports what it hears, until it is told to stop.
///
/// A transform: what it is told comes in through `inputs`, what it hears goes out through `sink`, how it is doing through
/// `report`. Nothing outlives the task that runs it.
package protocol Listener: Sendable {
    /// Returns after ``ListenerInput/stop``, or when the task is cancelled, with everything received committed where the
    /// store allows, and the network told that we leave. A broken connection is mended inside, for as long as it takes.
    func run(
        inputs: AsyncStream<ListenerInput>,
        into sink: any EventSink,
        state: any ListenerState,
        report: @escaping @Sendable (ListenerReport) -> Void
    ) async

    /// Asks the network what it counts as unread; nil where it counts nothing.
    var counter: (any UnreadCounter)? { get }

    /// Asks the network again for history that is missing.
    ///
    /// - Parameters:
    ///   - room: One room; nil is all that are heard.
    ///   - after: All since then, whatever is archived; nil is what is missing, what the network did not have included.
    func backfill(_ room: RoomReference?, after: Timestamp?) -> BackfillAnswer
}

extension Listener {
    package var counter: (any UnreadCounter)? { nil }

    package func backfill(_ room: RoomReference?, after: Timestamp?) -> BackfillAnswer { .unsupported }
}

/// Asks a network what it counts as unread, with what the listener is connected by.
package protocol UnreadCounter: Sendable {
    /// One answer a question, in order.
    func answers(to questions: [UnreadQuestion]) async -> [UnreadAnswer]
}

/// What a listener is told.
package enum ListenerInput: Sendable {
    /// Connect, and stay connected. Before it nothing happens.
    case start
    /// Leave, commit, return.
    case stop
    /// Say this in the account's name. Only a person says things; the archiver never speaks by itself.
    case send(String)
    /// Goes by this from now on, and what is connected stays so. Of another account, or another network, it means nothing.
    case configure(any ListenerConfiguration)
}

/// A configuration that a listener can take while it is connected.
package protocol ListenerConfiguration: Sendable {}

/// How a listener is doing; each report replaces the one before.
package struct ListenerReport: Sendable, Hashable {
    package var state: AccountStatus.State
    /// When `state` began.
    package var since: Timestamp
    package var lastSignOfLife: Timestamp?
    /// For people, without secrets; nil when nothing is wrong.
    package var lastError: String?
    package var nextTry: Timestamp?
    /// nil where no history is being asked for.
    package var backfill: BackfillProgress?
    /// Events that were heard before a stop and are not stored.
    package var unstored = 0

    package init(
        state: AccountStatus.State, since: Timestamp, lastSignOfLife: Timestamp? = nil, lastError: String? = nil,
        nextTry: Timestamp? = nil
    ) {
        self.state = state
        self.since = since
        self.lastSignOfLife = lastSignOfLife
        self.lastError = lastError
        self.nextTry = nextTry
    }
}
