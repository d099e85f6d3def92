package import ChatModel

extension ArchiveReading {
    /// Returns a page of the files that came with messages.
    package func attachments(_ query: AttachmentQuery) async throws -> AttachmentPage {
        try await collect(in: query.scope, into: AttachmentMerge(query)) { merge, reader in
            let files = AttachmentReader(
                account: reader.account, folder: reader.file.map { AttachmentFolder(of: $0.folder) },
                query: query)
            merge.add(try reader.read { db in try files.read(db) })
        }.result.page()
    }

    /// Returns the path, the name and the kind of an archived file that came with a message in a scope; nil if none of
    /// them has such a file.
    package func file(_ sha256: String, in scope: MessageQuery.Scope) async throws -> ArchivedFile? {
        guard AttachmentFolder.isHash(sha256) else { return nil }
        return try await collect(in: scope, into: ArchivedFile?.none) { found, reader in
            guard found == nil, let files = reader.file.map({ AttachmentFolder(of: $0.folder) }),
                let path = files.file(sha256)
            else { return }
            found = try reader.read { db in
                try AttachmentReader.name(sha256, rooms: scope.rooms(of: reader.account.name), db)
            }.map { ArchivedFile(path: path, name: $0.name, kind: $0.kind) }
        }.result
    }

    /// Counts the requested files that are still missing, and the files that were archived or failed since an instant.
    package func attachmentTally(account: String, since: Timestamp) async throws -> AttachmentTally {
        try await collect(in: .accounts([account]), into: AttachmentTally()) { tally, reader in
            tally = try reader.read { db in try AttachmentReader.tally(since: since, db) }
        }.result
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
