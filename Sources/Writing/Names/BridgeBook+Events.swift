import ChatModel
import Records
import SQLite

extension BridgeBook {
    /// Returns a message that a bridge brought as its author's; nil for any other.
    ///
    /// A key from the network that looks like a bridged person's is made another one.
    func applied(
        to message: IncomingMessage, _ hearing: ChatEvent.Hearing, names: inout NameBook, _ db: Database
    ) throws -> IncomingMessage? {
        guard var author = message.sender else { return nil }
        if BridgeKey.isBridged(author.key) {
            author.key = "\u{FFFD}" + author.key.dropFirst()
        } else if let person = try self.author(of: message, by: author, hearing, &names, db) {
            author = person
        } else {
            return nil
        }
        var bridged = message
        bridged.sender = author
        return bridged
    }

    /// Returns the person who wrote a message of a bridge's bot; nil for any other message.
    private func author(
        of message: IncomingMessage, by sender: UserReference, _ hearing: ChatEvent.Hearing, _ names: inout NameBook,
        _ db: Database
    ) throws -> UserReference? {
        if isEmpty { return nil }
        if hearing.isEdit, let author = try authorOfEdited(message, &names, db) {
            let bot = try names.people.userEntry(sender.key, db)?.id
            if author.id == bot { return nil }
            if let bot, isKey(author.key, ofBot: bot) {
                return UserReference(key: author.key, name: author.name)
            }
        }
        let folding = try names.people.folding(db)
        return try author(of: message.kind, message.body, folding) {
            guard case .replay(_, let resolution) = hearing else {
                return try names.people.userEntry(sender.key, db)?.id
            }
            let time = message.plausibleTime.microseconds
            return try names.people.knownUser(then: sender, at: time, resolution, db)
        }
    }

    /// Returns the sender of the message that an edit changes: an edit does not change who wrote it, whatever form its text
    /// has. Nil if the message is not stored.
    private func authorOfEdited(_ edit: IncomingMessage, _ names: inout NameBook, _ db: Database) throws -> (
        id: Int64, key: String, name: String
    )? {
        guard let target = edit.remoteID, let room = try names.rooms.findRoom(edit.room.key, db)?.id,
            let sender = try StoredMessage.find(target, room: room, db)?.sender,
            let key = try String.fetchOne(
                db.cachedStatement(sql: "SELECT key FROM user WHERE id = ?"), arguments: [sender])
        else { return nil }
        return try names.people.userEntry(key, db).map { ($0.id, key, $0.name) }
    }
}
