package import ChatModel
import Files
import FoundationEssentials
import Glibc

/// Creates accounts in a data folder.
package struct AccountCreation {
    private let dataFolder: DataFolder

    package init(in dataFolder: DataFolder) { self.dataFolder = dataFolder }

    /// Returns the account's entry. Creates the account if it is missing; one process at a time does so.
    package func entry(of account: AccountIdentity) throws -> Catalog.Entry {
        let making = try dataFolder.takeMakingLock()
        defer { withExtendedLifetime(making) {} }
        guard let entry = try dataFolder.entry(named: account.name) ?? entry(alike: account.name) else {
            return try make(account)
        }
        guard entry.account.network == account.network else {
            throw ArchiveError(
                code: .unknownAccount,
                detail: "account '\(account.name)' in \(dataFolder.path) belongs to the network "
                    + "\(entry.account.network), not \(account.network); choose another name")
        }
        return entry
    }

    /// Returns the account whose name is the same in another form of Unicode; two names that look the same would be
    /// confused. Files from macOS may have decomposed names.
    private func entry(alike name: String) throws -> Catalog.Entry? {
        // ASCII has one form.
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
        return try dataFolder.catalog.entries().first {
            $0.account.name == name && access(dataFolder.folder(of: $0).path, F_OK) == 0
        }
    }

    /// Creates the account under a name that no process reads, and renames it when it is complete, so that a crash
    /// leaves no partial account.
    private func make(_ account: AccountIdentity) throws -> Catalog.Entry {
        let entry = Catalog.Entry(
            account: account, directory: AccountFolder.newName(for: account.name), generation: 1, cold: nil,
            usedAt: .now())
        let unfinished = AccountFolder(path: dataFolder.unfinishedAccount, generation: 1)
        try? FileManager.default.removeItem(atPath: unfinished.path)
        try unfinished.create(for: account)
        try FolderEntries.rename(unfinished.path, to: dataFolder.folder(of: entry).path)
        try FolderEntries.synchronize(dataFolder.accountsPath)
        try FolderEntries.synchronize(dataFolder.path)
        try dataFolder.catalog.put(entry)
        return entry
    }
}
