import ChatModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Archive
@testable import Files
@testable import Reading
@testable import Writing

@Suite struct WriterTests {
    /// SQLITE_FULL, until the writer opens another connection.
    private func keepFromGrowing(_ writer: AccountWriter) async throws {
        try await writer.read { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
    }

    @Test func `ids are times of receipt, and ties take the next free microsecond`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let outcomes = try await writer.append([
            .said("a", at: 10, in: session), .said("b", at: 10, in: session), .said("c", at: 11, in: session),
            .said("d", at: 10, in: session), .said("e", at: 20, in: session), .said("f", at: 12, in: session),
        ])
        let base = ArchiveFixture.day.microseconds
        #expect(outcomes == [10, 11, 12, 13, 20, 14].map { EventOutcome.new(base + $0) })
        #expect(try fixture.archive.reading().page(try fixture.query()).bodies == ["a", "b", "c", "d", "f", "e"])
        try await writer.close()
    }

    @Test func `equal times in many batches and after a restart are not probed one by one`() async throws {
        let fixture = try ArchiveFixture()
        var writer = try await fixture.openWriter()
        var session = try await writer.openSession()
        var expected = ArchiveFixture.day.microseconds
        for round in 0..<6 {
            if round == 3 {
                try await writer.close()
                writer = try await fixture.openWriter()
                session = try await writer.openSession(at: ArchiveFixture.day.advanced(by: .seconds(1)))
            }
            // Two stamps in turn, so that neither is simply the latest.
            let events = (0..<500).map { number in ChatEvent.said("x", at: number % 2 == 0 ? 0 : 1, in: session) }
            for outcome in try await writer.append(events) {
                #expect(outcome == .new(expected))
                expected += 1
            }
        }
        try await writer.close()
        #expect(try fixture.value("SELECT count(*) FROM id_run") == 1)
        #expect(try fixture.value("SELECT last_us - first_us + 1 FROM id_run") == 3000)
    }

    @Test func `overlapping runs of ids become one`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append((0..<20).map { _ in .said("x", at: 30, in: session) })
        _ = try await writer.append((0..<20).map { _ in .said("y", at: 5, in: session) })
        _ = try await writer.append((0..<20).map { _ in .said("z", at: 12, in: session) })
        try await writer.close()
        let base = ArchiveFixture.day.microseconds
        let runs: String? = try fixture.value(
            "SELECT group_concat((first_us - \(base)) || '-' || (last_us - \(base))) FROM id_run")
        #expect(runs == "5-64")
        #expect(try fixture.value("SELECT count(*) FROM message") == 60)
    }

    @Test func `a plausible network time is used, and kept if it differs`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let base = ArchiveFixture.day
        func stored(_ claim: Timestamp) async throws -> Int64 {
            let outcome = try await writer.append([.said("x", at: 0, in: session, sourceTime: claim)])
            guard case .new(let id)? = outcome.first else { throw TestFailure() }
            return id
        }
        let hourAgo = base.advanced(by: .seconds(-3600))
        #expect(try await stored(hourAgo) == hourAgo.microseconds)
        #expect(try await stored(hourAgo) == hourAgo.microseconds + 1)
        let tooEarly = Timestamp(microseconds: 631_151_999_999_999)
        let tooLate = base.advanced(by: .seconds(86_401))
        #expect(try await stored(tooEarly) == base.microseconds)
        #expect(try await stored(tooLate) == base.microseconds + 1)
        #expect(try await stored(Timestamp(microseconds: .max)) == base.microseconds + 2)
        #expect(try await stored(Timestamp(microseconds: .min)) == base.microseconds + 3)
        let page = try fixture.archive.reading().page(try fixture.query())
        #expect(
            page.messages.map(\.sourceTime) == [
                nil, hourAgo, tooEarly, tooLate, Timestamp(microseconds: .max), Timestamp(microseconds: .min),
            ])
        #expect(page.messages.map(\.receivedAt) == Array(repeating: base, count: 6))
        try await writer.close()
    }

    @Test func `replaying stored messages changes nothing`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let events = (0..<100).map { number in
            ChatEvent.said("\(number)", at: Int64(number / 30), in: session, remoteID: "1:\(number)")
        }
        let first = try await writer.append(events)
        let size: Int64? = try fixture.value("SELECT count(*) + (SELECT count(*) FROM change) FROM message")
        let again = try await writer.append(events + events.shuffled())
        #expect(
            again.prefix(100).elementsEqual(
                first.map { outcome in
                    if case .new(let id) = outcome { EventOutcome.known(id) } else { outcome }
                }))
        #expect(try fixture.value("SELECT count(*) + (SELECT count(*) FROM change) FROM message") == size)
        #expect(try fixture.value("SELECT messages FROM room") == 100)
        // And the next new message takes the id that it would have taken anyway.
        let next = try await writer.append([.said("new", at: 3, in: session, remoteID: "1:100")])
        #expect(next == [.new(ArchiveFixture.day.microseconds + 100)])
        try await writer.close()
    }

    @Test func `two equal lines without an id are two messages`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("ㅋㅋ", at: 0, in: session), .said("ㅋㅋ", at: 0, in: session)])
        #expect(try fixture.archive.reading().page(try fixture.query()).bodies == ["ㅋㅋ", "ㅋㅋ"])
        try await writer.close()
    }

    @Test func `a message that the store refuses becomes a failure that splits the coverage`()
        async throws
    {
        let fixture = try ArchiveFixture()
        try await fixture.openWriter().close()
        try fixture.execute(
            """
            CREATE TRIGGER poison BEFORE INSERT ON message WHEN NEW.body = 'poison'
            BEGIN SELECT RAISE(ABORT, 'no poison here'); END
            """)
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let batch: [ChatEvent] = [
            .said("before", at: 10, in: session), .said("poison", at: 20, in: session),
            .said("after", at: 30, in: session),
        ]
        let outcomes = try await writer.append(batch)
        let base = ArchiveFixture.day.microseconds
        #expect(outcomes == [.new(base + 10), .failed(1), .new(base + 30)])
        _ = try await writer.append([batch[1]])
        #expect(try fixture.value("SELECT count FROM failure") == 2)
        #expect(
            try fixture.value("SELECT reason FROM failure") == "the archive could not store the event: no poison here")
        let payload: String? = try fixture.value("SELECT CAST(payload AS TEXT) FROM failure")
        #expect(payload == #"{"body":"poison","kind":"message","room":"lobby","sender":"alice"}"#)
        _ = try await writer.append([
            .sessionEnded(session: session, at: Timestamp(microseconds: base + 40), reason: .stopped, detail: nil)
        ])
        let gaps = try fixture.archive.reading().gaps(scope: .accounts(["demo"]))
        #expect(gaps.map(\.reason) == ["failure", "stopped"])
        #expect(gaps[0].from.microseconds == base + 19 && gaps[0].to?.microseconds == base + 21)
        #expect(gaps[0].state == .lost && gaps[1].state == .current)
        try await writer.close()
    }

    @Test func `a disk error loses no message and makes no failure`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        try await keepFromGrowing(writer)
        let text = String(repeating: "long ", count: 200)
        let events = (0..<100).map { ChatEvent.said("\($0) \(text)", at: Int64($0), in: session) }
        let outcomes = try await writer.append(events)
        #expect(outcomes.count == 100)
        #expect(writer.trouble == nil)
        #expect(try fixture.value("SELECT count(*) FROM message") == 100)
        #expect(try fixture.value("SELECT count(*) FROM failure") == 0)
        try await writer.close()
    }

    @Test func `an unconfirmed commit that reached the disk is not repeated`()
        async throws
    {
        #expect(FailingSync.isInstalled)
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let path = try fixture.file() + "-wal"
        // The commit's own, and that of the checkpoint when the connection is given up.
        FailingSync.fail(path, times: 2)
        let outcomes = try await writer.append([.said("hi", at: 1, in: session), .said("hi", at: 2, in: session)])
        #expect(FailingSync.remaining(path) == 0)
        let ids = [1, 2].map { ArchiveFixture.day.advanced(byMicroseconds: $0).microseconds }
        #expect(outcomes == ids.map { .new($0) })
        #expect(try fixture.value("SELECT count(*) FROM message") == 2)
        _ = try await writer.append([.said("hi", at: 3, in: session)])
        #expect(try fixture.value("SELECT count(*) FROM message") == 3)
        try await writer.close()
    }

    @Test func `an unconfirmed commit that did not reach the disk is repeated`() async throws {
        #expect(FailingSync.isInstalled)
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        FailingSync.fail(try fixture.file() + "-wal", times: 1)
        #expect(try await writer.append([.said("hi", at: 1, in: session)]).count == 1)
        #expect(try fixture.value("SELECT count(*) FROM message") == 1)
        try await writer.close()
    }

    @Test func `messages wait while the file is moved away, and are stored when it is back`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let accounts = fixture.archive.folder + "/accounts"
        try FileManager.default.moveItem(atPath: accounts, toPath: accounts + ".away")
        async let outcomes = writer.append([.said("hi", at: 1, in: session)])
        while writer.trouble == nil { await Task.yield() }
        #expect(writer.trouble?.contains("No such file or directory") == true)
        #expect(!FileManager.default.fileExists(atPath: accounts))
        try FileManager.default.moveItem(atPath: accounts + ".away", toPath: accounts)
        #expect(try await outcomes.count == 1)
        #expect(try fixture.value("SELECT count(*) FROM message") == 1)
        try await writer.close()
    }

    @Test func `a cancelled append during a disk error throws that error and stores nothing`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        try await keepFromGrowing(writer)
        let body = String(repeating: "x", count: 100_000)
        let events = [ChatEvent.said(body, at: 0, in: session)]
        let appending = Task { try await writer.append(events) }
        appending.cancel()
        do {
            _ = try await appending.value
            Issue.record("stored in a full file")
        } catch let error as ArchiveError {
            #expect(error.code == .storage)
            #expect(error.detail.contains("the disk is full"))
        }
        #expect(try fixture.value("SELECT count(*) FROM message") == 0)
        try await writer.close()
    }

    @Test func `the journal returns unparsed bytes from where parsing stopped`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        func chunk(_ text: String, at offset: Int64) -> ChatEvent {
            .chunk(
                JournalChunk(
                    session: session, offset: offset, receivedAt: ArchiveFixture.day.advanced(byMicroseconds: offset),
                    bytes: Array(text.utf8)))
        }
        _ = try await writer.append([chunk("hello ", at: 0), chunk("world", at: 6), chunk("!!", at: 11)])
        #expect(try await writer.unparsedChunks(limit: 10).map(\.offset) == [0, 6, 11])
        _ = try await writer.append([.parsed(session: session, upTo: 8)])
        let left = try await writer.unparsedChunks(limit: 10)
        #expect(left.map { String(decoding: $0.bytes, as: UTF8.self) } == ["rld", "!!"])
        #expect(left.map(\.offset) == [8, 11])
        #expect(try await writer.unparsedChunks(limit: 1).count == 1)
        _ = try await writer.append([.parsed(session: session, upTo: 13)])
        #expect(try await writer.unparsedChunks(limit: 10).isEmpty)
        #expect(try await writer.lastReceipt()?.time.microseconds == ArchiveFixture.day.microseconds + 11)
        try await writer.close()
    }

    @Test func `the store and the model agree which kinds are noise`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let all = MessageKind.allCases.enumerated().map {
            ChatEvent.said($1.rawValue, at: Int64($0), in: session, kind: $1)
        }
        _ = try await writer.append(all)
        let page = try fixture.archive.reading().page(try fixture.query(hidesNoise: true))
        #expect(page.messages.map(\.kind) == MessageKind.allCases.filter { !$0.isNoise })
        let whole = try fixture.archive.reading().page(try fixture.query())
        #expect(whole.messages.map(\.kind) == MessageKind.allCases)
        try await writer.close()
    }
}
