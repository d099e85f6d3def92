/// Why a room is not heard, or its history can't be had.
package struct RoomTrouble: Sendable, Hashable {
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// It can't be joined: only who is invited may.
        case inviteOnly = "invite_only"
        /// It can't be joined: the account is banned from it.
        case banned
        /// It can't be joined: as many are in it as may be.
        case full
        /// It can't be joined: it has a password, and that of the configuration, if any, is not it.
        case badKey = "bad_key"
        /// It can't be joined: there is no such room.
        case noSuchRoom = "no_such_room"
        /// It can't be joined, for another reason of the server's.
        case notJoined = "not_joined"
        /// Nothing is amiss but that its history can't be had, as ``UnfilledReason`` says.
        case noHistory = "no_history"
    }

    package var reason: Reason
    /// What the server says, for people.
    package var detail: String?
    /// When it was first so.
    package var since: Timestamp
    /// Nil where nothing will be tried by itself.
    package var nextTry: Timestamp?

    package init(_ reason: Reason, detail: String? = nil, since: Timestamp, nextTry: Timestamp? = nil) {
        (self.reason, self.detail, self.since, self.nextTry) = (reason, detail, since, nextTry)
    }
}

/// Why history that is missing could not be had from the network.
package enum UnfilledReason: String, Sendable, Hashable, CaseIterable {
    /// The network refuses to give it.
    case refused
    /// The network keeps no history that reaches so far.
    case limit
    /// More messages have one time than the network can be asked for by it.
    case burst
    /// The network has no history to give.
    case unsupported
    /// The history is a bouncer's, which was not connected to the network.
    case bouncer
    /// It was not asked for yet: other rooms come first.
    case pending
}

/// That history of a room from one instant to another was asked for, or would have to be, and did not come.
package struct UnfilledHistory: Sendable, Hashable {
    package var room: RoomReference
    /// Every gap that has some of the time between the two has it noted.
    package var from: Timestamp
    package var to: Timestamp
    package var reason: UnfilledReason
    /// What the server says, for people; at most ``maximumDetail`` bytes of it are kept.
    package var detail: String?
    /// Nil where it won't be tried again.
    package var nextTry: Timestamp?

    /// No server's line is as long (IRC's have 512 bytes), a web server's page of an error may be.
    package static let maximumDetail = 1000

    package init(
        room: RoomReference, from: Timestamp, to: Timestamp, reason: UnfilledReason, detail: String? = nil,
        nextTry: Timestamp? = nil
    ) {
        (self.room, self.from, self.to) = (room, from, to)
        (self.reason, self.detail, self.nextTry) = (reason, detail, nextTry)
    }
}
