import ChatModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Records
@testable import Schema
@testable import Writing

/// The conversation that a message belongs to.
@Suite struct ThreadTests {
    private static let other = RoomReference(key: "#other", name: "#other", kind: .channel)

    private struct Said {
        var id: String
        var answers: String?
        var at: Int64
        var room = ArchiveFixture.lobby

        init(_ id: String, _ answers: String? = nil, at: Int64, room: RoomReference = ArchiveFixture.lobby) {
            (self.id, self.answers, self.at, self.room) = (id, answers, at, room)
        }
    }

    private static func id(_ at: Int64) -> MessageID { MessageID(ArchiveFixture.day.advanced(byMicroseconds: at)) }

    private func append(_ messages: [Said], to writer: AccountWriter, in session: SessionID) async throws {
        _ = try await writer.append(
            messages.map { said in
                .message(
                    IncomingMessage(
                        session: session, room: said.room, kind: .message,
                        sender: UserReference(key: "alice", name: "alice"), body: said.id, remoteID: said.id,
                        sourceTime: Self.id(said.at).time, receivedAt: Self.id(said.at).time, replyTo: said.answers))
            })
    }

    private func fixture(_ messages: [Said], account: String = "demo", in fixture: ArchiveFixture? = nil) async throws
        -> ArchiveFixture
    {
        let fixture = try fixture ?? ArchiveFixture()
        let writer = try await fixture.openWriter(account)
        try await append(messages, to: writer, in: writer.openSession())
        try await writer.close()
        return fixture
    }

    private func thread(
        _ at: Int64, _ fixture: ArchiveFixture, from anchor: ThreadQuery.Anchor = .oldest, limit: Int = 1000
    ) async throws -> MessageThread {
        let query = try ThreadQuery(message: Self.id(at), anchor: anchor, limit: limit)
        guard case .found(let thread) = try fixture.archive.reading().thread(query) else { throw TestFailure() }
        return thread
    }

    private static let talk = [
        Said("root", at: 10), Said("elsewhere", at: 15), Said("a", "root", at: 20), Said("b", "root", at: 30),
        Said("a2", "a", at: 40), Said("b2", "b", at: 50), Said("a3", "a2", at: 60),
        // The same ids in another room.
        Said("root", at: 70, room: other), Said("x", "a", at: 80, room: other),
    ]

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [Int64(10), 20, 30, 40, 50, 60])
    func `a thread has the first message and all replies in order of time, from any message`(
        at: Int64
    ) async throws {
        let thread = try await thread(at, fixture(Self.talk))
        #expect(thread.page.bodies == ["root", "a", "b", "a2", "b2", "a3"])
        #expect(thread.root?.body == "root" && thread.outline.rootState == .found)
        #expect(thread.outline.rootRemoteID == "root" && !thread.outline.isCut)
        #expect(thread.page.older == nil && thread.page.newer == nil)
        #expect(thread.page.messages.allSatisfy { $0.body == "root" || $0.reply?.id != nil })
    }

    @Test func `a message without replies is a thread of one`() async throws {
        let thread = try await thread(15, fixture(Self.talk))
        #expect(thread.page.bodies == ["elsewhere"] && thread.root?.body == "elsewhere")
    }

    @Test func `a page of a thread continues in both directions`() async throws {
        let fixture = try await fixture(Self.talk)
        let first = try await thread(50, fixture, limit: 2)
        #expect(first.page.bodies == ["root", "a"] && first.page.older == nil && first.page.newer == Self.id(20))
        let second = try await thread(50, fixture, from: .after(Self.id(20)), limit: 3)
        #expect(second.page.bodies == ["b", "a2", "b2"] && second.root?.body == "root")
        #expect(second.page.older == Self.id(30) && second.page.newer == Self.id(50))
        let back = try await thread(50, fixture, from: .before(Self.id(30)), limit: 1)
        #expect(back.page.bodies == ["a"] && back.page.older == Self.id(20) && back.page.newer == Self.id(20))
        let end = try await thread(50, fixture, from: .after(Self.id(60)))
        #expect(end.page.messages.isEmpty && end.page.newer == nil && end.page.older == Self.id(61))
        let page = try fixture.archive.reading().page(of: first.outline, from: .after(Self.id(20)), limit: 3)
        #expect(page == second.page)
    }

    @Test func `a page around a message contains it, and is full if the thread is long enough`() async throws {
        let fixture = try await fixture(Self.talk)
        for (at, bodies) in [
            (Int64(10), ["root", "a", "b"]), (20, ["root", "a", "b"]), (40, ["b", "a2", "b2"]),
            (60, ["a2", "b2", "a3"]),
        ] {
            let part = try await thread(at, fixture, from: .around(Self.id(at)), limit: 3)
            #expect(part.page.bodies == bodies)
            #expect((part.page.older == nil) == (bodies.first == "root"))
            #expect((part.page.newer == nil) == (bodies.last == "a3"))
        }
        let all = try await thread(60, fixture, from: .around(Self.id(60)))
        #expect(all.page.bodies.count == 6 && all.page.older == nil && all.page.newer == nil)
    }

    @Test func `a page of a thread between two cursors ends at the second`() async throws {
        let fixture = try await fixture(Self.talk)
        let first = try await thread(50, fixture, from: .between(Self.id(10), Self.id(50)), limit: 2)
        #expect(first.page.bodies == ["a", "b"] && first.page.older == nil && first.page.newer == Self.id(30))
        let last = try await thread(50, fixture, from: .between(Self.id(30), Self.id(50)), limit: 2)
        #expect(last.page.bodies == ["a2"] && last.page.older == nil && last.page.newer == nil)
        let none = try await thread(50, fixture, from: .between(Self.id(51), Self.id(52)))
        #expect(none.page.messages.isEmpty && none.page.older == nil && none.page.newer == nil)
    }

    @Test func `replies to a message that is not archived are one thread, until it arrives`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        try await append(
            [Said("a", "root", at: 20), Said("b", "root", at: 30), Said("c", "b", at: 40)], to: writer, in: session)
        let before = try await thread(40, fixture)
        #expect(before.page.bodies == ["a", "b", "c"] && before.root == nil && before.outline.root == nil)
        #expect(before.outline.rootState == .missing && before.outline.rootRemoteID == "root")
        try await append([Said("root", at: 10)], to: writer, in: session)
        let after = try await thread(40, fixture)
        #expect(after.page.bodies == ["root", "a", "b", "c"] && after.outline.rootState == .found)
        try await writer.close()
    }

    @Test(arguments: [
        [Said("a", "a", at: 10)], [Said("a", "b", at: 10), Said("b", "a", at: 20)],
        [Said("c", "b", at: 5), Said("a", "c", at: 10), Said("b", "a", at: 20), Said("d", "b", at: 30)],
    ])
    private func `a cycle of replies ends and begins with its earliest message`(messages: [Said]) async throws {
        let fixture = try await fixture(messages)
        for message in messages {
            let thread = try await thread(message.at, fixture)
            #expect(thread.page.bodies == messages.map(\.id) && thread.outline.rootState == .cycle)
            #expect(thread.root?.body == messages[0].id)
        }
    }

    @Test func `a reply with an earlier time than its message is in order of time`() async throws {
        let fixture = try await fixture([
            Said("early", "root", at: 5), Said("root", at: 10), Said("late", "early", at: 20),
        ])
        let thread = try await thread(20, fixture)
        #expect(thread.page.bodies == ["early", "root", "late"] && thread.root?.body == "root")
        #expect(try await self.thread(20, fixture, limit: 1).page.newer == Self.id(5))
    }

    @Test func `an id in two accounts or in none has no thread`() async throws {
        let fixture = try await fixture(Self.talk)
        _ = try await self.fixture(Self.talk, account: "other", in: fixture)
        let reading = fixture.archive.reading()
        #expect(try reading.thread(ThreadQuery(message: Self.id(20))) == .several(accounts: ["demo", "other"]))
        let place = { MessagePlace(id: Self.id($0), account: "demo") }
        #expect(
            try await reading.thread(ThreadQuery(message: Self.id(21))) == .unknown(before: place(20), after: place(30))
        )
        guard case .found = try reading.thread(ThreadQuery(message: Self.id(20), account: "other")) else {
            throw TestFailure()
        }
        #expect(throws: QueryError.self) { try ThreadQuery(message: Self.id(20), limit: 1001) }
    }

    @Test(arguments: [true, false])
    func `a thread over the limit is cut, and says so`(isChain: Bool) async throws {
        let messages = (0..<50).map { Said("\($0)", $0 == 0 ? nil : isChain ? "\($0 - 1)" : "0", at: Int64($0)) }
        let fixture = try await fixture(messages)
        let queue = try DatabaseQueue(path: try fixture.file())
        defer { try? queue.close() }
        let gaps = GapReader(account: ArchiveFixture.account, now: .now(), isWritten: { false })
        func outline(limit: Int, of at: Int64) throws -> ThreadOutline? {
            try queue.read { db in
                try ThreadReader(account: ArchiveFixture.account, gaps: gaps, limit: limit).outline(
                    of: Self.id(at), ReadTransaction(db))
            }
        }
        let cut = try outline(limit: 20, of: 5)
        #expect(cut?.ids == (0..<20).map { Self.id($0) } && cut?.isCut == true)
        #expect(try outline(limit: 50, of: 5)?.isCut == false)
        let far = try outline(limit: 20, of: 45)
        #expect(far?.rootState == (isChain ? .tooFar : .found) && far?.root == Self.id(isChain ? 25 : 0))
        #expect(far?.ids.count == 20)
    }

    @Test func `indexes alone find a thread`() async throws {
        let fixture = try await fixture(Self.talk)
        let queue = try DatabaseQueue(path: try fixture.file())
        defer { try? queue.close() }
        let plan = try queue.read { db in
            try db.all(
                sql: "EXPLAIN QUERY PLAN " + ThreadReader.selection.file, arguments: [1, "root", 1, 10]
            ) { try $0.value(3) as String }
        }
        #expect(plan.contains { $0.contains("USING INDEX message_reply (room_id=? AND reply_to=?)") }, "\(plan)")
        #expect(!plan.contains { $0.hasPrefix("SCAN m") }, "\(plan)")
    }
}
