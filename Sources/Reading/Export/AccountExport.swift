import Accounts
package import ChatModel
import Files
import Records
import Schema

/// One account, held open for an export: its messages in runs, and its changes since an earlier position.
///
/// Each call is one short read transaction, so that a listener's checkpoints never wait long. ``position()`` marks the
/// state to which several calls refer.
package struct AccountExport: Sendable {
    let reader: AccountReader

    /// Opens an account for an export.
    ///
    /// - Throws: ``ArchiveError`` if the account does not exist or can't be read.
    package init(of account: String, in reading: ArchiveReading) throws {
        guard let reader = try reading.readers(of: .accounts([account])).first else {
            throw ArchiveError(code: .unknownAccount, detail: "no account '\(account)' in \(reading.folder)")
        }
        self.reader = reader
    }

    /// The exported account.
    package var account: AccountIdentity { reader.account }

    /// Returns the change feed's current end.
    package func position() throws -> FeedPosition {
        try reader.read { db in try FeedPosition.end(db) }
    }

    /// Returns the rooms, sorted by (workspace, name), direct rooms after the others.
    package func rooms() throws -> [Room] {
        try reader.read { db in try Room.readAll(account, isForList: false, db) }
    }

    /// Returns the rooms with all their names, sorted by number.
    package func namedRooms() throws -> [NamedRoom] {
        try reader.read { db in try NamedRoom.readAll(account, db) }
    }

    /// Returns the first message of a room at or after an instant; nil if there is none.
    package func firstMessage(room: Int64, from instant: MessageID) throws -> MessageID? {
        try reader.read { db in
            try db.first(
                """
                SELECT min(id) FROM (
                  SELECT id FROM (SELECT id FROM message \(.indexed("message_room"))
                    WHERE room_id = ?1 AND noise = 0 AND id >= ?2 ORDER BY id LIMIT 1) AS quiet
                  UNION ALL
                  SELECT id FROM (SELECT id FROM message \(.indexed("message_room"))
                    WHERE room_id = ?1 AND noise = 1 AND id >= ?2 ORDER BY id LIMIT 1) AS noisy) AS found
                """, [.integer(room), .integer(instant.microseconds)]
            ) { row in try row.optionalMessageID(0) }
        }
    }

    /// Returns the messages of a room between two exclusive bounds, the earliest first.
    ///
    /// - Parameter count: The limit of messages to return.
    package func messages(
        room: Int64, after: MessageID, before: MessageID, count: Int
    ) throws -> [Message] {
        let pages = PageReader(account: account, room: room)
        return try reader.read { db in
            try pages.forward(from: after.microseconds, before: before.microseconds, count: count, db)
        }
    }

    /// Returns the gaps of a room that lie at least partly between two instants, and what rules removed there, in order
    /// of time.
    package func gaps(room: Int64, from lower: MessageID, to upper: MessageID) throws -> [Gap] {
        try reader.gaps(rooms: [room], from: lower.microseconds, to: upper.microseconds, with: [.purged]).inOrder()
    }

    /// Returns the changes in `after < seq <= through`, in commit order. A change of a message includes the messages
    /// that reply to it, because they quote it. A merge of rooms, or its undoing, is a change of all times of both rooms:
    /// a moved message does not say which room it was in before.
    ///
    /// - Parameter count: The limit of feed entries to read. The `seq` of the last one is the next `after`.
    /// - Returns: The changes; empty at the end.
    package func changes(after: Int64, through: Int64, count: Int) throws -> [ExportChange] {
        try reader.read { db in
            try db.all(
                """
                SELECT seq, coalesce(m.room_id, purge.room_id), m.id, answer.id, purge.first_us, purge.last_us,
                    CASE WHEN change.what = \(Feed.mergeCode) AND subject_id < 0 THEN -subject_id END
                  FROM (SELECT seq, what, subject_id FROM change
                    WHERE seq > ?1 AND seq <= ?2 ORDER BY seq LIMIT ?3) AS change
                  LEFT JOIN message AS m ON change.what IN \(Feed.exportedMessageCodes) AND m.id = subject_id
                  LEFT JOIN purge ON change.what = \(Feed.purgeCode) AND purge.id = subject_id
                  LEFT JOIN message AS answer \(.indexed("message_reply")) ON answer.room_id = m.room_id
                    AND answer.reply_to = m.remote_id AND answer.reply_to IS NOT NULL
                ORDER BY seq
                """, [.integer(after), .integer(through), .integer(Int64(count))]
            ) { row in
                let seq = try row.integer(0)
                if let merged = try row.optionalInteger(6) {
                    return ExportChange(seq: seq, room: merged, messages: [], span: .all)
                }
                let ids = try [row.optionalMessageID(2), row.optionalMessageID(3)]
                var change = try ExportChange(
                    seq: seq, room: row.optionalInteger(1), messages: ids.compactMap(\.self))
                if let first = try row.optionalMessageID(4), let last = try row.optionalMessageID(5), first <= last {
                    change.span = first...last
                }
                return change
            }
        }
    }
}

/// An entry of the change feed. An entry whose message has several replies is repeated for each.
package struct ExportChange: Sendable, Hashable {
    /// The number of the change.
    package var seq: Int64
    /// The number of the changed room; nil for a change that concerns no room, which has no `messages` and no `span`.
    package var room: Int64?
    /// The changed message, and a reply to it if there is one.
    package var messages: [MessageID]
    /// The time of the room in which something was removed, or all times if a merge moved messages into the room or out
    /// of it; nil for another change.
    package var span: ClosedRange<MessageID>?
}

extension ClosedRange<MessageID> {
    fileprivate static var all: Self { MessageID(microseconds: .min)...MessageID(microseconds: .max) }
}
