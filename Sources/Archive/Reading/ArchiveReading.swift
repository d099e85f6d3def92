package import ChatModel
import Synchronization

/// Reads accounts and keeps them open until the value is released, so that a command opens each account once.
///
/// Every read of messages goes through it.
package final class ArchiveReading: Sendable {
    private let dataFolder: DataFolder
    /// The plain accounts that are open. Cold accounts have one private copy at a time and are not kept.
    private let held = Mutex<[ExactString: AccountReader]>([:])

    init(_ dataFolder: DataFolder) {
        var dataFolder = dataFolder
        let (report, reported) = (dataFolder.reportSkipped, Reported())
        dataFolder.reportSkipped = { accounts in
            let new = reported.add(accounts)
            if !new.isEmpty { report(new) }
        }
        self.dataFolder = dataFolder
    }

    /// The path of the data folder, as given.
    package var folder: String { dataFolder.path }

    /// Returns the accounts in the folder, cold ones included, sorted by name; empty if there is no folder.
    package func accounts() throws -> [AccountIdentity] {
        try dataFolder.entries().map(\.account)
    }

    /// Returns the rooms of an account, or of all, sorted by (account, workspace, name), direct rooms after the others.
    ///
    /// - Parameter countsUnread: Counts unread messages, up to ``UnreadCount/limit`` a room; the more there are, the
    ///   longer it takes.
    package func rooms(account: String? = nil, countsUnread: Bool = false) async throws -> [Room] {
        var rooms: [Room] = []
        try await eachReader(of: account.map { [$0] }) { reader in
            rooms += try reader.read { db in try Room.readAll(reader.account, countsUnread: countsUnread, db) }
        }
        return rooms
    }

    /// Returns the unread state of every room of an account or of all, or of one room, sorted by (account, name).
    package func unread(account: String? = nil, room: Int64? = nil) async throws -> [UnreadRoom] {
        var rooms: [UnreadRoom] = []
        try await eachReader(of: account.map { [$0] }) { reader in
            rooms += try reader.read { db in try UnreadRoom.readAll(reader.account, room: room, db) }
        }
        return rooms
    }

    /// Returns the questions to an account's network about its rooms, to compare its unread counts with ours. Omits
    /// rooms that were left.
    package func unreadQuestions(account: String) async throws -> [UnreadQuestion] {
        var questions: [UnreadQuestion] = []
        try await eachReader(of: [account]) { reader in
            questions = try reader.read { db in try UnreadQuestion.readAll(db) }
        }
        return questions
    }

    /// Returns the users of the accounts, or the known members of one room, sorted by (account, name).
    package func users(scope: MessageQuery.Scope) async throws -> [User] {
        var users: [User] = []
        try await eachReader(in: scope) { reader in
            users += try reader.read { db in try User.readAll(reader.account, room: scope.roomID, db) }
        }
        return users
    }

    /// Returns a page.
    ///
    /// - Parameter search: The search that the messages have to match; nil for all messages.
    package func page(_ query: MessageQuery, matching search: SearchScope? = nil) async throws -> Page {
        var merge = PageMerge(query, search: search)
        let skipped = try await eachReader(in: query.scope) { try merge.add($0) }
        return merge.page(skipped: skipped)
    }

    /// Returns one message with all its details, from one account or from every account that has it.
    package func message(_ id: MessageID, account: String? = nil) async throws -> MessageLookup {
        var search = MessageSearch()
        try await eachReader(of: account.map { [$0] }) { try search.look(for: id, in: $0) }
        return search.result
    }

    /// Returns every gap of the accounts or of one room, and the spans that only imported logs cover, sorted by (from,
    /// account, room).
    package func gaps(scope: MessageQuery.Scope) async throws -> [Gap] {
        var gaps: [Gap] = []
        try await eachReader(in: scope) { reader in
            gaps += try reader.gapListing(room: scope.roomID)
        }
        return gaps.inOrder()
    }

    /// Releases every account except those of the scope.
    func keepOnly(_ scope: MessageQuery.Scope) {
        let names = Set(scope.accounts.map(ExactString.init))
        held.withLock { held in held = held.filter { names.contains($0.key) } }
    }

    /// Calls the body with a reader of each named account, or of all, in order of their names. Among several accounts,
    /// reports and skips those that can't be read, and cold ones unless they were requested. An account named alone is
    /// made plain and must be readable.
    ///
    /// - Parameter isUse: Counts the call as a use of each account.
    /// - Returns: The skipped accounts.
    @discardableResult
    private func eachReader(
        of names: [String]?, isUse: Bool = false, _ body: (AccountReader) async throws -> Void
    ) async throws -> [SkippedAccount] {
        if let names, let readers = held(names) {
            for reader in readers { try await body(reader) }
            if isUse { dataFolder.catalog.noteUse(readers.map(\.folder.name)) }
            return []
        }
        guard let names, names.count == 1 else {
            return try await dataFolder.eachReader(of: names, isUse: isUse, open: { try await self.open($0) }, body)
        }
        guard let entry = try dataFolder.entry(named: names[0].withoutNUL) else {
            throw dataFolder.unknown(account: names[0], known: try accounts().map(\.name))
        }
        try await body(open(entry, isAlone: true))
        if isUse { dataFolder.catalog.noteUse([entry.directory]) }
        return []
    }

    @discardableResult
    func eachReader(
        in scope: MessageQuery.Scope, _ body: (AccountReader) async throws -> Void
    ) async throws -> [SkippedAccount] {
        try await eachReader(of: scope.accounts, isUse: true, body)
    }

    /// Returns readers of the scope's accounts, each with its lock held.
    func readers(of scope: MessageQuery.Scope) async throws -> [AccountReader] {
        var readers: [AccountReader] = []
        try await eachReader(in: scope) { readers.append($0) }
        return readers
    }

    /// Returns the readers of the named accounts, sorted by account name; nil unless all of them are open.
    private func held(_ names: [String]) -> [AccountReader]? {
        let names = Set(names.map { ExactString($0.withoutNUL) })
        let readers = held.withLock { held in names.compactMap { held[$0] } }
        guard !names.isEmpty, readers.count == names.count else { return nil }
        return readers.sorted { $0.account.name < $1.account.name }
    }

    private func open(_ entry: Catalog.Entry, isAlone: Bool = false) async throws -> AccountReader {
        let name = ExactString(entry.account.name)
        if let reader = held.withLock({ $0[name] }) { return reader }
        let reader = try await dataFolder.openReader(entry, isUse: false, restores: isAlone)
        if !reader.isCopy { held.withLock { $0[name] = reader } }
        return reader
    }
}

/// The skipped accounts so far, so that each is reported once.
private final class Reported: Sendable {
    private let known = Mutex<Set<SkippedAccount>>([])

    func add(_ accounts: [SkippedAccount]) -> [SkippedAccount] {
        known.withLock { known in accounts.filter { known.insert($0).inserted } }
    }
}

extension MessageQuery.Scope {
    var accounts: [String] {
        switch self {
        case .room(let account, _): [account]
        case .accounts(let names): names
        }
    }

    var roomID: Int64? {
        switch self {
        case .room(_, let id): id
        case .accounts: nil
        }
    }
}
