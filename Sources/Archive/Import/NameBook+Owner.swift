import ChatModel
import GRDB

/// Finds, renames or creates the account's own person, whom `import --me` names.
extension NameBook {
    /// Marks the person as the account's own, unless the account has another one already. A user whom an earlier
    /// import stored under the log's own word, such as `나`, gets the person's name for the whole history.
    mutating func storeOwner(_ owner: ImportedOwner, _ db: Database) throws {
        let user: Int64
        if let known = try namedEntry(owner.name, at: owner.at.microseconds, db) {
            user = known.entry.id
        } else if let unnamed = try unnamedOwner(owner, db) {
            user = unnamed
            try nameOwner(user, owner, db)
        } else {
            let key = try folding(db).fold(owner.name)
            user = try makeUser(
                UserReference(key: key, name: owner.name, isSelf: false), at: owner.at.microseconds, db
            ).id
        }
        try db.cachedStatement(
            sql: "UPDATE user SET is_self = 1 WHERE id = ? AND NOT EXISTS (SELECT 1 FROM user WHERE is_self)"
        ).execute(arguments: [user])
        if db.changesCount > 0 { try Feed.name(userID: user, db) }
        self = NameBook()
    }

    /// Notes for a rehearsal that a stored person would get the owner's name.
    mutating func rehearseOwner(_ owner: ImportedOwner, _ db: Database) throws {
        guard try namedEntry(owner.name, at: owner.at.microseconds, db) == nil,
            let user = try unnamedOwner(owner, db)
        else { return }
        let name = try folding(db).fold(owner.name)
        rehearsal?.owner = (name: ExactString(name), user: user)
    }

    /// Returns the user who has the log's own word as the key.
    private mutating func unnamedOwner(_ owner: ImportedOwner, _ db: Database) throws -> Int64? {
        try findUser(folding(db).fold(owner.word), db)?.id
    }

    private mutating func nameOwner(_ user: Int64, _ owner: ImportedOwner, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE user_name SET name = ?1 WHERE user_id = ?2 AND name = ?3")
            .execute(arguments: [owner.name, user, owner.word])
        try setKey(folding(db).fold(owner.name), of: user, db)
        try Feed.name(userID: user, db)
    }
}
