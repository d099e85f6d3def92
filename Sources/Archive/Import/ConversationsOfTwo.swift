import ChatModel
import GRDB

/// The imported rooms that may be conversations of two, until the counts of a batch are stored.
///
/// The exports of some programs have the same form for groups: KakaoTalk's of Windows, WhatsApp's, LINE's and Telegram's
/// HTML pages. They name a conversation after the other person.
struct ConversationsOfTwo: Sendable {
    /// The rooms, with true for those that are direct by their source, and false for those whose source does not say it.
    private var rooms: [Int64: Bool] = [:]

    /// - Parameters:
    ///   - isDirect: True if the source says that the room is direct.
    ///   - isNamed: True if the source knows the room by its name alone. A source with ids says which rooms are direct.
    mutating func note(_ room: Int64, isDirect: Bool, isNamed: Bool) {
        guard isDirect || isNamed else { return }
        rooms[room] = isDirect || rooms[room] == true
    }

    /// Stores which of the rooms are direct, and forgets them.
    mutating func store(_ db: Database) throws {
        for (room, isDirect) in rooms where try isDirect || Self.shows(room, db) { try Self.store(room, db) }
        rooms = [:]
    }

    /// Returns true if two people wrote in the room, the room has the name of one of them, and nobody joined or left.
    private static func shows(_ room: Int64, _ db: Database) throws -> Bool {
        let people = try db.cachedStatement(
            sql: """
                SELECT (SELECT count(*) FROM sender_count WHERE room_id = ?1 AND messages > 0) = 2
                  AND EXISTS (SELECT 1 FROM sender_count JOIN user_name ON user_name.user_id = sender_id
                    JOIN room_name ON room_name.room_id = ?1 AND room_name.name = user_name.name
                    WHERE sender_count.room_id = ?1 AND messages > 0)
                """)
        guard try Bool.fetchOne(people, arguments: [room]) == true else { return false }
        let events = try db.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM message INDEXED BY message_room
                  WHERE room_id = ? AND noise = 1 AND kind IN (?, ?))
                """)
        return try Bool.fetchOne(events, arguments: [room, MessageKind.join.code, MessageKind.leave.code]) == false
    }

    /// Changes a room from a group to a conversation of two. A room of a listener's account stays what its network says.
    static func store(_ room: Int64, _ db: Database) throws {
        guard try !CoverageLedger.hasListener(db) else { return }
        try db.cachedStatement(sql: "UPDATE room SET kind = 'direct' WHERE id = ? AND kind = 'channel'")
            .execute(arguments: [room])
        if db.changesCount > 0 { try Feed.name(roomID: room, db) }
    }
}
