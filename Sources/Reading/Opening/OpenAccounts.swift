import Accounts
import Bytes
import ChatModel
import Files
import Synchronization

/// The accounts of a data folder or of a shared archive. A plain account that was opened stays open until it is released.
/// Cold accounts have one private copy at a time and are not kept.
final class OpenAccounts: Sendable {
    let source: Source
    private let readers = Mutex<[ExactString: (reader: AccountReader, lastUse: ContinuousClock.Instant)]>([:])

    enum Source {
        case files(DataFolder)
        case shared(SharedServer)
    }

    init(_ source: Source) { self.source = source }

    /// The data folder; nil for a shared archive.
    var dataFolder: DataFolder? { if case .files(let folder) = source { folder } else { nil } }

    /// The path of the data folder, as given, or the address of the shared archive.
    var folder: String {
        switch source {
        case .files(let folder): folder.path
        case .shared(let server): server.address.shown
        }
    }

    /// The paths of the files of the open accounts, of the catalog, and of the folder with the accounts' folders; nil
    /// for a shared archive.
    var files: [String]? {
        guard let dataFolder else { return nil }
        return [dataFolder.catalog.path, dataFolder.accountsPath]
            + readers.withLock { readers in readers.values.compactMap(\.reader.file?.folder.database) }
    }

    /// Returns all accounts, cold ones included, sorted by name.
    func identities() throws -> [AccountIdentity] {
        switch source {
        case .files(let folder): try folder.entries().map(\.account)
        case .shared(let server): try server.recentAccounts().map(\.identity)
        }
    }

    func unknown(account name: String, known: [String]) -> ArchiveError {
        ArchiveError(account: name, in: folder, known: known)
    }

    /// Returns the reader of an account, and notes its use; nil if the account is not open.
    private func use(_ name: ExactString) -> AccountReader? {
        readers.withLock { readers in
            readers[name]?.lastUse = .now
            return readers[name]?.reader
        }
    }

    /// Releases the accounts that were not used for that time.
    func release(unusedFor time: Duration) {
        if case .shared(let server) = source { server.release(unusedFor: max(time, SharedServer.hold)) }
        dataFolder?.kept?.release(unusedFor: max(time, KeptCopies.hold))
        let end = ContinuousClock.now - time
        // Closes files outside the lock.
        let released = readers.withLock { readers in
            let released = readers.filter { $0.value.lastUse <= end }
            for name in released.keys { readers[name] = nil }
            return released
        }
        withExtendedLifetime(released) {}
    }

    /// Releases every account except those of the scope.
    func keepOnly(_ scope: MessageQuery.Scope) {
        let names = Set(scope.accounts.map(ExactString.init))
        readers.withLock { readers in readers = readers.filter { names.contains($0.key) } }
    }

    /// Returns readers of the named accounts of a shared archive, or of all, sorted by account name.
    func sharedReaders(of names: [String]?) throws -> [AccountReader] {
        guard case .shared(let server) = source else { return [] }
        let accounts = try server.recentAccounts()
        for name in names ?? [] where !accounts.contains(where: { $0.identity.name.isExactly(name) }) {
            throw unknown(account: name, known: accounts.map(\.identity.name))
        }
        let wanted = names.map { Set($0.map(ExactString.init)) }
        return accounts.filter { wanted?.contains(ExactString($0.identity.name)) ?? true }
            .map { AccountReader(OpenAccount(server, $0)) }
    }

    /// Returns the readers of the named accounts, sorted by account name; nil unless all of them are open.
    func openReaders(named names: [String]) -> [AccountReader]? {
        let names = Set(names.map { ExactString($0.withoutNUL) })
        let readers = names.compactMap(use)
        guard !names.isEmpty, readers.count == names.count else { return nil }
        return readers.sorted { $0.account.name < $1.account.name }
    }

    /// Opens an account that is named alone: a compressed one is made plain, unless compressed accounts stay so.
    func openAlone(_ entry: Catalog.Entry, in dataFolder: DataFolder) throws -> AccountReader {
        if let kept = dataFolder.kept, entry.cold != nil {
            let reader = try dataFolder.openKept(entry, kept)
            dataFolder.skipped.remove(entry.account.name)
            return reader
        }
        if dataFolder.cold == .copies {
            // A file with forgotten messages has to be changed first.
            let reader = try open(entry, in: dataFolder)
            if try !dataFolder.isToForget(reader) { return reader }
        }
        return try open(entry, in: dataFolder, isAlone: true)
    }

    /// Opens an account, and keeps it open if it is plain.
    ///
    /// - Parameter isAlone: True if a compressed account is made plain.
    func open(
        _ entry: Catalog.Entry, in dataFolder: DataFolder, isAlone: Bool = false
    ) throws -> AccountReader {
        let name = ExactString(entry.account.name)
        if let reader = use(name) { return reader }
        var reader = try dataFolder.openReader(entry, isUse: false, restores: isAlone)
        // An older copy of a file may have what was forgotten since.
        if reader.file?.isCopy == true, !isAlone, try dataFolder.isToForget(reader) {
            guard dataFolder.kept == nil else { throw ArchiveError.needsExpanding(entry.account.name) }
            reader = try dataFolder.openReader(entry, isUse: false)
        }
        if reader.file?.isCopy == false { readers.withLock { $0[name] = (reader, .now) } }
        return reader
    }
}
