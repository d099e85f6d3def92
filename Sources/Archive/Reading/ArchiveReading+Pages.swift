package import ChatModel
import Synchronization

extension ArchiveReading {
    /// Returns a page.
    ///
    /// - Parameter search: The search that the messages have to match; nil for all messages.
    package func page(_ query: MessageQuery, matching search: SearchScope? = nil) async throws -> Page {
        guard dataFolder == nil, query.scope.accounts.count > 1 else {
            let start = PageMerge(query, search: search, bytes: pageBytes)
            let (merge, skipped) = try await collect(in: query.scope, into: start) { try $0.add($1) }
            return merge.page(skipped: skipped)
        }
        return try await sharedPage(query, matching: search)
    }

    /// The number of accounts of a shared archive that are read at once: half of the connections, so that a second
    /// reader gets some.
    private static let lanes = SharedServer.connections / 2

    /// Reads the first account of a shared archive, and then several others at once, since the time of each is mostly
    /// the server's. The first shows how far back the page may reach, so that the others have less to read.
    private func sharedPage(_ query: MessageQuery, matching search: SearchScope?) async throws -> Page {
        var readers = try await readers(of: query.scope)[...]
        var start = PageMerge(query, search: search, bytes: pageBytes)
        if let first = readers.popFirst() {
            start = try await OwnThread.run { [start] in
                var start = start
                try start.add(first)
                return start
            }
        }
        let page = SharedPage(start, readers)
        try await withThrowingTaskGroup(of: Void.self) { lanes in
            // A thread for each: on a command's main thread they would run one after the other.
            for _ in 0..<Self.lanes { lanes.addTask { try await OwnThread().run { try page.read() } } }
            try await lanes.waitForAll()
        }
        return page.merged.withLock { $0.page() }
    }
}

/// A page that several threads read.
private final class SharedPage: Sendable {
    let merged: Mutex<PageMerge>
    private let waiting: Mutex<ArraySlice<AccountReader>>

    init(_ start: PageMerge, _ accounts: ArraySlice<AccountReader>) {
        merged = Mutex(start)
        waiting = Mutex(accounts)
    }

    /// Reads accounts until none is left.
    func read() throws {
        while let reader = waiting.withLock({ $0.popFirst() }) {
            let part = try merged.withLock(\.self).part(of: reader)
            merged.withLock { $0.add(part) }
        }
    }
}
