import Accounts
package import ChatModel
import Dispatch
import Files
import Synchronization

extension ArchiveReading {
    /// Returns a page.
    ///
    /// - Parameter search: The search that the messages have to match; nil for all messages.
    package func page(_ query: MessageQuery, matching search: SearchScope? = nil) throws -> Page {
        let (merge, skipped) = try merge(query, matching: search)
        return merge.page(skipped: skipped)
    }

    /// Returns a page of a search, and the state of the search index of each account that was read, sorted by account name.
    /// Each account is opened once: with many accounts, few stay open, and opening one takes longer than reading it.
    package func pageWithIndexes(
        _ query: MessageQuery, matching search: SearchScope
    ) throws -> (page: Page, indexes: [SearchedIndex]) {
        let (merge, skipped) = try merge(query, matching: search)
        return (merge.page(skipped: skipped), merge.indexes.sorted { $0.account < $1.account })
    }

    private func merge(
        _ query: MessageQuery, matching search: SearchScope?
    ) throws -> (PageMerge, [SkippedAccount]) {
        guard dataFolder == nil, query.scope.accounts.count > 1 else {
            let start = PageMerge(query, search: search, bytes: pageBytes)
            return try collect(in: query.scope, into: start) { try $0.addAccount($1) }
        }
        return (try sharedMerge(query, matching: search), [])
    }

    /// The number of accounts of a shared archive that are read at once: half of the connections, so that a second
    /// reader gets some.
    private static let lanes = SharedServer.connections / 2

    /// Reads the first account of a shared archive, and then several others at once, since the time of each is mostly
    /// the server's. The first shows how far back the page may reach, so that the others have less to read.
    private func sharedMerge(_ query: MessageQuery, matching search: SearchScope?) throws -> PageMerge {
        var readers = try readers(of: query.scope)[...]
        var start = PageMerge(query, search: search, bytes: pageBytes)
        if let first = readers.popFirst() { try start.addAccount(first) }
        let page = SharedPage(start, readers)
        try page.read(lanes: Self.lanes)
        return page.merged.withLock(\.self)
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

    /// Reads all accounts on some threads, for which the caller waits.
    func read(lanes: Int) throws {
        let (group, limit) = (DispatchGroup(), ReadLimit.current)
        let failure = Mutex<(any Error)?>(nil)
        for _ in 0..<lanes {
            DispatchQueue(label: "a lane").async(group: group) {
                do {
                    try ReadLimit.$current.withValue(limit) { try self.readWaiting() }
                } catch {
                    failure.withLock { $0 = $0 ?? error }
                }
            }
        }
        group.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Reads accounts until none is left.
    private func readWaiting() throws {
        while let reader = waiting.withLock({ $0.popFirst() }) {
            let part = try merged.withLock(\.self).part(of: reader)
            merged.withLock { $0.addPart(part) }
        }
    }
}
