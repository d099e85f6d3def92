import Bytes
import ChatModel
import Records
import SQLite
import Writing

/// Stores the facts that an export has of a message's sender and room.
extension Directory {
    /// The limit of combinations that are remembered as stored.
    private static let rememberedFacts = 10_000

    /// Stores the facts as of the message's time. An account that a listener ever wrote keeps its network's own.
    ///
    /// - Parameter isNew: True if the message was stored only now.
    mutating func storeFacts(
        _ facts: ImportedFacts, of room: Int64, _ sender: Int64?, at time: Int64, isNew: Bool, _ db: Database
    ) throws {
        // Most messages repeat the facts of others.
        let combination = [room.hashValue, sender.hashValue, facts.hashValue, isNew.hashValue].hashValue
        guard !knownFacts.contains(combination) else { return }
        if knownFacts.count >= Self.rememberedFacts { knownFacts = [] }
        knownFacts.insert(combination)
        guard try !CoverageLedger.hasListener(db) else { return }
        if let sender, let picture = facts.picture,
            try store(picture, .userPictures, of: sender, at: time, isNew: isNew, db)
        {
            try Feed.name(userID: sender, db)
        }
        var isChanged = false
        if let picture = facts.roomPicture {
            isChanged = try store(picture, .roomPictures, of: room, at: time, isNew: isNew, db)
        }
        if let text = facts.description {
            let stored = text.withoutNUL.databaseValue
            if try FactTable.roomDescriptions.set(imported: stored, of: room, at: time, isNew: isNew, db) {
                isChanged = true
            }
        }
        if let key = facts.owner?.withoutNUL {
            let name = facts.ownerName?.withoutNUL ?? key
            let owner =
                try names.people.userEntry(key, db)?.id
                ?? names.people.mentioned(ImportedPerson(name: name, identity: .key(key)), at: time, db)
            if let owner,
                try FactTable.roomOwners.set(imported: owner.databaseValue, of: room, at: time, isNew: isNew, db)
            {
                isChanged = true
            }
        }
        if isChanged { try Feed.name(roomID: room, db) }
    }

    /// Stores a picture. An export names no place from which it can be fetched.
    private func store(
        _ picture: ImportedMessage.File, _ table: FactTable, of id: Int64, at time: Int64, isNew: Bool, _ db: Database
    ) throws -> Bool {
        let path = picture.path.withoutNUL
        guard !path.isEmpty else { return false }
        let file = NewAttachment(
            path: path, size: picture.size, sha256: picture.sha256, state: AttachmentBook.Code.otherServer)
        return try table.set(imported: path.databaseValue, file, of: id, at: time, isNew: isNew, db)
    }
}
