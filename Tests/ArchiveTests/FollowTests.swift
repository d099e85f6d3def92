import Archive
import ChatModel
import TestSupport
import Testing

@testable import Reading
@testable import Writing

@Suite struct FollowTests {
    @Test(.disabled(if: QuickCheck.isRunning), arguments: [1, 2, 3])
    func `following from a cursor gives every later message once, late ones included`(
        seed: UInt64
    ) async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append((0..<400).map { .said("old \($0)", at: Int64($0) * 1000, in: session) })
        let start = MessageID(ArchiveFixture.day.advanced(byMicroseconds: 99_000))
        let query = try fixture.query(.after(start), limit: 13)

        async let writing: Void = {
            var random = SeededGenerator(seed: seed)
            for round in 0..<60 {
                let events = (0..<Int.random(in: 1...5, using: &random)).map { number -> ChatEvent in
                    // Anywhere: before the cursor, in what is being paged, at the end.
                    let time = Int64.random(in: 0..<600_000, using: &random)
                    return .said("late \(round) \(number)", at: time, in: session)
                }
                _ = try await writer.append(events)
            }
            _ = try await writer.append([.said("the end", at: 900_000, in: session)])
        }()

        var seen: [Message] = []
        reading: for try await item in fixture.archive.reading().feeds.follow(query) {
            switch item {
            case .history(let messages, _), .messages(let messages): seen += messages
            case .gap, .startedOver: break
            }
            if seen.contains(where: { $0.body == "the end" }) { break reading }
        }
        try await writing
        let all = try await fixture.walk(.oldest, limit: 1000, query: try fixture.query())
        #expect(seen.map(\.id).sorted() == all.map(\.id).filter { $0 > start })
        try await writer.close()
    }

    @Test func `following some rooms gives only their messages`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: .now())
        let rooms = (0..<3).map { RoomReference(key: "r\($0)", name: "r\($0)", kind: .channel) }
        func say(_ text: String, at time: Int64) async throws {
            _ = try await writer.append(
                rooms.enumerated().map { .said("\(text) \($0)", at: time + Int64($0), in: session, room: $1) })
        }
        try await say("old", at: 0)
        let keys = try fixture.archive.reading().namedRooms().filter { ["r0", "r2"].contains($0.name) }.map(\.key)
        var items = fixture.archive.reading().feeds.follow(try MessageQuery(scope: .rooms(keys))).makeAsyncIterator()
        guard case .history(let page, _)? = try await items.next() else { throw TestFailure() }
        #expect(page.bodies == ["old 0", "old 2"])
        try await say("new", at: 1000)
        guard case .messages(let new)? = try await items.next() else { throw TestFailure() }
        #expect(new.bodies == ["new 0", "new 2"])
        try await writer.close()
    }

    @Test func `tail shows the latest page, and then everything that is stored, whatever its time`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: .now())
        _ = try await writer.append((0..<10).map { .said("\($0)", at: Int64($0) * 10, in: session) })
        var items = fixture.archive.reading().feeds.follow(try fixture.query(limit: 3)).makeAsyncIterator()
        guard case .history(let page, _)? = try await items.next() else { throw TestFailure() }
        #expect(page.bodies == ["7", "8", "9"])
        _ = try await writer.append([.said("late", at: 5, in: session), .said("new", at: 1000, in: session)])
        await #expect(
            try items.next()
                == .messages(
                    try fixture.archive.reading().page(
                        try fixture.query(room: nil)
                    ).messages.filter { ["late", "new"].contains($0.body) }))
        try await writer.close()
    }

    @Test func `a follower gets a gap when it begins and when it ends`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let now = Timestamp.now()
        let first = try await writer.openSession(at: now)
        _ = try await writer.append([.said("x", at: 0, in: first)])
        var items = fixture.archive.reading().feeds.follow(try fixture.query()).makeAsyncIterator()
        guard case .history? = try await items.next() else { throw TestFailure() }
        let end = now.advanced(by: .seconds(1))
        _ = try await writer.append([.sessionEnded(session: first, at: end, reason: .closed, detail: nil)])
        guard case .gap(let begun)? = try await items.next() else { throw TestFailure() }
        #expect(begun.from == end && begun.to == nil && begun.reason == "closed")
        let again = now.advanced(by: .seconds(2))
        _ = try await writer.openSession(at: again)
        guard case .gap(let ended)? = try await items.next() else { throw TestFailure() }
        #expect(ended.from == end && ended.to == again)
        try await writer.close()
    }

    @Test func `a follower that finds another epoch reports it and starts over`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("a", at: 0, in: session)])
        try await writer.close()
        let start = MessageID(ArchiveFixture.day.advanced(byMicroseconds: -1))
        var items = fixture.archive.reading().feeds.follow(try fixture.query(.after(start))).makeAsyncIterator()
        guard case .history(let page, _)? = try await items.next() else { throw TestFailure() }
        #expect(page.bodies == ["a"])
        try fixture.execute("UPDATE account SET epoch = 'restored'")
        #expect(try await items.next() == .startedOver(account: "demo"))
        guard case .messages(let again)? = try await items.next() else { throw TestFailure() }
        #expect(again.bodies == ["a"])
    }
}
