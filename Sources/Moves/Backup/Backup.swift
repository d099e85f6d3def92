import Accounts
package import Archive
import Bytes
package import ChatModel
package import Files
package import Reading

/// Copies of a data folder's accounts in another folder.
package struct Backup: Sendable {
    private let archive: DataFolder
    private let copies: DataFolder
    private let recipients: AgeRecipients?

    init(of archive: DataFolder, in folder: String, isNew: Bool, recipients: AgeRecipients?) throws {
        (self.archive, self.recipients) = (archive, recipients)
        copies = DataFolder(
            path: folder, logger: archive.logger, identities: archive.identities, restoring: archive.restoring,
            skipped: archive.skipped, forgetting: archive.forgetting)
        try recipients?.check()
        try AccountTransfer.requireApart(archive, copies)
        if isNew { try AccountPlacing.makeFolders(in: copies) }
    }

    /// Returns the accounts in the backup, sorted by name.
    package func accounts() throws -> [AccountIdentity] {
        try copies.entries().map(\.account)
    }

    /// Copies one state of an account's file into the backup, while a writer continues; a compressed file stays
    /// compressed. With recipients, the copy is compressed and encrypted. An earlier copy of the same account is kept until the new one is verified.
    ///
    /// - Parameter progress: Receives the progress; its error ends the copy and leaves everything as it was.
    /// - Throws: ``ArchiveError`` with `backup` if the backup has another account of that name, or more changes of this
    ///   one.
    @discardableResult
    package func add(
        account: String, progress: @escaping @Sendable (BackupProgress) throws -> Void = { _ in }
    ) throws -> BackupReport {
        try AccountTransfer(source: archive, target: copies, recipients: recipients, progress: progress)
            .backUp(account.withoutNUL)
    }

    /// Copies an account from the backup into the archive, as a plain file under a new epoch of its change feed. Does
    /// not change the backup.
    ///
    /// - Parameter progress: Receives the progress; its error ends the copy and leaves everything as it was.
    /// - Throws: ``ArchiveError`` with `backup` if the archive has an account of that name.
    @discardableResult
    package func restore(
        account: String, progress: @escaping @Sendable (BackupProgress) throws -> Void = { _ in }
    ) throws -> BackupReport {
        try AccountTransfer(source: copies, target: archive, progress: progress).restore(account.withoutNUL)
    }
}

extension Archive {
    /// Opens the backup in a folder.
    ///
    /// - Parameters:
    ///   - isNew: True to create the folder if it is missing.
    ///   - recipients: The public keys to which copies are encrypted; nil for none.
    /// - Throws: ``ArchiveError`` with `backup` if the folder can't be created, or is the archive's own folder or
    ///   inside it; with `age` if the program `age` is missing or refuses a key.
    package func backup(in folder: String, isNew: Bool = false, recipients: AgeRecipients? = nil) throws -> Backup {
        try Backup(of: dataFolder, in: folder, isNew: isNew, recipients: recipients)
    }

    /// Makes an account's file from its copy in a shared archive, under a new epoch of its change feed. Raw bytes and
    /// files that came with messages are not there.
    ///
    /// - Parameter progress: Receives the progress; its error ends the copy and leaves everything as it was.
    /// - Throws: ``ArchiveError`` with `backup` if the archive has an account of that name.
    @discardableResult
    package func restore(
        account: String, from shared: SharedArchive,
        progress: @escaping @Sendable (BackupProgress) throws -> Void = { _ in }
    ) throws -> BackupReport {
        try SharedRestore(server: shared.server, target: dataFolder, progress: progress)
            .restore(account.withoutNUL)
    }
}

/// The progress of a copy.
package struct BackupProgress: Sendable, Hashable {
    /// The number of bytes of the file that are done.
    package var bytes: Int64
    /// The bytes added to the `-wal` of the account's file since the copy began, because its space can't be reused
    /// meanwhile.
    package var logGrowth: Int64

    package init(bytes: Int64, logGrowth: Int64) {
        (self.bytes, self.logGrowth) = (bytes, logGrowth)
    }
}

/// A finished and verified copy of an account.
package struct BackupReport: Sendable, Hashable {
    package var messages: Int64
    package var rooms: Int64
    /// The size of the copy's file, in bytes.
    package var bytes: Int64
    package var state: AccountSummary.State
    /// The path of the copy's folder.
    package var folder: String
    /// True if the copy existed and nothing was copied, because the compressed file has not changed.
    package var isUnchanged = false
    /// The bytes added to the `-wal` of the account's file meanwhile.
    package var logGrowth: Int64 = 0
    package var files = Files()
    /// The number of files that came with messages and whose bytes the copy lacks: a shared archive has none.
    package var missingFiles = 0

    package init(
        messages: Int64, rooms: Int64, bytes: Int64, state: AccountSummary.State, folder: String,
        isUnchanged: Bool = false, logGrowth: Int64 = 0, files: Files = Files(), missingFiles: Int = 0
    ) {
        (self.messages, self.rooms, self.bytes, self.state) = (messages, rooms, bytes, state)
        (self.folder, self.isUnchanged, self.logGrowth, self.files) = (folder, isUnchanged, logGrowth, files)
        self.missingFiles = missingFiles
    }

    /// Files that came with messages.
    package struct Files: Sendable, Hashable {
        /// The number of files in the copy.
        package var count = 0
        package var bytes: Int64 = 0
        /// The number of files that the copy lacked before.
        package var added = 0
        /// The hashes of files whose content has changed since they came; the copy does not have them.
        package var corrupt: [String] = []

        mutating func add(_ other: Files) {
            (count, bytes, added) = (count + other.count, bytes + other.bytes, added + other.added)
            corrupt += other.corrupt
        }
    }
}
