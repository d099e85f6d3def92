package import ChatModel
import FoundationEssentials
import Records
package import SQLite
import Schema

extension CoverageLedger {
    /// The session of spans that an export proves. No connection of ours has this number.
    static let importSession: Int64 = 0

    /// Returns true if a listener ever wrote to the account.
    package static func hasListener(_ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM session WHERE id <> \(importSession))")) ?? false
    }

    /// Returns true if one span covers a room from an instant to another.
    package static func isCovered(room: Int64, from: Int64, to: Int64, _ db: Database) throws -> Bool {
        try CoveredSpan.last(room, atOrBefore: from, ReadTransaction(db)).map { $0.to >= to } ?? false
    }

    /// Stores the coverage of an exported span, unless all of it is covered already. A span that overlaps no other
    /// keeps its bounds; otherwise the store merges it with the spans that it overlaps.
    package static func cover(
        exported from: Timestamp, to: Timestamp, room: Int64, at now: Timestamp, _ db: Database
    ) throws {
        let (first, last) = (from.microseconds, to.microseconds)
        if try isCovered(room: room, from: first, to: last, db) { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO session (id, started_at_us, last_sign_of_life_us, ended_at_us, reason)
                VALUES (\(importSession), ?1, ?1, ?1, 'imported') ON CONFLICT DO NOTHING
                """
        ).execute(arguments: [now.microseconds])
        if let span = try CoveredSpan.last(room, atOrBefore: last, ReadTransaction(db)), span.to >= first {
            return try cover(room: room, from: from, to: to, session: SessionID(rawValue: importSession), db)
        }
        try insertSpan(room: room, from: first, to: last, session: importSession, db)
        try Feed.coverage(roomID: room, db)
    }

    /// Stores an exported note on a gap, if the room has that gap. A stored note stays.
    package static func importNote(_ record: GapNoteRecord, room: Int64, _ db: Database) throws {
        let detail = record.detail?.keptDetail
        let isForgotten = try detail.flatMap { try ForgottenBook(db).digest(words: Data($0.utf8), db) } != nil
        try db.cachedStatement(
            sql: """
                INSERT INTO gap_note (room_id, from_us, reason, attempts, unfilled, detail)
                  SELECT ?1, ?2, ?3, ?4, ?5, ?6
                  WHERE EXISTS (SELECT 1 FROM coverage WHERE room_id = ?1 AND to_us = ?2)
                    OR ?3 = '\(damaged)' AND EXISTS (SELECT 1 FROM imported_span WHERE room_id = ?1 AND to_us = ?2)
                ON CONFLICT DO NOTHING
                """
        ).execute(arguments: [
            room, record.from.microseconds, record.reason.keptDetail, record.attempts, record.unfilled?.keptDetail,
            isForgotten ? nil : detail,
        ])
    }
}
