import ChatModel
import GRDB

/// Makes a page of one account or of several: the same run of time from each, in the order (id, account name).
///
/// Between equal ids no page is cut, so that an id alone is the cursor: a page may exceed its limit by the number of
/// accounts less one.
struct PageMerge {
    let readers: [AccountReader]
    let query: MessageQuery

    func page() async throws -> Page {
        switch query.anchor {
        case .latest:
            return try await page(from: try await backward(from: nil), newerExists: false)
        case .before(let id):
            let newer = try await exists(after: id.earlier.microseconds)
            return try await page(from: try await backward(from: id.microseconds), newerExists: newer, upper: id)
        case .oldest:
            return try await page(from: try await forward(from: nil), olderExists: false)
        case .after(let id):
            let older = try await exists(before: id.later.microseconds)
            return try await page(from: try await forward(from: id.microseconds), olderExists: older, lower: id)
        case .around(let id):
            return try await around(id)
        case .between(let start, let end) where start <= end:
            let run = try await forward(from: start.microseconds, before: end.microseconds)
            return try await page(from: run, olderExists: false, lower: start, upper: end)
        case .between(let start, let end):
            let run = try await backward(from: start.microseconds, after: end.microseconds)
            return try await page(from: run, newerExists: false, lower: end, upper: start)
        }
    }

    private func page(
        from run: Run, olderExists: Bool, lower: MessageID? = nil, upper: MessageID? = nil
    ) async throws -> Page {
        let newer = run.beyond == nil ? nil : run.messages.last?.id
        let older = olderExists ? run.messages.first?.id ?? lower.map { $0.later } : nil
        return try await page(
            run.messages, older: older, newer: newer, lower: lower?.microseconds,
            upper: run.beyond ?? upper?.microseconds)
    }

    private func page(
        from run: Run, newerExists: Bool, lower: MessageID? = nil, upper: MessageID? = nil
    ) async throws -> Page {
        let older = run.beyond == nil ? nil : run.messages.first?.id
        let newer = newerExists ? run.messages.last?.id ?? upper.map { $0.earlier } : nil
        return try await page(
            run.messages, older: older, newer: newer, lower: run.beyond ?? lower?.microseconds,
            upper: upper?.microseconds)
    }

    private func page(
        _ messages: [Message], older: MessageID?, newer: MessageID?, lower: Int64?, upper: Int64?
    ) async throws -> Page {
        var gaps: [Gap] = []
        for reader in readers {
            gaps += try await reader.gaps(room: query.scope.roomID, from: lower ?? .min, to: upper ?? .max)
        }
        return Page(messages: messages, older: older, newer: newer, gaps: gaps.inOrder())
    }

    /// Half before, the rest from the instant on; what one side has too few of, the other side gives.
    private func around(_ instant: MessageID) async throws -> Page {
        let before = try await backward(from: instant.microseconds)
        let after = try await forward(from: instant.earlier.microseconds)
        let beforeCount = min(before.messages.count, max(query.limit / 2, query.limit - after.messages.count))
        let older = before.cutToLatest(beforeCount)
        let newer = after.cutToEarliest(max(query.limit - older.messages.count, 0))
        let messages = older.messages + newer.messages
        return try await page(
            messages, older: older.beyond == nil ? nil : messages.first?.id,
            newer: newer.beyond == nil ? nil : messages.last?.id, lower: older.beyond, upper: newer.beyond)
    }

    private func backward(from upper: Int64?, after lower: Int64? = nil) async throws -> Run {
        let all = try await read { reader, db in
            try reader.backward(from: upper, after: lower, count: query.limit + 1, db)
        }
        return Run(messages: all).cutToLatest(query.limit)
    }

    private func forward(from lower: Int64?, before upper: Int64? = nil) async throws -> Run {
        let all = try await read { reader, db in
            try reader.forward(from: lower, before: upper, count: query.limit + 1, db)
        }
        return Run(messages: all).cutToEarliest(query.limit)
    }

    private func exists(before upper: Int64) async throws -> Bool {
        try await any { reader, db in try reader.previous(to: upper, db) != nil }
    }

    private func exists(after lower: Int64) async throws -> Bool {
        try await any { reader, db in try reader.next(to: lower, db) != nil }
    }

    private func any(_ test: @escaping @Sendable (PageReader, Database) throws -> Bool) async throws -> Bool {
        for reader in readers {
            let pages = pages(of: reader)
            if try await reader.read({ db in try test(pages, db) }) { return true }
        }
        return false
    }

    /// Each account's run, merged.
    private func read(
        _ run: @escaping @Sendable (PageReader, Database) throws -> [Message]
    ) async throws -> [Message] {
        var all: [Message] = []
        for reader in readers {
            let pages = pages(of: reader)
            all += try await reader.read { db in try run(pages, db) }
        }
        return readers.count == 1 ? all : all.merged()
    }

    private func pages(of reader: AccountReader) -> PageReader {
        PageReader(account: reader.account, query: query)
    }
}

extension MessageID {
    fileprivate var earlier: MessageID { MessageID(time.advanced(byMicroseconds: -1)) }
    fileprivate var later: MessageID { MessageID(time.advanced(byMicroseconds: 1)) }
}
