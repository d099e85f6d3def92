package import ChatModel

/// A data folder's accounts in another one.
package struct Backup: Sendable {
    private let archive: DataFolder
    private let copies: DataFolder

    init(of archive: DataFolder, in folder: String, isNew: Bool) throws {
        self.archive = archive
        copies = DataFolder(
            path: folder, logger: archive.logger, readsCold: false, restoring: archive.restoring,
            leftOut: archive.leftOut)
        try AccountTransfer.requireApart(archive, copies)
        if isNew { try AccountTransfer.makeFolders(in: copies) }
    }

    /// The accounts that it has, by name.
    package func accounts() throws -> [AccountIdentity] {
        try copies.entries().map(\.account)
    }

    /// Copies an account's file into it: of one state, while a writer goes on, and compressed if it is. An earlier copy of the
    /// same account is kept until this one is verified.
    ///
    /// - Parameter progress: An error ends it, and leaves everything as it was.
    /// - Throws: ``ArchiveError`` with `backup` when it has another account of that name, or more of this one.
    @discardableResult
    package func add(
        account: String, progress: @escaping (BackupProgress) throws -> Void = { _ in }
    ) async throws -> BackupReport {
        try await AccountTransfer(source: archive, target: copies, progress: progress).backUp(account.withoutNUL)
    }

    /// Copies an account from it into the archive, plain, under a new epoch of its change feed. The backup stays as it is.
    ///
    /// - Parameter progress: An error ends it, and leaves everything as it was.
    /// - Throws: ``ArchiveError`` with `backup` when the archive has an account of that name.
    @discardableResult
    package func restore(
        account: String, progress: @escaping (BackupProgress) throws -> Void = { _ in }
    ) async throws -> BackupReport {
        try await AccountTransfer(source: copies, target: archive, progress: progress).restore(account.withoutNUL)
    }
}

/// How far a copy of an account is.
package struct BackupProgress: Sendable, Hashable {
    /// Of the file, that are done.
    package var bytes: Int64
    /// What has been added to the `-wal` of the account's file since it began: nothing there can be reused meanwhile.
    package var logGrowth: Int64
}

/// A copy of an account that was made, and verified.
package struct BackupReport: Sendable, Hashable {
    package var messages: Int64
    package var rooms: Int64
    /// Of the copy's file.
    package var bytes: Int64
    package var state: AccountSummary.State
    /// The path of the copy's folder.
    package var folder: String
    /// It was there already, and nothing was done: a compressed file that has not changed.
    package var isUnchanged = false
    /// Bytes that were added to the `-wal` of the account's file meanwhile.
    package var logGrowth: Int64 = 0
    package var files = Files()

    /// Files that came with messages.
    package struct Files: Sendable, Hashable {
        /// That the copy has.
        package var count = 0
        package var bytes: Int64 = 0
        /// That it had not before.
        package var added = 0
        /// That are not what they were when they came, and so are not in the copy: their hashes.
        package var spoilt: [String] = []
    }
}
