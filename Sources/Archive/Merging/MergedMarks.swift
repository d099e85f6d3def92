import ChatModel
import Records
import SQLite
import Schema
import Writing

/// Keeps the read marks when a room takes up another: a message that was unread stays unread, and one that was read stays
/// read.
struct MergedMarks {
    private let request: Merging
    /// The mark of the merged room.
    private let before: ReadMarker?
    /// The mark of the room that stays.
    private let after: ReadMarker?
    /// Unread messages that the merged room lists as stored later than later ones.
    private let late: Set<Int64>
    /// Messages that were read from their arrival.
    private let arrivedRead: Set<Int64>

    /// - Parameter messages: The next messages to move, in order of time.
    init(_ request: Merging, of messages: [StoredMessage], _ db: Database) throws {
        self.request = request
        let reading = ReadTransaction(db)
        before = try ReadMarker.read(room: request.from, reading)
        after = try ReadMarker.read(room: request.into, reading)
        let ids = messages.map(\.id)
        let span: StatementArguments = [request.from, ids.min() ?? 0, ids.max() ?? 0]
        late = try Set(
            Int64.fetchAll(
                db, sql: "SELECT message_id FROM late WHERE room_id = ? AND message_id BETWEEN ? AND ? AND seq > ?",
                arguments: span + [before?.seq ?? .max]))
        arrivedRead = try Set(
            Int64.fetchAll(
                db,
                sql: """
                    SELECT id FROM message INDEXED BY message_room WHERE room_id = ? AND noise = 0
                      AND id BETWEEN ? AND ? AND flags & \(MessageFlags.readOnArrival.rawValue) <> 0
                    """, arguments: span))
    }

    /// Keeps the mark of a message that has just moved. Call it directly after the message's row of `change` was
    /// inserted.
    ///
    /// - Returns: True if the message is now marked as read from its arrival.
    func keep(_ message: StoredMessage, _ db: Database) throws -> Bool {
        guard !message.kind.isNoise else { return false }
        let wasUnread =
            !arrivedRead.contains(message.id)
            && (before.map { message.id > $0.through.microseconds } ?? true || late.contains(message.id))
        let isLater = after.map { message.id > $0.through.microseconds } ?? true
        if wasUnread, !isLater { try Feed.late(room: request.into, messageID: message.id, db) }
        guard !wasUnread, isLater, !arrivedRead.contains(message.id) else { return false }
        try Self.setArrivedRead(true, message.id, db)
        return true
    }

    static func unmark(_ message: Int64, _ db: Database) throws { try setArrivedRead(false, message, db) }

    private static func setArrivedRead(_ isRead: Bool, _ message: Int64, _ db: Database) throws {
        let flag = MessageFlags.readOnArrival.rawValue
        try db.cachedStatement(
            sql: "UPDATE message SET flags = flags \(isRead ? "| \(flag)" : "& ~\(flag)") WHERE id = ?"
        )
        .execute(arguments: [message])
    }
}
