import Bytes
package import ChatModel
package import SQLite
import Schema

extension HistoryPlace {
    /// Stores the place, in the place of an earlier one with the same end.
    package func store(room: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO history_place (room_id, end_us, place) VALUES (?, ?, ?)")
            .execute(arguments: [room, end.microseconds, place.withoutNUL])
    }

    package static func remove(room: Int64, end: Timestamp, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM history_place WHERE room_id = ? AND end_us = ?")
            .execute(arguments: [room, end.microseconds])
    }

    /// Returns the latest place with `start` < end <= `end`, in microseconds since 1970; nil without one.
    static func latest(room: Int64, after start: Int64, through end: Int64, _ db: ReadTransaction) throws -> Self? {
        try db.first(
            """
            SELECT place, end_us FROM history_place WHERE room_id = ?1 AND end_us > ?2 AND end_us <= ?3
            ORDER BY end_us DESC LIMIT 1
            """, [.integer(room), .integer(start), .integer(end)]
        ) { try HistoryPlace(place: $0.text(0), end: $0.time(1)) }
    }
}
