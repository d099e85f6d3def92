package import ChatModel
package import SQLite

/// The progress of a session. None of it ever goes back.
package struct SessionProgress {
    var signOfLife: Timestamp?
    /// The number of bytes in the journal.
    var bytes: Int64 = 0
    /// The number of parsed bytes.
    var position: Int64 = 0

    package init(signOfLife: Timestamp? = nil, bytes: Int64 = 0, position: Int64 = 0) {
        (self.signOfLife, self.bytes, self.position) = (signOfLife, bytes, position)
    }

    package mutating func advance(to other: SessionProgress) {
        if let sign = other.signOfLife { signOfLife = max(signOfLife ?? sign, sign) }
        bytes = max(bytes, other.bytes)
        position = max(position, other.position)
    }

    package func record(of session: SessionID, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE session SET last_sign_of_life_us = max(last_sign_of_life_us, ifnull(?, last_sign_of_life_us)),
                  bytes = max(bytes, ?), position = max(position, ?)
                WHERE id = ?
                """
        ).execute(arguments: [signOfLife?.microseconds, bytes, position, session.rawValue])
    }
}
