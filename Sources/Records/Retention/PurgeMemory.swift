import ChatModel
import Crypto
package import FoundationEssentials
package import SQLite
import Schema

/// The times up to which rules have removed messages, and the rules that were applied. The catalog has them, too, because
/// a file that was restored from a backup lacks what rules removed since.
package struct PurgeMemory: Sendable, Hashable {
    /// The last removed id by digest.
    package var ends: [Data: Int64] = [:]
    /// When each rule was applied first, in microseconds since 1970.
    package var rules: [String: Int64] = [:]

    package init(ends: [Data: Int64] = [:], rules: [String: Int64] = [:]) {
        (self.ends, self.rules) = (ends, rules)
    }

    /// The digest of a room's messages, or of its joins and the like. It does not contain the room's name, but a
    /// guess of the name can be tested with it.
    package static func digest(room key: String, isNoise: Bool, createdAt: Int64) -> Data {
        Data(SHA256.hash(data: Data("\(createdAt) \(isNoise) \(key)".utf8)).prefix(16))
    }
}

extension PurgeMemory {
    /// Reads what rules have removed from the file.
    package init(_ db: Database, createdAt: Int64) throws {
        let before: [(Data, Int64)] = try db.all(sql: "SELECT digest, last_us FROM purged_before") {
            try ($0.value(0), $0.value(1))
        }
        ends = Dictionary(before, uniquingKeysWith: { $1 })
        let rows: [(room: String, isNoise: Bool, last: Int64)] = try db.all(
            sql: """
                SELECT room.key, what, max(last_us) FROM purge JOIN room ON room.id = room_id
                WHERE what IN (0, 1) AND kept_us IS NOT NULL GROUP BY room_id, what
                """
        ) { try ($0.value(0), $0.value(1), $0.value(2)) }
        for row in rows {
            let digest = Self.digest(room: row.room, isNoise: row.isNoise, createdAt: createdAt)
            ends[digest] = max(ends[digest] ?? .min, row.last)
        }
        let applied: [(String, Int64)] = try db.all(sql: "SELECT rule, first_at_us FROM applied_rule") {
            try ($0.value(0), $0.value(1))
        }
        rules = Dictionary(applied, uniquingKeysWith: { $1 })
    }

    /// Returns what another memory lacks.
    package func beyond(_ other: PurgeMemory) -> PurgeMemory {
        PurgeMemory(
            ends: ends.filter { other.ends[$0.key] ?? .min < $0.value },
            rules: rules.filter { other.rules[$0.key] == nil })
    }

    package var isEmpty: Bool { ends.isEmpty && rules.isEmpty }

    /// Adds to the file what it lacks.
    package func add(to db: Database) throws {
        for (digest, last) in ends {
            try db.execute(
                sql: "INSERT OR REPLACE INTO purged_before (digest, last_us) VALUES (?, ?)", arguments: [digest, last])
        }
        for (rule, first) in rules {
            try db.execute(
                sql: "INSERT INTO applied_rule (rule, first_at_us) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [rule, first])
        }
    }
}
