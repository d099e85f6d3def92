package import ChatModel
package import Schema

/// The last message that set or removed a room's topic.
package struct LastTopic {
    package let id: MessageID
    /// The topic; empty if the message removed it, or was deleted.
    package let text: String
    package let isDeleted: Bool

    /// Reads one entry of the index of topics; nil if the room never had a topic.
    package static func read(room: Int64, _ db: ReadTransaction) throws -> LastTopic? {
        try db.first(selection(of: "body"), [.integer(room)]) { row in try LastTopic(row) }
    }

    /// Returns the beginning of a room's topic, at most ``Room/maximumTopicLength`` characters; nil if there is none.
    package static func beginning(room: Int64, _ db: ReadTransaction) throws -> String? {
        let body = "substr(body, 1, \(Room.maximumTopicLength))"
        let text = try db.first(selection(of: body), [.integer(room)]) { row in try LastTopic(row) }?.text
        return text?.isEmpty == false ? text : nil
    }

    /// Returns SQL for the last topic of room ?1.
    static func selection(of body: String) -> SQLText {
        """
        SELECT id, \(body), deleted_at_us IS NOT NULL OR flags & \(MessageFlags.wiped.rawValue) != 0
        FROM message \(.indexed("message_topic")) WHERE room_id = ?1 AND kind = \(MessageKind.topic.code)
        ORDER BY id DESC LIMIT 1
        """
    }

    private init(_ row: Columns) throws {
        (id, isDeleted) = try (row.messageID(0), row.bool(2))
        text = try isDeleted ? "" : row.optionalText(1) ?? ""
    }
}
