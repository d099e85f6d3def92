package import Accounts
import Bytes
package import ChatModel
import Files
import Synchronization

/// Reads accounts, of a data folder or of a shared archive, and keeps them open until the value is released, so that a
/// command opens each account once.
///
/// Every read goes through it, on a thread that may wait for a disk. Only ``Archive/check(accounts:progress:)``
/// doesn't, because it examines the files themselves.
package final class ArchiveReading: Sendable {
    let source: Source
    let held: HeldReaders
    /// The accounts and rooms that can be read; others do not exist here. Each ``AccountReader`` decides which rooms
    /// these are when it reads.
    let access: ReadAccess
    /// The bytes of messages after which a page ends early, with the cursor that continues. It has one message at least.
    let pageBytes: Int

    enum Source {
        case files(DataFolder)
        case shared(SharedServer)
    }

    package init(_ dataFolder: DataFolder) {
        (source, held, access, pageBytes) = (.files(dataFolder), HeldReaders(), .everything, .max)
    }

    init(_ server: SharedServer) {
        (source, held, access, pageBytes) = (.shared(server), HeldReaders(), .everything, .max)
    }

    private init(_ other: ArchiveReading, access: ReadAccess, pageBytes: Int) {
        (source, held, self.access, self.pageBytes) = (other.source, other.held, access, pageBytes)
    }

    /// The data folder; nil for a shared archive.
    package var dataFolder: DataFolder? { if case .files(let folder) = source { folder } else { nil } }

    /// Returns a value that reads only a part of the archive, with the same open accounts.
    package func restricted(to access: ReadAccess) -> ArchiveReading {
        access == self.access ? self : ArchiveReading(self, access: access, pageBytes: pageBytes)
    }

    /// Returns a value whose pages end early once their messages have so many bytes.
    package func bounded(pageBytes: Int) -> ArchiveReading {
        ArchiveReading(self, access: access, pageBytes: pageBytes)
    }

    /// Returns a value that does not see the rooms either that have or had a name that a pattern matches.
    package func hiding(_ patterns: [RoomPattern]) -> ArchiveReading {
        restricted(to: access.hiding(patterns))
    }

    /// True for a shared archive.
    package var isShared: Bool { dataFolder == nil }

    /// The path of the data folder, as given, or the address of the shared archive.
    package var folder: String {
        switch source {
        case .files(let folder): folder.path
        case .shared(let server): server.address.shown
        }
    }

    /// Returns the age of the oldest copy among the accounts that can be read. Returns nil for a data folder, and for a
    /// shared archive without accounts.
    package func oldestCopy() throws -> AccountCopyAge? {
        guard case .shared(let server) = source else { return nil }
        let accounts = try server.recentAccounts()
        return accounts.filter { access.sees(account: $0.identity.name) }
            .map { AccountCopyAge(account: $0.identity.name, caughtUpAt: $0.copy.caughtUpAt) }
            .min { ($0.caughtUpAt?.microseconds ?? .min) < ($1.caughtUpAt?.microseconds ?? .min) }
    }

    /// The accounts that the answers so far lack.
    package var skipped: [SkippedAccount] {
        (dataFolder?.skipped.all ?? []).filter { $0.account.map(access.sees(account:)) ?? access.isEverything }
    }

    /// Returns the accounts in the folder, cold ones included, sorted by name; empty if there is no folder.
    package func accounts() throws -> [AccountIdentity] {
        try identities().filter { access.sees(account: $0.name) }
    }

    /// Returns true if everything of an account can be read.
    package func seesAll(of account: String) -> Bool { access.seesAll(of: account) }

    /// The paths of the files of the open accounts, of the catalog, and of the folder with the accounts' folders; nil
    /// for a shared archive.
    var openFiles: [String]? {
        guard let dataFolder else { return nil }
        return [dataFolder.catalog.path, dataFolder.accountsPath]
            + held.readers.withLock { held in held.values.compactMap(\.reader.file?.folder.database) }
    }

    /// Releases the accounts that were not used for that time.
    package func release(unusedFor time: Duration) {
        if case .shared(let server) = source { server.release(unusedFor: max(time, SharedServer.hold)) }
        dataFolder?.kept?.release(unusedFor: max(time, KeptCopies.hold))
        let end = ContinuousClock.now - time
        // Closes files outside the lock.
        let released = held.readers.withLock { held in
            let released = held.filter { $0.value.lastUse <= end }
            for name in released.keys { held[name] = nil }
            return released
        }
        withExtendedLifetime(released) {}
    }

    /// Releases every account except those of the scope.
    func keepOnly(_ scope: MessageQuery.Scope) {
        let names = Set(scope.accounts.map(ExactString.init))
        held.readers.withLock { held in held = held.filter { names.contains($0.key) } }
    }

    /// Writes which accounts are used, for a command that goes on until it is killed.
    func writeFirstUses() {
        dataFolder?.catalog.writeFirstUses()
    }

    /// Writes which accounts were used, for a program that ends without releasing the value.
    package func writeUses() {
        dataFolder?.catalog.writeUses()
    }

    func identities() throws -> [AccountIdentity] {
        switch source {
        case .files(let folder): try folder.entries().map(\.account)
        case .shared(let server): try server.recentAccounts().map(\.identity)
        }
    }

    func unknown(account name: String, known: [String]) -> ArchiveError {
        ArchiveError(account: name, in: folder, known: known)
    }
}
