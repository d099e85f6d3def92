import Archive
import ChatModel
import TestSupport
import Testing

@testable import Checks
@testable import Reading
@testable import Writing

/// Gaps of open sessions, on pages and after unreadable events.
extension CoverageTests {
    @Test func `a page lists the gaps within it, at its edges and up to now`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        for round in 0..<3 as Range<Int64> {
            let session = try await writer.openSession(at: at(round * 1000))
            _ = try await writer.append(
                (0..<5).map { .said("\(round) \($0)", at: round * 1000 + 10 + $0, in: session) })
            _ = try await writer.append([
                .sessionEnded(session: session, at: at(round * 1000 + 100), reason: .lost, detail: nil)
            ])
        }
        func gaps(_ anchor: MessageQuery.Anchor, _ limit: Int) async throws -> [Int64] {
            let page = try fixture.archive.reading().page(try fixture.query(anchor, limit: limit))
            return page.gaps.map { $0.from.microseconds - ArchiveFixture.day.microseconds }
        }
        #expect(try await gaps(.latest, 3) == [2100])
        #expect(try await gaps(.latest, 5) == [1100, 2100])
        #expect(try await gaps(.latest, 50) == [100, 1100, 2100])
        #expect(try await gaps(.oldest, 4) == [])
        #expect(try await gaps(.oldest, 5) == [100])
        #expect(try await gaps(.after(MessageID(at(14))), 2) == [100])
        #expect(try await gaps(.before(MessageID(at(1010))), 2) == [100])
        #expect(try await gaps(.around(MessageID(at(1012))), 3) == [])
        try await writer.close()
    }

    @Test
    func `an open session without a process is a gap until a writer closes it`()
        async throws
    {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: at(0))
        _ = try await writer.append([.said("a", at: 100, in: session), .signOfLife(session: session, at: at(500))])
        try await writer.close()
        let gap = Gap(
            account: "demo", room: "lobby", from: at(500), to: nil, kind: .gap(.init(reason: "crashed")))
        #expect(try fixture.archive.reading().page(try fixture.query()).gaps == [gap])
        let next = try await fixture.openWriter()
        #expect(try fixture.archive.reading().gaps(scope: .accounts(["demo"])) == [gap])
        #expect(try fixture.value("SELECT reason FROM session") == "crashed")
        try await next.close()
    }

    @Test func `a live session with a recent sign of life has no gap`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: .now())
        #expect(try fixture.archive.reading().page(try fixture.query()).gaps.isEmpty)
        #expect(try fixture.archive.reading().status().first?.state == .connected)
        _ = session
        try await writer.close()
    }

    @Test func `a live session that is silent for over a minute has a gap from its last sign of life`()
        async throws
    {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let longAgo = Timestamp.now().advanced(by: .seconds(-120))
        _ = try await writer.openSession(at: longAgo)
        let gaps = try fixture.archive.reading().page(try fixture.query()).gaps
        #expect(gaps.map(\.from) == [longAgo])
        #expect(gaps.map(\.reason) == ["quiet"])
        try await writer.close()
    }

    @Test func `an unreadable event is stored once, counted, and splits every live room if it names none`()
        async throws
    {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: at(0))
        let event = ChatEvent.unreadable(
            UnreadableEvent(
                session: session, room: nil, remoteID: nil, receivedAt: at(50), payload: [0xff, 0x00], reason: "no time"
            ))
        #expect(try await writer.append([event, event]) == [.failed(1), .failed(1)])
        #expect(try fixture.value("SELECT count FROM failure") == 2)
        #expect(try fixture.value("SELECT count(*) FROM coverage") == 2)
        _ = try await writer.append([.sessionEnded(session: session, at: at(60), reason: .stopped, detail: nil)])
        #expect(
            try fixture.archive.reading().gaps(scope: .accounts(["demo"])).map(\.reason) == [
                "failure", "stopped",
            ])
        #expect(try fixture.archive.reading().status().first?.failures == 1)
        try await writer.close()
    }
}
