package import ChatModel

/// Connects one account to its network and reports what it receives, until a stop is requested.
///
/// Commands come in through `inputs`, events go out through `sink`, and the account's state goes out through `report`.
/// Nothing outlives the task that calls ``run(inputs:into:state:report:)``.
package protocol Listener: Sendable {
    /// Runs the listener. Returns after ``ListenerInput/stop``, or if the task is cancelled, when it has stored all
    /// received events, if the store allows that, and left the network. Opens a lost connection again, without a limit
    /// of time.
    func run(
        inputs: AsyncStream<ListenerInput>,
        into sink: any EventSink,
        state: any ListenerState,
        report: @escaping @Sendable (ListenerReport) -> Void
    ) async

    /// The network's counter of unread messages; nil if the network has none.
    var counter: (any UnreadCounter)? { get }

    /// Requests missing history from the network again.
    ///
    /// - Parameters:
    ///   - room: One room; nil for all rooms that are received live.
    ///   - after: The time after which all history is requested, regardless of the archive; nil to request missing
    ///     history, also history that the network did not have before.
    /// - Returns: The number of requested rooms, or the reason why none can be requested.
    func backfill(_ room: RoomReference?, after: Timestamp?) -> BackfillAnswer
}

extension Listener {
    package var counter: (any UnreadCounter)? { nil }

    package func backfill(_ room: RoomReference?, after: Timestamp?) -> BackfillAnswer { .unsupported }
}

/// A counter of unread messages, which asks the network over the listener's connection.
package protocol UnreadCounter: Sendable {
    /// Returns one answer for each question, in their order.
    func answers(to questions: [UnreadQuestion]) async -> [UnreadAnswer]
}

/// A command for a listener.
package enum ListenerInput: Sendable {
    /// Connect, and stay connected. Ignored after the first one. The listener does nothing before it.
    case start
    /// Leave the network, store all events, and return.
    case stop
    /// Send this text in the account's name, for a person. The archiver never sends messages on its own.
    case send(String)
    /// Apply this configuration, and stay connected. Ignored if it belongs to another account or network.
    case configure(any ListenerConfiguration)
}

/// The part of a listener's configuration that all networks have.
package protocol ListenerConfiguration: Sendable {
    /// The waits between attempts to connect.
    var backoff: Backoff.Limits { get }
    /// The server, among whose accounts connections are spread over time; nil for a network without that.
    var pacedServer: String? { get }
    /// The number of attempts to log in, all refused, before a person must act.
    var loginAttempts: Int { get }
    /// The size of received events that are not stored, in bytes, at which reading stops. A change applies to the next
    /// session.
    var bufferBytes: Int { get }
    /// The time limit for storing the received events after a stop.
    var storeTimeout: Duration { get }
}

extension ListenerConfiguration {
    package var pacedServer: String? { nil }
    package var loginAttempts: Int { 1 }
}

/// The state of a listener; each report replaces the one before.
package struct ListenerReport: Sendable, Hashable {
    /// The state of the connection, as in the account's status.
    package var state: AccountStatus.State
    /// The time when `state` began.
    package var since: Timestamp
    /// The last time when the peer was known to be connected; nil if it never was.
    package var lastSignOfLife: Timestamp?
    /// The last error, for people and without secrets; nil if there is none.
    package var lastError: String?
    /// The time of the next attempt to connect; nil if none is planned.
    package var nextTry: Timestamp?
    /// The progress of requests for history; nil while there are none.
    package var backfill: BackfillProgress?
    /// The end of the server's rule to connect only by TLS, which the configuration does not demand; nil if there is
    /// none.
    package var tlsUntil: Timestamp?
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
