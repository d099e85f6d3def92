import ChatModel
import GRDB

/// What few archives have: workspaces, and files that came with messages. Looked up for a page at once, so that those that
/// have none pay for one question a page.
struct MessageExtras {
    /// By the room's number.
    private var workspaces: [Int64: String] = [:]
    /// By the message's id.
    private var attachments: [Int64: [Attachment]] = [:]

    /// Of messages in any order.
    init(of messages: [Message], _ db: Database) throws {
        let there = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM workspace), EXISTS (SELECT 1 FROM attachment)"))
        guard let there else { return }
        if there[0] {
            let name = try db.cachedStatement(
                sql: """
                    SELECT name FROM room JOIN workspace_name USING (workspace_id)
                    WHERE room.id = ? AND last_seen_us IS NULL
                    """)
            for room in Set(messages.map(\.roomID)) {
                workspaces[room] = try String.fetchOne(name, arguments: [room])
            }
        }
        guard there[1] else { return }
        let files = try db.cachedStatement(
            sql: "SELECT \(Attachment.columns) FROM attachment WHERE message_id = ? ORDER BY id")
        for id in Set(messages.map(\.id.microseconds)) {
            let found = try Row.fetchAll(files, arguments: [id])
            if !found.isEmpty {
                attachments[id] = try found.map { try Attachment($0) }
            }
        }
    }

    func add(to message: inout Message) {
        message.workspace = workspaces[message.roomID]
        message.attachments = attachments[message.id.microseconds] ?? []
    }
}
