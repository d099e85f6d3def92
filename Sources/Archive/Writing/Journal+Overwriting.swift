import Foundation
import GRDB

extension Journal {
    /// Overwrites the bytes of a message in the journal with spaces, so that the offsets of the others stay.
    static func overwrite(_ message: StoredMessage, _ db: Database) throws {
        guard let span = try place(of: message, db) else { return }
        let chunks = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT offset, bytes FROM chunk WHERE session_id = ?1 AND offset < ?3 AND offset + length(bytes) > ?2
                      AND offset >= ifnull((SELECT max(offset) FROM chunk WHERE session_id = ?1 AND offset <= ?2), 0)
                    """),
            arguments: [span.session, span.range.lowerBound, span.range.upperBound])
        for chunk in chunks {
            let offset: Int64 = try chunk.value(0)
            var bytes: Data = try chunk.value(1)
            for place in bytes.indices where span.range.contains(offset + Int64(place - bytes.startIndex)) {
                bytes[place] = UInt8(ascii: " ")
            }
            try db.execute(
                sql: "UPDATE chunk SET bytes = ? WHERE session_id = ? AND offset = ?",
                arguments: [bytes, span.session, offset])
        }
    }
}
