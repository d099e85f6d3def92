/// The progress of fetching history from a network.
package struct BackfillProgress: Sendable, Hashable, Codable {
    /// The number of rooms with incomplete history, the present one included, without rooms that the network refuses. 0
    /// while the listener only lists the conversations.
    package var rooms: Int
    /// The room that the listener is fetching; nil between two rooms.
    package var room: String?
    /// The number of messages in the room's history so far.
    package var messages = 0
    /// The time up to which the room's history was fetched, forward or backward; nil if nothing was fetched yet.
    package var reached: Timestamp?

    package init(rooms: Int) {
        self.rooms = rooms
    }
}

/// The answer to a request for history.
package enum BackfillAnswer: Sendable, Hashable {
    /// The listener is fetching the history of this many rooms.
    case requested(rooms: Int)
    /// The account is not connected. Missing history is fetched after it has connected.
    case notConnected
    /// The network or the server has no history.
    case unsupported
}
