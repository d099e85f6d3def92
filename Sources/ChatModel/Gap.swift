/// A time in which the archive is not known to be complete, after a room's first covered span.
package struct Gap: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Hashable, Codable {
        /// It reaches to now: nothing is being heard.
        case current
        /// It has an end, and the network may still fill it.
        case open
        /// It has an end, and the network has no history to fill it from.
        case lost
    }

    package var account: String
    package var room: String
    /// The last instant known to be complete.
    package var from: Timestamp
    /// The next instant known to be complete; nil while there is none.
    package var to: Timestamp?
    package var state: State
    /// An ``EndReason``, or `failure` where one event could not be stored or understood; nil when not known.
    package var reason: String?
    /// When it will be tried to fill it, or to connect again.
    package var nextTry: Timestamp?

    package init(
        account: String, room: String, from: Timestamp, to: Timestamp?, state: State, reason: String?,
        nextTry: Timestamp?
    ) {
        self.account = account
        self.room = room
        self.from = from
        self.to = to
        self.state = state
        self.reason = reason
        self.nextTry = nextTry
    }

    private enum CodingKeys: String, CodingKey {
        case account, room, from, to, state, reason
        case nextTry = "next_try"
    }

    /// Every key is always there, null where there is nothing.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(account, forKey: .account)
        try container.encode(room, forKey: .room)
        try container.encode(from, forKey: .from)
        try container.encode(to, forKey: .to)
        try container.encode(state, forKey: .state)
        try container.encode(reason, forKey: .reason)
        try container.encode(nextTry, forKey: .nextTry)
    }
}
