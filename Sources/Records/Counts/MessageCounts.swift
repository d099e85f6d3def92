import ChatModel
package import SQLite
import Schema

/// Keeps the numbers of messages by room, quarter of an hour and sender (`message_count`), in the transaction of the messages
/// themselves. Joins, leaves, renames and modes don't count.
///
/// An earlier file is counted in steps, from the newest message down; `count_reach` has how far that is. Counts that contradict the
/// messages are begun again in the same way, so that they don't keep messages from being stored.
package enum MessageCounts {
    /// The number of messages that one step counts: some 20 ms.
    private static let batch = 20_000

    // MARK: Changing

    /// Counts a batch's changes.
    static func apply(_ changes: [SearchIndex.Change], _ db: Database) throws {
        var counts: [CountChange] = []
        counts.reserveCapacity(changes.count)
        for place in changes.indices {
            let id = changes[place].id
            // Binding an entry to a name would copy it.
            let (old, new) = (changes[place].old?.countKey, changes[place].new?.countKey)
            let (oldRoom, newRoom) = (changes[place].old?.room, changes[place].new?.room)
            if old == new, oldRoom == newRoom { continue }
            if let old, let oldRoom, let change = CountChange(room: oldRoom, id: id, key: old, by: -1) {
                counts.append(change)
            }
            if let new, let newRoom, let change = CountChange(room: newRoom, id: id, key: new, by: 1) {
                counts.append(change)
            }
        }
        try apply(counts, db)
    }

    /// Adds changes to the counts.
    package static func apply(_ changes: [CountChange], _ db: Database) throws {
        guard !changes.isEmpty, let from = try reach(db) else { return }
        let all = (from == .min ? changes : changes.filter { $0.entry.quarter >= from }).combined()
        var rest = all[...]
        while let room = rest.first?.room {
            let end = rest.firstIndex { $0.room != room } ?? rest.endIndex
            guard try CountedRoom(room: room, db: db).apply(rest[..<end].map(\.entry)) else { return try reset(db) }
            rest = rest[end...]
        }
    }

    /// Returns the first quarter from which on all messages are counted; nil if a damaged file does not have it, and no message counts.
    private static func reach(_ db: Database) throws -> Int64? {
        // A damaged value must not keep messages from being stored.
        let statement = try db.cachedStatement(sql: "SELECT CAST(from_quarter AS INTEGER) FROM count_reach")
        return try statement.first({ _ in }) { try $0.number(0) }
    }

    // MARK: Filling

    /// Forgets all counts, to make them again.
    package static func reset(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM message_count;
                INSERT OR REPLACE INTO count_reach (id, from_quarter)
                  SELECT 1, ifnull((SELECT max(id) / \(QuarterHour.length) + 1 FROM message), \(Int64.min));
                """)
    }

    /// Counts the messages of the next earlier quarters: about ``batch`` messages.
    ///
    /// - Returns: The first id that is counted; nil if all messages are.
    static func fill(_ db: Database) throws -> Int64? {
        if try reach(db) == nil { try reset(db) }
        guard let from = try reach(db), from != .min else { return nil }
        let end = QuarterHour.start(of: from)
        let last = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM message WHERE id < ? ORDER BY id DESC LIMIT 1 OFFSET \(batch - 1)"),
            arguments: [end])
        let first = last.map(QuarterHour.number(of:)) ?? .min
        try db.execute(sql: "UPDATE count_reach SET from_quarter = ?", arguments: [first])
        try apply(changes(from: QuarterHour.start(of: first), to: end, db), db)
        return last == nil ? nil : QuarterHour.start(of: first)
    }

    /// Counts messages of an earlier file until all are counted, at most a million, in a transaction for each step: half a second.
    /// The next time continues.
    package static func fillSome(_ db: Database) throws {
        for _ in 0..<(1_000_000 / batch) {
            guard try reach(db) != .min, try db.inTransaction(.immediate, { try fill(db) }) != nil else { return }
        }
    }

    private static func changes(from start: Int64, to end: Int64, _ db: Database) throws -> [CountChange] {
        var changes: [CountChange] = []
        let statement = try db.cachedStatement(
            sql: """
                SELECT id, room_id, sender_id, flags & \(MessageFlags.readOnArrival.rawValue) FROM message NOT INDEXED
                WHERE noise = 0 AND id >= ? AND id < ?
                """)
        try statement.forEach(arguments: [start, end]) { row in
            let key = CountKey(sender: try row.number(2), isRead: try row.limit(3) != 0)
            if let change = try CountChange(room: row.limit(1), id: row.limit(0), key: key, by: 1) {
                changes.append(change)
            }
        }
        return changes
    }
}
