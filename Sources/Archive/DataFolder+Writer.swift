import Accounts
import Bytes
import ChatModel
import Files
import Schema
import Writing

/// Opens the writers of accounts.
extension DataFolder {
    /// Opens the account's only writer. Creates the account if it is missing.
    func openWriter(_ named: AccountIdentity) throws -> AccountWriter {
        let account = AccountIdentity(name: named.name.withoutNUL, network: named.network)
        try FolderEntries.make(path)
        try FolderEntries.make(accountsPath)
        let entry = try AccountCreation(in: self).entry(of: account)
        // Opens the file for reading first, because opening it for writing would change a file that is not
        // Scrollback's.
        let reader = try openReader(entry, isUse: true, writes: true)
        guard let file = reader.file, let useLock = file.useLock else { throw ArchiveError.needsFiles }
        let folder = file.folder
        let writerLock = try FileLock.wait(
            for: folder.writer,
            else: ArchiveError(
                code: .locked,
                detail: "account '\(account.name)' in \(path) is in use by \(FileLock.signature(path: folder.writer))")
        )
        writerLock.sign()
        return try writer(of: entry, in: folder, locks: [useLock, writerLock])
    }

    /// Opens the writer of an account whose locks are held, and forgets what is to be forgotten.
    func writer(of entry: Catalog.Entry, in folder: AccountFolder, locks: [FileLock]) throws -> AccountWriter {
        let adoption = ForgottenAdoption(account: entry.account.name, catalog: catalog)
        return try AccountWriter(
            entry.account, folder: folder, catalog: catalog, locks: locks, limit: limit, limits: limits, logger: logger
        ) { connection, db in try connection.adoptForgotten(adoption, AttachmentFolder(of: folder), db) }
    }
}
