package import ChatModel
import FoundationEssentials
package import SQLite
import Schema

/// Records what rules removed, in the transaction that removes it: never its content.
package enum PurgeLedger {
    /// The part's number in the column `what`.
    static func code(_ part: RetentionPart) -> Int64 {
        switch part {
        case .messages: 0
        case .joins: 1
        case .raw: 2
        case .files: 3
        }
    }

    /// Times and a number of removed things.
    package struct Removed {
        private(set) var first = Int64.max
        package private(set) var last = Int64.min
        package private(set) var count: Int64 = 0

        package init() {}

        /// - Parameter time: In microseconds since 1970.
        package mutating func add(_ time: Int64, count more: Int64 = 1) {
            (first, last, count) = (min(first, time), max(last, time), count + more)
        }
    }

    /// Adds to the row of the same rule and day, or inserts one.
    ///
    /// - Parameter room: The room's number; nil for raw bytes.
    package static func record(
        _ removed: Removed, of part: RetentionPart, room: Int64?, by rule: RetentionRule, at now: Timestamp,
        _ db: Database
    ) throws {
        guard removed.count > 0 else { return }
        if rule.age != nil {
            try db.cachedStatement(
                sql: "INSERT INTO applied_rule (rule, first_at_us) VALUES (?, ?) ON CONFLICT DO NOTHING"
            ).execute(arguments: [rule.text, now.microseconds])
        }
        let day: Int64 = 86_400_000_000
        let known = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT id FROM purge WHERE room_id IS ? AND what = ? AND rule = ? AND at_us / \(day) = ?
                    ORDER BY last_us DESC LIMIT 1
                    """),
            arguments: [room, code(part), rule.text, now.microseconds / day])
        if let known {
            try db.cachedStatement(
                sql: """
                    UPDATE purge SET first_us = min(first_us, ?), last_us = max(last_us, ?), count = count + ?, at_us = ?
                    WHERE id = ?
                    """
            ).execute(arguments: [removed.first, removed.last, removed.count, now.microseconds, known])
        } else {
            try db.cachedStatement(
                sql: """
                    INSERT INTO purge (room_id, what, rule, kept_us, first_us, last_us, count, at_us)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                room, code(part), rule.text, rule.age.map { Timestamp(microseconds: 0).advanced(by: $0).microseconds },
                removed.first, removed.last,
                removed.count, now.microseconds,
            ])
        }
        try Feed.purge(known ?? db.lastInsertedRowID, db)
    }
}
