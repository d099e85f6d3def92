import ChatModel
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Writing

/// Pages that end early because their messages are long.
struct BoundedPageTests {
    private let fixture: ArchiveFixture
    private static let rooms = ["lobby", "b", "c"].map { RoomReference(key: $0, name: $0, kind: .channel) }
    private static let bytes = 4000

    init() async throws {
        fixture = try ArchiveFixture()
        var random = SeededGenerator(seed: 7)
        for account in ["demo", "other"] {
            let writer = try await fixture.openWriter(account)
            let session = try await writer.openSession()
            _ = try await writer.append(
                (0..<300).map { number in
                    let length =
                        Int.random(in: 0...9, using: &random) == 0 ? 6000 : Int.random(in: 1...900, using: &random)
                    return .said(
                        "w\(number) " + String(repeating: "x", count: length), at: Int64(number / 2) * 1000,
                        in: session,
                        room: Self.rooms[Int.random(in: 0...2, using: &random)], remoteID: "\(number)")
                })
            try await writer.close()
        }
    }

    private var bounded: ArchiveReading { fixture.archive.reading().bounded(pageBytes: Self.bytes) }

    private static func isShort(_ page: Page) -> Bool {
        // Messages with the id of the last one that has a place have one, too.
        let ends = [page.messages.first?.id, page.messages.last?.id]
        return page.messages.weight <= bytes || page.messages.filter { !ends.contains($0.id) }.weight <= bytes
    }

    @Test(
        .disabled(if: QuickCheck.isRunning), arguments: [MessageQuery.Anchor.latest, .oldest], [nil, 1, 2] as [Int64?])
    func `pages that reach the byte limit have every message once, in order`(anchor: MessageQuery.Anchor, room: Int64?)
        async throws
    {
        let accounts = room == nil ? ["demo", "other"] : ["demo"]
        let query = try fixture.query(anchor, limit: 1000, room: room, accounts: accounts)
        let whole = try fixture.archive.reading().page(query).messages
        let reading = bounded
        var walk = PageWalk(query)
        var (found, pages) = ([Message](), 0)
        while let page = try walk.next({ try reading.page($0) }) {
            #expect(Self.isShort(page), "\(page.messages.weight)")
            found = anchor == .oldest ? found + page.messages : page.messages + found
            pages += 1
        }
        #expect(found == whole && pages >= whole.weight / Self.bytes / 2)
    }

    @Test func `pages of several rooms end at the byte limit`() async throws {
        let rooms = [
            RoomKey(account: "demo", id: 1), RoomKey(account: "demo", id: 3), RoomKey(account: "other", id: 2),
        ]
        let query = try MessageQuery(scope: .rooms(rooms), anchor: .latest, limit: 1000)
        let whole = try fixture.archive.reading().page(query).messages
        let reading = bounded
        var walk = PageWalk(query)
        var found: [Message] = []
        while let page = try walk.next({ try reading.page($0) }) {
            #expect(Self.isShort(page))
            found = page.messages + found
        }
        #expect(found == whole)
    }

    @Test func `a page around a message has it, and continues on both sides`() async throws {
        let all = try fixture.archive.reading().page(fixture.query(.oldest, limit: 1000, room: nil)).messages
        for message in all where message.id.microseconds % 7 == 0 {
            let query = try fixture.query(.around(message.id), limit: 100, room: nil)
            let page = try bounded.page(query)
            #expect(page.messages.contains(message))
            #expect(Self.isShort(page), "\(page.messages.map(\.weight))")
            let first = try #require(page.messages.first), last = try #require(page.messages.last)
            #expect(page.older == (first == all.first ? nil : first.id))
            #expect(page.newer == (last == all.last ? nil : last.id))
        }
    }

    @Test func `pages of hits end at the byte limit, with less context`() async throws {
        let search = SearchScope(query: SearchQuery(parsing: "w1*"))
        let query = try fixture.query(.latest, limit: 1000, room: nil)
        let whole = try fixture.archive.reading().page(query, matching: search).messages
        let reading = bounded
        var walk = PageWalk(query)
        var found: [Message] = []
        while let page = try walk.next({ try reading.page($0, matching: search) }) {
            #expect(Self.isShort(page))
            found = page.messages + found
            let groups = try reading.search.context(of: page.messages, query, before: 50, after: 50)
            let around = groups.flatMap(\.messages).filter { !page.messages.contains($0) }
            #expect(Set(groups.flatMap(\.hits)) == Set(page.messages.map(\.id)))
            #expect(around.weight <= 2 * Self.bytes)
        }
        #expect(found == whole)
        let relevant = try bounded.search.mostRelevant(query, matching: search)
        #expect(Self.isShort(relevant) && !relevant.messages.isEmpty)
    }

    @Test func `a regular expression finds the same messages in pages that end at the byte limit`() async throws {
        let query = try fixture.query(.latest, limit: 1000, room: nil)
        let expression = try RegularExpression("^w[0-9]*[05] ")
        let whole = try fixture.archive.reading().page(query).messages
            .filter { expression.matches($0.body ?? "") == true }
        let search = RegexSearch(
            reading: bounded, search: SearchScope(query: SearchQuery(parsing: "")), expression: expression,
            deadline: .now + .seconds(3600))
        var walk = PageWalk(query)
        var found: [Message] = []
        while let page = try walk.next({ try search.page($0).page }) {
            #expect(Self.isShort(page))
            found = page.messages + found
        }
        #expect(found == whole && !found.isEmpty)
    }

    @Test func `a feed has every change, in batches that end at the byte limit`() async throws {
        var (position, found) = (FeedPosition?.none, [FeedChange]())
        while true {
            var batches = bounded.feeds.changes(of: ["demo"], after: position)
            guard let batch = try batches.next(), let last = batch.last else { break }
            let weights = batch.compactMap {
                if case .message(_, let message) = $0.subject { message?.weight } else { nil }
            }
            #expect(weights.reduce(0, +) <= 2 * Self.bytes || batch.count == 1)
            found += batch
            position = last.position
        }
        var whole: [FeedChange] = []
        var feed = fixture.archive.reading().feeds.changes(of: ["demo"])
        while let batch = try feed.next() { whole += batch }
        #expect(found == whole)
    }
}
