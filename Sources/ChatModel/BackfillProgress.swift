/// The progress of fetching history from a network.
package struct BackfillProgress: Sendable, Hashable, Codable {
    /// The number of rooms whose history is incomplete, the present one included, without those that the network
    /// refuses. 0 while the conversations are only being listed.
    package var rooms: Int
    /// The room that is being fetched; nil between two rooms.
    package var room: String?
    /// The number of messages in the room's history so far.
    package var messages = 0
    /// The time up to which the room's history was fetched, forward or backward; nil when nothing was yet.
    package var reached: Timestamp?

    package init(rooms: Int) {
        self.rooms = rooms
    }
}

/// The answer to a request for history.
package enum BackfillAnswer: Sendable, Hashable {
    /// The history of this many rooms is being fetched.
    case asked(rooms: Int)
    /// The account is not connected. Missing history is fetched after it has connected.
    case notConnected
    /// The network or the server has no history.
    case unsupported
}
