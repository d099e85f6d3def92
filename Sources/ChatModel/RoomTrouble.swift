/// The reason why a listener does not receive a room, or can't fetch its history.
package struct RoomTrouble: Sendable, Hashable {
    /// The reasons, most of which come from the server.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Can't be joined without an invitation.
        case inviteOnly = "invite_only"
        /// Can't be joined: the account is banned.
        case banned
        /// Can't be joined: the room is full.
        case full
        /// Can't be joined: it has a password that the configuration lacks.
        case badKey = "bad_key"
        /// Can't be joined: there is no such room.
        case noSuchRoom = "no_such_room"
        /// Can't be joined for another reason of the server.
        case notJoined = "not_joined"
        /// Connected; only the history is unavailable, for an ``UnfilledReason``.
        case noHistory = "no_history"
    }

    package var reason: Reason
    /// The server's words, for people.
    package var detail: String?
    /// The time when the trouble began.
    package var since: Timestamp
    /// The time of the next attempt; nil if none is planned.
    package var nextTry: Timestamp?

    package init(_ reason: Reason, detail: String? = nil, since: Timestamp, nextTry: Timestamp? = nil) {
        (self.reason, self.detail, self.since, self.nextTry) = (reason, detail, since, nextTry)
    }
}

/// The reason why missing history is unavailable.
package enum UnfilledReason: String, Sendable, Hashable, CaseIterable {
    /// The network refuses the request.
    case refused
    /// The network's history doesn't reach that far.
    case limit
    /// More messages have the same time than the network returns at once.
    case burst
    /// The network has no history.
    case unsupported
    /// A bouncer keeps the history, and was not connected to the network.
    case bouncer
    /// Not requested yet, because other rooms come first.
    case pending
}

/// The history of a room between two instants that the listener requested, or should request, and did not get.
package struct UnfilledHistory: Sendable, Hashable {
    package var room: RoomReference
    /// The beginning of the time. Every gap that overlaps the time from `from` to `to` gets a note with the reason.
    package var from: Timestamp
    package var to: Timestamp
    package var reason: UnfilledReason
    /// The server's words, for people; at most ``maximumDetail`` bytes are kept.
    package var detail: String?
    /// The time of the next attempt; nil if there is none.
    package var nextTry: Timestamp?

    /// 1,000 bytes, more than a server's line (IRC's have 512), but less than a web server's page about an error.
    package static let maximumDetail = 1000

    package init(
        room: RoomReference, from: Timestamp, to: Timestamp, reason: UnfilledReason, detail: String? = nil,
        nextTry: Timestamp? = nil
    ) {
        (self.room, self.from, self.to) = (room, from, to)
        (self.reason, self.detail, self.nextTry) = (reason, detail, nextTry)
    }
}
