import ChatModel
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Writing

/// What a network tells again of what was said before.
@Suite struct ReplayTests {
    private let fixture: ArchiveFixture
    private static let channel = RoomReference(key: "#example", name: "#example", kind: .channel)

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func at(_ milliseconds: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: milliseconds * 1000)
    }

    /// Said so many milliseconds after the day began, as the network told it, and received a little later.
    private func said(
        _ body: String, at milliseconds: Int64, by name: String = "alice", kind: MessageKind = .message,
        remoteID: String? = nil, isTimed: Bool = true, session: SessionID
    ) -> IncomingMessage {
        IncomingMessage(
            session: session, room: Self.channel, kind: kind, sender: UserReference(key: name, name: name), body: body,
            remoteID: remoteID, sourceTime: isTimed ? at(milliseconds) : nil,
            receivedAt: at(milliseconds).advanced(byMicroseconds: 417))
    }

    /// The messages as the network replays them later, with times as exact as it tells them.
    private func replay(
        _ messages: [IncomingMessage], resolution: TimeResolution = .second, receivedAt: Int64 = 3_600_000
    ) -> [ChatEvent] {
        var counter = OccurrenceCounter(folding: .exact)
        return messages.map { message in
            var message = message
            message.sourceTime = resolution.floor(message.sourceTime ?? message.receivedAt)
            message.receivedAt = at(receivedAt)
            let occurrence = counter.count(message, resolution: resolution)
            return .message(message, .replay(occurrence, resolution))
        }
    }

    private func open() async throws -> (AccountWriter, SessionID) {
        let writer = try await fixture.openWriter()
        return (writer, try await writer.openSession())
    }

    private func page() async throws -> [Message] {
        try fixture.archive.reading().page(fixture.query(limit: 1000, room: nil)).messages
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [TimeResolution.microsecond, .second, .minute], [1, 3, 100])
    func `a replay of messages with network times leaves no trace`(
        resolution: TimeResolution, batch: Int
    ) async throws {
        let (writer, session) = try await open()
        let live =
            ["ㅋㅋ", "ㅋㅋ", "안녕", "ㅋㅋ"].enumerated().map { said($1, at: Int64($0) * 300, session: session) }
            + [
                said("waves", at: 1300, kind: .action, session: session),
                said("", at: 1400, kind: .join, session: session),
            ]
            + [said("hi", at: 61_000, by: "bob", session: session)]
        _ = try await writer.append(live.map { .message($0) })
        let before = try fixture.rows()
        let events = replay(live, resolution: resolution)
        for start in stride(from: 0, to: events.count, by: batch) {
            let outcomes = try await writer.append(Array(events[start..<min(start + batch, events.count)]))
            #expect(outcomes.allSatisfy { if case .known = $0 { true } else { false } })
        }
        #expect(try fixture.rows() == before)
        try await writer.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `only the surplus of a replay is new and flagged, and replaying it again changes nothing`() async throws {
        let (writer, session) = try await open()
        let heard = [said("ㅋㅋ", at: 100, session: session), said("ㅋㅋ", at: 700, session: session)]
        _ = try await writer.append(heard.map { .message($0) })
        let told =
            heard + [said("ㅋㅋ", at: 900, session: session), said("missed", at: 950, by: "bob", session: session)]
        let outcomes = try await writer.append(replay(told))
        #expect(outcomes.map { if case .new = $0 { true } else { false } } == [false, false, true, true])
        let messages = try await page()
        #expect(messages.bodies.sorted() == ["missed", "ㅋㅋ", "ㅋㅋ", "ㅋㅋ"])
        #expect(messages.filter { $0.flags.contains(.replayed) }.bodies.sorted() == ["missed", "ㅋㅋ"])
        #expect(messages.first { $0.body == "missed" }?.flags.names == ["to_the_second", "replayed"])
        let before = try fixture.rows()
        _ = try await writer.append(replay(told, receivedAt: 7_200_000))
        _ = try await writer.append(replay(told, resolution: .microsecond, receivedAt: 7_300_000))
        #expect(try fixture.rows() == before)
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `a message with only our time doesn't match a replayed one, which is stored once`()
        async throws
    {
        let (writer, session) = try await open()
        let heard = said("hi", at: 500, isTimed: false, session: session)
        _ = try await writer.append([.message(heard)])
        let replayed = replay([heard])
        _ = try await writer.append(replayed)
        #expect(try await page().map { $0.flags.contains(.replayed) }.sorted { !$0 && $1 } == [false, true])
        let before = try fixture.rows()
        _ = try await writer.append(replayed)
        #expect(try fixture.rows() == before)
        try await writer.close()
    }

    @Test func `an id identifies a replayed message, and the first seen time stays`() async throws {
        let (writer, session) = try await open()
        let heard = said("hi", at: 1234, remoteID: "abc", session: session)
        let stored = try await writer.append([.message(heard)])
        let before = try fixture.rows()
        let outcomes = try await writer.append(replay([heard]))
        #expect(outcomes == stored.map { if case .new(let id) = $0 { .known(id) } else { $0 } })
        #expect(try fixture.rows() == before)
        let missed = said("yo", at: 1300, by: "bob", remoteID: "abd", session: session)
        _ = try await writer.append(replay([missed]))
        #expect(try await page().first { $0.body == "yo" }?.flags.names == ["to_the_second"])
        try await writer.close()
    }

    /// A message that may have the id of another: `hi` by alice, at 0.
    struct Repeated: Sendable, CustomTestStringConvertible {
        let body: String
        let milliseconds: Int64
        let name: String
        let isReplay: Bool
        let isAnother: Bool

        init(_ body: String, at milliseconds: Int64, by name: String = "alice", isReplay: Bool = false, _ other: Bool) {
            (self.body, self.milliseconds, self.name) = (body, milliseconds, name)
            (self.isReplay, isAnother) = (isReplay, other)
        }

        var testDescription: String { "\(isReplay ? "replayed" : "live") \(body) by \(name) at \(milliseconds)" }
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            Repeated("hi", at: 0, false), Repeated("hi", at: 59_999, false), Repeated("hi", at: 60_000, true),
            Repeated("hi", at: 999, by: "bob", false), Repeated("hi", at: 1000, by: "bob", true),
            Repeated("yo", at: 0, true), Repeated("yo", at: 1, true), Repeated("yo", at: 3000, true),
            Repeated("hi", at: 59_000, isReplay: true, false), Repeated("hi", at: 60_000, isReplay: true, true),
            Repeated("yo", at: 999, isReplay: true, false), Repeated("yo", at: 1000, isReplay: true, true),
        ])
    func `an IRC message with a known id but another text, sender or time is a new message`(_ again: Repeated)
        async throws
    {
        let writer = try await fixture.archive.openWriter(AccountIdentity(name: "demo", network: "irc"))
        let session = try await writer.openSession()
        _ = try await writer.append([.message(said("hi", at: 0, remoteID: "1", session: session))])
        let other = said(again.body, at: again.milliseconds, by: again.name, remoteID: "1", session: session)
        let events = again.isReplay ? replay([other], resolution: .microsecond) : [.message(other)]
        let outcomes = try await writer.append(events)
        #expect(outcomes.map { if case .new = $0 { true } else { false } } == [again.isAnother])
        #expect(try await page().bodies == ["hi"] + (again.isAnother ? [again.body] : []))
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `messages of a server that restarts its ids are stored once, even when replayed`() async throws {
        let writer = try await fixture.archive.openWriter(AccountIdentity(name: "demo", network: "irc"))
        let session = try await writer.openSession()
        let runs = (0..<2).flatMap { run in
            (0..<3).map { line in
                said("\(run) \(line)", at: Int64(run * 5000 + line * 200), remoteID: "\(line)", session: session)
            }
        }
        _ = try await writer.append(runs.map { .message($0) })
        #expect(try await page().bodies == ["0 0", "0 1", "0 2", "1 0", "1 1", "1 2"])
        let before = try fixture.rows()
        for resolution in [TimeResolution.microsecond, .second] {
            _ = try await writer.append(replay(runs, resolution: resolution))
        }
        _ = try await writer.append(runs.map { .message($0) })
        #expect(try fixture.rows() == before)
        try await writer.close()
    }

    @Test func `a replay changes no membership`() async throws {
        let (writer, session) = try await open()
        _ = try await writer.append([
            .message(said("", at: 10_000, by: "alice", kind: .join, session: session)),
            .message(said("", at: 10_001, by: "bob", kind: .leave, session: session)),
        ])
        let members = try fixture.rows().filter { $0.hasPrefix("membership") }
        let past = [
            said("", at: 1, by: "alice", kind: .leave, session: session),
            said("", at: 2, by: "bob", kind: .join, remoteID: "x", session: session),
            said("hi", at: 3, by: "carol", session: session), said("hi", at: 4, by: "bob", session: session),
        ]
        let outcomes = try await writer.append(replay(past))
        #expect(outcomes.count { if case .new = $0 { true } else { false } } == 4)
        #expect(try fixture.rows().filter { $0.hasPrefix("membership") } == members)
        try await writer.close()
    }

    @Test func `matching counts live messages within a replay, and texts that an edit replaced`()
        async throws
    {
        let (writer, session) = try await open()
        let first = said("one", at: 100, remoteID: "m1", session: session)
        var edit = first
        (edit.body, edit.editedAt) = ("won", at(5000))
        let second = said("two", at: 200, session: session)
        let events =
            replay([said("zero", at: 50, session: session)])
            + [.message(first), .message(second), .message(edit, .edit)]
        _ = try await writer.append(events + replay([said("one", at: 100, session: session), second]))
        #expect(try await page().bodies == ["zero", "won", "two"])
        try await writer.close()
    }

    @Test func `a replay matches people across renames`()
        async throws
    {
        let (writer, session) = try await open()
        let live = [
            said("one", at: 100, by: "alice", session: session), said("two", at: 200, by: "bob", session: session),
        ]
        // Of before she was first heard of.
        let early = said("zero", at: -5000, by: "alice", session: session)
        let carol = UserReference(key: "carol", name: "carol")
        let alice = UserReference(key: "alice", name: "alice")
        let later = said("three", at: 9000, by: "alice", session: session)
        _ = try await writer.append(
            live.map { .message($0) } + replay([early]) + [
                .userRenamed(session: session, fromKey: "alice", to: carol, at: at(5000)),
                .userRenamed(session: session, fromKey: "bob", to: alice, at: at(6000)), .message(later),
            ])
        let before = try fixture.rows()
        _ = try await writer.append(replay([early] + live + [later]))
        _ = try await writer.append(replay([early] + live + [later], resolution: .microsecond))
        #expect(try fixture.rows() == before)
        let missed = said("missed", at: 300, by: "alice", session: session)
        _ = try await writer.append(replay([missed]))
        let page = try await page()
        let (first, found) = (try #require(page.first { $0.body == "one" }), page.first { $0.body == "missed" })
        #expect(found?.sender == first.sender)
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `a replay does not change which person is the account's own`() async throws {
        let (writer, session) = try await open()
        var own = said("mine", at: 100, by: "me", session: session)
        own.sender?.isSelf = true
        _ = try await writer.append([.message(own)])
        let before = try fixture.rows()
        own.sender?.isSelf = false
        _ = try await writer.append(replay([own]))
        #expect(try fixture.rows() == before)
        try await writer.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `any replay stores each message exactly as often as it was said`()
        async throws
    {
        var random = SeededGenerator(seed: 5)
        let (writer, session) = try await open()
        let all = (0..<300).map { number in
            said(
                ["ㅋ", "ok", "네"].randomElement(using: &random) ?? "", at: Int64(number) * 137,
                by: ["alice", "민수"].randomElement(using: &random) ?? "", session: session)
        }
        // Connected in spans; each connection is told the last 60 s or so again.
        var start = 0
        while start < all.count {
            let end = min(all.count, start + Int.random(in: 5...40, using: &random))
            _ = try await writer.append(all[start..<end].map { .message($0) })
            let next = min(all.count, end + Int.random(in: 0...20, using: &random))
            _ = try await writer.append(replay(Array(all[..<next]), receivedAt: 50_000 + Int64(next)))
            start = next
        }
        let stored = try await page().map { "\($0.sender?.name ?? "") \($0.body ?? "")" }.sorted()
        #expect(stored == all.map { "\($0.sender?.name ?? "") \($0.body ?? "")" }.sorted())
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }
}
