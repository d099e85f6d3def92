import ChatModel
import Records
package import Schema

extension UnreadRoom {
    /// Returns the unread state of every room of the account, or of one room, sorted by name (``SortedName``).
    static func readAll(_ account: AccountIdentity, room: Int64?, _ db: ReadTransaction) throws -> [UnreadRoom] {
        let rooms = try db.all(
            """
            SELECT room_id, name FROM room_name
            WHERE last_seen_us IS NULL AND room_id = coalesce(?1, room_id)
            """, [.integer(room)]
        ) { row in try (id: row.integer(0), name: row.text(1)) }
        let visible = rooms.filter { db.sees($0.id) }.sorted(byName: { $0.name }) { $0.id < $1.id }
        return try visible.map {
            try UnreadRoom(account: account.name, room: $0.id, name: $0.name, db)
        }
    }

    /// Returns the first unread message of a room after an id, late ones left out; nil if there is none.
    package static func first(in room: Int64, after id: Int64, _ db: ReadTransaction) throws -> Int64? {
        try db.integer(
            """
            SELECT id FROM message \(.indexed("message_room"))
            WHERE room_id = ?1 AND noise = 0 AND id > ?2 AND \(Tally.isUnread(db)) ORDER BY id LIMIT 1
            """, [.integer(room), .integer(id)])
    }

    private init(account: String, room: Int64, name: String, _ db: ReadTransaction) throws {
        let marker = try ReadMarker.read(room: room, db)
        let later = try Tally.later(room: room, than: marker, limit: Self.countLimit, db)
        let late = try marker.map { try Tally.late(room: room, $0, limit: Self.countLimit, db) } ?? Tally(count: 0)
        let count = later.count + late.count
        self.init(
            account: account, roomID: room, room: name, unread: min(count, Self.countLimit),
            hasMore: count > Self.countLimit, late: min(late.count, Self.countLimit), firstUnread: later.first,
            firstLate: late.first, readThrough: marker?.through, markedAt: marker?.setAt)
    }
}

extension UnreadQuestion {
    /// Returns a question for each room that was not left and still exists, sorted by number.
    static func readAll(_ db: ReadTransaction) throws -> [UnreadQuestion] {
        try db.all(
            """
            SELECT room.id, room.key, workspace.key, coalesce(through_us, 0) FROM room
              LEFT JOIN workspace ON workspace.id = workspace_id
              LEFT JOIN read_marker ON read_marker.room_id = room.id
            WHERE left_at_us IS NULL AND gone_at_us IS NULL
              AND EXISTS (SELECT 1 FROM room_name WHERE room_id = room.id) ORDER BY room.id
            """
        ) { row in
            try UnreadQuestion(
                room: row.integer(0), key: row.text(1), workspace: row.optionalText(2), since: row.time(3))
        }
    }
}

extension UnreadCount {
    static func read(room: Int64, _ db: ReadTransaction) throws -> UnreadCount {
        let marker = try ReadMarker.read(room: room, db)
        var count = try Tally.later(room: room, than: marker, limit: limit, db).count
        if let marker, count <= limit { count += try Tally.late(room: room, marker, limit: limit, db).count }
        return UnreadCount(count: min(count, limit), hasMore: count > limit)
    }
}

/// The number of unread messages, up to one more than a limit, and the earliest of them.
private struct Tally {
    var count: Int64
    var first: MessageID?

    /// Excludes messages that were imported as read by the owner, and the account's own messages, which the owner has
    /// always read. Another reader has read neither.
    fileprivate static func isUnread(_ db: ReadTransaction) -> String {
        guard db.marks == nil else { return "1 = 1" }
        return """
            flags & \(MessageFlags.readOnArrival.rawValue) = 0
              AND NOT EXISTS (SELECT 1 FROM "user" WHERE id = message.sender_id AND is_self = 1)
            """
    }

    static func later(room: Int64, than marker: ReadMarker?, limit: Int64, _ db: ReadTransaction) throws -> Tally {
        try count(
            """
            SELECT id FROM message \(.indexed("message_room"))
            WHERE room_id = ?1 AND noise = 0 AND id > ?2 AND \(isUnread(db)) ORDER BY id
            """,
            [.integer(room), .integer(marker?.through.microseconds ?? .min)], limit, db)
    }

    static func late(room: Int64, _ marker: ReadMarker, limit: Int64, _ db: ReadTransaction) throws -> Tally {
        try count(
            """
            SELECT message.id FROM late \(.crossJoin) message ON message.id = message_id
            WHERE late.room_id = ?1 AND seq > ?2 AND message_id <= ?3 AND noise = 0 AND \(isUnread(db))
            """,
            [.integer(room), .integer(marker.seq), .integer(marker.through.microseconds)], limit, db)
    }

    private static func count(
        _ ids: SQLText, _ arguments: [SQLArgument], _ limit: Int64, _ db: ReadTransaction
    ) throws -> Tally {
        try db.first("SELECT count(*), min(id) FROM (\(ids) LIMIT \(limit + 1)) AS unread", arguments) { row in
            try Tally(count: row.integer(0), first: row.optionalMessageID(1))
        } ?? Tally(count: 0)
    }
}
