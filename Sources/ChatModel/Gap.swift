/// A time in which the archive is not known to be complete, after a room's first covered span.
package struct Gap: Sendable, Hashable {
    package enum State: String, Sendable, Hashable {
        /// It reaches to now: nothing is being heard.
        case current
        /// It has an end, and the network may still fill it.
        case open
        /// It has an end, and the network has no history to fill it from.
        case lost
        /// It reaches to now, and nothing is amiss: the room was left, or is gone.
        case ended
        /// No gap that can be told: nothing is known to be complete there, and a log of it was imported, which proves nothing. Only
        /// where gaps are listed, before a room's first covered span, and in rooms without any.
        case imported
    }

    /// A part of its time of which a log was imported; what that lacks can't be told.
    package struct Imported: Sendable, Hashable {
        package var from: Timestamp
        package var to: Timestamp

        package init(from: Timestamp, to: Timestamp) {
            (self.from, self.to) = (from, to)
        }
    }

    /// The reason of a gap up to now on a connection that is open: nothing was received lately, and whatever comes next on it
    /// proves that nothing is missing.
    package static let quiet = "quiet"

    package var account: String
    package var room: String
    /// The last instant known to be complete.
    package var from: Timestamp
    /// The next instant known to be complete; nil while there is none.
    package var to: Timestamp?
    package var state: State
    /// An ``EndReason``; ``quiet``; `failure` where one event could not be stored or understood, `unreadable` where that is so of a
    /// message of the network's history; nil when not known.
    package var reason: String?
    /// When it will be tried to fill it, or to connect again.
    package var nextTry: Timestamp?
    /// Why it could not be filled, an ``UnfilledReason``; nil where it was not tried, or nothing said so.
    package var unfilled: String?
    /// The same in the server's words.
    package var detail: String?
    /// In order of time; logs that are less than a day apart are told as one.
    package var imported: [Imported]
    /// How far `from` and `to` are ahead of this machine's clock, in microseconds; 0 unless that was ahead.
    package var ahead = Ahead()

    package struct Ahead: Sendable, Hashable {
        package var from: Int64
        package var to: Int64

        package init(from: Int64 = 0, to: Int64 = 0) {
            (self.from, self.to) = (from, to)
        }
    }

    /// The time to show of the beginning: this machine's clock of then.
    package var shownFrom: Timestamp { from.advanced(byMicroseconds: 0 &- ahead.from) }
    /// The time to show of the end; nil while there is none.
    package var shownTo: Timestamp? { to?.advanced(byMicroseconds: 0 &- ahead.to) }

    /// The time that really passed, up to `now` where there is no end.
    package func length(at now: Timestamp) -> Duration {
        to.map { $0.since(from) } ?? now.since(shownFrom)
    }

    package init(
        account: String, room: String, from: Timestamp, to: Timestamp?, state: State, reason: String?,
        nextTry: Timestamp?, unfilled: String? = nil, detail: String? = nil, imported: [Imported] = []
    ) {
        self.imported = imported
        self.account = account
        self.room = room
        self.from = from
        self.to = to
        self.state = state
        self.reason = reason
        self.nextTry = nextTry
        self.unfilled = unfilled
        self.detail = detail
    }
}
