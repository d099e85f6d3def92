package import Accounts
import ChatModel
package import FoundationEssentials
package import Records
package import SQLite
import Schema

/// The forgotten messages and people of an account, and its erased rooms, which are not stored again.
package struct ForgottenBook {
    /// The name of a person who is forgotten, and of a direct room with them.
    static let personName = "(forgotten)"

    /// The values of `forgotten_key.scrub`.
    enum Scrub {
        static let clean: Int64 = 0
        static let due: Int64 = 1
        static let begun: Int64 = 2
        static let merged: Int64 = 3
    }

    /// SQL that notes that the file has traces of what is forgotten.
    package static let scrubIsDue = "UPDATE forgotten_key SET scrub = \(Scrub.due)"

    /// Nil in most archives, which need no look-up.
    private let digests: ForgottenDigests?

    init(_ db: Database) throws {
        digests = try ForgottenKey.read(db).map { ForgottenDigests(key: $0.key) }
    }

    package var isEmpty: Bool { digests == nil }

    /// The facts about a message as its source has them.
    package struct Source {
        /// The source's key of the room. A direct room with a forgotten person has another one in the file.
        var roomKey: String
        var author: (key: String, name: String)?
        /// True for a message that was received when it was sent, whatever the network's clock says.
        var isLive = false
        /// True for a message that the network repeats or changes, which an erased room does not take.
        var isHistory = false

        package init(
            roomKey: String, author: (key: String, name: String)? = nil, isLive: Bool = false, isHistory: Bool = false
        ) {
            (self.roomKey, self.author, self.isLive, self.isHistory) = (roomKey, author, isLive, isHistory)
        }
    }

    /// Returns true for a message that was forgotten, or by a person who was forgotten later than that.
    ///
    /// - Parameters:
    ///   - time: In microseconds since 1970.
    ///   - room: The room's number.
    func contains(
        _ message: IncomingMessage, at time: Int64, room: Int64, from source: @autoclosure () throws -> Source,
        _ db: Database
    ) throws -> Bool {
        guard let digests else { return false }
        let source = try source()
        if source.isHistory, try hasErased(room: source.roomKey, at: time, db) { return true }
        if let remoteID = message.remoteID, try contains(id: remoteID, room: room, key: source.roomKey, db) {
            return true
        }
        if let author = source.author {
            if let end = try end(person: author.key, db), source.isLive ? end == .max : time <= end { return true }
            if try contains(digests.digest(author: author.key), db) { return true }
        }
        // The source's clock may be on the other side of a minute.
        let minute = ForgottenDigests.minute(message.plausibleTime)
        return try (minute - 1...minute + 1).contains {
            try contains(digests.digest(body: message.body, minute: $0, author: source.author?.name), db)
        }
    }

    /// Returns true for the network's id of a forgotten message.
    ///
    /// - Parameter key: The source's key of the room.
    package func contains(id: String, room: Int64, key: String, _ db: Database) throws -> Bool {
        guard let digests else { return false }
        return try contains(digests.digest(id: id, room: key), db)
            || Self.key(ofRoom: room, db).map { try contains(digests.digest(id: id, room: $0), db) } ?? false
    }

    /// Returns the instant up to which everything of a person is forgotten, in microseconds since 1970; nil for a person
    /// who was not forgotten.
    ///
    /// - Parameter key: The network's id of the person, or the name in the form in which names are compared.
    func end(person key: String, _ db: Database) throws -> Int64? {
        try digests.flatMap { try end(of: $0.digest(person: key), db) }
    }

    /// Returns true for history of a room that was erased later than that.
    ///
    /// - Parameters:
    ///   - key: The source's key of the room.
    ///   - time: In microseconds since 1970.
    func hasErased(room key: String, at time: Int64, _ db: Database) throws -> Bool {
        try erasedUntil(room: key, db).map { time <= $0 } ?? false
    }

    /// Returns the instant up to which the history of a room is not stored, because the room was erased, in microseconds
    /// since 1970; nil for other rooms.
    ///
    /// - Parameter key: The source's key of the room.
    func erasedUntil(room key: String, _ db: Database) throws -> Int64? {
        guard let digests else { return nil }
        let stored = try self.key(ofDirectRoom: key, db) ?? key
        return try end(of: digests.digest(erasedRoom: stored), db)
    }

    /// Returns the latest instant in a digest that begins with these bytes; nil if there is none.
    private func end(of digest: Data, _ db: Database) throws -> Int64? {
        // A digest with an instant follows the one without it.
        let last = digest + Data(repeating: 0xFF, count: MemoryLayout<Int64>.size)
        let statement = try db.cachedStatement(sql: "SELECT max(digest) FROM forgotten WHERE digest BETWEEN ? AND ?")
        return try Data.first(statement, [digest, last]).map(ForgottenDigests.end)
    }

    /// Returns the key under which the file has a direct room with a forgotten person; nil for every other room.
    func key(ofDirectRoom key: String, _ db: Database) throws -> String? {
        guard let digest = digests?.digest(directRoom: key), try contains(digest, db) else { return nil }
        return Self.key(digest)
    }

    /// Returns the key of a direct room with a forgotten person. Nobody can read the former key from it.
    static func key(_ digest: Data) -> String {
        Self.personName + " " + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Returns the digest of bytes that were forgotten because they name a person; nil for all others.
    func digest(words: Data, _ db: Database) throws -> Data? {
        guard let digest = digests?.digest(words: words), try contains(digest, db) else { return nil }
        return digest
    }

    private func contains(_ digest: Data, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM forgotten WHERE digest = ?")
        return try Int.fetchOne(statement, arguments: [digest]) != nil
    }

    /// Returns the key under which the file has a room of the network.
    static func storedKey(of room: RoomReference, _ db: Database) throws -> String {
        try ForgottenBook(db).key(ofDirectRoom: room.key, db) ?? room.key
    }

    package static func key(ofRoom room: Int64, _ db: Database) throws -> String? {
        try String.fetchOne(db.cachedStatement(sql: "SELECT key FROM room WHERE id = ?"), arguments: [room])
    }
}

extension ForgottenKey {
    package static func read(_ db: Database) throws -> ForgottenKey? {
        try db.cachedStatement(sql: "SELECT key, digests FROM forgotten_key").first {
            try ForgottenKey(key: $0.value(0), digests: $0.value(1))
        }
    }

    /// Writes digests to the catalog and to an account's file. After a crash in between, the next opening of the account
    /// forgets what they are of.
    package static func add(
        _ digests: some Collection<Data>, key: Data, of account: String, _ catalog: Catalog, _ db: Database
    )
        throws
    {
        try catalog.forget(digests, key: key, account: account)
        try addToFile(digests, key: key, db)
    }

    /// Adds digests to an account's file.
    package static func addToFile(_ digests: some Collection<Data>, key: Data, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO forgotten_key (id, key) VALUES (1, ?) ON CONFLICT DO NOTHING", arguments: [key])
        let insertion = try db.cachedStatement(sql: "INSERT INTO forgotten (digest) VALUES (?) ON CONFLICT DO NOTHING")
        var added = 0
        for digest in digests {
            try insertion.execute(arguments: [digest])
            added += db.changesCount
        }
        try db.execute(sql: "UPDATE forgotten_key SET digests = digests + ?", arguments: [added])
        try db.execute(sql: ForgottenBook.scrubIsDue)
    }
}
