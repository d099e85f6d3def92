import Bytes
package import ChatModel
import Networks
package import SQLite
import Schema

/// The names and ids of the account's own person that its owner has given (`own_name`).
///
/// A user with such a key, or with such a name today, is the account's own person, besides those of whom the network or an
/// export says so (`user.self_by`). On a network where everybody can take any name, only ids count. A person who writes by
/// a bridge is somebody else, whatever the name.
package struct OwnNames {
    /// As given, each once; those of commands first. The first one is shown in place of an export's word, such as `나`.
    package let names: [String]
    private let (given, folded): (Set<ExactString>, Set<ExactString>)
    private let folding: NameFolding
    private let countsNames: Bool

    package init(_ db: Database) throws {
        let traits = NetworkTraits.of(try String.fetchOne(db, sql: "SELECT network FROM account") ?? "")
        (folding, countsNames) = (traits.folding, !traits.hasPermanentKeys)
        // A damaged row must not stop the storing of messages.
        names = try db.all(sql: "SELECT CAST(name AS TEXT) FROM own_name ORDER BY source DESC, place") { row in
            try row.optionalText(0)
        }.compactMap(\.self).unique
        given = Set(names.map(ExactString.init))
        folded = Set(names.map { [folding] in ExactString(folding.fold($0)) })
    }

    /// - Parameters:
    ///   - key: The user's key; nil if another user has taken it.
    ///   - name: The user's name today.
    package func have(key: String?, name: String) -> Bool {
        guard !folded.isEmpty, key.map(BridgeKey.isBridged) != true else { return false }
        // The key is an id, or a folded name.
        if let key = key.map(ExactString.init), given.contains(key) || folded.contains(key) { return true }
        return countsNames && folded.contains(ExactString(folding.fold(name)))
    }

    // MARK: Changing

    package static func read(_ source: OwnNameSource, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT name FROM own_name WHERE source = ? ORDER BY place", arguments: [source.rawValue])
    }

    /// Replaces one of the two lists, and brings all users in line with it.
    ///
    /// - Returns: True if the list changed.
    @discardableResult
    package static func set(_ names: [String], from source: OwnNameSource, _ db: Database) throws -> Bool {
        let names = names.map(\.withoutNUL).unique
        guard try names.map(ExactString.init) != read(source, db).map(ExactString.init) else { return false }
        let before = try OwnNames(db)
        try db.execute(sql: "DELETE FROM own_name WHERE source = ?", arguments: [source.rawValue])
        for (place, name) in names.enumerated() {
            try db.execute(
                sql: "INSERT INTO own_name (source, place, name) VALUES (?, ?, ?)",
                arguments: [source.rawValue, place, name])
        }
        try settle(after: before, db)
        return true
    }

    /// Brings all users in line with the names, and with what the network and exports say.
    ///
    /// - Parameter before: The names before a change; nil if they have not changed.
    package static func settle(after before: OwnNames? = nil, _ db: Database) throws {
        let own = try OwnNames(db)
        try own.nameWords(after: before, db)
        let declared = try own.declared(db)
        let users: [(Int64, Int64, Int64)] = try db.all(
            sql: """
                SELECT id, self_by, is_self FROM user
                WHERE is_self = 1 OR self_by > 0 OR id IN (SELECT value FROM json_each(?))
                """, arguments: ["\(declared.sorted())"]
        ) { try ($0.value(0), $0.value(1), $0.value(2)) }
        for (id, by, isSelf) in users {
            try setSelf(by > 0 || declared.contains(id), of: id, unless: isSelf != 0, db)
        }
    }

    /// Brings one user in line.
    ///
    /// - Parameter isSaid: True if the network or an export says that the user is the account's own person.
    package func settle(_ user: Int64, key: String?, name: String, isSaid: Bool, _ db: Database) throws {
        let isSelf = isSaid || have(key: key, name: name)
        let known = try Int64.first(db.cachedStatement(sql: "SELECT is_self FROM user WHERE id = ?"), [user]) ?? 0
        try Self.setSelf(isSelf, of: user, unless: known != 0, db)
    }

    private static func setSelf(_ isSelf: Bool, of user: Int64, unless known: Bool, _ db: Database) throws {
        guard isSelf != known else { return }
        try db.cachedStatement(sql: "UPDATE user SET is_self = ? WHERE id = ?").execute(arguments: [isSelf, user])
        try Feed.name(userID: user, db)
    }

    /// Returns the users with these keys or names.
    private func declared(_ db: Database) throws -> Set<Int64> {
        var found: Set<Int64> = []
        for name in names {
            let key = folding.fold(name)
            for id in [name, key] {
                let user = try Int64.fetchOne(db, sql: "SELECT \(MergeBook.user(key: "?"))", arguments: [id])
                if let user { found.insert(user) }
            }
            guard countsNames else { continue }
            let rows: [(user: Int64, name: String)] = try db.all(
                sql: """
                    SELECT user_id, name FROM user_name JOIN user ON user.id = user_id
                    WHERE name = ? COLLATE NOCASE AND last_seen_us IS NULL AND \(BridgeBook.isOwn(key: "key"))
                    """,
                arguments: [name]
            ) { try ($0.value(0), $0.value(1)) }
            for row in rows where folding.fold(row.name).isExactly(key) { found.insert(row.user) }
        }
        return found
    }

    /// Shows the first of the names in place of an export's word, which stays the user's key. If the last name was removed,
    /// shows the key.
    private func nameWords(after before: OwnNames?, _ db: Database) throws {
        let users: [(Int64, String, String)] = try db.all(
            sql: """
                SELECT id, key, name FROM user JOIN user_name ON user_id = id AND last_seen_us IS NULL
                WHERE self_by = \(Self.byWord) AND key IS NOT NULL
                """
        ) { try ($0.value(0), $0.value(1), $0.value(2)) }
        for (id, key, shown) in users {
            let isRemoved = before?.given.contains(ExactString(shown)) ?? false
            guard let name = names.first ?? (isRemoved ? key : nil), !name.isExactly(shown) else { continue }
            try db.execute(
                sql: "UPDATE user_name SET name = ? WHERE user_id = ? AND name = ?", arguments: [name, id, shown])
            try Feed.name(userID: id, db)
        }
    }

    /// The value of `user.self_by` for a user whom an export calls by a word.
    package static let byWord: Int64 = 2
}

extension [String] {
    /// The texts in their order, each once.
    fileprivate var unique: [String] {
        var seen: Set<ExactString> = []
        return filter { seen.insert(ExactString($0)).inserted }
    }
}
