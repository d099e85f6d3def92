import Files
package import SQLite
import Schema

/// A file of a message that is about to be stored.
package struct NewAttachment {
    package let path: String
    /// The number of its bytes; nil if unknown.
    var size: Int64?
    /// The SHA-256 of its bytes if the account's folder has them; nil otherwise.
    var sha256: String?
    /// The ``AttachmentBook/Code`` to store if the bytes are not here.
    var state = AttachmentBook.Code.missing

    package init(path: String, size: Int64? = nil, sha256: String? = nil, state: Int64 = AttachmentBook.Code.missing) {
        (self.path, self.size, self.sha256, self.state) = (path, size, sha256, state)
    }

    /// Stores the file with a message. The bytes of a network's file may already be here from another message.
    ///
    /// - Returns: True if the file is new, or has its bytes now.
    package func store(as message: Int64, _ db: Database) throws -> Bool {
        let known: (id: Int64, state: Int64)? = try db.cachedStatement(
            sql: """
                SELECT attachment.id, state FROM attachment CROSS JOIN file ON file.id = file_id
                WHERE message_id = ? AND path = ? ORDER BY state <> 1 LIMIT 1
                """
        ).first(arguments: [message, path]) { try ($0.value(0), $0.value(1)) }
        guard let known else {
            let file = try fileWithContent(db) ?? fileWithoutContent(db)
            try db.cachedStatement(sql: "INSERT INTO attachment (message_id, file_id, bytes) VALUES (?, ?, ?)")
                .execute(arguments: [message, file, sha256 == nil ? size : nil])
            return true
        }
        // A content that a rule removed does not come back to its message.
        let isSettled = [AttachmentBook.Code.fetched, AttachmentBook.Code.expired].contains(known.state)
        guard !isSettled, let file = try fileWithContent(db) else { return false }
        try db.cachedStatement(sql: "UPDATE attachment SET file_id = ? WHERE id = ?")
            .execute(arguments: [file, known.id])
        return true
    }

    /// Stores the file of a picture of a person, a room or a workspace. Its path may be that of a message's file.
    func storeAsPicture(_ db: Database) throws {
        guard !path.isEmpty else { return }
        if state == AttachmentBook.Code.otherServer, sha256 == nil {
            let known = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM file WHERE path = ?)")
            if try Bool.fetchOne(known, arguments: [path]) == true { return }
        }
        let file = try fileWithContent(db) ?? fileWithoutContent(db)
        // A picture has the path, so it needs no other row.
        if sha256 != nil, let missing = try FileRow.missing(path, db) { try FileRow.join(missing, to: file, db) }
    }

    /// Returns the file with the content of this one: the known content, or the last one that the network had under the
    /// path. Nil if the account has neither.
    private func fileWithContent(_ db: Database) throws -> Int64? {
        if let sha256 {
            try FileRow.storeContent(FileDigest(sha256: sha256, size: size ?? -1), db)
            if let there = try FileRow.find(path, sha256: sha256, db) { return there }
            try db.cachedStatement(sql: "INSERT INTO file (path, sha256, state) VALUES (?, ?, 1)")
                .execute(arguments: [path, sha256])
            return db.lastInsertedRowID
        }
        guard state != AttachmentBook.Code.otherServer else { return nil }
        let statement = try db.cachedStatement(
            sql: "SELECT id FROM file WHERE path = ? AND state = 1 ORDER BY tried_at_us DESC, id DESC LIMIT 1")
        return try Int64.fetchOne(statement, arguments: [path])
    }

    /// Returns the path's file that is not here. Requests it again if the network lacked it or its last attempt
    /// failed for good, because the network has sent another message with it.
    private func fileWithoutContent(_ db: Database) throws -> Int64 {
        guard let there = try FileRow.missing(path, db) else {
            try db.cachedStatement(sql: "INSERT INTO file (path, state) VALUES (?, ?)").execute(arguments: [
                path, state,
            ])
            return db.lastInsertedRowID
        }
        guard state == AttachmentBook.Code.missing else { return there }
        let isOver = """
            file.id = ?1 AND (state IN (\(AttachmentBook.Code.gone), \(AttachmentBook.Code.expired))
              OR state = \(AttachmentBook.Code.otherServer) AND tried_at_us IS NULL
              OR state = \(AttachmentBook.Code.missing) AND tried_at_us IS NOT NULL AND next_try_us IS NULL)
            """
        try Feed.files(where: "\(isOver) AND state <> \(AttachmentBook.Code.missing)", [there], db)
        try db.cachedStatement(sql: "UPDATE file SET state = 0, next_try_us = tried_at_us WHERE \(isOver)")
            .execute(arguments: [there])
        return there
    }
}
