import ChatModel
import Records
import SQLite
import Writing

/// Marks the account's own person, whom an import finds by a word of the log or by a name that was given.
extension NameBook {
    /// Keeps the given names, and marks the user whom the log calls by a word.
    mutating func storeOwner(_ owner: ImportedOwner, _ db: Database) throws {
        if !owner.names.isEmpty { try OwnNames.set(owner.names, from: .command, db) }
        if let word = owner.word { try markUser(calledByWord: word, db) }
        self = NameBook()
    }

    private mutating func markUser(calledByWord word: String, _ db: Database) throws {
        let key = try people.folding(db).fold(word)
        try db.execute(
            sql: "UPDATE user SET self_by = \(OwnNames.byWord) WHERE key = ?1 AND self_by <> \(OwnNames.byWord)",
            arguments: [key])
        let isMarked = db.changesCount > 0
        // Somebody who took that user up has a name of their own.
        try db.execute(
            sql: "UPDATE user SET self_by = 1 WHERE id = \(MergeBook.user(key: "?1")) AND self_by = 0", arguments: [key]
        )
        if isMarked || db.changesCount > 0 { try OwnNames.settle(db) }
    }

    /// Notes for a rehearsal who would be the account's own person.
    mutating func rehearseOwner(_ owner: ImportedOwner, _ db: Database) throws {
        for name in owner.names {
            let user = try people.namedEntry(name, at: owner.at.microseconds, db)?.entry.id
            if let user { people.rehearsal?.own.insert(user) }
        }
        if let word = owner.word, let user = try people.ownUser(byWord: word, db) { people.rehearsal?.own.insert(user) }
    }
}
