package import ChatModel
package import Logging

/// A data folder: every account's file, found by the account's name.
///
/// Reading opens read-only connections and closes them with the call. Nothing is created by reading.
package struct Archive: Sendable {
    /// The folder's path, as given.
    package let folder: String
    private let dataFolder: DataFolder

    /// - Parameters:
    ///   - logger: For writers, which wait out trouble of the disk.
    ///   - openConnections: How many account files are open at once, at most; others wait for one that is idle.
    ///   - readsCold: Whether cold accounts are read among others, one at a time, from copies in TMPDIR.
    ///   - restoring: Told of the bytes that are done of an account that is made plain to be read, and nil at the end.
    ///   - leftOut: Takes the accounts that can't be read where others can.
    package init(
        folder: String, logger: Logger = Logger(label: "store"), openConnections: Int = openConnections,
        readsCold: Bool = false,
        restoring: @escaping @Sendable (_ account: String, _ bytes: Int64?) -> Void = { _, _ in },
        leftOut: @escaping @Sendable ([LeftOut]) -> Void = { _ in }
    ) {
        self.folder = folder
        dataFolder = DataFolder(
            path: folder, logger: logger, openConnections: openConnections, readsCold: readsCold,
            restoring: restoring, leftOut: leftOut)
    }

    /// How many account files are open at once unless told otherwise, three descriptors each.
    package static let openConnections = ConnectionLimit.usual

    /// The accounts in the folder by name, cold ones included; empty when there is no folder.
    package func accounts() throws -> [AccountIdentity] {
        try dataFolder.entries().map(\.account)
    }

    /// What each account's archive holds, by the account's name. Cold ones stay cold.
    package func accountSummaries() async throws -> [AccountSummary] {
        try await dataFolder.summaries()
    }

    /// What zstd takes for a level, and what it is unless told otherwise.
    package static let coldLevels = ColdFile.levels
    package static let coldLevel = ColdFile.defaultLevel

    /// Compresses the account's file, unless somebody has it open; nothing is done to one that is cold.
    ///
    /// - Parameters:
    ///   - level: Of zstd, 1 to 19.
    ///   - progress: Told of the bytes that are done.
    /// - Throws: ``ArchiveError`` with `locked` when the account is in use.
    package func evict(
        account: String, level: Int, progress: (Int64) -> Void = { _ in }
    ) async throws -> AccountSummary {
        try await dataFolder.evict(account: account.withoutNUL, level: level, progress: progress)
    }

    /// Compresses the accounts that were used least, until what is hot is within the limits. One that is in use stays, and the
    /// next has its turn.
    ///
    /// - Parameters:
    ///   - check: Runs between accounts and with each piece of a file; its error ends the call there, and leaves that account
    ///     as it was.
    ///   - progress: Receives the bytes of an account that are done.
    package func evictOver(
        _ limits: HotLimits, check: () throws -> Void = {},
        progress: (_ account: String, _ bytes: Int64) -> Void = { _, _ in }
    ) throws -> HotReport {
        try dataFolder.evictOver(limits, check: check, progress: progress)
    }

    /// Completes or rolls back moves that a crash interrupted, in every account that is not in use.
    ///
    /// - Parameters:
    ///   - check: Runs between accounts and with each piece of a file; its error ends the call there, and the next call does
    ///     the rest.
    ///   - report: Receives the error of each account that stays as it was.
    package func recover(check: () throws -> Void = {}, report: (ArchiveError) -> Void) throws {
        try dataFolder.recover(check: check, report: report)
    }

    /// Makes the catalog anew of what is in the accounts' folders.
    ///
    /// - Parameter told: Of each folder that can't be read.
    package func rebuildCatalog(told: (ArchiveError) -> Void) throws {
        try dataFolder.rebuildCatalog(told: told)
    }

    /// Removes an account that nobody uses, with everything that is kept of it.
    ///
    /// - Returns: what it had.
    package func erase(account: String) async throws -> AccountSummary {
        try await dataFolder.erase(account: account.withoutNUL)
    }

    /// Makes the account's file plain again; nothing is done to one that is.
    ///
    /// - Parameter progress: Told of the bytes that are done.
    package func restore(account: String, progress: (Int64) -> Void = { _ in }) async throws -> AccountSummary {
        try await dataFolder.restore(account: account.withoutNUL, progress: progress)
    }

    /// The backup in a folder.
    ///
    /// - Parameter isNew: The folder is made where it is not there.
    /// - Throws: ``ArchiveError`` with `backup` when it is the archive's own folder, or in it, or can't be made.
    package func backup(in folder: String, isNew: Bool = false) throws -> Backup {
        try Backup(of: dataFolder, in: folder, isNew: isNew)
    }

    /// Begins to read; opens nothing yet.
    package func reading() -> ArchiveReading {
        ArchiveReading(dataFolder)
    }

    /// Begins to read, and opens the accounts of a scope.
    package func reading(_ scope: MessageQuery.Scope) async throws -> ArchiveReading {
        let reading = reading()
        try await reading.eachReader(in: scope) { _ in }
        return reading
    }

    /// Returns what the files tell, by account name. Whether a listener runs is told by its lock.
    ///
    /// - Parameter reported: Accounts that are left to a listener, which has them open.
    package func status(except reported: Set<String> = []) async throws -> [AccountStatus] {
        let names = try accounts().map(\.name).filter { !reported.contains($0) }
        var all: [AccountStatus] = []
        guard !names.isEmpty else { return all }
        try await dataFolder.eachReader(of: names, isUse: false, needsOne: reported.isEmpty) { reader in
            all.append(try reader.status().status)
        }
        return all
    }

    /// Checks the named accounts' files, or all, by account name. Beside a writer, and without writing anything.
    ///
    /// A file that can't tell its account is taken for one of every name that its folder's name would fit.
    /// - Throws: ``ArchiveError`` when a named account is not there.
    package func check(
        accounts names: [String] = [], progress: @escaping (CheckProgress) -> Void = { _ in }
    ) throws -> [AccountCheck] {
        var checkers = try dataFolder.checked().map { folder, entry in
            AccountChecker(folder: folder, entry: entry, progress: progress)
        }
        if !names.isEmpty {
            let known = checkers.map { (checker: $0, account: $0.account) }
            func fits(_ name: String, _ entry: (checker: AccountChecker, account: String?)) -> Bool {
                entry.account?.isExactly(name)
                    ?? (AccountFolder.slug(ofDirectory: entry.checker.folder.name) == AccountFolder.slug(of: name))
            }
            for name in names where !known.contains(where: { fits(name.withoutNUL, $0) }) {
                throw dataFolder.unknown(account: name, known: known.compactMap(\.account))
            }
            checkers = known.filter { entry in names.contains { fits($0.withoutNUL, entry) } }.map(\.checker)
        }
        return checkers.map { $0.run() }.sorted { ($0.account ?? "", $0.folder) < ($1.account ?? "", $1.folder) }
    }

    /// The account's one writer; makes the account when the folder has none of that name. Holds its locks until closed.
    package func openWriter(_ account: AccountIdentity) async throws -> AccountWriter {
        try await OwnThread.run { try await dataFolder.openWriter(account) }
    }

    /// What importing into the account would do; it need not be there.
    package func rehearseImport(into account: String) async throws -> ImportRehearsal {
        ImportRehearsal(reader: try await dataFolder.openReader(account: account, isUse: true))
    }
}
