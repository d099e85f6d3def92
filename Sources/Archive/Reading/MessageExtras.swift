import ChatModel
import GRDB

/// The details that few archives have: workspaces, attachments, replies and reactions. Read for a whole page at once,
/// so that archives without them pay for one query a page.
struct MessageExtras {
    /// The workspaces' names by the room's number.
    private var workspaces: [Int64: String] = [:]
    /// The attachments by the message's id.
    private var attachments: [Int64: [Attachment]] = [:]
    private var replies: [Int64: Message.Reply] = [:]
    private var reactions: [Int64: [Message.Reaction]] = [:]

    /// Reads the details of messages in any order.
    init(of messages: [Message], names: MessageQuery.Names, _ db: Database) throws {
        let there = try Row.fetchOne(
            db.cachedStatement(
                sql:
                    "SELECT EXISTS (SELECT 1 FROM workspace), EXISTS (SELECT 1 FROM attachment), EXISTS (SELECT 1 FROM reaction)"
            ))
        guard let there else { return }
        if messages.contains(where: { $0.reply != nil }) { try readReplies(of: messages, names: names, db) }
        if try there.value(2) { try readReactions(to: messages, db) }
        if try there.value(0) {
            let name = try db.cachedStatement(
                sql: """
                    SELECT name FROM room JOIN workspace_name USING (workspace_id)
                    WHERE room.id = ? AND last_seen_us IS NULL
                    """)
            for room in Set(messages.map(\.roomID)) {
                workspaces[room] = try String.fetchOne(name, arguments: [room])
            }
        }
        guard try there.value(1) else { return }
        let files = try db.cachedStatement(
            sql: "SELECT \(Attachment.columns) FROM \(Attachment.tables) WHERE message_id = ? ORDER BY attachment.id")
        for id in try Self.some(of: messages, "EXISTS (SELECT 1 FROM attachment WHERE message_id = value)", db) {
            attachments[id] = try Row.fetchAll(files, arguments: [id]).map { try Attachment($0) }
        }
    }

    /// Returns the ids of the messages that fulfil a condition. Few do, and one query is faster than a thousand.
    ///
    /// - Parameter condition: An SQL condition on the id, `value`.
    private static func some(of messages: [Message], _ condition: String, _ db: Database) throws -> Set<Int64> {
        let ids = "[" + messages.map { String($0.id.microseconds) }.joined(separator: ",") + "]"
        let statement = try db.cachedStatement(sql: "SELECT value FROM json_each(?) WHERE \(condition)")
        return try Int64.fetchSet(statement, arguments: [ids])
    }

    private mutating func readReplies(of messages: [Message], names: MessageQuery.Names, _ db: Database) throws {
        let target = try db.cachedStatement(
            sql: """
                SELECT m.id, \(PageReader.name("user_name", "user_id = m.sender_id", names)),
                  substr(m.body, 1, \(Message.Reply.excerpt))
                FROM message AS m WHERE m.room_id = ? AND m.remote_id = ?
                """)
        for message in messages where replies[message.id.microseconds] == nil {
            guard let reply = message.reply else { continue }
            let row = try Row.fetchOne(target, arguments: [message.roomID, reply.remoteID])
            replies[message.id.microseconds] = try row.map {
                try Message.Reply(
                    remoteID: reply.remoteID, id: $0.value(0), sender: $0.value(1), body: $0.value(2))
            }
        }
    }

    private mutating func readReactions(to messages: [Message], _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                SELECT text, name FROM reaction JOIN user_name USING (user_id)
                WHERE room_id = ? AND remote_id = ? AND removed_at_us IS NULL AND last_seen_us IS NULL
                ORDER BY at_us, user_id LIMIT \(Message.Reaction.limit)
                """)
        let some = try Self.some(
            of: messages,
            """
            EXISTS (SELECT 1 FROM message AS m CROSS JOIN reaction USING (room_id, remote_id) WHERE m.id = value)
            """, db)
        for message in messages where some.contains(message.id.microseconds) {
            guard let remoteID = message.remoteID, reactions[message.id.microseconds] == nil else { continue }
            var places: [ExactString: Int] = [:]
            var found: [Message.Reaction] = []
            for row in try Row.fetchAll(statement, arguments: [message.roomID, remoteID]) {
                let (text, name): (String, String) = try (row.value(0), row.value(1))
                if let place = places[ExactString(text)] {
                    found[place].by.append(name)
                } else {
                    places[ExactString(text)] = found.count
                    found.append(Message.Reaction(text: text, by: [name]))
                }
            }
            reactions[message.id.microseconds] = found
        }
    }

    func add(to message: inout Message) {
        message.workspace = workspaces[message.roomID]
        message.attachments = attachments[message.id.microseconds] ?? []
        message.reply = replies[message.id.microseconds] ?? message.reply
        message.reactions = reactions[message.id.microseconds] ?? []
    }
}
