package import ChatModel
import FoundationEssentials
import Records
package import SQLite
import Schema

/// The times of rooms that rules have removed. Messages of such a time are not stored again.
package struct PurgedTimes {
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

    package init(_ db: Database) throws {
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

    package mutating func note(room: Int64, isNoise: Bool, last: Int64) {
        let subject = Subject(room: room, isNoise: isNoise)
        ends[subject] = max(ends[subject] ?? .min, last)
    }

    /// Returns true if a rule has removed the messages of that time, and no hold is for it.
    package func contain(_ time: Int64, room: Int64, _ kind: MessageKind, _ db: Database) throws -> Bool {
        guard !ends.isEmpty || !before.isEmpty else { return false }
        var end = ends[Subject(room: room, isNoise: kind.isNoise)] ?? .min
        if !before.isEmpty, let key = try ForgottenBook.key(ofRoom: room, db) {
            let digest = PurgeMemory.digest(room: key, isNoise: kind.isNoise, createdAt: createdAt)
            end = max(end, before[digest] ?? .min)
        }
        return time <= end && holds.free(room: room, before: .max).contains { $0.contains(time) }
    }
}
