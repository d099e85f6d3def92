package import Accounts
import Bytes
package import ChatModel
package import Files
package import Logging
package import Reading
import Schema
package import Writing

/// A data folder with the files of all accounts, which are found by the account's name.
///
/// Reading opens read-only connections and closes them with the call. Reading creates nothing.
package struct Archive: Sendable {
    /// The folder's path, as given.
    package let folder: String
    package let dataFolder: DataFolder

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
            skipped: SkippedAccounts(report: reportSkipped), forgetting: Self.forget)
    }

    /// Opens an account's writer once, which forgets what is to be forgotten.
    private static let forget: DataFolder.Forgetting = { dataFolder, entry, folder, locks in
        try dataFolder.writer(of: entry, in: folder, locks: locks).closeWaiting()
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
            skipped: SkippedAccounts { _ in }, forgetting: known.forgetting)
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

    /// Rebuilds the catalog from the accounts' folders, and keeps the order of use.
    ///
    /// - Parameter report: Receives the error of each folder that can't be read.
    package func rebuildCatalog(report: @Sendable (ArchiveError) -> Void) throws {
        try FolderAdoption(into: dataFolder).rebuildCatalog(report: report)
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

    /// Returns the names of an account's rooms; none if the account does not exist.
    package func roomNames(in account: String) throws -> [String] {
        try dataFolder.openReader(account: account, isUse: true)?.roomNames() ?? []
    }
}
