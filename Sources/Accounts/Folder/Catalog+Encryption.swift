import ChatModel
import Files
import FoundationEssentials
import SQLite
import Schema

/// The knowledge of encrypted files without their secret keys.
extension Catalog {
    static func put(_ encryption: Encryption?, of directory: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM encrypted WHERE directory = ?", arguments: [directory])
        guard let encryption else { return }
        try db.execute(
            sql: """
                INSERT INTO encrypted (directory, sha256, recipients, epoch, required, files) VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                directory, encryption.sha256, encryption.recipients, encryption.epoch, encryption.isRequired,
                encryption.files,
            ])
    }

    /// Returns the key of the names of encrypted files in backups, and makes it at first.
    ///
    /// - Throws: ``ArchiveError`` if there is none and the catalog can't be written.
    func fileKey() throws -> Data {
        let stored = { (db: Database) in try Data.fetchOne(db, sql: "SELECT key FROM file_key") }
        if let key = try read(stored) { return key }
        let new = Self.newKey()
        try write { db in
            try db.execute(sql: "INSERT INTO file_key (id, key) VALUES (1, ?) ON CONFLICT DO NOTHING", arguments: [new])
        }
        return try read(stored) ?? new
    }

    static func newKey() -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
}

extension Catalog.Entry {
    /// - Parameter rest: The conditions and the order.
    static func fetch(
        _ db: Database, _ rest: String, _ arguments: StatementArguments
    ) throws -> [Catalog.Entry] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT name, network, directory, generation, used_at_us, cold_sha256, plain_bytes, cold_bytes,
                  created_at_us, messages, rooms, first_message_us, last_message_us, seq,
                  sha256, recipients, epoch, required, files
                FROM account LEFT JOIN encrypted USING (directory) \(rest)
                """)
        return try statement.all(arguments: arguments) { row in
            try Catalog.Entry(
                account: AccountIdentity(name: row.value(0), network: row.value(1)), directory: row.value(2),
                generation: row.value(3), cold: coldCopy(row), usedAt: row.value(4))
        }
    }

    private static func coldCopy(_ row: Columns) throws -> Catalog.ColdCopy? {
        guard let sha256: String = try row.value(5) else { return nil }
        return try Catalog.ColdCopy(
            digest: FileDigest(sha256: sha256, size: row.value(6)), size: row.value(7),
            holdings: Catalog.Holdings(
                createdAt: row.value(8), messages: row.value(9), rooms: row.value(10),
                firstMessage: row.value(11), lastMessage: row.value(12), seq: row.value(13)),
            encryption: encryption(row))
    }

    private static func encryption(_ row: Columns) throws -> Catalog.Encryption? {
        guard let sha256: String = try row.value(14) else { return nil }
        return try Catalog.Encryption(
            sha256: sha256, recipients: row.value(15), epoch: row.value(16), isRequired: row.value(17),
            files: row.value(18))
    }
}
