import ChatModel
import Foundation
import GRDB
import Logging

/// Finds, opens and makes the accounts of a data folder.
///
/// Who opens an account's file takes its `lock` shared, reads the catalog's row, and opens what that names: nobody moves it
/// meanwhile.
struct DataFolder: Sendable {
    let path: String
    let logger: Logger
    let catalog: Catalog
    /// Of this process's connections to the folder's accounts.
    let limit: ConnectionLimit
    /// Told of the bytes that are done of an account that is made plain to be read, and nil at the end.
    let restoring: @Sendable (_ account: String, _ bytes: Int64?) -> Void
    /// Told of each account that can't be read where others can.
    let leftOut: @Sendable (ArchiveError) -> Void

    var accountsPath: String { path + "/accounts" }

    /// How long a writer waits for the instants in which readers look at its lock, and for commands that write: those hold
    /// it for two seconds at most (`StoreWriting`).
    private static let lockPatience = Duration.seconds(5)

    init(
        path: String, logger: Logger, openConnections: Int = ConnectionLimit.usual,
        restoring: @escaping @Sendable (_ account: String, _ bytes: Int64?) -> Void,
        leftOut: @escaping @Sendable (ArchiveError) -> Void
    ) {
        (self.path, self.logger, self.restoring, self.leftOut) = (path, logger, restoring, leftOut)
        limit = ConnectionLimit(maximum: openConnections)
        catalog = Catalog(path: path + "/catalog.sqlite")
    }

    /// Readers of the accounts that are hot and can be read, by account name; of the others it is told.
    ///
    /// - Parameters:
    ///   - names: Of the accounts; nil is all.
    ///   - isUse: Whether it counts as a use of each.
    /// - Throws: ``ArchiveError`` when there are accounts, and none can be read.
    func openReaders(of names: [String]?, isUse: Bool) async throws -> [AccountReader] {
        var readers: [AccountReader] = []
        var errors: [ArchiveError] = []
        for entry in try entries() where names?.contains(where: { $0.isExactly(entry.account.name) }) ?? true {
            do {
                guard entry.cold == nil else { throw Self.isCold(entry) }
                readers.append(try await openReader(entry, isUse: isUse))
            } catch let error as ArchiveError {
                errors.append(error)
            }
        }
        if readers.isEmpty, let error = errors.first { throw error }
        errors.forEach(leftOut)
        return readers.sorted { $0.account.name < $1.account.name }
    }

    private static func isCold(_ entry: Catalog.Entry) -> ArchiveError {
        ArchiveError(
            code: .cold, detail: "account '\(entry.account.name)' is cold, and is read when it is named alone")
    }

    /// A cold account is made hot first. Nil when there is no account of that name.
    func openReader(account: String, isUse: Bool) async throws -> AccountReader? {
        guard let entry = try entry(named: account.withoutNUL) else { return nil }
        return try await openReader(entry, isUse: isUse)
    }

    /// Every account of the folder, by name: the catalog's, and those whose folders it does not know yet.
    ///
    /// - Throws: ``ArchiveError`` when there are accounts, and none can be read.
    func entries() throws -> [Catalog.Entry] {
        let directories = try accountDirectories()
        guard !directories.isEmpty else { return [] }
        let known = try catalog.entries()
        let there = Set(directories)
        let missing = there.subtracting(known.map(\.directory))
        var entries = known.filter { there.contains($0.directory) }
        var errors: [ArchiveError] = []
        for directory in missing.sorted() {
            do {
                entries.append(try adopt(directory))
            } catch let error as ArchiveError {
                errors.append(error)
            }
        }
        if entries.isEmpty, let error = errors.first { throw error }
        errors.forEach(leftOut)
        return entries.sorted { $0.account.name < $1.account.name }
    }

    /// Nil when there is no account of that name.
    /// - Throws: ``ArchiveError`` when there is none, and a folder that might have it can't be read.
    private func entry(named name: String) throws -> Catalog.Entry? {
        guard access(accountsPath, F_OK) == 0 else { return nil }
        if let entry = try catalog.entry(named: name), access(folder(of: entry).path, F_OK) == 0 { return entry }
        let slug = AccountFolder.slug(of: name)
        var unreadable: ArchiveError?
        for directory in try accountDirectories() where AccountFolder.slug(ofDirectory: directory) == slug {
            guard try catalog.entry(directory: directory) == nil else { continue }
            do {
                let entry = try adopt(directory)
                if entry.account.name.isExactly(name) { return entry }
            } catch let error as ArchiveError {
                unreadable = error
            }
        }
        if let unreadable { throw unreadable }
        return nil
    }

    /// Opens what the catalog names, having put in order what a kill left.
    private func openReader(_ entry: Catalog.Entry, isUse: Bool) async throws -> AccountReader {
        let (folder, lock) = try await take(entry)
        if isUse { catalog.noteUse(directory: entry.directory) }
        do {
            return try AccountReader(folder: folder, lock: lock, limit: limit)
        } catch let error as ArchiveError where error.code == .schemaTooOld {
            try migrate(folder, error)
            return try AccountReader(folder: folder, lock: lock, limit: limit)
        }
    }

    /// An older file is brought to today's schema, which takes the writer's lock.
    private func migrate(_ folder: AccountFolder, _ error: ArchiveError) throws {
        guard let writerLock = try FileLock(path: folder.writer, mode: .exclusive) else {
            throw ArchiveError(
                code: .schemaTooOld,
                detail: "\(error.detail), and \(FileLock.signature(path: folder.writer)) writes it")
        }
        defer { withExtendedLifetime(writerLock) {} }
        try ArchiveError.wrapping(folder.database) {
            let queue = try Connection.writing(path: folder.database)
            try queue.writeWithoutTransaction { db in try Schema.migrate(db, path: folder.database) }
            try queue.close()
        }
    }

    /// The account's folder with its file plain, and the lock that keeps it so.
    private func take(_ entry: Catalog.Entry) async throws -> (AccountFolder, FileLock) {
        let start = ContinuousClock.now
        var triedToRecover = false
        while true {
            let isLate = ContinuousClock.now - start > Self.lockPatience
            if let lock = try FileLock(path: folder(of: entry).lock, mode: .shared) {
                // As it is now that nobody moves it.
                let entry = try catalog.entry(directory: entry.directory) ?? entry
                let folder = folder(of: entry)
                // What lies beside a file that others go on reading does not keep us from it.
                let isInOrder = try triedToRecover || isLate || folder.isInOrder(isCold: entry.cold != nil)
                if entry.cold == nil, isInOrder { return (folder, lock) }
            }
            if isLate {
                throw ArchiveError(code: .locked, detail: "\(folder(of: entry).path) is being moved by another process")
            }
            triedToRecover =
                try moving(entry.directory) { move, entry in
                    var move = move
                    move.progress = { [restoring] in restoring(entry.account.name, $0) }
                    defer { restoring(entry.account.name, nil) }
                    _ = try move.restore(try move.recover(entry))
                } || triedToRecover
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Does something with an account's files that nobody has open.
    ///
    /// - Returns: false, and nothing was done, when somebody has.
    private func moving(_ directory: String, _ body: (AccountMove, Catalog.Entry) throws -> Void) throws -> Bool {
        let path = accountsPath + "/" + directory
        guard let lock = try FileLock(path: path + "/lock", mode: .exclusive) else { return false }
        let entry = try catalog.entry(directory: directory) ?? adopt(directory, under: lock)
        try body(AccountMove(catalog: catalog, folder: folder(of: entry), lock: lock), entry)
        return true
    }

    /// Compresses the account's file.
    func evict(account: String, level: Int, progress: (Int64) -> Void) async throws -> AccountSummary {
        try await move(account) { move, entry in
            try withoutActuallyEscaping(progress) { progress in
                var move = move
                (move.level, move.progress) = (level, progress)
                let entry = try move.recover(entry)
                return entry.cold == nil ? try move.evict(entry) : entry
            }
        }
    }

    /// Makes the account's file plain.
    func restore(account: String, progress: (Int64) -> Void) async throws -> AccountSummary {
        try await move(account) { move, entry in
            try withoutActuallyEscaping(progress) { progress in
                var move = move
                move.progress = progress
                return try move.restore(try move.recover(entry))
            }
        }
    }

    func evictOver(_ limits: HotLimits, progress: (_ account: String, _ bytes: Int64) throws -> Void) throws
        -> HotReport
    {
        // Those whose folders the catalog does not know yet are hot, too.
        _ = try entries()
        let hot = try catalog.hotEntries().map { (entry: $0, bytes: folder(of: $0).databaseBytes) }
        var report = HotReport()
        (report.accounts, report.bytes) = (hot.count, hot.reduce(0) { $0 + $1.bytes })
        for (entry, bytes) in hot {
            guard limits.isOver(accounts: report.accounts, bytes: report.bytes) else { break }
            let name = entry.account.name
            do {
                try withoutActuallyEscaping(progress) { progress in
                    let isDone = try moving(entry.directory) { move, entry in
                        var move = move
                        (move.level, move.progress) = (limits.level, { try progress(name, $0) })
                        let entry = try move.recover(entry)
                        if entry.cold == nil { _ = try move.evict(entry) }
                    }
                    guard isDone else { throw inUse(entry) }
                }
                report.evicted.append(name)
                report.accounts -= 1
                report.bytes -= bytes
            } catch let error as ArchiveError {
                report.left.append(error)
            }
        }
        report.isOver = limits.isOver(accounts: report.accounts, bytes: report.bytes)
        return report
    }

    private func inUse(_ entry: Catalog.Entry) -> ArchiveError {
        let writer = folder(of: entry).writerName.map { ": \($0) writes it" } ?? " by another process"
        return ArchiveError(code: .locked, detail: "account '\(entry.account.name)' is in use\(writer)")
    }

    /// Makes every row of the catalog anew, of what is in the accounts' folders, and keeps the order of use.
    func rebuildCatalog(told: (ArchiveError) -> Void) throws {
        let directories = try accountDirectories()
        try catalog.putAsideDamaged()
        for entry in try catalog.entries() where !directories.contains(entry.directory) {
            try catalog.remove(directory: entry.directory)
        }
        for directory in directories {
            do {
                let path = accountsPath + "/" + directory
                if let lock = try FileLock(path: path + "/lock", mode: .exclusive) {
                    let entry = try adopt(directory, under: lock)
                    _ = try AccountMove(catalog: catalog, folder: folder(of: entry), lock: lock).recover(entry)
                } else if try catalog.entry(directory: directory) == nil {
                    _ = try adopt(directory)
                }
            } catch let error as ArchiveError {
                told(error)
            }
        }
    }

    /// Removes the account with everything that is kept of it: its folder first gets a name that no account has, so that a
    /// kill leaves either the account, or something that ``removeErased()`` removes.
    func erase(account: String) async throws -> AccountSummary {
        try removeErased()
        let summary = try await move(account) { _, entry in entry }
        guard let entry = try entry(named: account) else { return summary }
        let path = folder(of: entry).path
        let isDone = try moving(entry.directory) { _, _ in
            try FolderEntries.rename(path, to: accountsPath + "/" + Self.erased + entry.directory)
            try FolderEntries.synchronize(accountsPath)
            try catalog.remove(directory: entry.directory)
            try removeErased()
        }
        guard isDone else { throw inUse(entry) }
        return summary
    }

    private static let erased = ".erased-"

    /// What a kill left of accounts that were being erased.
    private func removeErased() throws {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: accountsPath)) ?? []
        for name in names where name.hasPrefix(Self.erased) {
            do {
                try FileManager.default.removeItem(atPath: accountsPath + "/" + name)
            } catch {
                throw ArchiveError(code: .storage, detail: "\(accountsPath)/\(name) can't be removed: \(error)")
            }
            try FolderEntries.synchronize(accountsPath)
        }
    }

    func recover(told: (ArchiveError) -> Void) throws {
        try removeErased()
        for entry in try entries() {
            do {
                _ = try moving(entry.directory) { move, entry in _ = try move.recover(entry) }
            } catch let error as ArchiveError {
                told(error)
            }
        }
    }

    /// - Throws: ``ArchiveError`` with `locked` while somebody has the account open, after the usual patience.
    private func move(
        _ account: String, _ body: (AccountMove, Catalog.Entry) throws -> Catalog.Entry
    ) async throws -> AccountSummary {
        guard let entry = try entry(named: account) else {
            let known = try entries().map(\.account.name)
            throw ArchiveError(
                code: .unknownAccount,
                detail:
                    "no account '\(account)' in \(path); it has \(known.isEmpty ? "none" : known.joined(separator: ", "))"
            )
        }
        let start = ContinuousClock.now
        var moved: Catalog.Entry?
        while try !moving(entry.directory, { move, entry in moved = try body(move, entry) }) {
            guard ContinuousClock.now - start < Self.lockPatience else { throw inUse(entry) }
            try await Task.sleep(for: .milliseconds(20))
        }
        return try await summary(moved ?? entry)
    }

    /// Cold ones stay cold.
    ///
    /// - Throws: ``ArchiveError`` when there are accounts, and none can be read.
    func summaries() async throws -> [AccountSummary] {
        var summaries: [AccountSummary] = []
        var errors: [ArchiveError] = []
        for entry in try entries() {
            do {
                summaries.append(try await summary(entry))
            } catch let error as ArchiveError {
                errors.append(error)
            }
        }
        if summaries.isEmpty, let error = errors.first { throw error }
        errors.forEach(leftOut)
        return summaries
    }

    private func summary(_ entry: Catalog.Entry) async throws -> AccountSummary {
        if let cold = entry.cold { return AccountSummary(entry, cold, in: folder(of: entry)) }
        let isInUse = try FileLock(path: folder(of: entry).lock, mode: .exclusive) == nil
        let reader = try await openReader(entry, isUse: false)
        var summary = try reader.read { db in try AccountSummary.read(reader.account, in: reader.folder, db) }
        (summary.isInUse, summary.usedAt) = (isInUse, entry.usedAt)
        return summary
    }

    /// Every folder with what the catalog has of it, whatever state they are in.
    func checked() throws -> [(AccountFolder, Catalog.Entry?)] {
        let known = (try? catalog.entries()) ?? []
        return try accountDirectories().map { directory in
            let path = accountsPath + "/" + directory
            if let entry = known.first(where: { $0.directory == directory }) { return (folder(of: entry), entry) }
            return ((try? AccountFolder.found(at: path).folder) ?? AccountFolder(path: path, generation: 1), nil)
        }
    }

    func folder(of entry: Catalog.Entry) -> AccountFolder {
        AccountFolder(path: accountsPath + "/" + entry.directory, generation: entry.generation)
    }

    func openWriter(_ named: AccountIdentity) async throws -> AccountWriter {
        let account = AccountIdentity(name: named.name.withoutNUL, network: named.network)
        try makeFolder(path)
        try makeFolder(accountsPath)
        let entry = try await entry(of: account)
        // A file that is not ours is not written, not even to find that out.
        let reader = try await openReader(entry, isUse: true)
        let (folder, useLock) = (reader.folder, reader.useLock)
        let writerLock = try await takeWriterLock(folder, account)
        writerLock.sign()
        return try await AccountWriter(
            account, folder: folder, locks: [useLock, writerLock], limit: limit, logger: logger)
    }

    private func takeWriterLock(_ folder: AccountFolder, _ account: AccountIdentity) async throws -> FileLock {
        let start = ContinuousClock.now
        while true {
            if let lock = try FileLock(path: folder.writer, mode: .exclusive) { return lock }
            if ContinuousClock.now - start > Self.lockPatience {
                throw ArchiveError(
                    code: .locked,
                    detail: "account '\(account.name)' in \(path) is written by "
                        + "\(FileLock.signature(path: folder.writer))")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The account's place, made if there is none, by one process at a time.
    private func entry(of account: AccountIdentity) async throws -> Catalog.Entry {
        let making = try await takeMakingLock()
        defer { withExtendedLifetime(making) {} }
        guard let entry = try entry(named: account.name) else { return try make(account) }
        guard entry.account.network == account.network else {
            throw ArchiveError(
                code: .unknownAccount,
                detail: "account '\(account.name)' in \(path) is of the network \(entry.account.network), "
                    + "not \(account.network); choose another name")
        }
        return entry
    }

    private func takeMakingLock() async throws -> FileLock {
        let start = ContinuousClock.now
        while true {
            if let lock = try FileLock(path: accountsPath + "/.making", mode: .exclusive) { return lock }
            guard ContinuousClock.now - start <= Self.lockPatience else {
                throw ArchiveError(code: .locked, detail: "another process is making an account in \(path)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Made whole under a name that nobody looks at, then renamed: a kill leaves no half account.
    private func make(_ account: AccountIdentity) throws -> Catalog.Entry {
        let entry = Catalog.Entry(
            account: account, directory: AccountFolder.newName(for: account.name), generation: 1, cold: nil,
            usedAt: .now())
        let unfinished = AccountFolder(path: accountsPath + "/.unfinished", generation: 1)
        try? FileManager.default.removeItem(atPath: unfinished.path)
        try makeFolder(unfinished.path)
        try ArchiveError.wrapping(unfinished.database) {
            // 0600 whatever the umask; SQLite gives its sidecars the same.
            let descriptor = open(unfinished.database, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw ArchiveError(path: unfinished.database, errno: errno) }
            Foundation.close(descriptor)
            let queue = try Connection.writing(path: unfinished.database)
            try queue.writeWithoutTransaction { db in
                try Schema.migrate(db, path: unfinished.database, isNew: true)
                try db.execute(
                    sql: "INSERT INTO account (id, name, network, epoch, created_at_us) VALUES (1, ?, ?, ?, ?)",
                    arguments: [
                        account.name, account.network, UUID().uuidString.lowercased(), Timestamp.now().microseconds,
                    ])
            }
            try queue.close()
        }
        try FolderEntries.rename(unfinished.path, to: folder(of: entry).path)
        try FolderEntries.synchronize(accountsPath)
        try FolderEntries.synchronize(path)
        try catalog.put(entry)
        return entry
    }

    /// Makes the row of a folder that the catalog does not know: it was put there by hand, or the catalog is a new one.
    ///
    /// - Parameter held: The folder's `lock`, exclusive, where it is held already.
    private func adopt(_ directory: String, under held: FileLock? = nil) throws -> Catalog.Entry {
        let path = accountsPath + "/" + directory
        let found = try AccountFolder.found(at: path)
        let settles = found.folder.hasJournal && !found.isCold
        guard let lock = try held ?? FileLock(path: found.folder.lock, mode: settles ? .exclusive : .shared) else {
            throw ArchiveError(code: .locked, detail: "\(path) is being moved by another process")
        }
        defer { withExtendedLifetime(lock) {} }
        if settles {
            try ArchiveError.wrapping(found.folder.database) { try Connection.settleJournal(of: found.folder) }
        }
        let entry = try found.isCold ? adoptCold(directory, found.folder) : adoptHot(directory, found.folder)
        if let other = try catalog.entry(named: entry.account.name), other.directory != directory,
            access(folder(of: other).path, F_OK) == 0
        {
            throw ArchiveError(
                code: .corrupt,
                detail:
                    "\(path) is of account '\(entry.account.name)', and so is \(folder(of: other).path); keep one of them"
            )
        }
        do {
            try catalog.put(entry)
        } catch let error as ArchiveError where error.code == .notPermitted {
            // Then it is looked at anew each time.
        }
        return entry
    }

    private func adoptHot(_ directory: String, _ folder: AccountFolder) throws -> Catalog.Entry {
        let account = try ArchiveError.wrapping(folder.database) {
            try Connection.reading(path: folder.database).read { db in try AccountIdentity(db, path: folder.database) }
        }
        return Catalog.Entry(
            account: account, directory: directory, generation: folder.generation, cold: nil, usedAt: .now())
    }

    /// Reads it once through, from a copy that is removed again.
    private func adoptCold(_ directory: String, _ folder: AccountFolder) throws -> Catalog.Entry {
        let copy = try PrivateCopy(of: ColdFile(path: folder.cold))
        return try ArchiveError.wrapping(folder.cold) {
            try Connection.immutable(path: copy.path).read { db in
                Catalog.Entry(
                    account: try AccountIdentity(db, path: folder.cold), directory: directory,
                    generation: folder.generation,
                    cold: Catalog.ColdCopy(
                        digest: copy.digest, size: AccountFolder.size(folder.cold) ?? 0,
                        holdings: try Catalog.Holdings(db, path: folder.cold)),
                    usedAt: .now())
            }
        }
    }

    private func accountDirectories() throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: accountsPath)
                .filter { !$0.hasPrefix(".") }.sorted()
        } catch {
            // No folder is no account; one that can't be looked into is an error.
            if access(accountsPath, F_OK) != 0, errno == ENOENT { return [] }
            throw ArchiveError(path: accountsPath, errno: EACCES)
        }
    }

    private func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        guard errno == ENOENT else { throw ArchiveError(path: path, errno: errno) }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ArchiveError(path: path, errno: errno == 0 ? EACCES : errno)
        }
    }
}
