import ChatModel
import Sessions

/// Asks the server for signs of life, and records them in the archive from time to time.
struct XMPPHeartbeat: Sendable {
    /// An action for the caller.
    enum Action: Sendable, Hashable {
        case ping
        case write(Timestamp)
        /// The server is silent.
        case end(SessionEnd)
    }

    /// The time of the last read whose stanzas are all in the events.
    private(set) var lastSignOfLife: Timestamp
    private var written: Timestamp
    private var nextPing: Duration
    private var pingedAt: Duration?

    init(at time: Timestamp, elapsed: Duration, _ configuration: XMPPConfiguration) {
        (lastSignOfLife, written) = (time, time)
        nextPing = elapsed + configuration.pingInterval
    }

    /// Notes a read, of which the events have everything.
    mutating func received(at time: Timestamp) {
        (lastSignOfLife, pingedAt) = (time, nil)
    }

    mutating func tick(at elapsed: Duration, _ configuration: XMPPConfiguration) -> [Action] {
        var actions: [Action] = []
        if let pingedAt, elapsed >= pingedAt + configuration.pingInterval {
            let limit = configuration.pingInterval
            actions.append(
                .end(SessionEnd(reason: .silent, detail: "the server did not answer within \(limit.rounded)")))
        }
        if elapsed >= nextPing {
            actions.append(.ping)
            pingedAt = pingedAt ?? elapsed
            nextPing = elapsed + configuration.pingInterval
        }
        if lastSignOfLife > written {
            written = lastSignOfLife
            actions.append(.write(lastSignOfLife))
        }
        return actions
    }
}
