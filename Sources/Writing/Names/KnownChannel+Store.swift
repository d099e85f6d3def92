import ChatModel
import Records
import SQLite
import Schema

extension KnownChannel {
    /// The limit of former names of all channels together, so that a network with endless renames can't fill the
    /// memory.
    private static let maximumNames = 10_000

    static func readAll(_ db: Database) throws -> [KnownChannel] {
        var channels: [Int64: KnownChannel] = [:]
        try db.forEach(
            sql: """
                SELECT room.id, key, name FROM room JOIN room_name ON room_name.room_id = room.id AND last_seen_us IS NULL
                WHERE kind = 'channel' AND length(key) <= \(RoomReference.maximumKeyLength)
                ORDER BY room.id LIMIT \(RoomReference.maximumKnown)
                """
        ) { row in
            let room = try RoomReference(key: row.value(1), name: row.value(2), kind: .channel)
            channels[try row.value(0)] = KnownChannel(room: room)
        }
        let names: [(Int64, String, Timestamp)] = try db.all(
            sql: """
                SELECT room_id, name, last_seen_us FROM room_name
                WHERE last_seen_us IS NOT NULL AND length(name) <= \(RoomReference.maximumKeyLength)
                ORDER BY last_seen_us DESC LIMIT \(maximumNames)
                """
        ) { try ($0.value(0), $0.value(1), $0.value(2)) }
        for (id, name, end) in names.reversed() {
            channels[id]?.formerNames[name] = end
        }
        return channels.sorted { $0.key < $1.key }.map(\.value)
    }
}
