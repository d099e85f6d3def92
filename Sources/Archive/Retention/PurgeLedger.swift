import ChatModel
import FoundationEssentials
import SQLite
import Schema

/// Records what rules removed, in the transaction that removes it: never its content.
enum PurgeLedger {
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
    struct Removed {
        private(set) var first = Int64.max
        private(set) var last = Int64.min
        private(set) var count: Int64 = 0

        /// - Parameter time: In microseconds since 1970.
        mutating func add(_ time: Int64, count more: Int64 = 1) {
            (first, last, count) = (min(first, time), max(last, time), count + more)
        }
    }

    /// Adds to the row of the same rule and day, or inserts one.
    ///
    /// - Parameter room: The room's number; nil for raw bytes.
    static func record(
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

/// The times of rooms that rules have removed. Messages of such a time are not stored again.
struct PurgedTimes {
    /// The last removed id by room and noise.
    private var ends: [Subject: Int64] = [:]
    /// The same by digest, of rooms that may not be here yet; empty unless the file is from a backup.
    private let before: [Data: Int64]
    private let createdAt: Int64
    private let holds: HoldBook

    private struct Subject: Hashable {
        var room: Int64
        var isNoise: Bool
    }

    init(_ db: Database) throws {
        let transaction = ReadTransaction(db)
        holds = try HoldBook(transaction)
        before = Dictionary(
            try db.all(sql: "SELECT digest, last_us FROM purged_before") { (try $0.value(0), try $0.value(1)) },
            uniquingKeysWith: { $1 })
        createdAt = try transaction.integer("SELECT created_at_us FROM account") ?? 0
        try transaction.forEach(
            """
            SELECT room_id, what, max(last_us) FROM purge WHERE what IN (0, 1) AND kept_us IS NOT NULL
            GROUP BY room_id, what
            """
        ) { row in try note(room: row.integer(0), isNoise: row.integer(1) == 1, last: row.integer(2)) }
    }

    mutating func note(room: Int64, isNoise: Bool, last: Int64) {
        let subject = Subject(room: room, isNoise: isNoise)
        ends[subject] = max(ends[subject] ?? .min, last)
    }

    /// Returns true if a rule has removed the messages of that time, and no hold is for it.
    func contain(_ time: Int64, room: Int64, _ kind: MessageKind, _ db: Database) throws -> Bool {
        guard !ends.isEmpty || !before.isEmpty else { return false }
        var end = ends[Subject(room: room, isNoise: kind.isNoise)] ?? .min
        if !before.isEmpty, let key = try ForgottenBook.key(ofRoom: room, db) {
            let digest = PurgeMemory.digest(room: key, isNoise: kind.isNoise, createdAt: createdAt)
            end = max(end, before[digest] ?? .min)
        }
        return time <= end && holds.free(room: room, before: .max).contains { $0.contains(time) }
    }
}
