package import ChatModel
import GRDB

/// One account, held open to be written out: what it has, in runs, and what has changed since an earlier time.
///
/// Each call is one short read transaction, so that a listener's checkpoints are never held up; what belongs together is told
/// by ``position()``.
package struct AccountExport: Sendable {
    let reader: AccountReader

    package var account: AccountIdentity { reader.account }

    /// The change feed's end now.
    package func position() throws -> FeedPosition {
        try reader.read { db in try FeedPosition.end(db) }
    }

    /// By (workspace, name), direct ones behind the others.
    package func rooms() throws -> [Room] {
        try reader.read { db in try Room.readAll(account, countsUnread: false, db) }
    }

    /// The first message of a room at an instant or after it.
    package func firstMessage(room: Int64, from instant: MessageID) throws -> MessageID? {
        try reader.read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT min(id) FROM (
                      SELECT * FROM (SELECT id FROM message INDEXED BY message_room
                        WHERE room_id = ?1 AND noise = 0 AND id >= ?2 ORDER BY id LIMIT 1)
                      UNION ALL
                      SELECT * FROM (SELECT id FROM message INDEXED BY message_room
                        WHERE room_id = ?1 AND noise = 1 AND id >= ?2 ORDER BY id LIMIT 1))
                    """)
            return try MessageID.first(statement, [room, instant.microseconds])
        }
    }

    /// Everything in a room between two instants, both left out, the earliest first.
    ///
    /// - Parameter count: At most so many.
    package func messages(
        room: Int64, after: MessageID, before: MessageID, count: Int
    ) throws -> [Message] {
        let query = try MessageQuery(scope: .room(account: account.name, id: room))
        let pages = PageReader(account: account, query: query)
        return try reader.read { db in
            try pages.forward(from: after.microseconds, before: before.microseconds, count: count, db)
        }
    }

    /// What is missing from a room between two instants, in order of time.
    package func gaps(room: Int64, from lower: MessageID, to upper: MessageID) throws -> [Gap] {
        let gaps = reader.gapReader
        return try reader.read { db in
            try gaps.gaps(room: room, from: lower.microseconds, to: upper.microseconds, db)
        }
    }

    /// What has been stored, edited, deleted or reacted to in `after < seq <= through`, in commit order, each with the messages
    /// that answer it, as they show what it says.
    ///
    /// - Parameter count: At most so many entries are looked at; the last one's `seq` goes on from there.
    /// - Returns: nothing where there is nothing more.
    package func changes(after: Int64, through: Int64, count: Int) throws -> [ExportChange] {
        try reader.read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT seq, m.room_id, m.id, answer.id FROM (SELECT seq, what, subject_id FROM change
                        WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?) AS change
                      LEFT JOIN message AS m ON what IN (0, 3, 4, 5) AND m.id = subject_id
                      LEFT JOIN message AS answer INDEXED BY message_reply ON answer.room_id = m.room_id
                        AND answer.reply_to = m.remote_id AND answer.reply_to IS NOT NULL
                    ORDER BY seq
                    """)
            return try Row.fetchAll(statement, arguments: [after, through, count]).map { row in
                let ids: [MessageID?] = try [row.value(2), row.value(3)]
                return try ExportChange(seq: row.value(0), room: row.value(1), messages: ids.compactMap(\.self))
            }
        }
    }
}

/// An entry of the change feed. One that several messages answer comes as often.
package struct ExportChange: Sendable, Hashable {
    package var seq: Int64
    /// Nil, and without messages, for what is no message's.
    package var room: Int64?
    package var messages: [MessageID]
}

extension Archive {
    /// - Throws: ``ArchiveError`` when there is no such account, or it can't be read.
    package func exporting(account: String) async throws -> AccountExport {
        guard let reader = try await reading().readers(of: .accounts([account])).first else {
            throw ArchiveError(code: .unknownAccount, detail: "no account '\(account)' in \(folder)")
        }
        return AccountExport(reader: reader)
    }
}
