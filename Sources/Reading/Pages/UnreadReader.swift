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
        let unread = try UnreadMessages(db)
        return try visible.map { try unread.state(of: $0.id, name: $0.name, account: account.name) }
    }

    /// Returns the first unread message of a room after an id, late ones left out; nil if there is none.
    package static func first(in room: Int64, after id: Int64, _ db: ReadTransaction) throws -> Int64? {
        try db.integer(
            """
            SELECT id FROM message \(.indexed("message_room"))
            WHERE room_id = ?1 AND noise = 0 AND id > ?2 AND \(UnreadMessages.isUnread(db)) ORDER BY id LIMIT 1
            """, [.integer(room), .integer(id)])
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

/// Counts unread messages of rooms: those of whole quarters of an hour by the kept counts, and the others by their rows.
struct UnreadMessages {
    private let db: ReadTransaction
    /// Nil for a shared archive.
    private let counts: CountReader?
    /// The account's own people, who have always read what they write.
    private let own: Set<Int64>

    init(_ db: ReadTransaction) throws {
        self.db = db
        counts = try CountReader(db)
        own = try db.marks == nil ? Set(db.integers("SELECT id FROM \"user\" WHERE is_self = 1")) : []
    }

    /// The number of unread messages, up to one more than a limit, and the earliest of them.
    private struct Tally {
        var count: Int64 = 0
        var first: MessageID?
    }

    func state(of room: Int64, name: String, account: String) throws -> UnreadRoom {
        let (marker, limit) = (try ReadMarker.read(room: room, db), UnreadRoom.countLimit)
        let later = try self.later(room: room, than: marker, limit: limit)
        let late = try marker.map { try self.late(room: room, $0, limit: limit) } ?? Tally()
        let count = later.count + late.count
        return UnreadRoom(
            account: account, roomID: room, room: name, unread: min(count, limit), hasMore: count > limit,
            late: min(late.count, limit), firstUnread: later.first, firstLate: late.first,
            readThrough: marker?.through, markedAt: marker?.setAt)
    }

    func count(in room: Int64) throws -> UnreadCount {
        let (marker, limit) = (try ReadMarker.read(room: room, db), UnreadCount.limit)
        var count = try later(room: room, than: marker, limit: limit).count
        if let marker, count <= limit { count += try late(room: room, marker, limit: limit).count }
        return UnreadCount(count: min(count, limit), hasMore: count > limit)
    }

    /// Excludes messages that were imported as read by the owner, and the account's own messages, which the owner has
    /// always read. Another reader has read neither.
    static func isUnread(_ db: ReadTransaction) -> String {
        guard db.marks == nil else { return "1 = 1" }
        return """
            flags & \(MessageFlags.readOnArrival.rawValue) = 0
              AND NOT EXISTS (SELECT 1 FROM "user" WHERE id = message.sender_id AND is_self = 1)
            """
    }

    /// The same for the messages that are counted together.
    private func isUnread(_ key: CountKey) -> Bool { db.marks != nil || !key.isRead && !own.contains(key.sender) }

    private func later(room: Int64, than marker: ReadMarker?, limit: Int64) throws -> Tally {
        let after = marker?.through.microseconds ?? .min
        guard let counts, let quarters = quarters(after: after, countedFrom: counts.from) else {
            return try rows(room, after, .max, limit)
        }
        var tally = Tally()
        if after > .min || counts.from > .min {
            tally = try rows(room, after, QuarterHour.start(of: quarters.lowerBound), limit)
        }
        guard tally.count <= limit else { return tally }
        var first: Int64?
        _ = try counts.first(room: room, quarters: quarters) { _, row -> Void? in
            let unread = row.keys.map(isUnread)
            for quarter in row.quarters where quarter.number >= quarters.lowerBound {
                let count = row.pairs[quarter.pairs].reduce(0) { $0 + (unread[$1.key] ? $1.messages : 0) }
                if first == nil, count > 0 { first = quarter.number }
                tally.count += count
            }
            return tally.count > limit ? () : nil
        }
        tally.count = min(tally.count, limit + 1)
        if tally.first == nil, let first {
            tally.first = try rows(room, QuarterHour.start(of: first) - 1, QuarterHour.start(of: first + 1), 0).first
        }
        return tally
    }

    /// Returns the quarters of an hour whose messages are all after an id and counted; nil if there is none.
    private func quarters(after id: Int64, countedFrom from: Int64) -> Range<Int64>? {
        let all = CountPlace.quarters
        let first = max(id == .min ? .min : QuarterHour.number(of: id) + 1, from, all.lowerBound)
        return first < all.upperBound ? first..<all.upperBound : nil
    }

    private func rows(_ room: Int64, _ after: Int64, _ before: Int64, _ limit: Int64) throws -> Tally {
        try count(
            """
            SELECT id FROM message \(.indexed("message_room"))
            WHERE room_id = ?1 AND noise = 0 AND id > ?2 AND id < ?3 AND \(Self.isUnread(db)) ORDER BY id
            """, [.integer(room), .integer(after), .integer(before)], limit)
    }

    private func late(room: Int64, _ marker: ReadMarker, limit: Int64) throws -> Tally {
        try count(
            """
            SELECT message.id FROM late \(.crossJoin) message ON message.id = message_id
            WHERE late.room_id = ?1 AND seq > ?2 AND message_id <= ?3 AND noise = 0 AND \(Self.isUnread(db))
            """,
            [.integer(room), .integer(marker.seq), .integer(marker.through.microseconds)], limit)
    }

    private func count(_ ids: SQLText, _ arguments: [SQLArgument], _ limit: Int64) throws -> Tally {
        try db.first("SELECT count(*), min(id) FROM (\(ids) LIMIT \(limit + 1)) AS unread", arguments) { row in
            try Tally(count: row.integer(0), first: row.optionalMessageID(1))
        } ?? Tally()
    }
}
