import ChatModel
import Records
import SQLite
import Schema

/// Inserts the rows of messages: allocates their ids, appends them to the change feed, and counts them by room and
/// sender.
package struct MessageRows {
    private let insertMessage: Statement
    private let insertChange: Statement
    private var allocator: IDAllocator
    /// The batch's messages by room, written once at its end.
    private var added: [Int64: Added] = [:]
    /// The same by room and sender, of messages without noise.
    private var senderCounts: [Sender: Int64] = [:]

    private struct Added {
        var count: Int64 = 0
        var first = Int64.max
        var last = Int64.min

        mutating func add(_ id: Int64) {
            count += 1
            first = min(first, id)
            last = max(last, id)
        }
    }

    private struct Sender: Hashable {
        let room: Int64
        let user: Int64
    }

    /// An id that is allocated for the next row.
    package struct Place {
        package let id: Int64
        /// True if later messages are already stored.
        package let isLate: Bool
        fileprivate let before: IDAllocator
    }

    init(_ db: Database) throws {
        allocator = try IDAllocator(db)
        insertChange = try db.makeStatement(sql: Feed.insertion, keepsValues: true)
        insertMessage = try db.makeStatement(sql: Self.insertion, keepsValues: true)
    }

    static let insertion = """
        \(SchemaTable.message.insertion)
        ON CONFLICT (room_id, remote_id) WHERE remote_id IS NOT NULL DO NOTHING
        """

    /// Returns true if no stored message can have that time, in microseconds since 1970.
    func isBeyondAll(_ time: Int64) -> Bool { allocator.isBeyondAll(time) }

    /// Allocates the first free id that is not before the time, in microseconds since 1970.
    mutating func allocate(notBefore time: Int64, _ db: Database) throws -> Place {
        let before = allocator
        let id = try allocator.allocate(notBefore: time, db)
        return Place(id: id, isLate: before.isBehind(id), before: before)
    }

    /// Inserts the row and returns true. If the room already has a message with that remote id, frees the id and
    /// returns false.
    ///
    /// - Parameter countsAsLate: False if the message never counts as late, even if later messages are already stored.
    mutating func insert(
        _ message: IncomingMessage, at place: Place, room: Int64, sender: Int64?, countsAsLate: Bool,
        receipt: (receivedAt: Int64, flags: MessageFlags), _ db: Database
    ) throws -> Bool {
        let id = place.id
        try insertMessage.execute { row in
            row.bind(
                message, room: room, sender: sender, at: id, receivedAt: receipt.receivedAt, flags: receipt.flags)
        }
        guard db.changesCount > 0 else {
            allocator = place.before
            return false
        }
        try insertChange.execute { row in
            row.bind(1, Feed.messageCode)
            row.bind(2, id)
        }
        if place.isLate, countsAsLate, !message.flags.contains(.readOnArrival) {
            try Feed.late(room: room, messageID: id, db)
        }
        added[room, default: Added()].add(id)
        if let sender, !message.kind.isNoise { senderCounts[Sender(room: room, user: sender), default: 0] += 1 }
        return true
    }

    /// Writes the counts, the ends of the rooms and the runs of used ids.
    mutating func flush(_ db: Database) throws {
        for (room, added) in added {
            try db.cachedStatement(sql: "UPDATE room SET messages = messages + ? WHERE id = ?")
                .execute(arguments: [added.count, room])
            try RoomSpans.extend(room, from: added.first, to: added.last, db)
        }
        added.removeAll(keepingCapacity: true)
        let countSender = try db.cachedStatement(
            sql: """
                INSERT INTO sender_count (room_id, sender_id, messages) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET messages = messages + excluded.messages
                """)
        for (sender, count) in senderCounts {
            try countSender.execute {
                $0.bind(1, sender.room)
                $0.bind(2, sender.user)
                $0.bind(3, count)
            }
        }
        senderCounts.removeAll(keepingCapacity: true)
        try allocator.record(db)
    }
}
