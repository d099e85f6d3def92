package import ChatModel

extension Archive {
    /// Files that came with messages.
    package func attachments(_ query: AttachmentQuery) async throws -> AttachmentPage {
        var merge = AttachmentMerge(query)
        try await eachReader(in: query.scope) { reader in
            let files = AttachmentReader(
                account: reader.account, folder: AttachmentFolder(of: reader.folder), query: query)
            merge.add(try reader.read { db in try files.read(db) })
        }
        return merge.page()
    }

    /// What became, since an instant, of files that somebody asked for.
    package func attachmentTally(account: String, since: Timestamp) async throws -> AttachmentTally {
        var tally = AttachmentTally()
        try await eachReader(in: .accounts([account])) { reader in
            tally = try reader.read { db in try AttachmentReader.tally(since: since, db) }
        }
        return tally
    }
}
