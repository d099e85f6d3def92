import ChatModel
package import Operations
package import Reading
import Rendering

/// Answers the questions of a reader from an archive, on the caller's thread.
package struct ArchiveFetcher: Sendable {
    private let reading: ArchiveReading
    /// The accounts to read; empty for all.
    private let accounts: [String]
    private let context: OperationContext

    /// 1 MiB: a page holds whole texts, which may have some MiB each.
    private static let pageBytes = 1 << 20
    /// The limit of new messages that are counted.
    private static let mostNew = 99
    /// The longest time for a search that tests messages one by one, in seconds. The next key ends it earlier.
    private static let searchSeconds = 30

    package init(_ reading: ArchiveReading, accounts: [String], context: OperationContext) {
        self.reading = reading.bounded(pageBytes: Self.pageBytes)
        (self.accounts, self.context) = (accounts, context)
    }

    /// Returns the answer; nil if reading was cancelled.
    package func answer(_ request: ReaderRequest) -> ReaderAnswer? {
        do {
            return try read(request)
        } catch is CancellationError {
            return nil
        } catch {
            let text = FailureText.sentence(for: error) ?? "\(error)"
            return .failed(Sanitizer.line(text))
        }
    }

    private func read(_ request: ReaderRequest) throws -> ReaderAnswer {
        switch request {
        case .rooms: return try rooms()
        case .unread(let keys): return .unread(try keys.compactMap { try reading.room($0)?.room })
        case .nextUnread(let keys):
            return .nextUnread(try keys.first { (try reading.room($0)?.room.unread?.count ?? 0) > 0 })
        case .facts(let key): return try facts(key)
        case .open(let key, let place, let choice): return .page(try page(key, Self.anchor(of: place), choice))
        case .extend(let key, let isOlder, let cursor, let choice):
            return .page(try page(key, isOlder ? .before(cursor) : .after(cursor), choice))
        case .refresh(let key, let first, let count, let choice):
            return .page(try refreshed(key, from: first, count: count, choice))
        case .new(let key, let id, var choice):
            choice.limit = Self.mostNew
            let page = try page(key, .after(id), choice)
            return .new(count: page.messages.count, hasMore: page.newer != nil)
        case .hits(let search, let cursor, let limit): return try hits(search, before: cursor, limit: limit)
        case .years(let search): return try years(search)
        case .gap(let key, let isLater, let time): return .gap(try gap(key, isLater: isLater, from: time))
        case .day(let key, let isLater, let day): return .day(try self.day(key, isLater: isLater, from: day))
        case .days(let key, let days): return .days(try reading.counts.days(of: key, days: days, zone: context.zone))
        case .details(let account, let id): return try details(account, id)
        case .conversation(let account, let id, let choice): return try conversation(account, id, choice)
        }
    }

    private func rooms() throws -> ReaderAnswer {
        let rooms = try reading.roomOutlines(accounts: accounts, isSorted: true)
        return .rooms(rooms, skipped: reading.skipped)
    }

    private func facts(_ key: RoomKey) throws -> ReaderAnswer {
        guard let room = try reading.room(key)?.room else { return .failed("the room is no longer in the archive") }
        let gap = try reading.gaps(scope: .rooms([key])).last { $0.state.isMissing && $0.state != .imported }
        let unread = try reading.unread(account: key.account, room: key.id).first
        return .facts(RoomState(room: room, unread: unread, lastGap: gap))
    }

    private static func anchor(of place: ReaderRequest.Place) -> MessageQuery.Anchor {
        switch place {
        case .latest: .latest
        case .oldest: .oldest
        case .around(let id), .from(let id): .around(id)
        case .gap(let time): .around(MessageID(time))
        }
    }

    private func page(
        _ key: RoomKey, _ anchor: MessageQuery.Anchor, _ choice: ReaderRequest.Choice
    ) throws -> Page {
        let query = try MessageQuery(
            scope: .rooms([key]), anchor: anchor, limit: choice.limit, hidden: choice.hidden, names: choice.names)
        return try PageOfRoom(reading, key).page(query)
    }

    /// Returns as many messages as before, and a page more, from the same message on.
    private func refreshed(
        _ key: RoomKey, from first: MessageID?, count: Int, _ choice: ReaderRequest.Choice
    ) throws -> Page {
        guard let first else { return try page(key, .latest, choice) }
        let start = MessageID(first.time.advanced(byMicroseconds: -1))
        var whole = try page(key, .after(start), choice)
        while let cursor = whole.newer, whole.messages.count < count + choice.limit {
            let next = try page(key, .after(cursor), choice)
            whole.messages += next.messages
            whole.gaps = whole.gaps.filter { !next.gaps.contains($0) } + next.gaps
            whole.newer = next.newer
        }
        return whole
    }
}

/// Searches and places.
extension ArchiveFetcher {
    private func run(_ search: ReaderRequest.Search) throws -> (run: SearchRun, scope: MessageQuery.Scope)? {
        let accounts: [String] =
            switch search.scope {
            case .room(let key): [key.account]
            case .account(let name): [name]
            case .everything: self.accounts
            }
        let operation = SearchOperation(text: search.text, selection: RoomSelection(room: nil, accounts: accounts))
        let report = RegexReport.ofRequest(seconds: Self.searchSeconds)
        guard let (selected, run) = try operation.run(in: reading, context, report: report) else { return nil }
        guard case .room(let key) = search.scope else { return (run, selected.scope) }
        return (run, .rooms([key]))
    }

    private func hits(_ search: ReaderRequest.Search, before cursor: MessageID?, limit: Int) throws -> ReaderAnswer {
        guard let (run, scope) = try run(search) else {
            return .hits(Page(messages: [], older: nil, newer: nil, gaps: []), notes: "")
        }
        let query = try MessageQuery(
            scope: scope, anchor: cursor.map { .before($0) } ?? .latest, limit: limit, hidden: search.hidden,
            names: search.names)
        var (page, notes) = try run.page(query)
        // The gaps between hits, which may be years apart, are not shown.
        page.gaps = []
        return .hits(page, notes: Sanitizer.line(notes.split(separator: "\n").first.map(String.init) ?? ""))
    }

    private func years(_ search: ReaderRequest.Search) throws -> ReaderAnswer {
        guard let (run, scope) = try run(search) else { return .years([]) }
        return .years(try run.counts(scope, by: .time(.year, context.zone)).counts)
    }

    private func gap(_ key: RoomKey, isLater: Bool, from time: Timestamp) throws -> Timestamp? {
        let gaps = try reading.gaps(scope: .rooms([key])).filter { $0.state.isMissing && $0.state != .imported }
        return (isLater ? gaps.first { $0.from > time } : gaps.last { $0.from < time })?.from
    }

    private func day(_ key: RoomKey, isLater: Bool, from day: CivilDay) throws -> CivilDay? {
        let page = try reading.page(MessageQuery(scope: .rooms([key]), anchor: .day(day), limit: 1))
        return isLater ? page.day?.next : page.day?.previous
    }

    private func details(_ account: String, _ id: MessageID) throws -> ReaderAnswer {
        guard case .found(let detail) = try reading.message(id, account: account) else {
            return .failed("the message is no longer in the archive")
        }
        return .details(detail)
    }

    private func conversation(
        _ account: String, _ id: MessageID, _ choice: ReaderRequest.Choice
    ) throws -> ReaderAnswer {
        let query = try ThreadQuery(
            message: id, account: account, anchor: .oldest, limit: MessageQuery.limits.upperBound, names: choice.names)
        guard case .found(let thread) = try reading.thread(query) else {
            return .failed("the message is no longer in the archive")
        }
        return .conversation(thread)
    }
}
