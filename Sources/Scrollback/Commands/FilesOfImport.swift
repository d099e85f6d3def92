import Archive
import ChatModel
import Reading
import Settings

/// Stores the files beside an export. The first file creates the account if it does not exist.
actor FilesOfImport {
    private let archive: Archive
    private let account: AccountIdentity
    private var store: ImportedFileStore?

    init(archive: Archive, account: AccountIdentity) {
        (self.archive, self.account) = (archive, account)
    }

    nonisolated func store(
        _ open: () throws -> () throws -> ArraySlice<UInt8>
    ) async throws -> (sha256: String, size: Int64) {
        try await ready().store(open)
    }

    private func ready() async throws -> ImportedFileStore {
        if let store { return store }
        if try !archive.reading().accounts().contains(where: { $0.name == account.name }) {
            let writing = StoreWriting(archive: archive, account: account)
            try await writing.perform(.importLines(account: account.name, [], isUnread: false))
            try await writing.close()
        }
        let store = try ImportedFileStore(of: account.name, in: archive.reading())
        self.store = store
        return store
    }
}
