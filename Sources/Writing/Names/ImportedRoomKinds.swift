package import ChatModel
import Records
package import SQLite
import Schema

/// The imported rooms that may be groups or conversations of two, until the counts of a batch are stored.
///
/// The exports of some programs have the same form for both: KakaoTalk's of Windows, WhatsApp's, LINE's and Telegram's
/// HTML pages. They name a conversation after the other person, and their formats call each room a group.
package struct ImportedRoomKinds: Sendable {
    /// The rooms with the kind that their source says; `channel` for a source that says none.
    private var rooms: [Int64: RoomReference.Kind] = [:]
    /// The rooms that their source knows by name alone.
    private var named: Set<Int64> = []

    /// - Parameters:
    ///   - kind: The kind that the source says; nil if it says none.
    ///   - isNamed: True if the source knows the room by its name alone. A source with ids says which rooms are direct.
    package mutating func note(_ room: Int64, kind: RoomReference.Kind?, isNamed: Bool) {
        guard kind != nil || isNamed else { return }
        if rooms[room] != .direct { rooms[room] = kind ?? rooms[room] ?? .channel }
        if isNamed { named.insert(room) }
    }

    /// Stores which of the rooms are groups and which are direct, and forgets them.
    package mutating func store(_ db: Database) throws {
        for (room, kind) in rooms {
            let isDirect = try kind == .direct || named.contains(room) && Self.shows(room, db)
            try Self.store(isDirect ? .direct : kind, of: room, db)
        }
        self = ImportedRoomKinds()
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

    /// Changes a room to a group, or to a conversation of two, which stays one. Does nothing for other kinds, and for a
    /// room of a listener's account, which stays what its network says.
    static func store(_ kind: RoomReference.Kind, of room: Int64, _ db: Database) throws {
        guard kind == .group || kind == .direct, try !CoverageLedger.hasListener(db) else { return }
        try db.cachedStatement(
            sql: "UPDATE room SET kind = ?1 WHERE id = ?2 AND (kind = 'channel' OR kind = 'group' AND ?1 = 'direct')"
        ).execute(arguments: [kind.rawValue, room])
        if db.changesCount > 0 { try Feed.name(roomID: room, db) }
    }
}
