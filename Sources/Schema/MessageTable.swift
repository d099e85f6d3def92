package import ChatModel
import SQLite

extension SchemaTable {
    /// A new column has a place in ``MessageColumn``, too. Below, a row is written and a page is read.
    package static let message = SchemaTable(
        "message", key: (.exported, "id"), (.exported, "room_id kind sender_id"), (.copied(.connection), "session_id"),
        (.exported, "received_at_us source_time_us flags remote_id$ body$ edited_at_us deleted_at_us reply_to$"),
        (.computed, "noise"))
}

/// The places of a message's columns, from 0 on.
enum MessageColumn: Int32, CaseIterable {
    case id, room, kind, sender, session, receivedAt, sourceTime, flags, remoteID, body, editedAt, deletedAt, replyTo
}

extension Statement.Parameters {
    /// Binds the columns of a message.
    ///
    /// - Parameter id: In microseconds since 1970, as `receivedAt`. A time that equals it is null.
    package mutating func bind(
        _ message: IncomingMessage, room: Int64, sender: Int64?, at id: Int64, receivedAt: Int64, flags: MessageFlags
    ) {
        func other(_ time: Int64?) -> Int64? { time == id ? nil : time }
        bind(.id, id)
        bind(.room, room)
        bind(.kind, message.kind.code)
        bind(.sender, sender)
        bind(.session, message.session?.rawValue)
        bind(.receivedAt, other(receivedAt))
        bind(.sourceTime, other(message.sourceTime?.microseconds))
        bind(.flags, flags.rawValue)
        bind(.remoteID, message.remoteID)
        bind(.body, message.body)
        bind(.editedAt, message.plausibleEdit.map { max($0.microseconds, id &+ 1) })
        bind(.deletedAt, message.plausibleDeletion?.microseconds)
        bind(.replyTo, message.replyTo)
    }

    private mutating func bind(_ column: MessageColumn, _ value: Int64?) { bind(column.rawValue + 1, value) }
    private mutating func bind(_ column: MessageColumn, _ value: String?) { bind(column.rawValue + 1, value) }
}

extension IncomingMessage {
    /// Nil for a message without edits. An imported message may have been received long before its edit.
    package var plausibleEdit: Timestamp? { session == nil ? editedAt : editedAt?.plausible(at: receivedAt) }

    /// Nil for a message that is not deleted.
    package var plausibleDeletion: Timestamp? { session == nil ? deletedAt : deletedAt?.plausible(at: receivedAt) }
}

extension Message {
    private static let names = SchemaTable.message.names(of: "m")
    /// The number of columns that ``init(_:of:)`` takes.
    package static let columnCount = Int32(MessageColumn.allCases.count) + 3

    /// Returns SQL for these columns, of the message `m`.
    ///
    /// - Parameters:
    ///   - sender: SQL for the sender's name.
    ///   - room: SQL for the room's name.
    package static func columns(sender: String, room: String) -> String {
        """
        \(names),
        (SELECT is_self FROM "user" WHERE id = m.sender_id), \(sender), \(room)
        """
    }

    /// SQL for these columns without the names and without the account's own people.
    package static let columnsWithoutNames = "\(names), NULL, NULL, NULL"

    package init(_ row: Columns, of account: AccountIdentity) throws {
        func place(_ column: MessageColumn) -> Int32 { column.rawValue }
        let (isSelf, senderName, roomName) = (Self.columnCount - 3, Self.columnCount - 2, Self.columnCount - 1)
        let id = try row.time(place(.id))
        try self.init(
            id: MessageID(id), account: account.name, network: account.network, roomID: row.integer(place(.room)),
            room: row.optionalText(roomName) ?? "", kind: MessageKind(code: row.integer(place(.kind))),
            sender: row.optionalInteger(place(.sender)).map {
                try Message.Sender(
                    id: $0, name: row.optionalText(senderName) ?? "", isSelf: row.optionalBool(isSelf) ?? false)
            },
            body: row.optionalText(place(.body)), remoteID: row.optionalText(place(.remoteID)),
            receivedAt: row.optionalTime(place(.receivedAt)) ?? id, sourceTime: row.claim(place(.sourceTime)),
            flags: MessageFlags(rawValue: row.integer(place(.flags))), editedAt: row.optionalTime(place(.editedAt)),
            deletedAt: row.optionalTime(place(.deletedAt)),
            reply: row.optionalText(place(.replyTo)).map { Message.Reply(remoteID: $0) })
    }
}
