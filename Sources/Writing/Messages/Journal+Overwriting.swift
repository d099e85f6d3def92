import ChatModel
import Reading
import Records
package import SQLite
import Schema

extension Journal {
    /// Returns the place of a stored message in the journal; nil if it has none.
    static func place(of message: StoredMessage, _ db: Database) throws -> (session: Int64, range: Range<Int64>)? {
        let db = ReadTransaction(db)
        guard let session = try db.integer("SELECT session_id FROM message WHERE id = ?1", [.integer(message.id)]),
            let start = offset(of: message.remoteID, session: session),
            let end = try end(of: MessageID(microseconds: message.id), from: start, session: session, db), end > start
        else { return nil }
        return (session, start..<end)
    }

    /// Overwrites the bytes of a message in the journal with spaces, so that the offsets of the others stay.
    package static func overwrite(_ message: StoredMessage, _ db: Database) throws {
        guard let place = try place(of: message, db) else { return }
        try overwrite(place.range, of: place.session, db)
    }

    /// Overwrites bytes of a session, given by their offsets.
    static func overwrite(_ range: Range<Int64>, of session: Int64, _ db: Database) throws {
        let chunks: [(offset: Int64, bytes: [UInt8])] = try db.cachedStatement(
            sql: """
                SELECT offset, bytes FROM chunk WHERE session_id = ?1 AND offset < ?3 AND offset + length(bytes) > ?2
                  AND offset >= ifnull((SELECT max(offset) FROM chunk WHERE session_id = ?1 AND offset <= ?2), 0)
                """
        ).all(arguments: [session, range.lowerBound, range.upperBound]) { try ($0.integer(0), $0.blob(1)) }
        for (offset, chunk) in chunks {
            var bytes = chunk
            for place in bytes.indices where range.contains(offset + Int64(place)) {
                bytes[place] = UInt8(ascii: " ")
            }
            try db.execute(
                sql: "UPDATE chunk SET bytes = ? WHERE session_id = ? AND offset = ?",
                arguments: [bytes, session, offset])
        }
    }
}
