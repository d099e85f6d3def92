import Bytes
package import ChatModel
package import Files
package import Logging
import Schema

/// A data folder with the files of all accounts, which are found by the account's name.
///
/// Reading opens read-only connections and closes them with the call. Reading creates nothing.
package struct Archive: Sendable {
    /// The folder's path, as given.
    package let folder: String
    let dataFolder: DataFolder

    /// - Parameters:
    ///   - logger: Receives reports from writers, which wait while the disk has trouble.
    ///   - openConnections: The limit of account files that are open at once. When all are in use, others wait up to 5
    ///     s for one.
    ///   - keepsCopies: True for a server: a cold account that is read alone stays cold. It is read from a private copy,
    ///     which is kept for a minute.
    ///   - reserve: The descriptors that reading leaves to others; nil to use all.
    ///   - identities: The secret keys for encrypted accounts.
    ///   - restoring: Receives the number of bytes done while a cold account is made readable, and nil at the end.
    ///   - reportSkipped: Receives the accounts that can't be read, when others can; each of them once.
    package init(
        folder: String, logger: Logger = Logger(label: "store"), openConnections: Int = openConnections,
        reserve: DescriptorReserve? = nil, cold: ColdReading = .alone, keepsCopies: Bool = false,
        identities: AgeIdentities = .environment,
        restoring: @escaping @Sendable (_ account: String, _ bytes: Int64?) -> Void = { _, _ in },
        reportSkipped: @escaping @Sendable ([SkippedAccount]) -> Void = { _ in }
    ) {
        self.folder = folder
        dataFolder = DataFolder(
            path: folder, logger: logger, openConnections: openConnections, reserve: reserve, cold: cold,
            kept: keepsCopies ? KeptCopies() : nil, identities: identities, restoring: restoring,
            skipped: SkippedAccounts(report: reportSkipped))
    }

    /// Returns the same archive, in which reading several accounts includes cold ones, from copies that are removed
    /// afterwards.
    package var withCold: Archive { Archive(self) }

    private init(_ other: Archive) {
        folder = other.folder
        let known = other.dataFolder
        dataFolder = DataFolder(
            path: known.path, logger: known.logger, openConnections: known.limit.maximum, reserve: known.limit.reserve,
            cold: .several, kept: known.kept, identities: known.identities, restoring: known.restoring,
            skipped: SkippedAccounts { _ in })
    }

    /// The limits on the space that the accounts may take; none at first.
    package var limits: StorageLimits { dataFolder.limits }

    /// The accounts that the answers so far lack.
    package var skipped: [SkippedAccount] { dataFolder.skipped.all }

    /// The free bytes that this user may use, and all bytes, of the data folder's disk; nil if the system can't
    /// report them.
    package var disk: (free: Int64, total: Int64)? { FreeSpace.ofDisk(folder) }

    /// The usual limit of account files that are open at once.
    package static let openConnections = ConnectionLimit.usual
    /// The largest number of descriptors that an open account file takes.
    package static let descriptorsPerFile = ConnectionLimit.descriptors

    /// The zstd levels that ``evict(account:level:progress:)`` accepts.
    package static let coldLevels = ColdFile.levels
    /// The usual zstd level.
    package static let coldLevel = ColdFile.defaultLevel

    /// Compresses the account's file. Does nothing when the account is cold.
    ///
    /// - Parameters:
    ///   - level: The zstd level, 1 to 19.
    ///   - recipients: The public keys to encrypt to; nil for none.
    ///   - progress: Receives the number of bytes done.
    /// - Throws: ``ArchiveError`` with `locked` if the account is in use.
    package func evict(
        account: String, level: Int, recipients: AgeRecipients? = nil, progress: @Sendable (Int64) -> Void = { _ in }
    ) throws -> AccountSummary {
        try dataFolder.evict(
            account: account.withoutNUL, level: level, recipients: recipients, progress: progress)
    }

    /// Returns the uncompressed accounts, sorted by name, and reports the compressed ones as skipped.
    package func hotAccounts() throws -> [AccountIdentity] {
        let entries = try dataFolder.entries()
        dataFolder.report(
            entries.compactMap { entry in
                let name = entry.account.name
                return entry.cold.map { cold in
                    (name, cold.encryption == nil ? ArchiveError.compressed([name]) : .encrypted([name]))
                }
            })
        return entries.filter { $0.cold == nil }.map(\.account)
    }

    /// Returns true if the folder has folders of accounts, readable or not. Opens no file.
    package func hasAccounts() throws -> Bool {
        try !dataFolder.accountDirectories().isEmpty
    }

    /// Returns the error of a damaged catalog; nil if the catalog can be read or is missing.
    package func catalogDamage() throws -> ArchiveError? {
        try dataFolder.catalog.damage()
    }

    /// Returns the number of bytes in unused pages of an account's file.
    package func unusedBytes(of account: String) throws -> Int64 {
        guard let reader = try dataFolder.openReader(account: account.withoutNUL, isUse: false) else {
            throw dataFolder.unknown(account: account, known: try dataFolder.entries().map(\.account.name))
        }
        return try reader.read { db in
            let pages = try db.integer("PRAGMA freelist_count") ?? 0
            return try pages * (db.integer("PRAGMA page_size") ?? 0)
        }
    }

    /// Writes an account's file again without its unused pages.
    ///
    /// - Throws: ``ArchiveError`` with `locked` if the account is in use.
    package func compact(account: String) throws -> AccountSummary {
        try dataFolder.compact(account: account.withoutNUL)
    }

    /// Compresses the least recently used accounts until the hot ones are within the limits. Skips an account that is
    /// in use, and continues with the next. Without a limit on bytes, the hot accounts may take half of the space that they
    /// and the free part of the disk have together; that they exceed this is no failure.
    ///
    /// - Parameters:
    ///   - check: Runs between accounts and with each piece of a file; its error ends the call there and leaves that
    ///     account unchanged.
    ///   - progress: Receives the number of bytes done of an account.
    package func evictOver(
        _ limits: HotLimits, check: @Sendable () throws -> Void = {},
        progress: @Sendable (_ account: String, _ bytes: Int64) -> Void = { _, _ in }
    ) throws -> HotReport {
        try dataFolder.evictOver(limits, check: check, progress: progress)
    }

    /// Completes or rolls back moves that a crash interrupted, in every account that is not in use.
    ///
    /// - Parameters:
    ///   - check: Runs between accounts and with each piece of a file; its error ends the call there, and the next call
    ///     does the remaining work.
    ///   - report: Receives the error of each account that remains unchanged.
    package func recover(
        check: @Sendable () throws -> Void = {}, report: @Sendable (ArchiveError) -> Void
    ) throws {
        try dataFolder.recover(check: check, report: report)
    }

    /// Rebuilds the catalog from the accounts' folders, and keeps the order of use.
    ///
    /// - Parameter report: Receives the error of each folder that can't be read.
    package func rebuildCatalog(report: @Sendable (ArchiveError) -> Void) throws {
        try dataFolder.rebuildCatalog(report: report)
    }

    /// Requires that ``erase(account:)`` would remove every file of an account.
    ///
    /// - Throws: ``ArchiveError`` with `linked` if the account's folder is or has a symbolic link.
    package func requireErasable(_ account: AccountSummary) throws {
        try LinkedFiles(in: account.folder).requireNone()
    }

    /// Removes an account with all its files.
    ///
    /// - Returns: A summary of the account before its removal.
    /// - Throws: ``ArchiveError`` with `locked` if the account is in use, and with `linked` as
    ///   ``requireErasable(_:)``.
    package func erase(account: String) throws -> AccountSummary {
        try dataFolder.erase(account: account.withoutNUL)
    }

    /// Makes the account's file plain again. Does nothing when the account is hot.
    ///
    /// - Parameter progress: Receives the number of bytes done.
    /// - Throws: ``ArchiveError`` with `locked` if the account is in use.
    package func restore(
        account: String, progress: @Sendable (Int64) -> Void = { _ in }
    ) throws -> AccountSummary {
        try dataFolder.restore(account: account.withoutNUL, progress: progress)
    }

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

    /// Returns a value for reading, which opens nothing yet.
    package func reading() -> ArchiveReading {
        ArchiveReading(dataFolder)
    }

    /// Returns a value for reading, with the accounts of a scope open.
    package func reading(_ scope: MessageQuery.Scope) throws -> ArchiveReading {
        let reading = reading()
        _ = try reading.readers(of: scope)
        return reading
    }

    /// Opens the account's only writer. Creates the account if the folder has none of that name. The writer holds the
    /// account's locks until it is closed.
    ///
    /// - Throws: ``ArchiveError`` with `locked` if another process writes the account.
    package func openWriter(_ account: AccountIdentity) async throws -> AccountWriter {
        // On another thread also for a command, because a disk may hang while a listener opens an account.
        try await onThread { try dataFolder.openWriter(account) }
    }

    /// Returns the names of an account's own person that its owner has given, in their order; none if the account does not
    /// exist.
    package func ownNames(in account: String, from source: OwnNameSource) throws -> [String] {
        try dataFolder.openReader(account: account, isUse: true)?.ownNames(from: source) ?? []
    }

    /// Opens an account for a rehearsal of an import, which stores nothing. The account may be missing.
    package func rehearseImport(into account: String) throws -> ImportRehearsal {
        ImportRehearsal(
            reader: try dataFolder.openReader(account: account, isUse: true))
    }

    /// Opens an account to recognise in an import's lines the messages that it already has. The account may be missing.
    ///
    /// - Parameter writes: True if the import will be stored. Nothing can write an encrypted account while its private copy
    ///   is read, so it is decrypted first.
    /// - Returns: What recognises logs of another clock or spelling, and what finds an import in a wrong time zone.
    package func compareImport(
        into account: String, writes: Bool
    ) throws -> (alignment: ImportAlignment, shifts: ImportShiftSearch) {
        let reader = try dataFolder.openReader(account: account, isUse: true, writes: writes)
        return (ImportAlignment(reader: reader), ImportShiftSearch(reader: reader))
    }
}
