import ChatModel
import Foundation
import GRDB

/// The journal's reading side.
enum Journal {
    /// The oldest session's bytes after its parsed position, at most `limit` chunks, of one session only.
    static func unparsed(limit: Int, _ db: Database) throws -> [JournalChunk] {
        let session = try Row.fetchOne(
            db,
            sql: """
                SELECT id, position FROM session INDEXED BY session_unparsed WHERE position < bytes
                ORDER BY id LIMIT 1
                """)
        guard let session else { return [] }
        let (id, position): (Int64, Int64) = (session[0], session[1])
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT offset, received_at_us, bytes FROM chunk
                WHERE session_id = ?1 AND offset + length(bytes) > ?2
                  AND offset >= ifnull((SELECT max(offset) FROM chunk WHERE session_id = ?1 AND offset <= ?2), 0)
                ORDER BY offset LIMIT ?3
                """,
            arguments: [id, position, limit])
        return rows.map { row in
            let (offset, receivedAt, bytes): (Int64, Int64, Data) = (row[0], row[1], row[2])
            let parsed = max(0, position - offset)
            return JournalChunk(
                session: SessionID(rawValue: id), offset: offset + parsed,
                receivedAt: Timestamp(microseconds: receivedAt), bytes: [UInt8](bytes.dropFirst(Int(clamping: parsed))))
        }
    }
}
