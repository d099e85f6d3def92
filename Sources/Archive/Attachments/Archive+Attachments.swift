package import ChatModel

extension ArchiveReading {
    /// Returns a page of the files that came with messages.
    package func attachments(_ query: AttachmentQuery) async throws -> AttachmentPage {
        var merge = AttachmentMerge(query)
        try await eachReader(in: query.scope) { reader in
            let files = AttachmentReader(
                account: reader.account, folder: AttachmentFolder(of: reader.folder), query: query)
            merge.add(try reader.read { db in try files.read(db) })
        }
        return merge.page()
    }

    /// Counts the requested files that are still missing, and the files that were archived or failed since an instant.
    package func attachmentTally(account: String, since: Timestamp) async throws -> AttachmentTally {
        var tally = AttachmentTally()
        try await eachReader(in: .accounts([account])) { reader in
            tally = try reader.read { db in try AttachmentReader.tally(since: since, db) }
        }
        return tally
    }
}

extension Archive {
    /// Returns the number of an account's files, and their size in bytes.
    package func attachmentSize(of account: AccountSummary) throws -> (count: Int, bytes: Int64) {
        let folder = AttachmentFolder(account: account.folder)
        let sizes = try folder.hashes().compactMap { folder.file($0).flatMap(AccountFolder.size) }
        return (sizes.count, sizes.reduce(0, +))
    }
}
