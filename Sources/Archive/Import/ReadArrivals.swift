import ChatModel
import GRDB

/// The rooms of an import whose messages count as read from their arrival.
///
/// Such a message has a flag and no row in `late`, so that unread messages of a listener stay unread, wherever the
/// imported ones are between them.
struct ReadArrivals {
    var rooms: Set<Int64> = []

    /// Moves each room's marker to the message before its first unread one, or to its last message, so that a count
    /// does not read the imported messages each time.
    ///
    /// - Parameter now: The time at which moved markers are set.
    func moveMarkers(at now: Timestamp, _ db: Database) throws {
        for room in rooms.sorted() {
            let marker = try ReadMarker.read(room: room, db)
            let old = marker?.through.microseconds ?? .min
            let unread = try UnreadRoom.first(in: room, after: old, db)
            let end = try unread.map { $0 - 1 } ?? ReadMarker.newest(in: room, db) ?? old
            if end > old { try ReadMarker.move(room: room, through: end, seq: marker?.seq, at: now, db) }
        }
    }
}
