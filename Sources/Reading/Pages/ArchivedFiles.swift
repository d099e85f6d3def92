import Accounts
import Bytes
package import ChatModel
import Files
import Records
import Schema

/// Reads the files and pictures of accounts, and finds them on disk.
package struct ArchivedFiles: Sendable {
    package let reading: ArchiveReading

    /// Returns a page of the files that came with messages.
    package func attachments(_ query: AttachmentQuery) throws -> AttachmentPage {
        try reading.collect(in: query.scope, into: AttachmentMerge(query)) { merge, reader in
            let files = AttachmentReader(
                account: reader.account, folder: reader.file.map { AttachmentFolder(of: $0.folder) },
                query: query)
            merge.add(try reader.read { db in try files.read(db) })
        }.result.page()
    }

    /// Returns the path, the name and the kind of an archived file that came with a message or is a picture; nil if there
    /// is none.
    ///
    /// Asks only the accounts whose folders have the file.
    package func file(_ sha256: String) throws -> ArchivedFile? {
        for (account, path) in try owners(of: sha256) {
            let found = try reading.collect(of: [account], isUse: true, into: ArchivedFile?.none) { found, reader in
                found = try reader.read { db in
                    let picture = try PictureReader.name(sha256, db)
                    let format = picture == nil ? nil : Picture.Format(ofFile: path)
                    let file = try AttachmentReader.name(sha256, db)
                    return (file?.name ?? picture).map { name in
                        ArchivedFile(
                            path: path, name: name, kind: file?.kind ?? (format == nil ? .file : .image),
                            format: format, isPicture: file == nil)
                    }
                }
            }.result
            if let found { return found }
        }
        return nil
    }

    /// Returns the accounts whose folders have a file, and its paths. Opens no account.
    private func owners(of sha256: String) throws -> [(account: String, path: String)] {
        guard let dataFolder = reading.dataFolder, AttachmentFolder.isHash(sha256) else { return [] }
        return try dataFolder.entries().compactMap { entry in
            guard reading.access.sees(account: entry.account.name),
                let path = AttachmentFolder(of: dataFolder.folder(of: entry)).file(sha256),
                FolderEntries.size(of: path) != nil
            else { return nil }
            return (entry.account.name, path)
        }
    }

    /// Returns the pictures whose last attempt, since an instant, failed, each with the reason, at most `limit`, sorted by
    /// their paths.
    package func failedPictures(
        account: String, since: Timestamp, limit: Int
    ) throws -> [(picture: Picture, error: String?)] {
        try reading.collect(in: .accounts([account]), into: [(picture: Picture, error: String?)]()) { found, reader in
            found = try reader.read { db in
                try db.all(
                    """
                    SELECT path, sha256, bytes, state, error IS NOT NULL, error FROM file
                    WHERE tried_at_us >= ?1 AND state <> 1 AND \(FactTable.hasPicture) ORDER BY path LIMIT \(limit)
                    """, [.integer(since.microseconds)]
                ) { row in (try PictureReader.picture(row), try row.optionalText(5)) }
            }
        }.result
    }

    /// Counts the requested files that are still missing, and the files that were archived or failed since an instant.
    package func attachmentTally(account: String, since: Timestamp) throws -> AttachmentTally {
        try reading.collect(in: .accounts([account]), into: AttachmentTally()) { tally, reader in
            tally = try reader.read { db in try AttachmentReader.tally(since: since, db) }
        }.result
    }
}
