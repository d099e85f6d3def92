package import ChatModel
package import Schema

extension StoredOriginal {
    /// Returns the newest messages of a room that have an id, a sender and the bytes of their stanza, newest first.
    ///
    /// - Parameter limit: The number of messages to look at, without joins and the like.
    package static func newest(room key: String, limit: Int, _ db: ReadTransaction) throws -> [StoredOriginal] {
        try db.all(
            """
            SELECT m.remote_id, "user".key, raw.bytes
            FROM (SELECT id FROM message INDEXED BY message_room
              WHERE room_id = \(MergeBook.room(key: "?1")) AND noise = 0 ORDER BY id DESC LIMIT ?2) AS run
              CROSS JOIN message AS m ON m.id = run.id
              JOIN "user" ON "user".id = m.sender_id
              JOIN message_raw AS raw ON raw.message_id = m.id AND raw.at_us = m.id
            WHERE m.remote_id IS NOT NULL ORDER BY m.id DESC
            """, [.text(key), .integer(Int64(limit))]
        ) { row in try StoredOriginal(remoteID: row.text(0), sender: row.text(1), raw: row.blob(2)) }
    }
}

extension StoredPoint {
    /// Returns those of the network's ids whose messages were received, or fetched, at or before a time, by the account's
    /// clock.
    ///
    /// - Parameter countsHistory: True to count messages that are not later by their own time, too, whenever they were
    ///   fetched.
    package static func received(
        _ ids: [String], room key: String, until time: Timestamp, countsHistory: Bool, _ db: ReadTransaction
    ) throws -> Set<String> {
        var found: Set<String> = []
        for id in ids {
            // A session's clock may be ahead of the machine's, by which `received_at_us` is.
            let isReceived = try db.first(
                """
                SELECT 1 FROM message AS m LEFT JOIN session ON session.id = m.session_id
                WHERE m.room_id = \(MergeBook.room(key: "?1")) AND m.remote_id = ?2
                  AND (ifnull(m.received_at_us + ifnull(session.ahead_us, 0), m.id) <= ?3 OR ?4 AND m.id <= ?3)
                """, [.text(key), .text(id), .integer(time.microseconds), .integer(countsHistory ? 1 : 0)]
            ) { _ in true }
            if isReceived == true { found.insert(id) }
        }
        return found
    }
}
