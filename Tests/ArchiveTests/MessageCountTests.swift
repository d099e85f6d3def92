import ChatModel
import SQLite
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Records
@testable import Schema
@testable import Writing

/// The kept numbers of messages, and what is answered by them.
@Suite struct MessageCountTests: SearchSuite {
    let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    /// Times at which clocks changed in the zones of the tests, some within a quarter of an hour.
    private static let changes = [
        "1908-03-31T15:32:08.000000Z", "1940-05-15T23:40:00.000000Z", "1972-01-07T00:44:30.000000Z",
        "1985-12-31T18:30:00.000000Z", "2010-11-07T02:31:00.000000Z", "2026-04-04T15:00:00.000000Z",
    ]

    private func lines(_ count: Int, _ random: inout SeededGenerator) -> [ImportedLine] {
        let changes = Self.changes.compactMap { Timestamp(cursor: $0) }
        return fixture.source(
            (0..<count).map { number in
                let offset = Int64.random(in: -10_800_000_000...10_800_000_000, using: &random)
                let far = Int64.random(in: -3_000_000_000_000_000...0, using: &random)
                let time =
                    number % 2 == 0
                    ? (changes.randomElement(using: &random) ?? ArchiveFixture.day).advanced(byMicroseconds: offset)
                    : ArchiveFixture.day.advanced(byMicroseconds: far)
                return ImportedMessage(
                    room: number % 3 == 0 ? "#a" : "#old", kind: number % 11 == 0 ? .join : .message,
                    sender: ["alice", "민수", "dave"][number % 3], body: "line \(number)", time: time,
                    resolution: .microsecond)
            })
    }

    /// Stores what listeners and imports bring, before and after each other, and marks rooms as read.
    private func fill(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let writer = try await fixture.openWriter()
        _ = try await writer.importLines(lines(150, &random), marksRead: true, at: ArchiveFixture.importTime)
        var live = RandomArchive(seed: seed)
        try await live.write(to: writer)
        _ = try await writer.importLines(lines(150, &random), marksRead: false, at: ArchiveFixture.importTime)
        for room in try fixture.archive.reading().rooms() where room.id % 2 == 0 {
            try await writer.markRead(
                rooms: [room.id], through: room.firstMessage.map { MessageID(microseconds: $0.microseconds + 1) },
                at: ArchiveFixture.importTime)
        }
        try await writer.close()
    }

    private struct Answers: Equatable {
        var statistics: [Statistics] = []
        var counts: [[HitCount]] = []
        var days: [[DayCount]] = []
        var unread: [UnreadRoom] = []
    }

    private static func groupings(_ zone: Zone) -> [HitGrouping] {
        [.all, .room, .user] + TimeUnit.allCases.map { .time($0, zone) }
            + [
                [.user, .time(.month)], [.room, .user], [.time(.hour), .user], [.room, .time(.weekday), .time(.hour)],
                [.user, .room, .time(.day)],
            ].map { .crossed($0, zone) }
    }

    private func answers(_ zone: Zone, _ bounds: [(MessageID?, MessageID?)]) throws -> Answers {
        let reading = fixture.archive.reading()
        let rooms = try reading.rooms().map(\.key)
        let scopes: [MessageQuery.Scope] = [.accounts(["demo"]), .rooms(rooms), .rooms([rooms[0]])]
        var answers = Answers()
        for (scope, (after, before)) in scopes.flatMap({ scope in bounds.map { (scope, $0) } }) {
            answers.statistics.append(
                try reading.counts.statistics(
                    scope: scope, after: after, before: before, zone: zone, now: ArchiveFixture.importTime))
            let search = SearchScope(query: SearchQuery(parsing: ""), after: after, before: before)
            for grouping in Self.groupings(zone) {
                answers.counts.append(
                    try reading.counts.hits(scope: scope, matching: search, by: grouping)
                        .sorted { "\($0)" < "\($1)" })
            }
        }
        let number = CivilDay(containing: ArchiveFixture.day, in: zone).number
        for room in rooms {
            answers.days.append(
                try reading.counts.days(
                    of: room, days: (number - 300)...(number + 20), zone: zone, now: ArchiveFixture.importTime))
        }
        answers.unread = try reading.unread(accounts: ["demo"])
        return answers
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            "GMT", "Asia/Seoul", "Asia/Kathmandu", "America/St_Johns", "Africa/Monrovia", "Australia/Lord_Howe",
            "Europe/Amsterdam",
        ], [UInt64(1)])
    func `the kept counts answer what the rows answer, in every zone`(name: String, seed: UInt64) async throws {
        try await fill(seed: seed)
        let zone = try #require(Zone(identifier: name))
        let ids = try fixture.archive.reading().page(fixture.query(.oldest, limit: 1000, room: nil)).messages.map(\.id)
        let (early, late) = (ids[ids.count / 7], ids[ids.count - 40])
        let bounds: [(MessageID?, MessageID?)] = [(nil, nil), (early, late), (nil, early), (late, nil), (late, early)]
        let kept = try answers(zone, bounds)
        #expect(try fixture.value("SELECT from_quarter FROM count_reach") == Int64.min)
        for reach in [Int64.max, QuarterHour.number(of: ids[ids.count / 2].microseconds)] {
            try fixture.execute("UPDATE count_reach SET from_quarter = \(reach)")
            let rows = try answers(zone, bounds)
            #expect(rows.statistics == kept.statistics)
            #expect(rows.counts == kept.counts)
            #expect(rows.days == kept.days)
            #expect(rows.unread == kept.unread)
        }
        #expect(kept.statistics[0].messages > 300 && kept.unread.contains { $0.unread > 0 })
    }

    @Test func `rooms in a query are counted without the search index`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("one", at: 1, in: session), .said("two", at: 2, in: session, room: Self.work),
            .said("three", at: 3, by: "bob", in: session, room: Self.work),
        ])
        let counts = try await fixture.archive.reading().counts.hits(
            scope: .accounts(["demo"]), matching: scope("in:#work"), by: .user)
        #expect(counts.map { "\($0.name ?? "") \($0.count)" } == ["alice 1", "bob 1"])
        let none = try await fixture.archive.reading().counts.hits(
            scope: .room(account: "demo", id: 1), matching: scope("in:#work"), by: .all)
        #expect(none.map(\.count) == [0])
        try await writer.close()
    }

    @Test(arguments: ["word", "word -seven", "wo* OR bob", "in:lobby word", "word from:bob", "missing"])
    func `many hits are counted by room as their messages are`(text: String) async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let events = (0..<400).map { number -> ChatEvent in
            let (body, sender) = (number % 7 == 0 ? "word seven" : "a word", number % 5 == 0 ? "bob" : "alice")
            let room = number % 3 == 0 ? Self.work : ArchiveFixture.lobby
            return .said(body, at: Int64(number), by: sender, in: session, room: room)
        }
        _ = try await writer.append(events)
        let (reading, accounts) = (fixture.archive.reading(), MessageQuery.Scope.accounts(["demo"]))
        let wanted = try await scope(text)
        let byRoom = try reading.counts.hits(scope: accounts, matching: wanted, by: .room)
        let byMessage = try reading.counts.hits(scope: accounts, matching: wanted, by: .crossed([.room], .gmt))
        #expect(byRoom.map(\.name) == byMessage.map(\.name))
        #expect(byRoom.map(\.count) == byMessage.map(\.count))
        #expect(byRoom.isEmpty == (text == "missing"))
        try await writer.close()
    }

    private func kept() throws -> [String] {
        let queue = try DatabaseQueue(path: try fixture.file(), isReadOnly: true)
        defer { try? queue.close() }
        return try queue.read { db in
            try ["message_count", "count_reach", "room_span"].flatMap { table in
                try db.allRows(sql: "SELECT * FROM \(table)") { "\(table) \($0.values)" }
            }
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: UInt64(1)...3)
    func `counts are those of a new count, whatever was stored, changed and removed`(seed: UInt64) async throws {
        try await fill(seed: seed)
        #expect(try await fixture.problems() == [])
        let before = try kept()
        try fixture.execute(
            """
            DELETE FROM message_count;
            UPDATE count_reach SET from_quarter = (SELECT max(id) / 900000000 + 1 FROM message)
            """)
        #expect(try await fixture.problems() == [], "nothing is known of earlier messages")
        try await fixture.openWriter().close()
        #expect(try kept() == before)
        #expect(before.count > 5)
    }

    @Test func `a file of the last schema is counted when it is first opened`() async throws {
        try await fixture.fillLastSchema()
        _ = try await fixture.allMessages()
        #expect(try fixture.value("SELECT from_quarter FROM count_reach") == Int64.min)
        let messages: Int64? = try fixture.value("SELECT count(*) FROM message WHERE noise = 0")
        #expect(try fixture.value("SELECT sum(messages) FROM message_count") == messages)
        #expect(try problems() == [])
    }

    /// The problems of the counts and of the ends of rooms.
    private func problems() throws -> [String] {
        try fixture.archive.check().flatMap(\.problems).filter { ["message_counts", "room_ends"].contains($0.check) }
            .map(\.detail)
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            "UPDATE message_count SET messages = messages + 1",
            "UPDATE message_count SET counts = x'0001'",
            "UPDATE message_count SET id = id + 1",
            "DELETE FROM message_count",
            "DELETE FROM message_count; DELETE FROM count_reach",
            "UPDATE message SET sender_id = 2 WHERE sender_id = 1",
            "UPDATE message SET flags = flags | 256 WHERE kind = 0",
            "UPDATE room_span SET last_us = last_us + 1",
            "DELETE FROM room_span",
            "INSERT INTO room_span VALUES (77, 1, 2)",
        ])
    func `check finds counts that are wrong, and a rebuilt index brings the right ones`(change: String) async throws {
        let writer = try await fixture.openWriter()
        try await fixture.fill(writer)
        try await writer.close()
        #expect(try problems() == [])
        try fixture.execute(change)
        #expect(try !problems().isEmpty)
        let again = try await fixture.openWriter()
        _ = try await again.indexStep(rebuild: true)
        while try await again.indexStep().from != nil {}
        try await again.close()
        #expect(try problems() == [])
    }

    @Test func `damaged counts don't keep messages from being stored, and are made again`() async throws {
        var writer = try await fixture.openWriter()
        try await fixture.fill(writer)
        try await writer.close()
        try fixture.execute("UPDATE message_count SET counts = x'FF'")
        writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: ArchiveFixture.after(2000))
        _ = try await writer.append([.said("after", at: 2010, in: session)])
        #expect(try fixture.value("SELECT count(*) FROM message_count") == 0)
        while try await writer.indexStep().from != nil {}
        try await writer.close()
        #expect(try await fixture.problems() == [])
        #expect(try fixture.value("SELECT sum(messages) FROM message_count") == 25)
    }

    @Test func `unread messages are counted beyond a quarter of an hour, without the owner's`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let minute: Int64 = 60_000_000
        _ = try await writer.append((0..<600).map { .said("\($0)", at: $0 * minute, in: session) })
        let own = IncomingMessage(
            session: session, room: ArchiveFixture.lobby, kind: .message,
            sender: UserReference(key: "me", name: "me", isSelf: true), body: "hello",
            receivedAt: ArchiveFixture.after(601 * minute))
        _ = try await writer.append([.message(own)])
        func room() throws -> UnreadRoom {
            try #require(try fixture.archive.reading().unread(account: "demo", room: 1).first)
        }
        #expect(try room().unread == 600)
        #expect(try room().firstUnread == MessageID(ArchiveFixture.day))
        for read in [0, 14, 15, 300, 599] as [Int64] {
            try await writer.markRead(
                rooms: [1], through: MessageID(ArchiveFixture.after(read * minute)), at: ArchiveFixture.importTime)
            let next = read < 599 ? MessageID(ArchiveFixture.after((read + 1) * minute)) : nil
            #expect(try room().unread == 599 - read)
            #expect(try room().firstUnread == next)
        }
        try await writer.close()
    }
}
