import Foundation
import GRDB

/// Deletes the bytes of contents that no message has any longer. Their hashes are in the table `content_gone` until the
/// bytes are deleted, so a crash leaves none.
enum GoneContents {
    /// Call it on the writer's queue: a fetched file gets its row there, and the row needs the bytes.
    static func delete(from folder: AttachmentFolder, _ db: Database) throws {
        let gone = try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT sha256 FROM content_gone
                    WHERE NOT EXISTS (SELECT 1 FROM content WHERE content.sha256 = content_gone.sha256)
                    """))
        for sha256 in gone {
            if let file = folder.file(sha256) { try FolderEntries.remove(file) }
        }
        if try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM content_gone)")) == true {
            try db.execute(sql: "DELETE FROM content_gone")
        }
    }
}
