package import ChatModel
import Synchronization

/// Reads accounts, and keeps those that it has opened open until the value is gone: a command opens each of them once.
///
/// Everything that is read of messages is read here.
package final class ArchiveReading: Sendable {
    private let dataFolder: DataFolder
    /// The plain accounts that are open. Of the others there is one private copy at a time.
    private let held = Mutex<[ExactString: AccountReader]>([:])

    init(_ dataFolder: DataFolder) {
        var dataFolder = dataFolder
        let (report, reported) = (dataFolder.leftOut, Reported())
        dataFolder.leftOut = { accounts in
            let new = reported.add(accounts)
            if !new.isEmpty { report(new) }
        }
        self.dataFolder = dataFolder
    }

    /// The path of the data folder, as given.
    package var folder: String { dataFolder.path }

    /// Returns the accounts in the folder by name, cold ones included; none when there is no folder.
    package func accounts() throws -> [AccountIdentity] {
        try dataFolder.entries().map(\.account)
    }

    /// The rooms of an account, or of all, by (account, workspace, name), direct ones behind the others.
    ///
    /// - Parameter countsUnread: Takes longer the more is unread, up to ``UnreadCount/limit`` a room.
    package func rooms(account: String? = nil, countsUnread: Bool = false) async throws -> [Room] {
        var rooms: [Room] = []
        try await eachReader(of: account.map { [$0] }) { reader in
            rooms += try reader.read { db in try Room.readAll(reader.account, countsUnread: countsUnread, db) }
        }
        return rooms
    }

    /// What is unread in every room of an account, or of all, by (account, name); or in one room.
    package func unread(account: String? = nil, room: Int64? = nil) async throws -> [UnreadRoom] {
        var rooms: [UnreadRoom] = []
        try await eachReader(of: account.map { [$0] }) { reader in
            rooms += try reader.read { db in try UnreadRoom.readAll(reader.account, room: room, db) }
        }
        return rooms
    }

    /// What to ask an account's network about its rooms, to put its count beside ours; none of those that were left.
    package func unreadQuestions(account: String) async throws -> [UnreadQuestion] {
        var questions: [UnreadQuestion] = []
        try await eachReader(of: [account]) { reader in
            questions = try reader.read { db in try UnreadQuestion.readAll(db) }
        }
        return questions
    }

    /// The users of the accounts, or the members of one room as far as they are known, by (account, name).
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
        let leftOut = try await eachReader(in: query.scope) { try merge.add($0) }
        return merge.page(leftOut: leftOut)
    }

    /// One message whole, in one account or in whichever has it.
    package func message(_ id: MessageID, account: String? = nil) async throws -> MessageLookup {
        var search = MessageSearch()
        try await eachReader(of: account.map { [$0] }) { try search.look(for: id, in: $0) }
        return search.result
    }

    /// Every gap of the accounts, or of one room, and where there is nothing but what a log has, in order of (from, account, room).
    package func gaps(scope: MessageQuery.Scope) async throws -> [Gap] {
        var gaps: [Gap] = []
        try await eachReader(in: scope) { reader in
            gaps += try reader.gapListing(room: scope.roomID)
        }
        return gaps.inOrder()
    }

    /// Lets go of every account except those of the scope.
    func keepOnly(_ scope: MessageQuery.Scope) {
        let names = Set(scope.accounts.map(ExactString.init))
        held.withLock { held in held = held.filter { names.contains($0.key) } }
    }

    /// Gives a reader of each of the named accounts, or of all, by account name. Of several, those that can't be read, and
    /// cold ones unless they are wanted, are reported and left out; one alone is made plain, and has to be readable.
    ///
    /// - Parameter isUse: Whether it counts as a use of each.
    /// - Returns: The accounts that are left out.
    @discardableResult
    private func eachReader(
        of names: [String]?, isUse: Bool = false, _ body: (AccountReader) async throws -> Void
    ) async throws -> [LeftOut] {
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
    ) async throws -> [LeftOut] {
        try await eachReader(of: scope.accounts, isUse: true, body)
    }

    /// Returns readers of the scope's accounts, each with its lock held.
    func readers(of scope: MessageQuery.Scope) async throws -> [AccountReader] {
        var readers: [AccountReader] = []
        try await eachReader(in: scope) { readers.append($0) }
        return readers
    }

    /// Returns the readers of the named accounts by account name; nil unless all of them are open.
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

/// The accounts that were reported as left out: each is reported once.
private final class Reported: Sendable {
    private let known = Mutex<Set<LeftOut>>([])

    func add(_ accounts: [LeftOut]) -> [LeftOut] {
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
