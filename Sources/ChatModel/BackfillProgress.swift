/// How far the asking of a network for history has come.
package struct BackfillProgress: Sendable, Hashable, Codable {
    /// Rooms whose history is not whole yet, the one at hand included; those that the network refuses left out.
    /// 0 while it is only asked which conversations there are.
    package var rooms: Int
    /// The one at hand; nil while its turn comes.
    package var room: String?
    /// Messages that its history had so far.
    package var messages = 0
    /// Up to where its history was given, forward or backward; nil where nothing was yet.
    package var reached: Timestamp?

    package init(rooms: Int) {
        self.rooms = rooms
    }
}

/// What a network was told to give again.
package enum BackfillAnswer: Sendable, Hashable {
    /// So many rooms' history is asked for.
    case asked(rooms: Int)
    case notConnected
    /// The network, or the server, has none to ask for.
    case unsupported
}
