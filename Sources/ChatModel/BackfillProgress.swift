/// How far the asking for history has come.
package struct BackfillProgress: Sendable, Hashable, Codable {
    /// Rooms whose history is not whole yet, the one at hand included.
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
