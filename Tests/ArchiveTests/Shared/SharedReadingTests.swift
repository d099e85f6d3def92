import ChatModel
import Foundation
import PostgreSQL
import Replication
import SearchText
import TestSupport
import Testing

@testable import Accounts
@testable import Archive
@testable import Checks
@testable import Reading
@testable import Records
@testable import Writing

/// A shared archive gives the same answers as the files.
@Suite(.enabled(if: PostgreSQLServer.isAvailable, "needs PostgreSQL, which .ci/fetch-tools fetches"))
struct SharedReadingTests {
    /// The same accounts, read from files and from a shared archive.
    private struct Both {
        let fixture: ArchiveFixture
        let file: ArchiveReading
        let shared: ArchiveReading

        init(seed: UInt64) async throws {
            fixture = try ArchiveFixture()
            let copy = try await SharedCopy()
            for (account, seed) in [("demo", seed), ("other", seed + 100)] {
                let writer = try await fixture.openWriter(account)
                var random = RandomArchive(seed: seed)
                try await random.write(to: writer)
                try await writer.close()
                try await copy.replicate(fixture.archive, account: account)
            }
            file = fixture.archive.reading()
            shared = SharedArchive(try SharedAddress(copy.address)).reading()
            // No listener writes the files, so their live spans have ended; a copy that is just complete counts as live.
            try copy.connect().execute("UPDATE scrollback.feed_position SET caught_up_at_us = 0")
        }

        func expectEqual<T: Equatable & Sendable>(
            _ what: String, _ read: (ArchiveReading) async throws -> T,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let (expected, found) = (try await read(file), try await read(shared))
            #expect(expected == found, "\(what)", sourceLocation: sourceLocation)
        }
    }

    @Test("pages of every scope are the same in both directions", arguments: UInt64(1)...3)
    func samePages(seed: UInt64) async throws {
        let both = try await Both(seed: seed)
        var bots: HiddenMessages = [.bots, .lurkers]
        bots.bots = ["demo": ["Bob"]]
        for accounts in [["demo"], ["demo", "other"]] {
            for room in [nil, 1, 2, 3] as [Int64?] where room == nil || accounts.count == 1 {
                for hidden in [[], [.joins], [.lurkers], bots] as [HiddenMessages] {
                    for names in [MessageQuery.Names.then, .now] {
                        let query = try both.fixture.query(
                            .latest, limit: 20, room: room, accounts: accounts, hidden: hidden, names: names)
                        try await both.expectEqual("\(accounts) \(room ?? 0) \(hidden) \(names)") { reading in
                            var pages: [Page] = []
                            var query: MessageQuery? = query
                            while let next = query {
                                let page = try reading.page(next)
                                pages.append(page)
                                query = try page.older.map {
                                    try both.fixture.query(
                                        .before($0), limit: 20, room: room, accounts: accounts, hidden: hidden,
                                        names: names)
                                }
                            }
                            return pages
                        }
                    }
                }
            }
        }
    }

    @Test("a bridge made after the copy is copied, and so is its undoing")
    func sameBridge() async throws {
        let (fixture, copy) = (try ArchiveFixture(), try await SharedCopy())
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("<alice> hello", at: 10, by: "relay", in: session), .said("mine", at: 20, by: "relay", in: session),
        ])
        try await copy.replicate(fixture.archive, account: "demo")
        let shared = SharedArchive(try SharedAddress(copy.address)).reading()
        let bot: Int64 = try #require(try fixture.value("SELECT user_id FROM user_name WHERE name = 'relay'"))
        for undoes in [false, true] {
            let request = Bridging(
                bot: bot, name: "relay", pattern: try BridgePattern("<{nick}> {text}"), undoes: undoes)
            var place: MergingPlace?
            repeat {
                place = try await writer.bridge(request, from: place, at: ArchiveFixture.day).next
            } while place != nil
            try await copy.replicate(fixture.archive, account: "demo")
            let query = try fixture.query(room: nil)
            let (expected, found) = (
                try fixture.archive.reading().page(query), try shared.page(query)
            )
            #expect(expected.messages == found.messages)
            #expect(found.messages.map { $0.sender?.name } == [undoes ? "relay" : "alice", "relay"])
            #expect(found.bodies == [undoes ? "<alice> hello" : "hello", "mine"])
        }
        try await writer.close()
    }

    @Test("merges after the copy are copied, and so is their undoing", arguments: UInt64(1)...3)
    func sameMerges(seed: UInt64) async throws {
        let (fixture, copy) = (try ArchiveFixture(), try await SharedCopy())
        let writer = try await fixture.openWriter()
        var random = RandomArchive(seed: seed)
        try await random.write(to: writer)
        try await writer.close()
        try await copy.replicate(fixture.archive, account: "demo")
        let shared = SharedArchive(try SharedAddress(copy.address)).reading()
        for undoes in [false, true] {
            let writer = try await fixture.openWriter()
            for kind in [Merging.Kind.people, .rooms] {
                var place: MergingPlace?
                repeat {
                    place = try await writer.merge(
                        Merging(kind, from: 2, into: 3, undoes: undoes), from: place, at: ArchiveFixture.day
                    ).next
                } while place != nil
            }
            try await writer.close()
            #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
            try await copy.replicate(fixture.archive, account: "demo")
            try copy.connect().execute("UPDATE scrollback.feed_position SET caught_up_at_us = 0")
            func both<T: Equatable>(_ read: (ArchiveReading) async throws -> T) async throws {
                let (expected, found) = (try await read(fixture.archive.reading()), try await read(shared))
                #expect(expected == found)
            }
            try await both { try $0.page(fixture.query(limit: 500, room: nil)) }
            try await both { try $0.page(fixture.query(limit: 500, room: 3)) }
            try await both { try $0.rooms() }
            try await both { try $0.users(scope: .accounts(["demo"]), countsMessages: true) }
            try await both { try $0.unread() }
            try await both { try $0.gaps(scope: .accounts(["demo"])) }
        }
    }

    @Test("lists are the same", arguments: UInt64(4)...6)
    func sameLists(seed: UInt64) async throws {
        let both = try await Both(seed: seed)
        let all = MessageQuery.Scope.accounts(["demo", "other"])
        try await both.expectEqual("accounts") { try $0.accounts() }
        try await both.expectEqual("rooms") { try $0.rooms() }
        try await both.expectEqual("the list of rooms") { try $0.roomList() }
        try await both.expectEqual("rooms' names") { try $0.namedRooms() }
        try await both.expectEqual("the rooms that names may mean") {
            try $0.namedRooms(meantBy: ["lobby", "demo/#WORK", "2", "우리집"].map(RoomArgument.init))
        }
        try await both.expectEqual("unread") { try $0.unread() }
        try await both.expectEqual("people") { try $0.users(scope: all, countsMessages: true) }
        try await both.expectEqual("gaps") { try $0.gaps(scope: all) }
        for message in try both.file.page(both.fixture.query(.latest, limit: 40, room: nil)).messages {
            try await both.expectEqual("message \(message.id)") { try $0.message(message.id, account: "demo") }
            let query = try ThreadQuery(message: message.id, account: "demo")
            try await both.expectEqual("thread of \(message.id)") { try $0.thread(query) }
        }
    }

    @Test("searches give the same hits", arguments: UInt64(7)...9)
    func sameHits(seed: UInt64) async throws {
        let both = try await Both(seed: seed)
        let texts = [
            "text", "안녕", "안", "\"text 1\"", "te*", "text -1", "-text", "*ext*", "*tex", "*ext -*text*", "(1 or 2) 안녕",
            "from:alice", "from:*",
            "from:민수 text", "(from:alice or from:bob)",
            "has:file", "has:image", "has:reaction", "is:reply", "text -has:reaction -is:reply", "is:pinned",
            "is:edited", "is:deleted", "nothing", "\"1 안녕\"",
        ]
        for text in texts {
            let search = SearchScope(query: SearchQuery(parsing: text))
            for room in [nil, 1] as [Int64?] {
                for anchor in [MessageQuery.Anchor.latest, .oldest] {
                    let query = try both.fixture.query(anchor, limit: 15, room: room)
                    try await both.expectEqual("\(text) \(anchor)") { try $0.page(query, matching: search) }
                }
            }
            for grouping in [
                HitGrouping.all, .room, .user, .crossed([.time(.hour), .user], .gmt),
                .crossed([.room, .time(.day)], .gmt),
            ] {
                try await both.expectEqual("\(text) by \(grouping)") {
                    try $0.counts.hits(scope: .accounts(["demo", "other"]), matching: search, by: grouping)
                }
            }
        }
    }

    @Test("words in every spelling and script, and names, find the same hits")
    func sameSpellings() async throws {
        let fixture = try ArchiveFixture()
        let copy = try await SharedCopy()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let names = ["José", "สิริ", "कुमार", "Straßer"]
        _ = try await writer.append(
            SpellingTests.texts.enumerated().map { index, text in
                .said(text, at: Int64(index), by: names[index % names.count], in: session)
            })
        try await writer.close()
        try await copy.replicate(fixture.archive)
        let (file, shared) = (fixture.archive.reading(), SharedArchive(try SharedAddress(copy.address)).reading())
        for text in SpellingTests.queries + ["from:jose", "from:ส*", "from:क*", "from:STRASSER", "-from:jose ไ"] {
            let search = SearchScope(query: SearchQuery(parsing: text))
            let (expected, found) = try (
                file.page(fixture.query(room: nil), matching: search).bodies,
                shared.page(fixture.query(room: nil), matching: search).bodies
            )
            #expect(expected == found, "\(text)")
        }
    }

    @Test("a read that fails at its beginning leaves the connection usable")
    func failsAtBeginning() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        var random = RandomArchive(seed: 11)
        try await random.write(to: writer, rounds: 10)
        try await writer.close()
        let copy = try await SharedCopy()
        try await copy.replicate(fixture.archive)
        let reading = SharedArchive(try SharedAddress(copy.address)).reading()
        let reader = try #require(try reading.readers(of: .accounts(["demo"])).first)
        try copy.connect().execute("ALTER TABLE scrollback.account RENAME TO away")
        #expect(throws: PostgreSQLError.self) { try reader.read { try FeedPosition.end($0) } }
        try copy.connect().execute("ALTER TABLE scrollback.away RENAME TO account")
        #expect(try reader.read { try FeedPosition.end($0) }.seq > 0)
    }

    @Test("unarchived time is the same in lists and on pages")
    func sameTimeBeforeListening() async throws {
        let fixture = try ArchiveFixture()
        let at = ArchiveFixture.at
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: at(100))
        _ = try await writer.append([
            .said("heard", at: 110_000_000, in: session), .fetchedBack(ArchiveFixture.lobby, to: at(15)),
            .sessionEnded(session: session, at: at(200), reason: .lost, detail: nil),
        ])
        try await writer.close()
        let logged = ImportedMessage(
            room: "lobby", kind: .message, sender: "alice", body: "logged", time: at(20), resolution: .microsecond)
        let span = ImportedSpan(room: "lobby", roomKey: nil, from: at(10), to: at(20))
        _ = try await fixture.store(fixture.source([logged]) + [.imported(span)], into: ArchiveFixture.account)
        let copy = try await SharedCopy()
        try await copy.replicate(fixture.archive)
        let shared = SharedArchive(try SharedAddress(copy.address)).reading()
        let (file, query) = (fixture.archive.reading(), try fixture.query())
        let gaps = try shared.gaps(scope: .accounts(["demo"]))
        #expect(gaps.map(\.state) == [.imported, .notArchived, .current] && gaps[1].missing?.unfilled == "limit")
        #expect(try file.gaps(scope: .accounts(["demo"])) == gaps)
        let page = try shared.page(query)
        #expect(page.gaps.map(\.state) == [.notArchived, .current])
        #expect(try file.page(query) == page)
    }

    @Test("followers get the same changes")
    func sameFeed() async throws {
        let both = try await Both(seed: 10)
        try await both.expectEqual("the feed") { reading in
            var all: [FeedChange] = []
            var feed = reading.feeds.changes(of: ["demo"])
            while let changes = try feed.next() { all += changes }
            return all
        }
    }
}
