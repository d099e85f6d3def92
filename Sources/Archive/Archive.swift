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

    package func page(_ query: MessageQuery) async throws -> Page {
        try await merged(query, search: nil)
    }

    /// How many messages match: of rooms and people the most first, of days in their order.
    package func count(
        scope: MessageQuery.Scope, matching search: SearchScope, by grouping: HitGrouping
    ) async throws -> [HitCount] {
        var counts: [HitCount] = []
        try await eachReader(in: scope) { reader in
            let tally = SearchTally(account: reader.account, scope: scope, search: search)
            counts += try reader.read { db in
                switch grouping {
                case .all: [HitCount(account: nil, name: nil, count: try tally.total(db))]
                case .room: try tally.byRoom(db)
                case .user: try tally.byUser(db)
                case .day(let zone): try tally.byDay(zone, db)
                }
            }
        }
        return grouping.order(counts)
    }

    /// A page of what matches.
    package func page(_ query: MessageQuery, matching search: SearchScope) async throws -> Page {
        try await merged(query, search: search)
    }

    private func merged(_ query: MessageQuery, search: SearchScope?) async throws -> Page {
        var merge = PageMerge(query, search: search)
        let leftOut = try await eachReader(in: query.scope) { try merge.add($0) }
        return merge.page(leftOut: leftOut)
    }

    /// The hits that say most of what is looked for, the best first; at most the query's limit, from wherever they are.
    ///
    /// Looks at every hit. Not a page of time: it has neither cursors nor gaps.
    package func mostRelevant(_ query: MessageQuery, matching search: SearchScope) async throws -> [Message] {
        var found: [(score: Double, message: Message)] = []
        try await eachReader(in: query.scope) { reader in
            found += try reader.read { db in
                let hits = try search.hits(scope: query.scope, of: reader.account, db)
                return try PageReader(account: reader.account, query: query, hits: hits)
                    .mostRelevant(count: query.limit, db)
            }
        }
        found.sort { ($1.score, $1.message.id) < ($0.score, $0.message.id) }
        return found.prefix(query.limit).map(\.message)
    }

    /// What was said around hits of a search: groups in the order of their first hit.
    ///
    /// - Parameters:
    ///   - hits: As a page or ``mostRelevant(_:matching:)`` of the query gave them.
    ///   - before: How many messages before each hit, and how many `after` it.
    package func context(
        of hits: [Message], _ query: MessageQuery, before: Int, after: Int
    ) async throws -> [HitGroup] {
        var groups: [(place: Int, group: HitGroup)] = []
        try await eachReader(in: query.scope) { reader in
            let own = hits.enumerated().filter { $0.element.account == reader.account.name }
            guard !own.isEmpty else { return }
            let places = Dictionary(own.map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
            let context = HitContext(
                account: reader.account, names: query.names, before: before, after: after, gaps: reader.gapReader)
            groups += try reader.read { db in try context.groups(around: own.map(\.element), db) }
                .map { group in (group.hits.compactMap { places[$0] }.min() ?? 0, group) }
        }
        return groups.sorted { $0.place < $1.place }.map(\.group)
    }

    /// Keeps the accounts of a scope open for many pages.
    package func reading(_ scope: MessageQuery.Scope) async throws -> ArchiveReading {
        let (readers, leftOut) = try await readers(of: scope)
        return ArchiveReading(scope: scope, readers: readers, leftOut: leftOut)
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

    /// What a query finds, and then every message that is stored, late ones included, and again when it is edited or
    /// deleted, until the consumer stops.
    ///
    /// With the anchor `after` it pages forward from there to the end and goes on with what comes after that instant;
    /// with `latest` it begins with that page and goes on with everything. Nothing twice, nothing missing.
    package func follow(_ query: MessageQuery) -> AsyncThrowingStream<Followed, any Error> {
        let follower = Follower(archive: self, query: query)
        let thread = OwnThread()
        return AsyncThrowingStream { try await thread.run { try await follower.next() } }
    }

    /// The account's one writer; makes the account when the folder has none of that name. Holds its locks until closed.
    package func openWriter(_ account: AccountIdentity) async throws -> AccountWriter {
        try await OwnThread.run { try await dataFolder.openWriter(account) }
    }

    /// What importing into the account would do; it need not be there.
    package func rehearseImport(into account: String) async throws -> ImportRehearsal {
        ImportRehearsal(reader: try await dataFolder.openReader(account: account, isUse: true))
    }

    /// Gives a reader of each of the named accounts, or of all, by account name, to be let go after that: nothing of the
    /// accounts stays open. Of several, those that can't be read, and cold ones unless they are asked for, are told of and left
    /// out; one alone is made plain, and has to be readable.
    ///
    /// - Parameter isUse: Whether it counts as a use of each.
    /// - Returns: The accounts that are left out.
    @discardableResult
    private func eachReader(
        of names: [String]?, isUse: Bool = false, _ body: (AccountReader) async throws -> Void
    ) async throws -> [LeftOut] {
        guard let names, names.count == 1 else {
            return try await dataFolder.eachReader(of: names, isUse: isUse, body)
        }
        guard let reader = try await dataFolder.openReader(account: names[0], isUse: isUse) else {
            throw dataFolder.unknown(account: names[0], known: try accounts().map(\.name))
        }
        try await body(reader)
        return []
    }

    @discardableResult
    func eachReader(
        in scope: MessageQuery.Scope, _ body: (AccountReader) async throws -> Void
    ) async throws -> [LeftOut] {
        switch scope {
        case .room(let account, _): try await eachReader(of: [account], isUse: true, body)
        case .accounts(let names): try await eachReader(of: names, isUse: true, body)
        }
    }

    /// All of them, each with its lock held.
    func readers(of scope: MessageQuery.Scope) async throws -> (readers: [AccountReader], leftOut: [LeftOut]) {
        var readers: [AccountReader] = []
        let leftOut = try await eachReader(in: scope) { readers.append($0) }
        return (readers, leftOut)
    }
}

extension MessageQuery.Scope {
    var roomID: Int64? {
        switch self {
        case .room(_, let id): id
        case .accounts: nil
        }
    }
}

/// Accounts held open for reading, until the value is gone.
package struct ArchiveReading: Sendable {
    package let scope: MessageQuery.Scope
    let readers: [AccountReader]
    /// The scope's accounts that could not be opened.
    package let leftOut: [LeftOut]

    /// - Parameter search: What the messages have to match; nil for all of them.
    /// - Precondition: the query has this scope.
    package func page(_ query: MessageQuery, matching search: SearchScope? = nil) async throws -> Page {
        precondition(query.scope == scope)
        var merge = PageMerge(query, search: search)
        for reader in readers { try merge.add(reader) }
        return merge.page(leftOut: leftOut)
    }

    /// How far back the search index of each account reaches, where it does not reach back to the beginning yet.
    package func unindexed() throws -> [(account: String, from: MessageID)] {
        try readers.compactMap { reader in
            let reach = try reader.read { db in try SearchReach.all(db).first }
            return reach.flatMap { $0.from == .min ? nil : (reader.account.name, MessageID(microseconds: $0.from)) }
        }
    }
}

/// What following brings.
package enum Followed: Sendable, Hashable {
    /// History, in time order, with the gaps in it that were not given before.
    case history([Message], gaps: [Gap])
    /// Messages that have been stored, edited or deleted meanwhile, in commit order: a late one, and one that was there
    /// before, has an earlier id than those before it.
    case messages([Message])
    /// A gap that began, or that ended and now has its `to`.
    case gap(Gap)
    /// The account's file was replaced by a restored one; it is read from the start.
    case startedOver(account: String)
}
