package import ChatModel
import Synchronization

/// Reads accounts, of a data folder or of a shared archive, and keeps them open until the value is released, so that a command opens each account once.
///
/// Every read goes through it, on a thread that may wait for a disk. Only ``Archive/check(accounts:progress:)``
/// doesn't, because it examines the files themselves.
package final class ArchiveReading: Sendable {
    private let source: Source
    private let held: HeldReaders
    /// The accounts and rooms that can be read; others do not exist here. Each ``AccountReader`` decides which rooms
    /// these are when it reads.
    let access: ReadAccess
    /// The bytes of messages after which a page ends early, with the cursor that continues. It has one message at least.
    let pageBytes: Int

    private enum Source {
        case files(DataFolder)
        case shared(SharedServer)
    }

    init(_ dataFolder: DataFolder) {
        (source, held, access, pageBytes) = (.files(dataFolder), HeldReaders(), .everything, .max)
    }

    init(_ server: SharedServer) {
        (source, held, access, pageBytes) = (.shared(server), HeldReaders(), .everything, .max)
    }

    private init(_ other: ArchiveReading, access: ReadAccess, pageBytes: Int) {
        (source, held, self.access, self.pageBytes) = (other.source, other.held, access, pageBytes)
    }

    /// The data folder; nil for a shared archive.
    var dataFolder: DataFolder? { if case .files(let folder) = source { folder } else { nil } }

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
    package func oldestCopy() async throws -> AccountCopyAge? {
        guard case .shared(let server) = source else { return nil }
        let accounts = try await OwnThread.run { try server.recentAccounts() }
        return accounts.filter { access.sees(account: $0.identity.name) }
            .map { AccountCopyAge(account: $0.identity.name, caughtUpAt: $0.copy.caughtUpAt) }
            .min { ($0.caughtUpAt?.microseconds ?? .min) < ($1.caughtUpAt?.microseconds ?? .min) }
    }

    /// The accounts that the answers so far lack.
    package var skipped: [SkippedAccount] {
        (dataFolder?.skipped.all ?? []).filter { $0.account.map(access.sees(account:)) ?? access.isEverything }
    }

    /// Returns the accounts in the folder, cold ones included, sorted by name; empty if there is no folder.
    package func accounts() async throws -> [AccountIdentity] {
        try await OwnThread.run {
            try identities().filter { access.sees(account: $0.name) }
        }
    }

    /// Returns a summary of each account's archive, sorted by account name. Cold accounts stay cold.
    package func accountSummaries() async throws -> [AccountSummary] {
        try await OwnThread.run {
            switch source {
            case .files(let folder): try await folder.summaries().filter { access.seesAll(of: $0.account) }
            case .shared(let server):
                try server.accounts().filter { access.seesAll(of: $0.identity.name) }.map { account in
                    try server.read(account) { db in try AccountSummary.read(account, db) }
                }
            }
        }
    }

    /// Returns the status of each account from its file, sorted by account name. A held writer's lock shows that a
    /// listener runs.
    ///
    /// - Parameter reported: The accounts to skip, because their listener reports them.
    package func status(except reported: Set<String> = []) async throws -> [AccountStatus] {
        let names = try await accounts().map(\.name).filter { !reported.contains($0) && access.seesAll(of: $0) }
        return try await collect(of: names, restores: false, needsOne: reported.isEmpty, into: []) { all, reader in
            all.append(try reader.status().status)
        }.result
    }

    /// Returns the accounts whose files can't be read, without compressed and encrypted ones and those that a process moves
    /// now.
    ///
    /// - Parameter reported: The accounts to skip, because their listener reports them.
    package func unreadable(except reported: Set<String>) async throws -> [SkippedAccount] {
        let names = try await accounts().map(\.name).filter { !reported.contains($0) && access.seesAll(of: $0) }
        let (failed, skipped) = try await collect(
            of: names, restores: false, needsOne: false, into: [SkippedAccount]()
        ) { failed, reader in
            do {
                _ = try reader.status()
            } catch let error as ArchiveError {
                failed.append(
                    SkippedAccount(
                        account: reader.account.name, reason: error.code.rawValue, detail: error.detail))
            }
        }
        return (failed + skipped).filter {
            !$0.isResting && $0.reason != ArchiveError.Code.locked.rawValue
        }
    }

    /// Returns true if everything of an account can be read.
    package func seesAll(of account: String) -> Bool { access.seesAll(of: account) }

    /// Returns when an account was created.
    package func created(account: String) async throws -> Timestamp {
        try await collect(of: [account], into: Timestamp(microseconds: 0)) { $0 = $1.createdAt }.result
    }

    /// Returns the rooms of an account, or of all, sorted by (account, workspace, name), direct rooms after the others.
    package func rooms(account: String? = nil) async throws -> [Room] {
        try await collect(of: account.map { [$0] }, into: []) { rooms, reader in
            rooms += try reader.read { db in try Room.readAll(reader.account, isForList: false, db) }
        }.result
    }

    /// Returns the rooms of the named accounts, or of all, with all their names, sorted by (account, number).
    package func namedRooms(accounts: [String]? = nil) async throws -> [NamedRoom] {
        try await collect(of: accounts, into: []) { rooms, reader in
            rooms += try reader.read { db in try NamedRoom.readAll(reader.account, db) }
        }.result
    }

    /// Returns the rooms of the accounts, or of all if none is named, in the same order, with the unread messages,
    /// counted up to ``UnreadCount/limit`` a room, and the last message of each.
    package func roomList(accounts: [String] = []) async throws -> [Room] {
        try await collect(of: accounts.isEmpty ? nil : accounts, into: []) { rooms, reader in
            rooms += try reader.read { db in try Room.readAll(reader.account, isForList: true, db) }
        }.result
    }

    /// Returns the unread state of every room of the accounts, or of all if none is named, sorted by (account, name).
    package func unread(accounts: [String] = []) async throws -> [UnreadRoom] {
        try await collect(of: accounts.isEmpty ? nil : accounts, into: []) { rooms, reader in
            rooms += try reader.read { db in try UnreadRoom.readAll(reader.account, room: nil, db) }
        }.result
    }

    /// Returns the unread state of one room; empty if it does not exist.
    package func unread(account: String, room: Int64) async throws -> [UnreadRoom] {
        try await collect(of: [account], into: []) { rooms, reader in
            rooms += try reader.read { db in try UnreadRoom.readAll(reader.account, room: room, db) }
        }.result
    }

    /// Returns the questions to an account's network about its rooms, to compare its unread counts with ours. Omits
    /// rooms that were left.
    package func unreadQuestions(account: String) async throws -> [UnreadQuestion] {
        try await collect(of: [account], into: []) { questions, reader in
            questions = try reader.read { db in try UnreadQuestion.readAll(db) }
        }.result
    }

    /// Returns the users of the accounts, or the known members of the rooms, sorted by (account, name).
    ///
    /// - Parameter countsMessages: Reads the number of messages of each, in these rooms or in all.
    package func users(scope: MessageQuery.Scope, countsMessages: Bool = false) async throws -> [User] {
        try await collect(in: scope, into: []) { users, reader in
            users += try reader.read { db in
                let rooms = scope.rooms(of: reader.account.name)
                let counts = countsMessages ? try User.messageCounts(rooms: db.visible(rooms), db) : nil
                return try User.readAll(reader.account, rooms: rooms, messages: counts, db)
            }
        }.result
    }

    /// Returns one message with all its details, from one account or from every account that has it.
    package func message(_ id: MessageID, account: String? = nil) async throws -> MessageLookup {
        try await collect(of: account.map { [$0] }, into: MessageSearch<MessageDetail>()) { search, reader in
            let details = MessageDetailReader(
                account: reader.account, gaps: reader.gapReader, versionBytes: pageBytes)
            try search.look(for: id, in: reader) { try details.detail(of: id, $0) }
        }.result.result
    }

    /// Returns every gap of the accounts or of the rooms, and the spans that only imported logs cover, sorted by (from,
    /// account, room).
    package func gaps(scope: MessageQuery.Scope) async throws -> [Gap] {
        try await collect(in: scope, into: []) { gaps, reader in
            gaps += try reader.gapListing(rooms: scope.rooms(of: reader.account.name))
        }.result.inOrder()
    }

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

    /// Returns readers of the scope's accounts, each with its lock held.
    func readers(of scope: MessageQuery.Scope) async throws -> [AccountReader] {
        try await collect(in: scope, into: []) { $0.append($1) }.result
    }

    /// Collects from each account of the scope, and counts as a use of each.
    func collect<T: Sendable>(
        in scope: MessageQuery.Scope, into start: T, _ add: @Sendable (inout T, AccountReader) throws -> Void
    ) async throws -> (result: T, skipped: [SkippedAccount]) {
        if case .rooms = scope, !scope.accounts.allSatisfy(access.sees(account:)) {
            throw ArchiveError.unknownRoom(in: folder)
        }
        return try await collect(of: scope.accounts, isUse: true, into: start) { result, reader in
            try reader.require(scope.rooms(of: reader.account.name), in: folder)
            try add(&result, reader)
        }
    }

    /// Calls `add` with a reader of each named account, or of all, in order of their names, on a thread that may wait
    /// for a disk. Among several accounts, reports and skips those that can't be read, and cold ones unless they were
    /// requested. An account named alone must be readable; a cold one is made plain, unless cold accounts are kept so.
    ///
    /// - Parameters:
    ///   - isUse: Counts the call as a use of each account.
    ///   - restores: Makes an account named alone plain; else treats it as one of several.
    ///   - needsOne: Throws when no account was read and a file is unreadable. Compressed and encrypted accounts among
    ///     several are only skipped.
    /// - Returns: The changed `start`, and the skipped accounts.
    func collect<T: Sendable>(
        of names: [String]?, isUse: Bool = false, restores: Bool = true, needsOne: Bool = true, into start: T,
        _ addVisible: @Sendable (inout T, AccountReader) throws -> Void
    ) async throws -> (result: T, skipped: [SkippedAccount]) {
        try await OwnThread.run {
            var result = start
            func add(_ result: inout T, _ reader: AccountReader) throws {
                let reader = reader.restricted(to: access)
                guard access.isFor(reader.account.name, createdAt: reader.createdAt) else {
                    // An account that was erased and made again shows nothing to those who might read the earlier one.
                    guard let names, names.count == 1 else { return }
                    throw unknown(account: reader.account.name, known: [])
                }
                try addVisible(&result, reader)
            }
            let names = try visible(names)
            guard case .files(let dataFolder) = source else {
                for reader in try sharedReaders(of: names) { try add(&result, reader) }
                return (result, [])
            }
            if let names, let readers = held(names) {
                for reader in readers { try add(&result, reader) }
                if isUse { dataFolder.catalog.noteUse(readers.compactMap(\.file?.folder.name)) }
                return (result, [])
            }
            guard restores, let names, names.count == 1 else {
                let skipped = try await dataFolder.eachReader(
                    of: names, isUse: isUse, needsOne: needsOne, open: { try await self.open($0, in: dataFolder) }
                ) { try add(&result, $0) }
                return (result, skipped)
            }
            guard let entry = try dataFolder.entry(named: names[0].withoutNUL) else {
                throw dataFolder.unknown(account: names[0], known: try dataFolder.entries().map(\.account.name))
            }
            try await add(&result, openAlone(entry, in: dataFolder))
            if isUse { dataFolder.catalog.noteUse([entry.directory]) }
            return (result, [])
        }
    }

    /// Returns readers of the named accounts of a shared archive, or of all, sorted by account name.
    private func sharedReaders(of names: [String]?) throws -> [AccountReader] {
        guard case .shared(let server) = source else { return [] }
        let accounts = try server.recentAccounts()
        for name in names ?? [] where !accounts.contains(where: { $0.identity.name.isExactly(name) }) {
            throw unknown(account: name, known: accounts.map(\.identity.name))
        }
        let wanted = names.map { Set($0.map(ExactString.init)) }
        return accounts.filter { wanted?.contains(ExactString($0.identity.name)) ?? true }
            .map { AccountReader(OpenAccount(server, $0)) }
    }

    private func identities() throws -> [AccountIdentity] {
        switch source {
        case .files(let folder): try folder.entries().map(\.account)
        case .shared(let server): try server.recentAccounts().map(\.identity)
        }
    }

    private func unknown(account name: String, known: [String]) -> ArchiveError {
        ArchiveError(account: name, in: folder, known: known)
    }

    /// Returns the accounts to read; nil for all.
    ///
    /// - Throws: ``ArchiveError`` for a named account that can't be seen.
    private func visible(_ names: [String]?) throws -> [String]? {
        guard !access.isEverything else { return names }
        let known = try identities().map(\.name).filter(access.sees(account:))
        guard let names else { return known }
        if let hidden = names.first(where: { !access.sees(account: $0) }) {
            throw unknown(account: hidden, known: known)
        }
        return names
    }

    /// Returns the readers of the named accounts, sorted by account name; nil unless all of them are open.
    private func held(_ names: [String]) -> [AccountReader]? {
        let names = Set(names.map { ExactString($0.withoutNUL) })
        let readers = names.compactMap(held.use)
        guard !names.isEmpty, readers.count == names.count else { return nil }
        return readers.sorted { $0.account.name < $1.account.name }
    }

    private func openAlone(_ entry: Catalog.Entry, in dataFolder: DataFolder) async throws -> AccountReader {
        if let kept = dataFolder.kept, entry.cold != nil {
            let reader = try await dataFolder.openKept(entry, kept)
            dataFolder.skipped.remove(entry.account.name)
            return reader
        }
        if dataFolder.cold == .copies {
            // A file of an earlier version, or with forgotten messages, has to be changed first, which no copy can be.
            do {
                let reader = try await open(entry, in: dataFolder)
                if try !dataFolder.isToForget(reader) { return reader }
            } catch let error as ArchiveError where error.code == .schemaTooOld {}
        }
        return try await open(entry, in: dataFolder, isAlone: true)
    }

    private func open(
        _ entry: Catalog.Entry, in dataFolder: DataFolder, isAlone: Bool = false
    ) async throws -> AccountReader {
        let name = ExactString(entry.account.name)
        if let reader = held.use(name) { return reader }
        var reader = try await dataFolder.openReader(entry, isUse: false, restores: isAlone)
        // An older copy of a file may have what was forgotten since.
        if reader.file?.isCopy == true, !isAlone, try dataFolder.isToForget(reader) {
            guard dataFolder.kept == nil else { throw ArchiveError.needsExpanding(entry.account.name) }
            reader = try await dataFolder.openReader(entry, isUse: false)
        }
        if reader.file?.isCopy == false { held.readers.withLock { $0[name] = (reader, .now) } }
        return reader
    }
}

/// The plain accounts that are open. Cold accounts have one private copy at a time and are not kept.
private final class HeldReaders: Sendable {
    let readers = Mutex<[ExactString: (reader: AccountReader, lastUse: ContinuousClock.Instant)]>([:])

    /// Returns the reader of an account, and notes its use; nil if the account is not open.
    func use(_ name: ExactString) -> AccountReader? {
        readers.withLock { readers in
            readers[name]?.lastUse = .now
            return readers[name]?.reader
        }
    }
}
