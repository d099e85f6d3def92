import ChatModel
import SearchText
import Synchronization
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Files
@testable import Moves
@testable import Reading
@testable import Schema
@testable import Writing

/// The threads that open files, and how often they do: the connections of this process have one observer.
@Suite(.serialized)
struct OpeningTests {
    /// An opened file, and whether the thread that opened it may wait for a disk.
    private typealias Opened = (path: String, mayWait: Bool)

    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    /// Returns what `body` opened of the fixture's folder.
    private func openings(_ body: () async throws -> Void) async throws -> [Opened] {
        let opened = Watched<[Opened]>([])
        let folder = fixture.archive.folder
        SQLiteConnection.watch.withLock {
            $0 = { path, mayWait in
                if path.contains(folder) { opened.change { $0.append((path, mayWait)) } }
            }
        }
        defer { SQLiteConnection.watch.withLock { $0 = nil } }
        try await body()
        return opened.value
    }

    @Test func `no file is opened on a thread that Swift's tasks share`() async throws {
        #expect(!OwnThread.mayWait)
        let opened = try await openings {
            let writer = try await fixture.openWriter()
            let session = try await writer.openSession()
            _ = try await writer.append([.said("hello", at: 1, in: session)])
            _ = try await writer.status()
            writer.connections.closeIdle()
            _ = try await writer.append([.said("again", at: 2, in: session)])
            try await writer.close()
        }
        #expect(opened.count >= 4)
        let later = try await openings {
            let archive = Archive(folder: fixture.archive.folder)
            _ = try await onThread { try archive.evict(account: "demo", level: 1) }
            try await archive.openWriter(ArchiveFixture.account).close()
            for try await _ in archive.reading().feeds.follow(try fixture.query()) { break }
            try await onThread { try readAll(archive) }
        }
        #expect(later.count >= 15)
        let shared = (opened + later).filter { !$0.mayWait }.map(\.path)
        #expect(shared == [], "opened on a shared thread")
    }

    private func readAll(_ archive: Archive) throws {
        _ = try archive.evictOver(HotLimits(bytes: 1))
        _ = try archive.restore(account: "demo")
        _ = try archive.reading().page(fixture.query())
        _ = try archive.reading().status()
        _ = try archive.reading().accountSummaries()
        _ = try AccountExport(of: "demo", in: archive.reading())
        _ = try archive.rehearseImport(into: "demo")
        _ = try archive.check()
        _ = try archive.backup(in: archive.folder + "-copy", isNew: true).add(account: "demo")
        try archive.recover { error in Issue.record(error) }
        try archive.rebuildCatalog { error in Issue.record(error) }
        _ = try archive.erase(account: "demo")
    }

    @Test func `one reading opens an account once, whatever it reads`() async throws {
        let writer = try await fixture.openWriter()
        _ = try await writer.append([.said("hello", at: 1, in: try await writer.openSession())])
        try await writer.close()
        let query = try fixture.query(room: nil)
        let search = SearchScope(query: SearchQuery(parsing: "hello"))
        let opened = try await openings {
            let reading = fixture.archive.reading()
            #expect(try reading.rooms().count == 1)
            let page = try reading.page(query, matching: search)
            #expect(page.messages.count == 1)
            #expect(try reading.search.context(of: page.messages, query, before: 1, after: 1).count == 1)
            #expect(try reading.counts.hits(scope: query.scope, matching: search, by: .all).first?.count == 1)
            #expect(try reading.search.mostRelevant(query, matching: search).messages == page.messages)
            _ = try reading.gaps(scope: query.scope)
            #expect(try reading.unread(account: "demo", room: 1).count == 1)
            #expect(try reading.search.indexes(query.scope).filter(\.lacksMessages).isEmpty)
            #expect(try reading.status().map(\.messages) == [1])
            #expect(try AccountExport(of: "demo", in: reading).rooms().count == 1)
        }
        #expect(opened.count { $0.path.contains("/accounts/") } == 1)
        let listed = try await openings { _ = try fixture.archive.reading().accountSummaries() }
        #expect(listed.count { $0.path.contains("/accounts/") } == 1)
    }

    @Test func `a search of more accounts than may be open opens each once, and knows the state of their indexes`()
        async throws
    {
        let names = ["one", "three", "two"]
        for name in names {
            let writer = try await fixture.openWriter(name)
            _ = try await writer.append([.said("hello", at: 1, in: try await writer.openSession())])
            try await writer.close()
        }
        try fixture.execute("UPDATE search_index SET from_us = 1000", account: "three")
        let archive = Archive(folder: fixture.archive.folder, openConnections: 1)
        let (query, search) = try (
            fixture.query(room: nil, accounts: names), SearchScope(query: SearchQuery(parsing: "hello"))
        )
        let opened = try await openings {
            let (page, indexes) = try archive.reading().pageWithIndexes(query, matching: search)
            #expect(page.messages.count == 3)
            #expect(indexes.map(\.account) == names)
            #expect(indexes.map(\.lacksMessages) == [false, true, false])
            #expect(indexes.allSatisfy { !$0.isOutdated })
        }
        #expect(opened.count { $0.path.contains("/accounts/") } == 3)
        #expect(try archive.reading().search.indexes(query.scope).filter(\.lacksMessages).map(\.account) == ["three"])
    }
}
