package import ChatModel
import Files
package import SQLite
package import Schema

/// The place up to which a room was read. A message is unread when it is later than the marker, or was stored after the
/// marker was set. A message of a full export is unread only when it is later, because the export has read markers.
package struct ReadMarker: Sendable {
    package var through: MessageID
    /// The feed's end when the marker was set.
    package var seq: Int64
    package var setAt: Timestamp

    /// Returns the reader's marker; nil if nothing was ever marked.
    package static func read(room: Int64, _ db: ReadTransaction) throws -> ReadMarker? {
        if let mark = db.marks?.mark(of: room) {
            return ReadMarker(through: mark.through, seq: mark.seq, setAt: mark.setAt)
        }
        return try db.first("SELECT through_us, seq, set_at_us FROM read_marker WHERE room_id = ?1", [.integer(room)]) {
            row in
            try ReadMarker(through: row.messageID(0), seq: row.integer(1), setAt: row.time(2))
        }
    }

    /// Sets the room's marker.
    ///
    /// - Parameter through: The last message read, or a time; nil, or a time after the newest message, for all stored
    ///   messages.
    /// - Throws: ``ArchiveError`` with `unknownRoom`.
    package static func set(room: Int64, through: MessageID?, at time: Timestamp, _ db: Database) throws {
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM room WHERE id = ?)", arguments: [room]) == true
        else { throw ArchiveError(code: .unknownRoom, detail: "the account has no room \(room)") }
        let through = try end(room: room, through: through, at: time, ReadTransaction(db)).microseconds
        try store(room: room, through: through, at: time, replacesLater: true, db)
        let unread = "room_id = ?2 AND noise = 0 AND id > ?3 AND flags & ?1"
        let arguments: StatementArguments = [MessageFlags.readOnArrival.rawValue, room, through]
        let changes = try db.cachedStatement(sql: "SELECT id, sender_id FROM message WHERE \(unread)")
            .all(arguments: arguments) { row in
                let (id, sender) = try (row.limit(0), row.number(1))
                return [true, false].compactMap { isRead in
                    CountChange(
                        room: room, id: id, key: CountKey(sender: sender, isRead: isRead), by: isRead ? -1 : 1)
                }
            }
        try MessageCounts.apply(changes.flatMap(\.self), db)
        try db.cachedStatement(
            sql: """
                INSERT INTO change (what, subject_id)
                  SELECT \(Feed.unreadCode), id FROM message WHERE \(unread) ORDER BY id
                """
        ).execute(arguments: arguments)
        try db.cachedStatement(sql: "UPDATE message SET flags = flags & ~?1 WHERE \(unread)")
            .execute(arguments: arguments)
    }

    /// Moves the room's marker forward to a message, or to a time if that message is not stored.
    package static func advance(room: Int64, to remoteID: String, at time: Timestamp, _ db: Database) throws {
        let known = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT coalesce(
                      (SELECT max(id) FROM message WHERE room_id = ?1 AND remote_id = ?2),
                      (SELECT max(id) FROM message WHERE room_id = ?1 AND noise = 0 AND id <= ?3))
                    """), arguments: [room, remoteID, time.microseconds])
        let marker = try read(room: room, ReadTransaction(db))
        guard let known, known > marker?.through.microseconds ?? .min else { return }
        try set(room: room, through: MessageID(Timestamp(microseconds: known)), at: time, db)
    }

    /// Stores an export's marker unless the room has a later one.
    package static func importMarker(_ record: ReadMarkerRecord, room: Int64, _ db: Database) throws {
        try store(room: room, through: record.through.microseconds, at: record.setAt, replacesLater: false, db)
    }

    /// Moves the room's marker over messages that are read already.
    ///
    /// - Parameter seq: The feed's end when the marker was set; nil for a room without a marker.
    package static func move(room: Int64, through: Int64, seq: Int64?, at time: Timestamp, _ db: Database) throws {
        try store(room: room, through: through, seq: seq, at: time, replacesLater: true, db)
    }

    private static func store(
        room: Int64, through: Int64, seq: Int64? = nil, at time: Timestamp, replacesLater: Bool, _ db: Database
    ) throws {
        let seq = try seq ?? FeedPosition.end(ReadTransaction(db)).seq
        try db.cachedStatement(
            sql: """
                INSERT INTO read_marker (room_id, through_us, seq, set_at_us) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (room_id) DO UPDATE
                SET through_us = excluded.through_us, seq = excluded.seq, set_at_us = excluded.set_at_us
                WHERE ?5 OR set_at_us < excluded.set_at_us
                """
        ).execute(arguments: [room, through, seq, time.microseconds, replacesLater])
        if db.changesCount > 0 { try Feed.name(roomID: room, db) }
    }

    /// Returns the place for a marker.
    ///
    /// - Parameter through: As in ``set(room:through:at:_:)``.
    package static func end(room: Int64, through: MessageID?, at time: Timestamp, _ db: ReadTransaction) throws
        -> MessageID
    {
        let newest = try newest(in: room, db).map { MessageID(microseconds: $0) } ?? MessageID(time)
        return min(through ?? newest, newest)
    }

    package static func newest(in room: Int64, _ db: ReadTransaction) throws -> Int64? {
        try db.integer(Room.lastMessage(of: "?1"), [.integer(room)])
    }
}
