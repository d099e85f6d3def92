package import ChatModel
import Records
package import SQLite

extension BridgeBook {
    /// Returns a message of an import with the person who wrote it as its sender, if a bridge brought it.
    package func applied(to original: ImportedMessage, names: inout NameBook, _ db: Database) throws -> ImportedMessage
    {
        guard !isEmpty, let person = original.person else { return original }
        let time = (original.place ?? original.time).microseconds
        let author = try author(of: original.kind, original.body, names.people.folding(db)) {
            try names.people.find(person, at: time, db)
        }
        guard let author else { return original }
        var message = original
        (message.sender, message.own) = (author.name, nil)
        // The picture is the bot's.
        message.facts?.picture = nil
        if message.exact == nil {
            message.senderKey = author.key
        } else {
            message.exact?.sender = .key(author.key)
            message.exact?.senderIsSelf = false
        }
        return message
    }
}
