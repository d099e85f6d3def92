import ChatModel
import GRDB

extension CoverageLedger {
    /// Messages that can't be read and follow each other within this are one gap: each takes a microsecond.
    private static let unreadableRun: Int64 = 1000

    /// Up to when a room is complete from its first span on, but for messages of the network's history that can't be read:
    /// asked again, it would bring the same, and all that came after them. Nil when nothing is.
    static func completeUntil(key: String, _ db: Database) throws -> Timestamp? {
        try Int64.fetchOne(
            db,
            sql: """
                WITH RECURSIVE
                  span AS (
                    SELECT from_us,
                      ifnull(to_us, max(from_us, (SELECT last_sign_of_life_us FROM session WHERE id = session_id))) AS until
                    FROM coverage WHERE room_id = (SELECT id FROM room WHERE key = ?1)),
                  reach AS (
                    SELECT until FROM (SELECT until FROM span ORDER BY from_us LIMIT 1)
                    UNION ALL
                    SELECT span.until FROM reach
                      CROSS JOIN gap_note ON gap_note.room_id = (SELECT id FROM room WHERE key = ?1)
                        AND gap_note.from_us = reach.until AND reason = ?2
                      CROSS JOIN span ON span.from_us > reach.until AND span.from_us <= reach.until + ?3)
                SELECT max(until) FROM reach
                """,
            arguments: [key, unreadable, unreadableRun]
        ).map(Timestamp.init(microseconds:))
    }
}
