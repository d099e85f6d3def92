package import ChatModel

/// Connects one account to its network and reports what it receives, until a stop is requested.
///
/// A transform: commands come in through `inputs`, events go out through `sink`, and the account's state goes out
/// through `report`. Nothing outlives the task that runs it.
package protocol Listener: Sendable {
    /// Returns after ``ListenerInput/stop``, or when the task is cancelled: everything received has been stored where
    /// the store allows that, and the network knows that we left. A lost connection is opened again, for as long as it
    /// takes.
    func run(
        inputs: AsyncStream<ListenerInput>,
        into sink: any EventSink,
        state: any ListenerState,
        report: @escaping @Sendable (ListenerReport) -> Void
    ) async

    /// Asks the network for its count of unread messages; nil where the network has none.
    var counter: (any UnreadCounter)? { get }

    /// Requests missing history from the network again.
    ///
    /// - Parameters:
    ///   - room: One room; nil for all that are live.
    ///   - after: Requests everything since then, whatever is archived; nil requests what is missing, even if the network
    ///     did not have it before.
    /// - Returns: How many rooms are requested, or why none can be.
    func backfill(_ room: RoomReference?, after: Timestamp?) -> BackfillAnswer
}

extension Listener {
    package var counter: (any UnreadCounter)? { nil }

    package func backfill(_ room: RoomReference?, after: Timestamp?) -> BackfillAnswer { .unsupported }
}

/// Asks a network for its counts of unread messages, over the listener's connection.
package protocol UnreadCounter: Sendable {
    /// Returns one answer for each question, in their order.
    func answers(to questions: [UnreadQuestion]) async -> [UnreadAnswer]
}

/// A command for a listener.
package enum ListenerInput: Sendable {
    /// Connect, and stay connected. Ignored once connected; nothing happens before it.
    case start
    /// Leave, store, return.
    case stop
    /// Send this in the account's name. Only people send messages; the archiver never does so by itself.
    case send(String)
    /// Apply this configuration, and stay connected. Ignored if it belongs to another account or network.
    case configure(any ListenerConfiguration)
}

/// The part of a listener's configuration that all networks have.
package protocol ListenerConfiguration: Sendable {
    /// Waits between attempts to connect.
    var backoff: Backoff.Limits { get }
    /// Bytes received and not yet stored at which reading stops; a change applies to the next session.
    var bufferBytes: Int { get }
    /// The time that storing the received events may take after a stop.
    var storeTimeout: Duration { get }
}

/// The state of a listener; each report replaces the one before.
package struct ListenerReport: Sendable, Hashable {
    /// The state of the connection, as in the account's status.
    package var state: AccountStatus.State
    /// When `state` began.
    package var since: Timestamp
    package var lastSignOfLife: Timestamp?
    /// The last error, for people and without secrets; nil when nothing is wrong.
    package var lastError: String?
    package var nextTry: Timestamp?
    /// The progress of requests for history; nil while there are none.
    package var backfill: BackfillProgress?
    /// The number of events that were received before a stop and are not stored.
    package var unstored = 0

    package init(
        state: AccountStatus.State, since: Timestamp, lastSignOfLife: Timestamp? = nil, lastError: String? = nil,
        nextTry: Timestamp? = nil
    ) {
        (self.state, self.since, self.lastSignOfLife, self.lastError) = (state, since, lastSignOfLife, lastError)
        self.nextTry = nextTry
    }
}
