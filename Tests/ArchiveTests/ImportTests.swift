import ChatModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Writing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct ImportTests {
    let fixture: ArchiveFixture
    static let log = AccountIdentity(name: "old", network: "log")
    static let now = ArchiveFixture.day.advanced(by: .seconds(7 * 86_400))

    init() throws {
        fixture = try ArchiveFixture()
    }

    func rows(_ account: String = "old") throws -> [String] {
        try fixture.rows(account)
    }

    /// A line said so many seconds after the day began, at the beginning of its resolution.
    func said(
        _ body: String, at seconds: Int, by sender: String? = "alice", in room: String = "#example",
        kind: MessageKind = .message, resolution: TimeResolution = .minute, place: Timestamp? = nil,
        remoteID: String? = nil
    ) -> ImportedMessage {
        let time = ArchiveFixture.day.advanced(by: .seconds(seconds))
        return ImportedMessage(
            room: room, kind: kind, sender: sender, body: body, time: resolution.floor(place ?? time),
            resolution: resolution, place: place, remoteID: remoteID, receivedAt: place)
    }

    /// Numbers those that are alike, as a reader of a source does.
    func source(_ messages: [ImportedMessage]) -> [ImportedLine] {
        var counts: [String: Int] = [:]
        return messages.map { message in
            var message = message
            func next(_ resolution: TimeResolution) -> Int {
                let key = "\(message.room) \(message.sender ?? "") \(message.kind) \(message.body ?? "")"
                counts["\(key) \(resolution.floor(message.matchedTime)) \(resolution)", default: 0] += 1
                return counts["\(key) \(resolution.floor(message.matchedTime)) \(resolution)"] ?? 0
            }
            message.occurrence.inMinute = next(.minute)
            message.occurrence.inSecond = next(.second)
            message.occurrence.inMicrosecond = next(.microsecond)
            return .message(message)
        }
    }

    func store(
        _ messages: [ImportedMessage], into account: AccountIdentity = log, batch: Int = 1000
    ) async throws -> ImportTally {
        let writer = try await fixture.archive.openWriter(account)
        var tally = ImportTally()
        let lines = source(messages)
        for start in stride(from: 0, to: lines.count, by: batch) {
            let part = Array(lines[start..<min(start + batch, lines.count)])
            tally = tally + (try await writer.importLines(part, at: Self.now))
        }
        try await writer.close()
        return tally
    }

    private func bodies(_ account: String = "old") async throws -> [String] {
        let query = try fixture.query(limit: 1000, room: nil, accounts: [account])
        return try await fixture.walk(.oldest, limit: 1000, query: query).bodies
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [1, 2, 1000])
    func `importing the same again adds nothing, whatever the batches`(batch: Int) async throws {
        let messages = [
            said("hi", at: 0), said("hi", at: 1), said("hi", at: 2, by: "bob"), said("hi", at: 61),
            said("", at: 62, kind: .action), said("hi", at: 63, in: "#other"),
            said("net", at: 64, by: nil, kind: .system),
        ]
        let first = try await store(messages, batch: batch)
        #expect((first.new, first.known) == (7, 0))
        let rows = try rows()
        let second = try await store(messages, batch: batch)
        #expect((second.new, second.known) == (0, 7))
        #expect(try self.rows() == rows)
        #expect(try fixture.archive.check(accounts: ["old"]).map(\.state) == [.fine])
    }

    @Test func `only surplus equal messages are new, and the source's order is kept`() async throws {
        _ = try await store([said("a", at: 0), said("hi", at: 0)])
        let tally = try await store([
            said("a", at: 0), said("hi", at: 0), said("b", at: 0), said("hi", at: 0), said("c", at: 0),
        ])
        #expect((tally.new, tally.known) == (3, 2))
        #expect(try await bodies() == ["a", "hi", "b", "hi", "c"])
    }

    @Test func `two logs that overlap within a minute are joined`() async throws {
        _ = try await store((0..<40).map { said("\($0)", at: $0 * 7) })
        let tally = try await store((20..<60).map { said("\($0)", at: $0 * 7) })
        #expect((tally.new, tally.known) == (20, 20))
        #expect(try await bodies() == (0..<60).map(String.init))
    }

    @Test func `logs with different resolutions match at the coarser one, in both directions`() async throws {
        _ = try await store([said("hi", at: 5), said("hi", at: 9), said("yo", at: 61)])
        let seconds = [
            said("hi", at: 5, resolution: .second), said("hi", at: 9, resolution: .second),
            said("hi", at: 30, resolution: .second), said("yo", at: 110, resolution: .second),
            said("yo", at: 121, resolution: .second),
        ]
        let finer = try await store(seconds)
        #expect((finer.new, finer.known) == (2, 3))
        let rows = try rows()
        #expect(try await store(seconds).known == 5)
        let coarser = try await store([
            said("hi", at: 0), said("hi", at: 0), said("hi", at: 0), said("yo", at: 61), said("yo", at: 121),
        ])
        #expect((coarser.new, coarser.known) == (0, 5))
        #expect(try self.rows() == rows)
    }

    @Test func `stored times with seconds don't match other seconds`() async throws {
        _ = try await store([said("hi", at: 40, resolution: .second)])
        let both = [said("hi", at: 3, resolution: .second), said("hi", at: 40, resolution: .second)]
        #expect(try await store(both).new == 1)
        #expect(try await store(both).new == 0)
    }

    @Test func `a log of the same room matches messages that a listener heard`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("hi", at: 5_000_000, in: session, remoteID: "1:1"),
            .said("yo", at: 7_000_000, in: session, remoteID: "1:9"),
        ])
        try await writer.close()
        let account = ArchiveFixture.account
        let tally = try await store(
            [said("hi", at: 5, in: "lobby"), said("new", at: 6, in: "lobby"), said("yo", at: 7, in: "lobby")],
            into: account)
        #expect((tally.new, tally.known) == (1, 2))
        let page = try fixture.archive.reading().page(try fixture.query())
        #expect(page.bodies == ["new", "hi", "yo"])
        #expect(try fixture.value("SELECT count(*) FROM room") == 1)
        #expect(try fixture.value("SELECT group_concat(message_id % 60000000) FROM late") == "0")
        #expect(try fixture.value("SELECT count(*) FROM coverage") == 1)
        #expect(try fixture.archive.check(accounts: ["demo"]).map(\.state) == [.fine])
    }

    @Test func `an old log changes no current name, identity or membership`() async throws {
        let writer = try await fixture.archive.openWriter(AccountIdentity(name: "net", network: "example"))
        guard case .new(let id)? = try await writer.append([.sessionOpened(at: ArchiveFixture.day)]).first else {
            throw TestFailure()
        }
        let session = SessionID(rawValue: id)
        let room = RoomReference(key: "c1", name: "#Example", kind: .channel)
        for (offset, name) in [(0, "Minsu"), (60_000_000_000, "Minsu")] {
            _ = try await writer.append([
                .message(
                    IncomingMessage(
                        session: session, room: room, kind: .message,
                        sender: UserReference(key: "minsu", name: name, isSelf: true), body: "live",
                        receivedAt: ArchiveFixture.day.advanced(byMicroseconds: Int64(offset))))
            ])
        }
        try await writer.close()
        let account = AccountIdentity(name: "net", network: "example")
        _ = try await store(
            [
                said("before", at: -3600, by: "MINSU"), said("bye", at: -3000, by: "MINSU", kind: .leave),
                said("between", at: 3600, by: "minsu"),
            ], into: account)
        let users = try fixture.archive.reading().users(scope: .room(account: "net", id: 1))
        #expect(users.map(\.name) == ["Minsu"])
        #expect(users.map(\.isSelf) == [true])
        #expect(users.first?.names.map(\.name) == ["MINSU", "Minsu"])
        #expect(users.first?.membership?.leftAt == nil)
        let names = try fixture.archive.reading().page(try fixture.query(accounts: ["net"])).messages.map(
            \.sender?.name)
        #expect(names == ["MINSU", "MINSU", "Minsu", "Minsu", "Minsu"])
        #expect(try fixture.archive.check(accounts: ["net"]).map(\.state) == [.fine])
    }

    @Test func `the latest log decides current names, in whatever order logs are imported`() async throws {
        _ = try await store([said("1", at: 0, by: "Bob"), said("2", at: 60, by: "bob")])
        _ = try await store([said("0", at: -86_400, by: "BOB"), said("0", at: -172_800, by: "BOB")])
        let users = try fixture.archive.reading().users(scope: .accounts(["old"]))
        #expect(users.map { $0.names.map(\.name) } == [["BOB", "Bob", "bob"]])
        #expect(users.first?.firstSeen == ArchiveFixture.day.advanced(by: .seconds(-172_800)))
        #expect(try fixture.archive.check(accounts: ["old"]).map(\.state) == [.fine])
    }

    @Test func `a stream place of another archive doesn't match one of this archive`() async throws {
        let place = ArchiveFixture.day.advanced(byMicroseconds: 1)
        func exported(_ body: String, _ offset: Int64, _ remoteID: String?) -> ImportedMessage {
            said(
                body, at: 0, resolution: .microsecond, place: place.advanced(byMicroseconds: offset), remoteID: remoteID
            )
        }
        let ours = [exported("one", 0, "1:1"), exported("two", 1, "1:9")]
        let others = [exported("other", 0, "1:1"), exported("two", 1, "1:9"), exported("three", 5, "1:20")]
        #expect(try await store(ours).new == 2)
        let rows = try rows()
        #expect(try await store(ours).known == 2)
        #expect(try self.rows() == rows)
        let tally = try await store(others)
        #expect((tally.new, tally.known) == (2, 1))
        #expect(try await store(others).known == 3)
        #expect(try await bodies().sorted() == ["one", "other", "three", "two"])
    }

    @Test func `an unreadable line is stored once, counted, and ends no coverage`() async throws {
        let writer = try await fixture.openWriter()
        _ = try await writer.openSession()
        let line = ImportedLine.unreadable(UnreadableLine(room: "lobby", payload: [0xFF], reason: "log:1: no line"))
        for _ in 0..<2 {
            let tally = try await writer.importLines([line, .message(said("hi", at: 1, in: "lobby"))], at: Self.now)
            #expect(tally.failed == 1)
        }
        try await writer.close()
        #expect(
            try fixture.value("SELECT printf('%d %d %s', count(*), max(count), max(reason)) FROM failure")
                == "1 2 log:1: no line")
        #expect(try fixture.value("SELECT count(*) FROM coverage") == 1)
        #expect(try fixture.value("SELECT count(*) FROM message") == 1)
    }

    @Test func `a line that the store refuses becomes a failure, and the others are stored`() async throws {
        try await fixture.archive.openWriter(Self.log).close()
        try fixture.execute(
            """
            CREATE TRIGGER refuse BEFORE INSERT ON message WHEN NEW.body = 'bad' BEGIN SELECT RAISE(ABORT, 'refused'); END
            """, account: "old")
        let tally = try await store([said("a", at: 0), said("bad", at: 0), said("b", at: 0)])
        #expect((tally.new, tally.failed) == (2, 1))
        #expect(try await bodies() == ["a", "b"])
        #expect(
            try fixture.value("SELECT reason FROM failure", account: "old")
                == "the archive could not store the event: refused"
        )
    }

    @Test func `a rehearsal counts what an import would store, and writes nothing`() async throws {
        let messages = [said("a", at: 0), said("hi", at: 0), said("hi", at: 0)]
        #expect(try await fixture.archive.rehearseImport(into: "old").add(source(messages)).new == 3)
        #expect(try fixture.archive.reading().accounts().isEmpty)
        _ = try await store(Array(messages.prefix(2)))
        let rows = try rows()
        let tally = try await fixture.archive.rehearseImport(into: "old").add(
            source(messages) + [.unreadable(UnreadableLine(room: nil, payload: [], reason: ""))])
        #expect((tally.new, tally.known, tally.failed) == (1, 2, 1))
        #expect(try self.rows() == rows)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a crowded minute is read once and keeps its order`() async throws {
        let messages = (0..<6000).map { said($0 % 3 == 0 ? "again" : "\($0)", at: 0) }
        #expect(try await store(messages, batch: 500).new == 6000)
        #expect(try await bodies() == messages.compactMap(\.body))
        let tally = try await store(messages + [said("again", at: 0)], batch: 500)
        #expect((tally.new, tally.known) == (1, 6000))
    }

    @Test func `an import matches messages that a listener stores between two batches`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let lines = source([said("hi", at: 0, in: "lobby"), said("yo", at: 0, in: "lobby")])
        _ = try await writer.importLines([lines[0]], at: Self.now)
        _ = try await writer.append([.said("yo", at: 3, in: session)])
        #expect(try await writer.importLines([lines[1]], at: Self.now).known == 1)
        try await writer.close()
    }
}
