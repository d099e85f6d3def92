import Bytes
package import ChatModel
package import SQLite
package import Schema

extension RoomTrouble {
    /// The value of the column `about`.
    package enum About: Int64 {
        case joining, history
    }

    /// Replaces the recorded trouble, and keeps the time when it began. Does not report a new time of the next attempt
    /// alone to the feed, because there are attempts for as long as the trouble lasts.
    package func record(_ about: About, room: Int64, _ db: Database) throws {
        let isKnown = try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM room_trouble
                      WHERE room_id = ? AND about = ? AND reason = ? AND detail IS ?)
                    """),
            arguments: [room, about.rawValue, reason.rawValue, detail?.keptDetail])
        if isKnown != true { try Feed.name(roomID: room, db) }
        try db.cachedStatement(
            sql: """
                INSERT INTO room_trouble (room_id, about, reason, detail, since_us, next_try_us) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (room_id, about) DO UPDATE
                  SET reason = excluded.reason, detail = excluded.detail, next_try_us = excluded.next_try_us
                """
        ).execute(arguments: [
            room, about.rawValue, reason.rawValue, detail?.keptDetail, since.microseconds, nextTry?.microseconds,
        ])
    }

    package static func end(_ about: About, room: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM room_trouble WHERE room_id = ? AND about = ?")
            .execute(arguments: [room, about.rawValue])
        if db.changesCount > 0 { try Feed.name(roomID: room, db) }
    }

    /// Removes the times of all attempts to join, because there is no connection.
    static func endTries(_ db: Database) throws {
        try db.cachedStatement(
            sql: "UPDATE room_trouble SET next_try_us = NULL WHERE about = ? AND next_try_us IS NOT NULL"
        )
        .execute(arguments: [About.joining.rawValue])
    }

    /// Returns the trouble of each room by its number. Trouble with joining hides trouble with history.
    package static func readAll(_ db: ReadTransaction) throws -> [Int64: RoomTrouble] {
        var found: [Int64: RoomTrouble] = [:]
        try db.forEach("SELECT room_id, reason, detail, since_us, next_try_us FROM room_trouble ORDER BY about DESC") {
            found[try $0.integer(0)] = try RoomTrouble(
                Reason(rawValue: $0.text(1)) ?? .notJoined, detail: $0.optionalText(2), since: $0.time(3),
                nextTry: $0.optionalTime(4))
        }
        return found
    }
}

extension String {
    /// The beginning of a server's text, of at most ``UnfilledHistory/maximumDetail`` bytes, without NUL and cut
    /// between code points.
    package var keptDetail: String {
        let text = withoutNUL
        guard text.utf8.count > UnfilledHistory.maximumDetail else { return text }
        var kept = String.UnicodeScalarView()
        var bytes = 0
        for scalar in text.unicodeScalars {
            bytes += UTF8.width(scalar)
            guard bytes <= UnfilledHistory.maximumDetail else { break }
            kept.append(scalar)
        }
        return String(kept)
    }
}
