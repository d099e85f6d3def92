import ChatModel
import Records
package import SQLite

/// Removes messages with everything that belongs to them: words in the search index, earlier texts, reactions,
/// retractions, files and raw bytes.
///
/// The file has zeros in their place afterwards. Bytes of files stay on disk until ``GoneContents`` deletes them.
package struct MessageRemoval {
    private var index = SearchIndex()

    package init() {}

    package mutating func remove(_ messages: some Sequence<StoredMessage>, _ db: Database) throws {
        let ofMessage = try [
            "DELETE FROM message_version WHERE message_id = ?", "DELETE FROM message_raw WHERE message_id = ?",
            "DELETE FROM attachment WHERE message_id = ?", "DELETE FROM edit WHERE message_id = ?",
            "DELETE FROM message WHERE id = ?",
        ].map { try db.cachedStatement(sql: $0) }
        let ofRemoteID = try [
            "DELETE FROM reaction WHERE room_id = ? AND remote_id = ?",
            "DELETE FROM retraction WHERE room_id = ? AND remote_id = ?",
        ].map { try db.cachedStatement(sql: $0) }
        var rooms: Set<Int64> = []
        for message in messages {
            rooms.insert(message.room)
            if !message.kind.isNoise { index.remove(message.searchEntry) }
            if let remoteID = message.remoteID {
                for statement in ofRemoteID {
                    try statement.execute {
                        $0.bind(1, message.room)
                        $0.bind(2, remoteID)
                    }
                }
            }
            for statement in ofMessage { try statement.execute { $0.bind(1, message.id) } }
        }
        try index.flush(db)
        try RoomSpans.settle(rooms, db)
    }
}
