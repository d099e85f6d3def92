import ChatModel
import SQLite
import SearchText
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Records
@testable import Schema
@testable import Writing

/// Topics that stand when the account joins a room.
@Suite struct StandingTopicTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func at(_ seconds: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(by: .seconds(seconds))
    }

    private func message(
        _ topic: String, at seconds: Int64, by name: String? = "alice", id: String? = nil, in session: SessionID
    ) -> IncomingMessage {
        IncomingMessage(
            session: session, room: ArchiveFixture.lobby, kind: .topic,
            sender: name.map { UserReference(key: $0, name: $0) }, body: topic, remoteID: id, receivedAt: at(seconds))
    }

    private func standing(
        _ topic: String, at seconds: Int64, by name: String? = "alice", since: Int64? = nil, in session: SessionID
    ) -> ChatEvent {
        .message(message(topic, at: seconds, by: name, in: session), .standing(since: since.map(at)))
    }

    /// Such as `3 alice: plans standing`, in the order of time, in seconds of the day.
    private func stored() async throws -> [String] {
        try fixture.archive.reading().page(fixture.query(room: nil)).messages.map { message in
            let words = [
                "\(message.id.time.since(ArchiveFixture.day).components.seconds)",
                "\(message.sender?.name ?? "*"): \(message.body ?? "-")",
            ]
            return (words + message.flags.names).joined(separator: " ")
        }
    }

    /// A session of ten seconds, and another one from second 100 on.
    private func twoSessions(_ events: (SessionID) -> [ChatEvent] = { _ in [] }) async throws -> (
        AccountWriter, SessionID
    ) {
        let writer = try await fixture.openWriter()
        let first = try await writer.openSession()
        _ = try await writer.append(
            events(first) + [
                .signOfLife(session: first, at: at(10)),
                .sessionEnded(session: first, at: at(10), reason: .lost, detail: nil),
            ])
        return (writer, try await writer.openSession(at: at(100)))
    }

    @Test func `a topic is stored if it is not the room's last known one`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let outcomes = try await writer.append([
            standing("", at: 1, by: nil, in: session), standing("plans", at: 2, since: -1000, in: session),
            standing("plans", at: 3, since: -1000, in: session), standing("plans", at: 4, by: nil, in: session),
            .said("live", at: 5_000_000, in: session, kind: .topic), standing("live", at: 6, in: session),
            standing("other", at: 7, by: nil, in: session), standing("", at: 8, by: nil, in: session),
            standing("", at: 9, by: nil, in: session),
        ])
        let isNew = outcomes.map { if case .new = $0 { true } else { false } }
        #expect(isNew == [false, true, false, false, true, false, true, true, false])
        #expect(
            try await stored() == [
                "2 alice: plans standing", "5 alice: live", "7 *: other standing", "8 *:  standing",
            ])
        let first = try #require(try fixture.archive.reading().page(fixture.query(room: nil)).messages.first)
        #expect(first.sourceTime == at(-1000) && first.receivedAt == at(2))
        try await writer.close()
        #expect(try fixture.archive.check().flatMap(\.problems) == [])
    }

    @Test(
        arguments: [
            (5, "101 bob: new standing"), (50, "50 bob: new to_the_second replayed"), (102, "101 bob: new standing"),
            (nil, "101 bob: new standing"),
        ] as [(Int64?, String)])
    func `a topic that was set while nobody listened has its own time`(since: Int64?, row: String)
        async throws
    {
        let (writer, session) = try await twoSessions()
        _ = try await writer.append([standing("new", at: 101, by: "bob", since: since, in: session)])
        #expect(try await stored() == [row])
        _ = try await writer.append([standing("new", at: 200, by: "bob", since: since, in: session)])
        #expect(try await stored() == [row])
        try await writer.close()
    }

    @Test(arguments: [TimeResolution.second, .microsecond])
    func `history with the message that set the topic does not store it again`(resolution: TimeResolution) async throws
    {
        let (writer, session) = try await twoSessions()
        _ = try await writer.append([standing("new", at: 101, by: "bob", since: 50, in: session)])
        let hasID = resolution == .microsecond
        var event = message("new", at: 102, by: "bob", id: hasID ? "m1" : nil, in: session)
        event.sourceTime = hasID ? at(50).advanced(byMicroseconds: 123_000) : at(50)
        for _ in 0..<2 {
            let outcome = try await writer.append([.message(event, .replay(Occurrence(), resolution))])
            #expect(outcome == [.known(at(50).microseconds)])
        }
        #expect(try await stored() == ["50 bob: new to_the_second" + (hasID ? "" : " replayed")])
        event.body = "another"
        event.remoteID = "m2"
        _ = try await writer.append([.message(event, .replay(Occurrence(), .microsecond))])
        #expect(try await stored().count == 2)
        try await writer.close()
    }

    @Test func `a reaction that arrived before the topic's id is found`() async throws {
        let (writer, session) = try await twoSessions()
        let reaction = IncomingReaction(
            session: nil, room: ArchiveFixture.lobby, target: "m1", sender: UserReference(key: "eve", name: "eve"),
            text: "👍", receivedAt: at(102), isRemoved: false)
        _ = try await writer.append([standing("new", at: 101, by: "bob", since: 50, in: session), .reaction(reaction)])
        var event = message("new", at: 103, by: "bob", id: "m1", in: session)
        event.sourceTime = at(50).advanced(byMicroseconds: 123_000)
        let outcome = try await writer.append([.message(event, .replay(Occurrence(), .microsecond))])
        #expect(outcome == [.known(at(50).microseconds)])
        try await writer.close()
        let search = SearchScope(query: SearchQuery(parsing: "has:reaction"))
        #expect(
            try fixture.archive.reading().page(fixture.query(room: nil), matching: search).messages.map(\.body)
                == ["new"])
        #expect(try fixture.archive.check().flatMap(\.problems) == [])
    }

    @Test func `history has the message of a topic that is older than the room's archive`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([standing("plans", at: 1, since: -1000, in: session)])
        var event = message("plans", at: 2, id: "m1", in: session)
        event.sourceTime = at(-1000)
        _ = try await writer.append([.message(event, .replay(Occurrence(), .microsecond))])
        #expect(try await stored() == ["-1000 alice: plans", "1 alice: plans standing"])
        try await writer.close()
    }

    @Test(arguments: [true, false])
    func `a removed topic is stored again only if it was set again`(wipes: Bool) async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let deletion = MessageDeletion(
            session: session, room: ArchiveFixture.lobby, remoteID: "m1", receivedAt: at(2),
            retraction: MessageDeletion.Retraction(by: nil, reason: nil, wipes: wipes))
        _ = try await writer.append([
            .said("secret", at: 1_500_000, in: session, kind: .topic, remoteID: "m1"), .deleted(deletion),
            standing("secret", at: 3, in: session), standing("secret", at: 4, since: 1, in: session),
            standing("", at: 5, by: nil, in: session),
        ])
        #expect(try await stored().count == 1)
        #expect(try fixture.archive.reading().roomList().map(\.topic) == [nil])
        _ = try await writer.append([standing("secret", at: 9, since: 8, in: session)])
        #expect(try await stored().last == "9 alice: secret standing")
        #expect(try fixture.archive.reading().roomList().map(\.topic) == ["secret"])
        try await writer.close()
    }

    @Test func `a topic changes neither the members nor the room's place in history`() async throws {
        let (writer, _) = try await twoSessions { first in
            [.said("hi", at: 1_000_000, by: "bob", in: first), standing("plans", at: 2, since: -9, in: first)]
        }
        let start = try await writer.historyStart(room: ArchiveFixture.lobby, retriesLost: false)
        #expect(start?.anchors.map(\.body) == ["hi"] && start?.latest?.body == "hi")
        let members = "SELECT count(*) FROM membership NATURAL JOIN user_name WHERE name = 'alice'"
        #expect(try fixture.value(members) == 0)
        try await writer.close()
    }

    @Test func `a log's own line for the topic is imported`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([standing("plans", at: 1, since: -1000, in: session)])
        try await writer.close()
        let line = ImportedMessage(
            room: "lobby", kind: .topic, sender: "alice", body: "plans", time: at(-1000), resolution: .second)
        let lines = fixture.source([line])
        #expect(try await fixture.store(lines, into: ArchiveFixture.account).new == 1)
        #expect(try await fixture.store(lines, into: ArchiveFixture.account) == ImportTally(known: 1))
        #expect(try await stored() == ["-1000 alice: plans to_the_second", "1 alice: plans standing"])
    }

    @Test func `a full export and its import keep the topic`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            standing("plans", at: 1, since: -1000, in: session), standing("", at: 2, by: nil, in: session),
        ])
        try await writer.close()
        let lines = try await fixture.export()
        let copy = AccountIdentity(name: "copy", network: "streamchat")
        #expect(try await fixture.store(lines, into: copy).new == 2)
        #expect(try await fixture.store(lines, into: copy).new == 0)
        let rows = "SELECT group_concat(id || ' ' || source_time_us || ' ' || flags || ' ' || body) FROM message"
        #expect(try fixture.value(rows, account: "copy") as String? == fixture.value(rows) as String?)
        let flags = "SELECT min(flags) || ' ' || count(*) FROM message"
        #expect(try fixture.value(flags, account: "copy") as String? == "2048 2")
    }

    @Test func `finding a room's topic takes one index lookup`() async throws {
        try await fixture.openWriter().close()
        let plan = try DatabaseQueue(path: fixture.file()).read { db in
            try db.all(sql: "EXPLAIN QUERY PLAN " + LastTopic.selection(of: "body").file, arguments: [1]) {
                try $0.value(3) as String
            }
        }
        #expect(plan.count == 1 && plan[0].contains("message_topic (room_id=?)"), "\(plan)")
    }
}
