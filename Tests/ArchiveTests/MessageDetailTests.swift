import Archive
import ChatModel
import Files
import Testing

@testable import Reading
@testable import Writing

@Suite struct MessageDetailTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func at(_ offset: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: offset)
    }

    private func detail(_ offset: Int64, account: String? = nil) async throws -> MessageDetail {
        let found = try fixture.archive.reading().message(MessageID(at(offset)), account: account)
        guard case .found(let detail) = found else { throw TestFailure() }
        return detail
    }

    private func chunk(_ bytes: [UInt8], at place: Int64, in session: SessionID) -> ChatEvent {
        .chunk(JournalChunk(session: session, offset: place, receivedAt: at(place), bytes: bytes))
    }

    @Test func `a message has its session, its names at that time and today, and its version`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("hi", at: 10, by: "al", in: session),
            .userRenamed(
                session: session, fromKey: "al", to: UserReference(key: "alice", name: "alice"), at: at(30)),
            .sessionEnded(session: session, at: at(50), reason: .closed, detail: "it said goodbye"),
        ])
        try await writer.close()
        let detail = try await detail(10)
        #expect(detail.message.body == "hi")
        #expect(detail.message.sender?.name == "al")
        #expect(detail.senderNow == "alice")
        #expect(detail.message.room == "lobby")
        #expect(detail.roomNow == "lobby")
        #expect(detail.versions == [MessageDetail.Version(at: at(10), body: "hi")])
        #expect(
            detail.session
                == MessageDetail.Session(
                    id: session, startedAt: at(0), lastSignOfLife: at(50), endedAt: at(50), reason: "closed",
                    detail: "it said goodbye"))
        #expect(detail.raw == .missing(.notKept))
    }

    @Test func `the raw payload ends at the next message or where parsing ended`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let stream = Array("al::one\0bob::tw\u{FF}o\0carol::th".utf8)
        _ = try await writer.append([
            chunk(Array(stream[..<5]), at: 0, in: session), chunk(Array(stream[5..<11]), at: 5, in: session),
            chunk(Array(stream[11...]), at: 11, in: session),
            .said("one", at: 10, in: session, remoteID: "1:0"), .said("two", at: 20, in: session, remoteID: "1:8"),
            .parsed(session: session, upTo: 19),
        ])
        try await writer.close()
        #expect(try await detail(10).raw == .bytes(Array(stream[..<8]), length: 8))
        #expect(try await detail(20).raw == .bytes(Array(stream[8..<19]), length: 11))
    }

    @Test func `a long payload is cut after 64 KiB of whole code points, with its full length`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let text = Array(("ab" + String(repeating: "한", count: 30_000)).utf8)
        _ = try await writer.append(
            stride(from: 0, to: text.count, by: 40_000).map { start in
                chunk(Array(text[start..<min(start + 40_000, text.count)]), at: Int64(start), in: session)
            } + [
                .said("long", at: 10, in: session, remoteID: "1:0"),
                .parsed(session: session, upTo: Int64(text.count)),
            ])
        try await writer.close()
        // 65536 bytes would end after the second byte of a syllable of three.
        #expect(try await detail(10).raw == .bytes(Array(text[..<65_534]), length: 90_002))
    }

    @Test func `a payload that the journal lacks is missing, with the reason`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            chunk(Array("al::one\0".utf8), at: 0, in: session), chunk(Array("al::two\0".utf8), at: 8, in: session),
            .said("one", at: 10, in: session, remoteID: "1:0"), .said("two", at: 20, in: session, remoteID: "1:8"),
            .said("foreign", at: 30, in: session, remoteID: "9:0"), .said("none", at: 40, in: session),
            .parsed(session: session, upTo: 16),
        ])
        try await writer.close()
        try fixture.execute("DELETE FROM chunk WHERE offset = 0")
        #expect(try await detail(10).raw == .missing(.gone))
        #expect(try await detail(30).raw == .missing(.notKept))
        #expect(try await detail(40).raw == .missing(.notKept))
    }

    @Test func `a message shows the coverage around it and the gaps on both sides`() async throws {
        let writer = try await fixture.openWriter()
        for start in [0, 1000, 2000] as [Int64] {
            let session = try await writer.openSession(at: at(start))
            _ = try await writer.append([
                .said("x", at: start + 10, in: session),
                .sessionEnded(session: session, at: at(start + 100), reason: .lost, detail: nil),
            ])
        }
        try await writer.close()
        func gap(_ from: Int64, _ to: Int64?) -> Gap {
            Gap(
                account: "demo", room: "lobby", from: at(from), to: to.map(at),
                kind: .gap(.init(reason: "lost")))
        }
        let first = try await detail(10).coverage
        #expect(first.archivedSince == at(0))
        #expect(first.place == .covered(from: at(0), to: at(100), gapBefore: nil, gapAfter: gap(100, 1000)))
        #expect(
            try await detail(1010).coverage.place
                == .covered(from: at(1000), to: at(1100), gapBefore: gap(100, 1000), gapAfter: gap(1100, 2000)))
        #expect(
            try await detail(2010).coverage.place
                == .covered(from: at(2000), to: at(2100), gapBefore: gap(1100, 2000), gapAfter: gap(2100, nil)))
    }

    @Test func `adjacent spans are joined`() async throws {
        let writer = try await fixture.openWriter()
        for start in [0, 101, 202] as [Int64] {
            let session = try await writer.openSession(at: at(start))
            _ = try await writer.append([
                .said("x", at: start + 10, in: session),
                .sessionEnded(session: session, at: at(start + 100), reason: .lost, detail: nil),
            ])
        }
        try await writer.close()
        for offset in [10, 111, 212] as [Int64] {
            guard case .covered(at(0), at(302), nil, .some) = try await detail(offset).coverage.place else {
                throw TestFailure()
            }
        }
    }

    @Test func `coverage has no end while the room is live`() async throws {
        let writer = try await fixture.openWriter()
        let now = Timestamp.now()
        let session = try await writer.openSession(at: now)
        let outcomes = try await writer.append([.said("x", at: now.microseconds - at(0).microseconds, in: session)])
        guard case .new(let id)? = outcomes.first,
            case .found(let detail) = try fixture.archive.reading().message(MessageID(microseconds: id))
        else { throw TestFailure() }
        #expect(detail.coverage.place == .covered(from: now, to: nil, gapBefore: nil, gapAfter: nil))
        #expect(detail.session?.endedAt == nil)
        try await writer.close()
    }

    @Test func `a message says that it is in a gap or older than the archive`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: at(100))
        _ = try await writer.append([
            .sessionEnded(session: session, at: at(200), reason: .lost, detail: nil),
            .said("early", at: 1000, in: session, sourceTime: at(50)),
            .said("late", at: 1001, in: session, sourceTime: at(300)),
        ])
        try await writer.close()
        let early = try await detail(50)
        #expect(early.coverage.place == .notArchived)
        #expect(early.coverage.archivedSince == at(100))
        #expect(early.message.receivedAt == at(1000))
        guard case .inGap(let gap) = try await detail(300).coverage.place else { throw TestFailure() }
        #expect(gap.from == at(200))
        #expect(gap.to == nil)
    }

    @Test func `an id in several accounts lists them, and an unknown id has neighbours`() async throws {
        for account in ["a", "b"] {
            let writer = try await fixture.openWriter(account)
            let session = try await writer.openSession()
            _ = try await writer.append([
                .said("same", at: 10, in: session), .said("own", at: account == "a" ? 20 : 30, in: session),
            ])
            try await writer.close()
        }
        func look(_ offset: Int64, _ account: String? = nil) async throws -> MessageLookup {
            try fixture.archive.reading().message(MessageID(at(offset)), account: account)
        }
        #expect(try await look(10) == .several(accounts: ["a", "b"]))
        #expect(try await detail(10, account: "b").message.account == "b")
        func place(_ offset: Int64, _ account: String) -> MessagePlace {
            MessagePlace(id: MessageID(at(offset)), account: account)
        }
        #expect(try await look(25) == .unknown(before: place(20, "a"), after: place(30, "b")))
        #expect(try await look(25, "b") == .unknown(before: place(10, "b"), after: place(30, "b")))
        #expect(try await look(31) == .unknown(before: place(30, "b"), after: nil))
        await #expect(throws: ArchiveError.self) { try await look(10, "c") }
    }
}
