import Bytes
package import ChatModel
import Networks
import Records
package import SQLite
import Schema

/// Finds or creates the rows of users, and records their names as they change.
///
/// Remembers the rows that it found. After a rollback, create a new one.
package struct PersonBook {
    var users: [ExactString: NameEntry] = [:] { didSet { (lastUser, lastAbsent) = (nil, nil) } }
    /// The user in ``users`` whom an import found last, by name, with the key. It looks for each sender twice.
    var lastUser: (name: String, entry: NameEntry, key: String)?
    /// The name of the last sender without a user, and the time from which no user has or gets it.
    package var lastAbsent: (name: String, time: Int64)?
    /// The traits of the account's network; nil until they are needed.
    var traits: NetworkTraits?
    /// The forgotten people; nil until they are needed.
    private var forgottenBook: ForgottenBook?
    /// The names of the account's own person; nil until they are needed.
    private var knownOwnNames: OwnNames?
    /// The users who are the account's own person; nil until an import needs them.
    package var ownUsers: OwnUsers?

    /// The changes that a rehearsal would have made; nil for a book that writes.
    package var rehearsal: Rehearsal?

    package struct Rehearsal {
        package enum Person {
            case user(Int64)
            /// No user would have the key.
            case nobody
        }

        /// People who would have another key than in the file.
        package var people: [UserIdentity: Person] = [:]
        /// Further users who would be the account's own person.
        package var own: Set<Int64> = []
    }

    /// Returns the user, and records their name from that time on. Creates the user if it is missing.
    ///
    /// - Parameter isMessage: True if the time is the id of a message that shows that name.
    package mutating func user(
        _ reference: UserReference, at time: Int64, isMessage: Bool = false, _ db: Database
    ) throws -> Int64 {
        if let entry = users[ExactString(reference.key)], entry.name.isExactly(reference.name),
            entry.isSelf == reference.isSelf,
            try !isMessage || entry.isToday(time) || entry.isSettled(time) && !traits(db).hasPermanentKeys
        {
            return entry.id
        }
        var entry = try users[ExactString(reference.key)] ?? findUser(reference.key, db)
        if var found = entry {
            let before = found
            if isMessage {
                _ = try NameTable.users.settle(&found, name: reference.name, at: time, db)
                try notePast(&found, reference, at: time, db)
            } else if !found.name.isExactly(reference.name), time >= found.firstSeen {
                try NameTable.users.rename(&found, to: reference.name, at: time, db)
            }
            if found.isSelf != reference.isSelf {
                try db.cachedStatement(sql: "UPDATE user SET self_by = ? WHERE id = ?")
                    .execute(arguments: [reference.isSelf, found.id])
                found.isSelf = reference.isSelf
            }
            if found.isSelf != before.isSelf || !found.name.isExactly(before.name) {
                try settleOwn(found, key: reference.key, db)
            }
            entry = found
        }
        let known = try entry ?? makeUser(reference, at: time, db)
        remember(known, key: reference.key)
        return known.id
    }

    /// Records the name of a message from before the beginning of today's name. The order of the server decides who a person
    /// was, not the times of other servers, which may put a rename after the next message. A network without permanent keys
    /// has people of another time under the same key.
    private mutating func notePast(
        _ entry: inout NameEntry, _ reference: UserReference, at time: Int64, _ db: Database
    ) throws {
        guard !entry.isToday(time) || !entry.name.isExactly(reference.name), try traits(db).hasPermanentKeys else {
            return
        }
        try NameTable.users.notePast(&entry, name: reference.name, at: time, db)
    }

    mutating func remember(_ user: NameEntry, key: String) {
        if users.count >= NameEntry.capacity { users.removeAll(keepingCapacity: true) }
        users[ExactString(key)] = user.isRemembered(key) ? user : nil
    }

    /// Gives the user another key. The user who had that key before keeps their history, without a key.
    ///
    /// - Parameter row: The id of the last message of kind `rename` about it in the user's rooms; nil if there is none.
    ///   The new name begins directly after it.
    mutating func rekey(
        from key: String, to reference: UserReference, at time: Int64, row: Int64? = nil, _ db: Database
    ) throws {
        if var user = try findUser(key, db), !user.name.isExactly(reference.name) {
            try NameTable.users.rename(&user, to: reference.name, behind: row, at: time, db)
            users[ExactString(key)] = nil
        }
        // The row with the key, which may be that of a merged person. Both keys of a merged person stay theirs.
        if !key.isExactly(reference.key), let user = try userRow(key, db),
            try findUser(key, db)?.id != findUser(reference.key, db)?.id
        {
            try setKey(reference.key, of: user, db)
            users[ExactString(key)] = nil
            users[ExactString(reference.key)] = nil
        }
        _ = try mentioned(reference, at: time, db)
        if let user = try findUser(reference.key, db) { try settleOwn(user, key: reference.key, db) }
    }

    private func userRow(_ key: String, _ db: Database) throws -> Int64? {
        try Int64.first(db.cachedStatement(sql: "SELECT id FROM user WHERE key = ?"), [key])
    }

    /// Gives the user the key, and takes it from the user who has it.
    func setKey(_ key: String?, of user: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE user SET key = NULL WHERE key = ?").execute(arguments: [key])
        try db.cachedStatement(sql: "UPDATE user SET key = ? WHERE id = ?").execute(arguments: [key, user])
    }

    mutating func ownNames(_ db: Database) throws -> OwnNames {
        let names = try knownOwnNames ?? OwnNames(db)
        knownOwnNames = names
        return names
    }

    /// Notes that a user has another key or name, or that the network says something else of them.
    mutating func settleOwn(_ user: NameEntry, key: String?, _ db: Database) throws {
        try ownNames(db).settle(user.id, key: key, name: user.name, isSaid: user.isSelf, db)
        ownUsers = nil
    }

    mutating func forgotten(_ db: Database) throws -> ForgottenBook {
        let book = try forgottenBook ?? ForgottenBook(db)
        forgottenBook = book
        return book
    }

    func findUser(_ key: String, _ db: Database) throws -> NameEntry? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT user.id, user_name.name, user_name.first_seen_us,
                  (SELECT min(first_seen_us) FROM user_name WHERE user_id = user.id), user.self_by > 0,
                  EXISTS (SELECT 1 FROM merge WHERE what = 0 AND into_id = user.id)
                FROM user JOIN user_name ON user_name.user_id = user.id AND user_name.first_seen_us =
                  (SELECT max(first_seen_us) FROM user_name WHERE user_id = user.id)
                WHERE user.id = \(MergeBook.user(key: "?1"))
                """)
        return try statement.first({ $0.bind(1, key) }) { row in
            try NameEntry(
                id: row.integer(0), name: row.text(1), firstSeen: row.integer(2), earliest: row.integer(3),
                isSelf: row.integer(4) != 0, isMerged: row.integer(5) != 0)
        }
    }

    /// - Parameter isByWord: True for the account's own person under an export's word, such as `나`.
    mutating func makeUser(
        _ reference: UserReference, isByWord: Bool = false, at time: Int64, _ db: Database
    ) throws -> NameEntry {
        let isSaid = reference.isSelf || isByWord
        let isSelf = try isSaid || ownNames(db).have(key: reference.key, name: reference.name)
        try db.cachedStatement(sql: "INSERT INTO user (key, is_self, self_by) VALUES (?, ?, ?)").execute {
            $0.bind(1, reference.key)
            $0.bind(2, isSelf ? 1 : 0)
            $0.bind(3, isByWord ? OwnNames.byWord : isSaid ? 1 : 0)
        }
        let id = db.lastInsertedRowID
        try NameTable.users.insert(reference.name, of: id, since: time, db)
        try Feed.name(userID: id, db)
        if isSelf { ownUsers = nil }
        return NameEntry(id: id, name: reference.name, firstSeen: time, earliest: time, isSelf: isSaid)
    }
}
