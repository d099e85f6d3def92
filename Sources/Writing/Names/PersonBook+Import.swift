import Bytes
package import ChatModel
import Networks
import Records
package import SQLite
import Schema

/// Finds and creates the users of logs and exports by their key, or by their name if they have no key. The time of a log
/// may be long ago.
///
/// An import changes which user is the account's own only by ``NameBook/storeOwner(_:_:)``. A log's name becomes
/// today's name only if nothing later is stored. A name from before the first stored one becomes an earlier name. In
/// between, the stored name stays. The messages of a full export change no names, because its names come in separate
/// records, except for a person whose only name is the key.
extension PersonBook {
    /// Returns the user with the person's key or, for a person without a key, the user who had the name at that time or
    /// first got it later; nil if there is none.
    package mutating func find(_ person: ImportedPerson, at time: Int64, _ db: Database) throws -> Int64? {
        switch person.identity.flatMap({ rehearsal?.people[$0] }) {
        case .user(let user): return user
        case .nobody: return nil
        case nil: break
        }
        return switch person.identity {
        case .former(let former): try findFormer(former, db)
        case .key(let key): try userEntry(key, db)?.id
        case nil where person.isOwnWord: try ownUser(byWord: person.name, db)
        case nil: try namedEntry(person.name, at: time, db)?.entry.id
        }
    }

    /// - Parameter isLate: True if something later is already stored.
    package mutating func user(_ person: ImportedPerson, at time: Int64, isLate: Bool, _ db: Database) throws -> Int64 {
        switch person.identity {
        case .former(let former):
            return try findFormer(former, db) ?? makeFormer(former, isSelf: person.isSelf, db)
        case .key(let key):
            let found = try userEntry(key, db).map { ($0, key) }
            return try user(person, found, key: key, at: time, isLate: isLate, db)
        case nil where person.isOwnWord:
            if let known = try ownUser(byWord: person.name, db) { return known }
            let name = try ownNames(db).names.first ?? person.name
            let reference = UserReference(key: try folding(db).fold(person.name), name: name)
            return try makeUser(reference, isByWord: true, at: time, db).id
        case nil:
            let found = try namedEntry(person.name, at: time, db)
            let key = try found?.key ?? folding(db).fold(person.name)
            return try user(person, found.map { ($0.entry, $0.key) }, key: key, at: time, isLate: isLate, db)
        }
    }

    /// - Parameter found: The user and today's key; the key is nil if another user has taken it.
    private mutating func user(
        _ person: ImportedPerson, _ found: (entry: NameEntry, key: String?)?, key: String, at time: Int64, isLate: Bool,
        _ db: Database
    ) throws -> Int64 {
        guard let (known, knownKey) = found else {
            let made = try makeUser(UserReference(key: key, name: person.name, isSelf: person.isSelf), at: time, db)
            remember(made, key: key)
            return made.id
        }
        // A user without a key is identified by their first name, so their names stay.
        guard let knownKey else { return known.id }
        var entry = known
        if person.isExact {
            guard try replaceKey(knownKey, asNameOf: &entry, by: person.name, db) else { return entry.id }
        } else if time < entry.earliest {
            try NameTable.users.insertEarlier(person.name, of: &entry, at: time, db)
        } else if !isLate, !entry.name.isExactly(person.name), time >= entry.firstSeen {
            try NameTable.users.rename(&entry, to: person.name, at: time, db)
        } else {
            return entry.id
        }
        if !entry.name.isExactly(known.name) { try settleOwn(entry, key: knownKey, db) }
        remember(entry, key: knownKey)
        return entry.id
    }

    /// Gives a person the first name that an export shows, in place of the key that was stored for want of a name: a
    /// reaction shows only the key. Names that a listener stored stay, as do those of a network where a key is a name.
    ///
    /// - Returns: True if the name was replaced.
    mutating func replaceKey(
        _ key: String, asNameOf entry: inout NameEntry, by name: String, _ db: Database
    ) throws -> Bool {
        guard entry.name.isExactly(key), !name.isEmpty, !name.isExactly(key), try !traits(db).hasNamesAsKeys,
            try !CoverageLedger.hasListener(db)
        else { return false }
        try db.cachedStatement(
            sql: """
                UPDATE user_name SET name = ?2 WHERE user_id = ?1
                  AND NOT EXISTS (SELECT 1 FROM user_name WHERE user_id = ?1 AND name <> ?3)
                """
        ).execute(arguments: [entry.id, name, key])
        guard db.changesCount > 0 else { return false }
        try Feed.name(userID: entry.id, db)
        entry.name = name
        return true
    }

    /// The traits of the account's network.
    mutating func traits(_ db: Database) throws -> NetworkTraits {
        if let traits { return traits }
        let traits = try NetworkTraits.ofAccount(db)
        self.traits = traits
        return traits
    }

    package mutating func folding(_ db: Database) throws -> NameFolding { try traits(db).folding }

    package mutating func userEntry(_ key: String, _ db: Database) throws -> NameEntry? {
        if let known = users[ExactString(key)] { return known }
        let found = try findUser(key, db)
        if let found { remember(found, key: key) }
        return found
    }

    /// Returns a user by name alone: the one whose key is the name, as on networks that identify users by name; else
    /// the one who had the name at that time; else the first one to get it later. Never the user whom exports call by a
    /// word: only their owner has said what name that person has.
    package mutating func namedEntry(
        _ name: String, at time: Int64, _ db: Database
    ) throws -> (entry: NameEntry, key: String?)? {
        if let lastUser, lastUser.name.isExactly(name) { return (lastUser.entry, lastUser.key) }
        if let lastAbsent, lastAbsent.name.isExactly(name), time >= lastAbsent.time { return nil }
        let folding = try folding(db)
        let folded = folding.fold(name)
        if let entry = try userEntry(folded, db) {
            lastUser = (name, entry, folded)
            return (entry, folded)
        }
        let statement = try db.cachedStatement(
            sql: """
                SELECT user_id, key, name FROM user_name JOIN user ON user.id = user_id
                WHERE name = ?1 COLLATE NOCASE AND (last_seen_us IS NULL OR last_seen_us > ?2)
                  AND self_by <> \(OwnNames.byWord) AND \(BridgeBook.isOwn(key: "key"))
                ORDER BY first_seen_us > ?2, abs(first_seen_us - ?2), user_id
                """)
        let found = try statement.first({
            $0.bind(1, name)
            $0.bind(2, time)
        }) { row -> (id: Int64, key: String?)? in
            guard folding.fold(try row.text(2)).isExactly(folded) else { return nil }
            return try (row.integer(0), row.optionalText(1))
        }
        guard let found else {
            lastAbsent = (name, time)
            return nil
        }
        if let key = found.key { return try userEntry(key, db).map { ($0, key) } }
        return (NameEntry(id: found.id, name: name, firstSeen: .max, earliest: .min), nil)
    }

    /// Returns the user whose first name, and the time when it began, are those of an export's record; nil if there are several. Returns
    /// nil for a key that never changes: two people can get the same name at the same time, and only their keys differ.
    package mutating func findByFirstName(_ record: UserRecord, _ db: Database) throws -> Int64? {
        guard try record.key == nil || !traits(db).hasPermanentKeys else { return nil }
        return try record.findByFirstName(db)
    }

    private func findFormer(_ former: UserIdentity.Former, _ db: Database) throws -> Int64? {
        // The index ignores case.
        let statement = try db.cachedStatement(
            sql: """
                SELECT user_id FROM user_name JOIN user ON user.id = user_id
                WHERE name = ?1 COLLATE NOCASE AND name = ?1 AND first_seen_us = ?2 AND key IS NULL
                """)
        return try Int64.fetchOne(statement, arguments: [former.name, former.firstSeen.microseconds])
    }

    private mutating func makeFormer(_ former: UserIdentity.Former, isSelf: Bool, _ db: Database) throws -> Int64 {
        lastAbsent = nil
        let time = former.firstSeen.microseconds
        try db.cachedStatement(sql: "INSERT INTO user (is_self, self_by) VALUES (?1, ?1)").execute(arguments: [isSelf])
        if isSelf { ownUsers = nil }
        let id = db.lastInsertedRowID
        try NameTable.users.insert(former.name, of: id, since: time, db)
        return id
    }

}
