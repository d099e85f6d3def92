import Files
import SQLite

/// Rows of `file`, by their path, and of `content`.
enum FileRow {
    /// Returns the path's file that is not here; nil if there is none.
    static func missing(_ path: String, _ db: Database) throws -> Int64? {
        let statement = try db.cachedStatement(sql: "SELECT id FROM file WHERE \(AttachmentBook.isMissing)")
        return try Int64.fetchOne(statement, arguments: [path])
    }

    /// Returns the path's file with that content; nil if there is none.
    static func find(_ path: String, sha256: String, _ db: Database) throws -> Int64? {
        let statement = try db.cachedStatement(sql: "SELECT id FROM file WHERE path = ? AND ifnull(sha256, '') = ?")
        return try Int64.fetchOne(statement, arguments: [path, sha256])
    }

    /// Stores a content that is in the account's folder. Its size was measured there, and replaces another one.
    static func storeContent(_ digest: FileDigest, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO content (sha256, bytes) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET bytes = excluded.bytes WHERE bytes IS NOT excluded.bytes
                """
        ).execute(arguments: [digest.sha256, digest.size])
    }

    /// Moves the messages of a file's row to another row of the same path, and deletes the first row.
    static func join(_ file: Int64, to other: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE OR IGNORE attachment SET file_id = ? WHERE file_id = ?")
            .execute(arguments: [other, file])
        // Deletes the rows of messages that have both files already.
        try db.cachedStatement(sql: "DELETE FROM attachment WHERE file_id = ?").execute(arguments: [file])
        // A picture has the path, not the row.
        try db.cachedStatement(sql: "DELETE FROM file WHERE id = ?").execute(arguments: [file])
    }
}
