import ChatModel

/// History to fetch: the events of a room before an instant from which on it is complete.
struct MatrixFetch: Sendable {
    var room: String
    /// The server's token from which to read backwards; nil for the end of the room.
    var from: String?
    /// The instant from which on the archive has everything.
    var end: Timestamp
    /// When the account joined, if that is after the first place; nil if unknown.
    var joined: Timestamp?
    /// The instant back to which everything is fetched, whatever the archive has; nil for what is missing.
    var after: Timestamp?
    /// True to look again for history that the server did not have before.
    var retriesLost = false
}
