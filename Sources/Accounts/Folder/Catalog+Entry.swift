package import ChatModel
package import Files
package import Schema

extension Catalog {
    /// One account in the catalog.
    package struct Entry: Sendable, Hashable {
        package var account: AccountIdentity
        /// The folder's name in `accounts/`.
        package var directory: String
        /// The number in the file's name. Grows with every restore, so that no file name is used again.
        package var generation: Int
        /// The contents of the compressed file; nil for a hot account.
        package var cold: ColdCopy?
        /// The time of the last use, to within a minute.
        var usedAt: Timestamp

        package init(
            account: AccountIdentity, directory: String, generation: Int, cold: ColdCopy? = nil, usedAt: Timestamp
        ) {
            (self.account, self.directory, self.generation) = (account, directory, generation)
            (self.cold, self.usedAt) = (cold, usedAt)
        }
    }

    /// The contents of a cold file when it was made.
    package struct ColdCopy: Sendable, Hashable {
        package var digest: FileDigest
        /// The size of the compressed file, in bytes.
        package var size: Int64
        package var holdings: Holdings
        /// Nil if the file is not encrypted.
        package var encryption: Encryption?

        package init(digest: FileDigest, size: Int64, holdings: Holdings, encryption: Encryption? = nil) {
            (self.digest, self.size, self.holdings, self.encryption) = (digest, size, holdings, encryption)
        }
    }

    /// The knowledge of an encrypted file without the secret key.
    package struct Encryption: Sendable, Hashable {
        /// The SHA-256 of the encrypted file, in hexadecimal.
        package var sha256: String
        /// ``AgeRecipients/digest`` of the keys that can decrypt it.
        package var recipients: String
        /// The epoch of the account's change feed.
        package var epoch: String
        /// True for a backup with recipients, which no plain copy replaces.
        package var isRequired = false
        /// The number of encrypted files that came with messages.
        package var files = 0

        package init(sha256: String, recipients: String, epoch: String, isRequired: Bool = false, files: Int = 0) {
            (self.sha256, self.recipients, self.epoch) = (sha256, recipients, epoch)
            (self.isRequired, self.files) = (isRequired, files)
        }
    }

    /// The figures of an account that commands can show without opening its file.
    package struct Holdings: Sendable, Hashable {
        var createdAt: Timestamp
        package var messages: Int64
        package var rooms: Int64
        var firstMessage: MessageID?
        var lastMessage: MessageID?
        /// The number of the last change in the feed.
        package var seq: Int64
    }
}

extension Catalog.Holdings {
    package init(_ db: ReadTransaction, path: String) throws {
        let holdings = try db.first(
            """
            SELECT created_at_us, (SELECT CAST(coalesce(sum(messages), 0) AS BIGINT) FROM room),
              (SELECT count(DISTINCT room_id) FROM room_name), (SELECT min(id) FROM message), (SELECT max(id) FROM message)
            FROM account
            """
        ) { row in
            try Self(
                createdAt: row.time(0), messages: row.integer(1), rooms: row.integer(2),
                firstMessage: row.optionalMessageID(3), lastMessage: row.optionalMessageID(4),
                seq: Self.lastChange(db))
        }
        guard let holdings else { throw ArchiveError(code: .corrupt, detail: "\(path) has no account name") }
        self = holdings
    }

    /// Returns the number of the last change; 0 when there is none.
    package static func lastChange(_ db: ReadTransaction) throws -> Int64 {
        try db.integer("SELECT max(seq) FROM change") ?? 0
    }
}
