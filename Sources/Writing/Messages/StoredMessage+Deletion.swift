import ChatModel
import SQLite

extension StoredMessage {
    /// A sender with more messages in a minute is a flood, in which finding each would take long.
    private static let mostPlaces = 200

    /// Returns the stored message that the source, exported later, has only as deleted; nil if that is not certain.
    ///
    /// Both exports have the messages of a sender in the same order. So the nth message of the sender in the minute is
    /// the deleted one, if an earlier import stored the whole minute: it then also stored a later message.
    static func find(
        deletedBy message: ImportedMessage, room: Int64, sender: Int64?, _ db: Database
    ) throws -> StoredMessage? {
        guard let place = message.placeOfDeleted, place < mostPlaces, message.deletedAt != nil, message.body == nil,
            message.exact == nil, message.remoteID == nil, message.place == nil, let sender
        else { return nil }
        let minute = TimeResolution.minute.floor(message.time).microseconds
        let end = minute + TimeResolution.minute.microseconds
        let statement = try db.cachedStatement(
            sql: """
                SELECT id FROM message
                WHERE room_id = ?1 AND noise = 0 AND id >= ?2 AND id < ?3 AND kind = 0 AND sender_id = ?4
                  AND remote_id IS NULL AND (source_time_us IS NULL OR source_time_us >= ?2)
                  AND EXISTS (SELECT 1 FROM message WHERE room_id = ?1 AND id >= ?3)
                ORDER BY id LIMIT 1 OFFSET ?5
                """)
        let id = try Int64.fetchOne(statement, arguments: [room, minute, end, sender, place])
        return try id.flatMap { try find(at: $0, db) }
    }
}
