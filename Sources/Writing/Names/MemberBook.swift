import ChatModel
import Records
import SQLite

/// Records the members of rooms, from messages of people who join, speak or leave.
///
/// Remembers the members who spoke recently, so that most messages write nothing. After a rollback, create a new one.
struct MemberBook {
    private struct Member: Hashable {
        var room: Int64
        var user: Int64
    }

    /// The limit of each set, at 16 bytes an entry: more members than speak in the rooms of the busiest networks.
    private static let capacity = 20_000

    /// Members who are known to be in the room.
    private var present: Set<Member> = []

    /// Members who have a row in the room.
    private var listed: Set<Member> = []

    /// - Parameter isPast: True if later messages are stored, so that this one does not show who is in the room now.
    mutating func noteMessage(
        _ kind: MessageKind, room: Int64, user: Int64, at id: Int64, isPast: Bool, _ db: Database
    ) throws {
        let member = Member(room: room, user: user)
        guard !isPast else { return try ensureListed(member, db) }
        switch kind {
        case .join: try joined(member, at: id, db)
        case .leave: try left(member, at: id, db)
        default: if !present.contains(member) { try spoke(member, db) }
        }
    }

    /// Records the complete list of a room's members.
    mutating func replaceMembers(with users: [Int64], in room: Int64, at time: Int64, _ db: Database) throws {
        let present = try Int64.fetchAll(
            db,
            sql: """
                SELECT user_id FROM membership INDEXED BY membership_present WHERE room_id = ? AND left_at_us IS NULL
                """, arguments: [room]
        )
        for user in Set(present).subtracting(users) { try left(Member(room: room, user: user), at: time, db) }
        for user in users { try spoke(Member(room: room, user: user), db) }
        try Feed.members(roomID: room, db)
    }

    private mutating func joined(_ member: Member, at id: Int64, _ db: Database) throws {
        try write(
            """
            INSERT INTO membership (room_id, user_id, joined_at_us) VALUES (?, ?, ?)
            ON CONFLICT (room_id, user_id) DO UPDATE SET joined_at_us = excluded.joined_at_us, left_at_us = NULL
            """, member, at: id, db)
        remember(member)
    }

    private mutating func left(_ member: Member, at id: Int64, _ db: Database) throws {
        try write(
            """
            INSERT INTO membership (room_id, user_id, left_at_us) VALUES (?, ?, ?)
            ON CONFLICT (room_id, user_id) DO UPDATE SET left_at_us = excluded.left_at_us
            """, member, at: id, db)
        present.remove(member)
    }

    /// Records that a user wrote in the room. If the user had left, they came back unnoticed, at an unknown time.
    private mutating func spoke(_ member: Member, _ db: Database) throws {
        try write(
            """
            INSERT INTO membership (room_id, user_id) VALUES (?, ?)
            ON CONFLICT (room_id, user_id) DO UPDATE SET joined_at_us = NULL, left_at_us = NULL
            WHERE left_at_us IS NOT NULL
            """, member, db)
        remember(member)
    }

    /// Records that the member was in the room at some time, unless the room has a row for them.
    private mutating func ensureListed(_ member: Member, _ db: Database) throws {
        guard !present.contains(member), !listed.contains(member) else { return }
        try write(
            "INSERT INTO membership (room_id, user_id) VALUES (?, ?) ON CONFLICT (room_id, user_id) DO NOTHING", member,
            db)
        if listed.count >= Self.capacity { listed.removeAll(keepingCapacity: true) }
        listed.insert(member)
    }

    /// - Parameter id: The third value of the statement; nil for a statement of two.
    private func write(_ sql: String, _ member: Member, at id: Int64? = nil, _ db: Database) throws {
        try db.cachedStatement(sql: sql).execute {
            $0.bind(1, member.room)
            $0.bind(2, member.user)
            if let id { $0.bind(3, id) }
        }
    }

    private mutating func remember(_ member: Member) {
        if present.count >= Self.capacity { present.removeAll(keepingCapacity: true) }
        present.insert(member)
    }
}
