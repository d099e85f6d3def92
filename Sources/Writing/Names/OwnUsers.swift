import ChatModel
import Records
package import SQLite

/// The users who are the account's own person.
///
/// Logs name that person by a word, such as `나`, or by any of their names. So a message of theirs is stored if any of these
/// users has it. A user keeps the messages that came under their name, whatever is said later of who the owner is.
package struct OwnUsers {
    let all: Set<Int64>
    /// The user whom exports call by a word, or the one into whom that user was merged; nil if there is none.
    let byWord: Int64?

    init(_ db: Database) throws {
        all = Set(try Int64.fetchAll(db, sql: "SELECT id FROM user WHERE is_self = 1"))
        byWord = try Int64.fetchOne(
            db,
            sql: """
                SELECT min(ifnull(into_id, user.id)) FROM user LEFT JOIN merge ON what = 0 AND from_id = user.id
                WHERE self_by = \(OwnNames.byWord)
                """)
    }
}

extension PersonBook {
    /// The users who are the account's own person; in a rehearsal, also those who would be.
    package mutating func ownPeople(_ db: Database) throws -> Set<Int64> {
        let known = try ownUsers ?? OwnUsers(db)
        ownUsers = known
        return rehearsal.map { known.all.union($0.own) } ?? known.all
    }

    /// Returns the user whom exports call by a word, or else the one with this word as the key; nil if there is none.
    package mutating func ownUser(byWord word: String, _ db: Database) throws -> Int64? {
        let known = try ownUsers ?? OwnUsers(db)
        ownUsers = known
        return try known.byWord ?? findUser(folding(db).fold(word), db)?.id
    }
}
