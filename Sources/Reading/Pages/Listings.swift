import ChatModel
import Files
import Records
import Schema

extension Room {
    /// Returns the rooms of an account, sorted by workspace and name (``SortedName``), direct rooms after the others.
    ///
    /// - Parameters:
    ///   - ids: The numbers of the rooms to read; nil for all that the reader may see.
    ///   - isForList: Counts unread messages, up to ``UnreadCount/limit`` a room, and reads each last message.
    static func readAll(
        _ account: AccountIdentity, ids: [Int64]? = nil, isForList: Bool, _ db: ReadTransaction
    ) throws -> [Room] {
        let troubles = try RoomTrouble.readAll(db)
        let ids = db.visible(ids)
        let wanted: SQLText = ids == nil ? "" : "WHERE room.id \(.among(1))"
        let found = try db.all(
            """
            SELECT room.id, room_name.name, kind, messages, \(first(db)), \(last(db)),
              (SELECT min(from_us) FROM coverage WHERE room_id = room.id),
              workspace_name.name, left_at_us, gone_at_us
            \(named) \(wanted)
            """, ids.map { [.list($0)] } ?? []
        ) { row in
            let id = try row.integer(0)
            var room = try Room(
                account: account.name, network: account.network, id: id, name: row.text(1),
                workspace: row.optionalText(7), kind: kind(row.text(2), account), messages: row.integer(3),
                firstMessage: row.optionalMessageID(4), lastMessage: row.optionalMessageID(5), unread: nil,
                coveredFrom: row.optionalTime(6), leftAt: row.optionalTime(8), goneAt: row.optionalTime(9),
                trouble: troubles[id])
            room.isEmptied = try room.messages == 0 && Purge.exists(room: id, db)
            return room
        }
        let rooms = Self.inOrder(found)
        guard isForList else { return rooms }
        let (facts, unread) = (try RoomFacts(db), try UnreadMessages(db))
        return try rooms.map { room in
            var room = room
            try facts.add(to: &room)
            room.unread = try unread.count(in: room.id)
            room.lastSaid = try LastSaid.read(room: room.id, db)
            room.topic = try LastTopic.beginning(room: room.id, db)
            room.encrypted = try EncryptedMessages.read(room: room.id, db)?.count
            return room
        }
    }

    /// Returns the rooms of an account that the reader may see, with their names, kinds, numbers of messages and last messages alone.
    ///
    /// - Parameter isSorted: False to sort only the rooms without messages, for a list in the order of the last messages.
    static func readOutlines(_ account: AccountIdentity, isSorted: Bool, _ db: ReadTransaction) throws -> [Room] {
        let found = try db.all(
            """
            SELECT room.id, room_name.name, kind, messages, \(last(db)), workspace_name.name \(named) ORDER BY room.id
            """
        ) { row in
            try Room(
                account: account.name, network: account.network, id: row.integer(0), name: row.text(1),
                workspace: row.optionalText(5), kind: kind(row.text(2), account), messages: row.integer(3),
                firstMessage: nil, lastMessage: row.optionalMessageID(4), coveredFrom: nil)
        }
        let visible = db.rooms == nil ? found : found.filter { db.sees($0.id) }
        if isSorted { return inOrder(visible) }
        return visible.filter { $0.lastMessage != nil } + inOrder(visible.filter { $0.lastMessage == nil })
    }

    /// SQL for rooms with their present names.
    private static let named: SQLText = """
        FROM room JOIN room_name ON room_name.room_id = room.id AND room_name.last_seen_us IS NULL
          LEFT JOIN workspace_name
            ON workspace_name.workspace_id = room.workspace_id AND workspace_name.last_seen_us IS NULL
        """

    /// Returns SQL for a room's first message. A shared archive keeps no ends of rooms.
    private static func first(_ db: ReadTransaction) -> SQLText {
        db.isShared
            ? "(\(firstMessage(of: "room.id")))" : "(SELECT first_us FROM room_span WHERE room_span.room_id = room.id)"
    }

    private static func last(_ db: ReadTransaction) -> SQLText {
        db.isShared
            ? "(\(lastMessage(of: "room.id")))" : "(SELECT last_us FROM room_span WHERE room_span.room_id = room.id)"
    }

    private static func kind(_ text: String, _ account: AccountIdentity) throws -> RoomReference.Kind {
        guard let kind = RoomReference.Kind(rawValue: text) else {
            throw ArchiveError(code: .corrupt, detail: "a room of \(account.name) has the unknown kind \(text)")
        }
        return kind
    }
}

extension Room {
    /// Returns the rooms sorted by workspace, those without one first, by name and by number; direct ones last in each
    /// workspace.
    private static func inOrder(_ rooms: [Room]) -> [Room] {
        rooms.map { room in (room: room, workspace: SortedName(room.workspace ?? ""), name: SortedName(room.name)) }
            .sorted { one, other in
                if (one.room.workspace == nil) != (other.room.workspace == nil) { return one.room.workspace == nil }
                if one.workspace != other.workspace { return one.workspace < other.workspace }
                if (one.room.kind == .direct) != (other.room.kind == .direct) { return other.room.kind == .direct }
                return (one.name, one.room.id) < (other.name, other.room.id)
            }
            .map(\.room)
    }
}

extension LastSaid {
    /// Reads the last message of a room, one row by an index; nil if no user said anything.
    static func read(room: Int64, _ db: ReadTransaction) throws -> LastSaid? {
        // The reader of some rooms gets the name of the message's time, which that room has seen.
        let isNow = db.rooms == nil
        let name = isNow ? "name" : PageReader.name("user_name", "user_id = sender_id", at: "message.id")
        let today =
            "LEFT JOIN user_name ON user_name.user_id = sender_id AND user_name.last_seen_us IS NULL"
        return try db.first(
            """
            SELECT message.id, kind, \(name), substr(body, 1, \(maximumLength)), deleted_at_us IS NOT NULL, flags, sender_id
            FROM message \(.indexed("message_room")) \(isNow ? today : "")
            WHERE room_id = ?1 AND noise = 0 ORDER BY message.id DESC LIMIT 1
            """, [.integer(room)]
        ) { row in
            let (text, isDeleted) = try (row.optionalText(3), row.bool(4))
            let bridge = try row.optionalInteger(6).flatMap { try MessageExtras.bridges(of: [$0], db)[$0] }
            let body = text.map { bridge?.text(of: $0) ?? $0 }
            return try LastSaid(
                id: row.messageID(0), kind: MessageKind(code: row.integer(1)), sender: row.optionalText(2),
                body: isDeleted ? nil : body, isDeleted: isDeleted,
                isStanding: MessageFlags(rawValue: row.integer(5)).contains(.standing))
        }
    }
}
