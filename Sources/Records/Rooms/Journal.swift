package import ChatModel
package import SQLite
import Schema

/// Reads and removes the bytes that networks sent: the chunks of the journal, or the bytes of single messages.
package enum Journal {
    /// Returns the unparsed bytes of the oldest session that has any, at most `limit` chunks.
    package static func unparsed(limit: Int, _ db: Database) throws -> [JournalChunk] {
        let session: (Int64, Int64)? = try db.first(
            sql: """
                SELECT id, position FROM session INDEXED BY session_unparsed WHERE position < bytes
                ORDER BY id LIMIT 1
                """
        ) { try ($0.value(0), $0.value(1)) }
        guard let (id, position) = session else { return [] }
        return try db.all(
            sql: """
                SELECT offset, received_at_us, bytes FROM chunk
                WHERE session_id = ?1 AND offset + length(bytes) > ?2
                  AND offset >= ifnull((SELECT max(offset) FROM chunk WHERE session_id = ?1 AND offset <= ?2), 0)
                ORDER BY offset LIMIT ?3
                """,
            arguments: [id, position, limit]
        ) { row in
            let (offset, receivedAt, bytes) = try (row.integer(0), row.integer(1), row.blob(2))
            let parsed = max(0, position - offset)
            return JournalChunk(
                session: SessionID(rawValue: id), offset: offset + parsed,
                receivedAt: Timestamp(microseconds: receivedAt), bytes: Array(bytes.dropFirst(Int(clamping: parsed))))
        }
    }

    /// Removes the original bytes of texts from before `time`, among the next `limit` rows of `message_raw`. Later
    /// bytes of an edited message stay.
    ///
    /// - Parameter start: The place to continue after, by message and time.
    /// - Returns: The place to continue after, or nil at the end; and what was removed.
    package static func ageMessages(
        before time: Timestamp, after start: (message: Int64, at: Int64), limit: Int, _ db: Database
    ) throws -> (next: (message: Int64, at: Int64)?, removed: PurgeLedger.Removed) {
        var removed = PurgeLedger.Removed()
        let last: [(message: Int64, at: Int64)] = try db.all(
            sql: """
                SELECT message_id, at_us FROM message_raw WHERE (message_id, at_us) > (?, ?) AND message_id < ?
                ORDER BY message_id, at_us LIMIT ?
                """,
            arguments: [start.message, start.at, time.microseconds, limit]
        ) { try ($0.value(0), $0.value(1)) }
        guard let end = last.last else { return (nil, removed) }
        // Bytes of an import stay, because they are the only form of a text that is not UTF-8. So does ciphertext.
        let gone = try Int64.fetchAll(
            db,
            sql: """
                DELETE FROM message_raw WHERE (message_id, at_us) > (?, ?) AND (message_id, at_us) <= (?, ?) AND at_us < ?
                  AND \(EncryptedMessages.hasOtherForm)
                RETURNING message_id
                """,
            arguments: [start.message, start.at, end.message, end.at, time.microseconds])
        for message in gone { removed.add(message) }
        return (end, removed)
    }

    /// Removes the oldest chunks, at most `limit`, that were received before `time` and have been parsed.
    ///
    /// - Returns: What was removed, by the times at which it was received.
    package static func age(before time: Timestamp, limit: Int, _ db: Database) throws -> PurgeLedger.Removed {
        var removed = PurgeLedger.Removed()
        let oldest: [(session: Int64, offset: Int64, end: Int64, isAged: Bool, time: Int64)] = try db.all(
            sql: """
                SELECT session_id, offset, offset + length(chunk.bytes),
                  received_at_us < ? AND offset + length(chunk.bytes) <= position, received_at_us
                FROM chunk JOIN session ON session.id = session_id ORDER BY session_id, offset LIMIT ?
                """,
            arguments: [time.microseconds, limit]
        ) { try ($0.value(0), $0.value(1), $0.value(2), $0.value(3), $0.value(4)) }
        let aged = oldest.prefix(while: \.isAged)
        guard let (session, offset, _, _, _) = aged.last else { return removed }
        for chunk in aged {
            removed.add(chunk.time)
            try db.cachedStatement(sql: "UPDATE session SET aged = ? WHERE id = ?")
                .execute(arguments: [chunk.end, chunk.session])
        }
        try db.execute(
            sql: "DELETE FROM chunk WHERE (session_id, offset) <= (?, ?)", arguments: [session, offset])
        return removed
    }
}
