package import Files
package import SQLite

/// Deletes the bytes of contents that no message has any longer. Their hashes are in the table `content_gone` until the
/// bytes are deleted, so a crash leaves none.
package enum GoneContents {
    /// Notes those of the contents that no message has.
    ///
    /// - Returns: Their hashes.
    package static func note(unused hashes: [String], _ db: Database) throws -> [String] {
        let insertion = try db.cachedStatement(
            sql: """
                INSERT INTO content_gone (sha256) SELECT ?1
                WHERE NOT EXISTS (SELECT 1 FROM content WHERE sha256 = ?1) ON CONFLICT DO NOTHING
                """)
        return try hashes.filter { hash in
            try insertion.execute(arguments: [hash])
            return db.changesCount > 0
        }
    }

    /// Call it on the writer's queue: a fetched file gets its row there, and the row needs the bytes.
    ///
    /// Does nothing while the folder is a link to a disk that is not mounted.
    package static func delete(from folder: AttachmentFolder, _ db: Database) throws {
        if folder.isLinkToNothing { return }
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

    /// Requires that the bytes are deleted.
    ///
    /// - Throws: ``ArchiveError`` with `linked` while the folder is a link to a disk that is not mounted.
    package static func requireNone(in folder: AttachmentFolder, _ db: Database) throws {
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM content_gone)") == true else { return }
        throw ArchiveError(
            code: .linked,
            detail: "\(folder.path) is a link to nothing; files that nobody has any longer are still there",
            hint: "mount that disk; the next command that writes to the account removes them")
    }
}
