import ChatModel
import Foundation
import GRDB

/// The forgotten messages and people of an account, which are not stored again.
struct ForgottenBook {
    /// Nil in most archives, which need no look-up.
    private let digests: ForgottenDigests?

    init(_ db: Database) throws {
        digests = try ForgottenKey.read(db).map { ForgottenDigests(key: $0.key) }
    }

    /// Returns true for a message that was forgotten, or of a person whose later messages are not stored either.
    ///
    /// - Parameters:
    ///   - room: The room's number.
    ///   - author: The author's key and name as the source has them.
    func contains(
        _ message: IncomingMessage, room: Int64, author: @autoclosure () throws -> (key: String, name: String)?,
        _ db: Database
    ) throws -> Bool {
        guard let digests else { return false }
        let author = try author()
        var wanted: [Data] = []
        if let remoteID = message.remoteID, let key = try Self.key(ofRoom: room, db) {
            wanted.append(digests.digest(id: remoteID, room: key))
        }
        if let author { wanted.append(digests.digest(author: author.key)) }
        // The source's clock may be on the other side of a minute.
        let minute = ForgottenDigests.minute(message.plausibleTime)
        wanted += (minute - 1...minute + 1).map {
            digests.digest(body: message.body, minute: $0, author: author?.name)
        }
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM forgotten WHERE digest = ?")
        return try wanted.contains { try Int.fetchOne(statement, arguments: [$0]) != nil }
    }

    static func key(ofRoom room: Int64, _ db: Database) throws -> String? {
        try String.fetchOne(db.cachedStatement(sql: "SELECT key FROM room WHERE id = ?"), arguments: [room])
    }
}

extension ForgottenKey {
    static func read(_ db: Database) throws -> ForgottenKey? {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT key, digests FROM forgotten_key"))
            .map { try ForgottenKey(key: $0.value(0), digests: $0.value(1)) }
    }

    /// Adds digests to an account's file.
    static func add(_ digests: some Collection<Data>, key: Data, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO forgotten_key (id, key) VALUES (1, ?) ON CONFLICT DO NOTHING", arguments: [key])
        let insertion = try db.cachedStatement(sql: "INSERT INTO forgotten (digest) VALUES (?) ON CONFLICT DO NOTHING")
        var added = 0
        for digest in digests {
            try insertion.execute(arguments: [digest])
            added += db.changesCount
        }
        try db.execute(sql: "UPDATE forgotten_key SET digests = digests + ?", arguments: [added])
        try db.execute(sql: SpentPages.scrubIsDue)
    }
}
