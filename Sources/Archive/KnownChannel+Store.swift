import ChatModel
import GRDB

extension KnownChannel {
    /// Former names of all channels: a network that renames without end fills no memory.
    private static let maximumNames = 10_000

    static func readAll(_ db: Database) throws -> [KnownChannel] {
        var channels: [Int64: KnownChannel] = [:]
        let rooms = try Row.fetchAll(
            db,
            sql: """
                SELECT room.id, key, name FROM room JOIN room_name ON room_name.room_id = room.id AND last_seen_us IS NULL
                WHERE kind = 'channel' AND length(key) <= \(RoomReference.maximumKeyLength)
                ORDER BY room.id LIMIT \(RoomReference.maximumKnown)
                """)
        for row in rooms {
            let room = RoomReference(key: row[1], name: row[2], kind: .channel)
            channels[row[0]] = KnownChannel(room: room)
        }
        let names = try Row.fetchAll(
            db,
            sql: """
                SELECT room_id, name, last_seen_us FROM room_name
                WHERE last_seen_us IS NOT NULL AND length(name) <= \(RoomReference.maximumKeyLength)
                ORDER BY last_seen_us DESC LIMIT \(maximumNames)
                """)
        for row in names.reversed() {
            let (name, until): (String, Int64) = (row[1], row[2])
            channels[row[0]]?.formerNames[name] = Timestamp(microseconds: until)
        }
        return channels.sorted { $0.key < $1.key }.map(\.value)
    }
}
