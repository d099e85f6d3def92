package import ChatModel
import Reading
import Records
package import SQLite
import Schema

/// The rooms of an import whose messages count as read from their arrival.
///
/// Such a message has a flag and no row in `late`, so that unread messages of a listener stay unread, wherever the
/// imported ones are between them.
package struct ReadArrivals {
    /// True for a room in which no unread message follows the marker.
    private var rooms: [Int64: Bool] = [:]

    package init() {}

    /// Notes that a message is about to be stored in the room.
    package mutating func note(_ room: Int64, isRead: Bool, _ db: Database) throws {
        if !isRead {
            if rooms[room] != nil { rooms[room] = false }
        } else if rooms[room] == nil {
            let tables = ReadTransaction(db)
            let marker = try ReadMarker.read(room: room, tables)?.through.microseconds ?? .min
            rooms[room] = try ReadMarker.newest(in: room, tables).map { $0 <= marker } ?? true
        }
    }

    /// Moves each room's marker to the message before its first unread one, or to its last message, so that a count
    /// does not read the imported messages each time.
    ///
    /// - Parameter now: The time at which moved markers are set.
    package func moveMarkers(at now: Timestamp, _ db: Database) throws {
        for (room, isRead) in rooms.sorted(by: { $0.key < $1.key }) {
            let tables = ReadTransaction(db)
            let marker = try ReadMarker.read(room: room, tables)
            let old = marker?.through.microseconds ?? .min
            let unread = isRead ? nil : try UnreadRoom.first(in: room, after: old, tables)
            let end = try unread.map { $0 - 1 } ?? ReadMarker.newest(in: room, tables) ?? old
            if end > old { try ReadMarker.move(room: room, through: end, seq: marker?.seq, at: now, db) }
        }
    }
}
