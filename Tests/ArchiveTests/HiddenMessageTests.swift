import ChatModel
import SQLite
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Schema
@testable import Writing

/// Pages without the joins of people who wrote nothing, and without bots.
@Suite struct HiddenMessageTests: SearchSuite {
    let fixture: ArchiveFixture

    private static let minute: Int64 = 60_000_000
    private static let silence = HiddenMessages.silence.components.seconds * 1_000_000

    init() throws { fixture = try ArchiveFixture() }

    /// Fills two rooms with words, joins and leaves of some people, some of them at the same time or half an hour apart.
    private func fillRandomly(_ writer: AccountWriter, seed: UInt64) async throws {
        let session = try await writer.openSession()
        var random = SeededGenerator(seed: seed)
        var time: Int64 = 0
        let rooms = [ArchiveFixture.lobby, Self.work]
        let events = (0..<600).map { number -> ChatEvent in
            let steps = [0, 1, Self.minute, 7 * Self.minute, 30 * Self.minute, 300 * Self.minute]
            time += steps[Int.random(in: 0..<steps.count, using: &random)]
            let kinds: [MessageKind] = [.message, .join, .leave, .join, .rename, .mode, .action, .topic]
            return .said(
                "\(number)", at: time, by: "user\(Int.random(in: 0..<9, using: &random))", in: session,
                kind: kinds[Int.random(in: 0..<kinds.count, using: &random)],
                room: rooms[Int.random(in: 0...1, using: &random)])
        }
        _ = try await writer.append(events)
    }

    private func withoutLurkers(_ all: [Message]) -> [Message] {
        all.filter { event in
            !event.kind.isNoise
                || all.contains { said in
                    !said.kind.isNoise && said.sender == event.sender && said.roomID == event.roomID
                        && abs(said.id.microseconds - event.id.microseconds) < Self.silence
                }
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: UInt64(1)...2)
    func `pages without lurkers have the joins of people who wrote within half an hour`(
        seed: UInt64
    ) async throws {
        let writer = try await fixture.openWriter()
        try await fillRandomly(writer, seed: seed)
        for room in [1, 2, nil] as [Int64?] {
            let expected = withoutLurkers(
                try await fixture.walk(.oldest, limit: 1000, query: fixture.query(room: room)))
            #expect(expected.contains { $0.kind == .join })
            let base = try fixture.query(room: room, hidden: [.lurkers])
            for limit in [1, 2, 7, 50, 1000] {
                #expect(try await fixture.walk(.oldest, limit: limit, query: base) == expected)
                #expect(try await fixture.walk(.latest, limit: limit, query: base) == expected)
            }
        }
        try await writer.close()
    }

    @Test(arguments: UInt64(1)...2)
    func `a page without lurkers around any time is full, and its cursors continue`(seed: UInt64) async throws {
        let writer = try await fixture.openWriter()
        try await fillRandomly(writer, seed: seed)
        let all = try await fixture.walk(.oldest, limit: 1000, query: fixture.query())
        let expected = withoutLurkers(all).map(\.id)
        for anchor in all.map(\.id).enumerated().filter({ $0.offset % 11 == 0 }).map(\.element) {
            let page = try fixture.archive.reading().page(
                fixture.query(.before(anchor), limit: 8, hidden: [.lurkers]))
            #expect(page.messages.map(\.id) == expected.filter { $0 < anchor }.suffix(8))
            #expect((page.older != nil) == (expected.count { $0 < anchor } > 8))
            #expect((page.newer != nil) == expected.contains { $0 >= anchor })
        }
        try await writer.close()
    }

    @Test func `a page counts the events that it leaves out between two messages`() async throws {
        let writer = try await fixture.openWriter()
        try await fillRandomly(writer, seed: 5)
        let all = try await fixture.walk(.oldest, limit: 1000, query: fixture.query())
        let expected = withoutLurkers(all).map(\.id)
        let reading = fixture.archive.reading()
        for anchor in [MessageQuery.Anchor.latest, .oldest, .before(expected[40]), .after(expected[40])] {
            let query = try fixture.query(anchor, limit: 20, hidden: [.lurkers])
            let page = try reading.page(query)
            let counts = try LeftOutEvents.counts(of: page, query, in: reading)
            for id in page.messages.map(\.id) {
                let before = expected.last { $0 < id }
                let count = all.count { $0.id < id && $0.id > before ?? MessageID(microseconds: .min) }
                #expect(counts[id] ?? 0 == count)
            }
        }
        let query = try fixture.query(hidden: [.bots])
        #expect(try LeftOutEvents.counts(of: reading.page(query), query, in: reading).isEmpty)
        try await writer.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `thousands of joins between two messages don't slow down a page without lurkers`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        func say(_ body: String, at time: Int64) async throws {
            _ = try await writer.append([.said(body, at: time, in: session)])
        }
        try await say("first", at: 0)
        let count = 20_000
        for start in stride(from: 0, to: count, by: 1000) {
            _ = try await writer.append(
                (start..<start + 1000).map { number in
                    .said("", at: Int64(number + 40) * Self.minute, by: "user\(number)", in: session, kind: .join)
                })
        }
        try await say("last", at: Int64(count + 100) * Self.minute)
        try await writer.close()
        let queue = try DatabaseQueue(path: try fixture.file())
        defer { try? queue.close() }
        let steps = try queue.write { [fixture] db in
            let counter = StepCounter()
            counter.count(of: db)
            for anchor in [MessageQuery.Anchor.latest, .oldest] {
                let query = try fixture.query(anchor, hidden: [.lurkers])
                let part = try PagePart.read(
                    query, PageReader(account: ArchiveFixture.account, query: query), ReadTransaction(db))
                #expect((part.before + part.after).bodies == ["first", "last"])
            }
            return withExtendedLifetime(counter) { counter.steps }
        }
        #expect(steps < 20_000)
    }

    @Test func `followers get the joins of people who wrote before, and nothing from bots`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: .now())
        _ = try await writer.append([.said("hi", at: 0, by: "alice", in: session)])
        var items = fixture.archive.reading().feeds.follow(try fixture.query(hidden: [.lurkers, .bots]))
            .makeAsyncIterator()
        guard case .history(let page, _)? = try await items.next() else { throw TestFailure() }
        #expect(page.bodies == ["hi"])
        _ = try await writer.append([
            .said("bob leaves", at: 1000, by: "bob", in: session, kind: .leave),
            .said("alice leaves", at: 2000, by: "alice", in: session, kind: .leave),
            .bot("news", at: 3000, in: session), .said("the end", at: 4000, by: "carol", in: session),
        ])
        guard case .messages(let new)? = try await items.next() else { throw TestFailure() }
        #expect(new.bodies == ["alice leaves", "the end"])
        try await writer.close()
    }

    // MARK: Bots

    /// Fills a room in which every third message is a marked bot's, and every seventh one is of an unmarked one.
    private func fillWithBots(_ writer: AccountWriter) async throws {
        let session = try await writer.openSession()
        _ = try await writer.append(
            (0..<900).map { number -> ChatEvent in
                let (body, time) = ("word \(number)", Int64(number) * 10)
                guard number % 3 != 0 else { return .bot(body, at: time, in: session) }
                return .said(
                    body, at: time, by: number % 7 == 0 ? "ChanServ" : "alice", in: session,
                    kind: number % 5 == 0 ? .join : .message)
            })
    }

    /// The numbers of the messages that the network does not mark, those that the list does not name either, and those of
    /// them that are no joins.
    private static let unmarked = (0..<900).filter { $0 % 3 != 0 }
    private static let listless = unmarked.filter { $0 % 7 != 0 }
    private static let spoken = listless.filter { $0 % 5 != 0 }

    private static func bodies(_ numbers: [Int]) -> [String] { numbers.map { "word \($0)" } }

    private var listed: HiddenMessages {
        var hidden: HiddenMessages = [.bots]
        hidden.bots = ["demo": ["chanserv"], "other": ["alice"]]
        return hidden
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [1, 7, 1000])
    func `pages without bots skip marked and listed bots, in both directions`(limit: Int) async throws {
        let writer = try await fixture.openWriter()
        try await fillWithBots(writer)
        let cases: [(HiddenMessages, [Int])] = [
            ([.bots], Self.unmarked), (listed, Self.listless), (listed.withJoins, Self.spoken),
        ]
        for (hidden, shown) in cases {
            for room in [1, nil] as [Int64?] {
                let base = try fixture.query(room: room, hidden: hidden)
                let expected = Self.bodies(shown)
                #expect(try await fixture.walk(.oldest, limit: limit, query: base).bodies == expected)
                #expect(try await fixture.walk(.latest, limit: limit, query: base).bodies == expected)
            }
        }
        try await writer.close()
    }

    @Test func `a bot is hidden by its name in any spelling that finds it`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let names = ["José", "Straßer", "Ｂｏｔ", "O’Brien", "alice", "Josefa"]
        _ = try await writer.append(
            names.enumerated().map { .said($1, at: Int64($0), by: $1, in: session) })
        var hidden: HiddenMessages = [.bots]
        hidden.bots = ["demo": ["jose", "STRASSER"], "": ["bot", "o'brien"]]
        let page = try fixture.archive.reading().page(fixture.query(hidden: hidden))
        #expect(page.bodies == ["alice", "Josefa"])
        try await writer.close()
    }

    @Test func `a search finds no message of hidden bots, by time or by relevance`() async throws {
        let writer = try await fixture.openWriter()
        try await fillWithBots(writer)
        let reading = fixture.archive.reading()
        let search = try await scope("word")
        let expected = Self.bodies(Self.spoken)
        var (found, anchor) = ([String](), MessageQuery.Anchor.oldest)
        while true {
            let page = try reading.page(fixture.query(anchor, limit: 13, hidden: listed), matching: search)
            found += page.bodies
            guard let newer = page.newer else { break }
            anchor = .after(newer)
        }
        #expect(found == expected)
        let best = try reading.search.mostRelevant(fixture.query(limit: 20, hidden: listed), matching: search)
        #expect(best.messages.count == 20 && Set(best.bodies).isSubset(of: expected))
        let page = try await reading.page(fixture.query(limit: 1, hidden: listed), matching: scope("\"word 16\""))
        let groups = try reading.search.context(of: page.messages, fixture.query(hidden: listed), before: 2, after: 1)
        #expect(groups.map(\.messages.bodies) == [["word 11", "word 13", "word 16", "word 17"]])
        try await writer.close()
    }

    @Test func `a page that ends at the byte limit skips bots`() async throws {
        let writer = try await fixture.openWriter()
        try await fillWithBots(writer)
        let reading = fixture.archive.reading().bounded(pageBytes: 2000)
        var (found, anchor) = ([String](), MessageQuery.Anchor.latest)
        while true {
            let page = try reading.page(fixture.query(anchor, limit: 1000, hidden: listed))
            #expect(page.messages.count < 30)
            found = page.bodies + found
            guard let older = page.older else { break }
            anchor = .before(older)
        }
        #expect(found == Self.bodies(Self.listless))
        try await writer.close()
    }

    @Test func `Matrix notices are from bots, and IRC notices are not`() async throws {
        for network in ["matrix", "irc"] {
            let writer = try await fixture.archive.openWriter(AccountIdentity(name: network, network: network))
            let session = try await writer.openSession()
            _ = try await writer.append([
                .said("hi", at: 0, in: session), .said("notice", at: 10, in: session, kind: .notice),
            ])
            try await writer.close()
            let page = try fixture.archive.reading().page(
                fixture.query(room: nil, accounts: [network], hidden: [.bots]))
            #expect(page.bodies == (network == "irc" ? ["hi", "notice"] : ["hi"]))
        }
    }
}

extension ChatEvent {
    /// A message of a bot that the network marks.
    fileprivate static func bot(_ body: String, at offset: Int64, in session: SessionID) -> ChatEvent {
        .message(
            IncomingMessage(
                session: session, room: ArchiveFixture.lobby, kind: .message,
                sender: UserReference(key: "feed", name: "feed"), body: body,
                receivedAt: ArchiveFixture.day.advanced(byMicroseconds: offset), flags: .bot))
    }
}
