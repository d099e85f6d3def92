import SQLite
import Schema

/// Allocates message ids: the smallest free one that is not before the message's time.
///
/// To undo allocations, restore a copy of the value from before them.
package struct IDAllocator {
    /// No id above this is used.
    private var highest: Int64
    /// Consecutive ids that are all used, known from probing and allocating. A long run is written to `id_run`.
    private var run: ClosedRange<Int64>?

    /// The shortest run that is recorded; probing message by message passes shorter runs as fast.
    package static let shortestRecordedRun = 8

    init(_ db: Database) throws {
        highest = max(
            try Int64.first(db, sql: "SELECT max(id) FROM message") ?? .min,
            try Int64.first(db, sql: "SELECT max(last_us) FROM id_run") ?? .min)
    }

    /// Returns the smallest free id from `time` on, and marks it as used. The caller must insert its row.
    mutating func allocate(notBefore time: Int64, _ db: Database) throws -> Int64 {
        if time > highest {
            try record(db)
            (highest, run) = (time, time...time)
            return time
        }
        let inRun = run.map { $0.contains(time) } ?? false
        var id = time
        if inRun, let run { id = run.upperBound + 1 }
        while id <= highest {
            if let last = try Self.recordedRun(covering: id, db) {
                id = last + 1
            } else if try Self.isUsed(id, db) {
                id += 1
            } else {
                break
            }
        }
        if inRun, let known = run {
            run = known.lowerBound...id
        } else {
            try record(db)
            run = time...id
        }
        highest = max(highest, id)
        return id
    }

    /// Returns true if no id from that time on is allocated. An event of that time can't be stored yet.
    func isBeyondAll(_ time: Int64) -> Bool {
        time > highest
    }

    /// Returns true if a later id than this one is allocated.
    func isBehind(_ id: Int64) -> Bool {
        id < highest
    }

    /// Writes the long runs that were found. Call it before COMMIT.
    mutating func record(_ db: Database) throws {
        guard let run, run.upperBound - run.lowerBound >= Self.shortestRecordedRun - 1 else { return }
        var first = run.lowerBound
        var last = run.upperBound
        let before = try db.cachedStatement(
            sql: "SELECT first_us, last_us FROM id_run WHERE first_us <= ? ORDER BY first_us DESC LIMIT 1")
        let stored = try before.first({ $0.bind(1, first) }) { row in
            try (first: row.integer(0), last: row.integer(1))
        }
        if let stored {
            if stored.first <= first, stored.last >= last { return }
            if stored.last >= first - 1 {
                first = stored.first
                last = max(last, stored.last)
            }
        }
        let inside = try db.cachedStatement(
            sql: "SELECT max(last_us) FROM id_run WHERE first_us BETWEEN ? AND ?")
        if let reached = try Int64.first(inside, [first, last + 1]) { last = max(last, reached) }
        try db.cachedStatement(sql: "DELETE FROM id_run WHERE first_us BETWEEN ? AND ?")
            .execute(arguments: [first, last + 1])
        try db.cachedStatement(sql: "INSERT INTO id_run (first_us, last_us) VALUES (?, ?)")
            .execute(arguments: [first, last])
    }

    private static func recordedRun(covering id: Int64, _ db: Database) throws -> Int64? {
        let statement = try db.cachedStatement(
            sql: "SELECT last_us FROM id_run WHERE first_us <= ? ORDER BY first_us DESC LIMIT 1")
        guard let last = try Int64.first(statement, [id]), last >= id else { return nil }
        return last
    }

    private static func isUsed(_ id: Int64, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM message WHERE id = ?")
        return try Int64.fetchOne(statement, arguments: [id]) != nil
    }
}
