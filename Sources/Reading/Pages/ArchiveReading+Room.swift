import Accounts
package import ChatModel
import Records
import Schema

extension ArchiveReading {
    /// Returns one room with its last message, its unread messages counted up to ``UnreadCount/limit``, and its read
    /// marker, which is nil if nothing was ever marked; nil if the room does not exist.
    package func room(_ key: RoomKey) throws -> (room: Room, readThrough: MessageID?)? {
        guard access.sees(account: key.account) else { return nil }
        return try collect(of: [key.account], into: (room: Room, readThrough: MessageID?)?.none) {
            found, reader in
            found = try reader.read { db in
                guard let room = try Room.readAll(reader.account, ids: [key.id], isForList: true, db).first else {
                    return nil
                }
                return (room, try ReadMarker.read(room: key.id, db)?.through)
            }
        }.result
    }

    /// Returns the last message that set or removed the room's topic; nil if there is none.
    package func topic(of key: RoomKey) throws -> Message? {
        guard access.sees(account: key.account) else { return nil }
        return try collect(of: [key.account], into: Message?.none) { found, reader in
            let pages = PageReader(account: reader.account, room: key.id, names: .then, bytes: .max)
            found = try reader.read { db in
                guard let topic = try LastTopic.read(room: key.id, db) else { return nil }
                return try pages.messages([topic.id.microseconds], db).first
            }
        }.result
    }

    /// Returns a mark for a reader who has read a room.
    ///
    /// - Parameter through: The last message read, or a time; nil, or a time after the newest message, for all stored
    ///   messages.
    package func mark(
        _ key: RoomKey, through: MessageID?, at time: Timestamp
    ) throws -> (account: ReaderMarks.Account, mark: ReaderMarks.Mark)? {
        try collect(of: [key.account], into: (account: ReaderMarks.Account, mark: ReaderMarks.Mark)?.none) {
            found, reader in
            found = try reader.read { db in
                guard db.sees(key.id) else { return nil }
                let mark = ReaderMarks.Mark(
                    through: try ReadMarker.end(room: key.id, through: through, at: time, db),
                    seq: try FeedPosition.end(db).seq, setAt: time)
                return (ReaderMarks.Account(key.account, createdAt: reader.createdAt), mark)
            }
        }.result
    }
}
