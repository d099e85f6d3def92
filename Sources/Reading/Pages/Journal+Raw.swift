package import ChatModel
import Records
import SQLite
package import Schema

extension Journal {
    /// Returns a message's original bytes with the delimiter after them: from its place in the session's stream to the
    /// next message's place, or to the end of the parsed bytes. Returns at most ``MessageDetail/Raw/limit`` bytes.
    static func raw(of message: Message, session: Int64, _ db: ReadTransaction) throws -> MessageDetail.Raw {
        guard let start = offset(of: message.remoteID, session: session),
            let end = try end(of: message.id, from: start, session: session, db), end > start
        else { return .missing(.notKept) }
        let wanted = min(end - start, Int64(MessageDetail.Raw.limit))
        let bytes = try bytes(from: start, count: Int(wanted), session: session, db)
        guard !bytes.isEmpty else { return .missing(.gone) }
        return .bytes(Int64(bytes.count) < end - start ? bytes.withoutCutCodePoint : bytes, length: end - start)
    }

    /// Returns the offset in `session:offset`; nil for another network's id.
    package static func offset(of remoteID: String?, session: Int64) -> Int64? {
        let parts = (remoteID ?? "").split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 2, parts[0] == session, let offset = parts[1], offset >= 0 else { return nil }
        return offset
    }

    /// Returns the offset of the next message, or the end of the parsed bytes. Searches only up to the session's last
    /// sign of life, because a session's messages have ids in the order of its stream, none later than that.
    package static func end(of id: MessageID, from start: Int64, session: Int64, _ db: ReadTransaction) throws -> Int64?
    {
        try db.first(
            """
            SELECT bytes, position,
              (SELECT remote_id FROM message
               WHERE id > ?2 AND id <= last_sign_of_life_us AND session_id = session.id AND remote_id IS NOT NULL
               ORDER BY id LIMIT 1)
            FROM session WHERE id = ?1
            """, [.integer(session), .integer(id.microseconds)]
        ) { row in
            let (bytes, position, next) = try (row.integer(0), row.integer(1), row.optionalText(2))
            if let place = offset(of: next, session: session), place > start { return place }
            return position > start ? position : bytes
        }
    }

    /// Returns at most `count` bytes from `start` on, up to the first hole in the journal.
    private static func bytes(from start: Int64, count: Int, session: Int64, _ db: ReadTransaction) throws -> [UInt8] {
        var found: [UInt8] = []
        _ = try db.first(
            """
            SELECT "offset", bytes FROM chunk
            WHERE session_id = ?1 AND "offset" >=
              coalesce((SELECT max("offset") FROM chunk WHERE session_id = ?1 AND "offset" <= ?2), ?2)
            ORDER BY "offset"
            """, [.integer(session), .integer(start)]
        ) { row -> Bool? in
            let (offset, next) = try (row.integer(0), start + Int64(found.count))
            guard (0...next).contains(offset) else { return true }
            let rest = try row.blob(1).dropFirst(Int(clamping: next - offset))
            found += rest.prefix(count - found.count)
            return rest.isEmpty || found.count >= count ? true : nil
        }
        return found
    }
}

extension [UInt8] {
    /// The bytes without a code point that was cut off at the end.
    fileprivate var withoutCutCodePoint: [UInt8] {
        for dropped in 0...3 where String(validating: dropLast(dropped), as: UTF8.self) != nil {
            return dropLast(dropped)
        }
        return self
    }
}
