import ChatModel
import Sessions

/// Sends PINGs to the server, and records signs of life in the archive from time to time.
struct IRCHeartbeat: Sendable {
    enum Action {
        case ping
        case write(Timestamp)
        /// The server is silent.
        case end(SessionEnd)
    }

    /// The time of the last read up to which everything is in the events.
    private(set) var lastSignOfLife: Timestamp
    private var written: Timestamp
    private var nextWrite: Duration
    private var nextPing: Duration
    /// The time of the last PING; nil if something was received after it.
    private var pingedAt: Duration?

    init(at time: Timestamp, elapsed: Duration, _ configuration: IRCConfiguration) {
        (lastSignOfLife, written) = (time, time)
        nextWrite = elapsed + configuration.signOfLifeInterval
        nextPing = elapsed + configuration.pingInterval
    }

    /// Notes a read.
    mutating func received() { pingedAt = nil }

    /// Notes that the events have everything that was read up to this time.
    mutating func advance(to time: Timestamp) { lastSignOfLife = time }

    mutating func configure(_ new: IRCConfiguration, at elapsed: Duration) {
        nextWrite = min(nextWrite, elapsed + new.signOfLifeInterval)
    }

    mutating func tick(at elapsed: Duration, _ configuration: IRCConfiguration) -> [Action] {
        var actions: [Action] = []
        let timeout = configuration.pingTimeout
        if let pingedAt, elapsed >= pingedAt + timeout {
            let detail = "the server did not answer a PING within \(timeout.rounded)"
            actions.append(.end(SessionEnd(reason: .silent, detail: detail)))
        }
        if elapsed >= nextPing {
            actions.append(.ping)
            pingedAt = pingedAt ?? elapsed
            nextPing = elapsed + configuration.pingInterval
        }
        if elapsed >= nextWrite {
            nextWrite = elapsed + configuration.signOfLifeInterval
            if lastSignOfLife > written {
                written = lastSignOfLife
                actions.append(.write(lastSignOfLife))
            }
        }
        return actions
    }

    /// Returns the time of the next call of ``tick(at:_:)``.
    func due(_ configuration: IRCConfiguration) -> Duration {
        let due = min(nextPing, nextWrite)
        return pingedAt.map { min(due, $0 + configuration.pingTimeout) } ?? due
    }
}
