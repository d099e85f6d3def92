import Archive
import ChatModel
import TestSupport
import Testing

@Suite struct CoverageTests {
    private func at(_ offset: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: offset)
    }

    @Test func `a gap after a crash begins with the last of the messages that came in one read`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let outcomes = try await writer.append(["a", "b", "c"].map { .said($0, at: 5, in: session) })
        try await writer.close()
        try await fixture.openWriter().close()
        let gaps = try await fixture.archive.gaps(scope: .accounts(["demo"]))
        #expect(outcomes.last == .new(ArchiveFixture.day.microseconds + 7))
        #expect(gaps.map(\.from) == [ArchiveFixture.day.advanced(byMicroseconds: 7)])
    }

    @Test func `the time between two sessions is a gap with the reason of the first one's end`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let first = try await writer.openSession(at: at(0))
        _ = try await writer.append([
            .said("a", at: 100, in: first), .signOfLife(session: first, at: at(150)),
            .sessionEnded(session: first, at: at(200), reason: .closed, detail: "the server closed the connection"),
            .waiting(attempts: 3, nextTry: at(900)),
        ])
        var gaps = try await fixture.archive.gaps(scope: .room(account: "demo", id: 1))
        #expect(
            gaps == [
                Gap(
                    account: "demo", room: "lobby", from: at(200), to: nil, state: .current, reason: "closed",
                    nextTry: at(900))
            ])
        let second = try await writer.openSession(at: at(1000))
        _ = try await writer.append([.said("b", at: 1100, in: second)])
        _ = try await writer.append([.sessionEnded(session: second, at: at(1200), reason: .stopped, detail: nil)])
        gaps = try await fixture.archive.gaps(scope: .room(account: "demo", id: 1))
        #expect(
            gaps == [
                Gap(
                    account: "demo", room: "lobby", from: at(200), to: at(1000), state: .lost, reason: "closed",
                    nextTry: nil),
                Gap(
                    account: "demo", room: "lobby", from: at(1200), to: nil, state: .current, reason: "stopped",
                    nextTry: nil),
            ])
        #expect(try await fixture.archive.status().first?.openGaps == 2)
        try await writer.close()
    }

    @Test func `status counts the gaps that are listed, and their seconds, whatever happened in between`() async throws
    {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        var random = SeededGenerator(seed: 7)
        let rooms = ["a", "b", "c"].map { RoomReference(key: $0, name: $0, kind: .channel) }
        var time: Int64 = 0
        for round in 0..<20 {
            time += [1, 2, 3, 2_500_000].randomElement(using: &random) ?? 1
            let session = try await writer.openSession(at: at(time))
            for room in rooms where Bool.random(using: &random) {
                time += Int64.random(in: 0...2, using: &random)
                _ = try await writer.append([.roomLive(session: session, room: room, at: at(time))])
            }
            time += Int64.random(in: 0...3_000_000, using: &random)
            if Bool.random(using: &random) {
                _ = try await writer.append([
                    .unreadable(
                        UnreadableEvent(
                            session: session, room: rooms.randomElement(using: &random), remoteID: "\(round)",
                            receivedAt: at(time), payload: [], reason: "nonsense"))
                ])
            }
            try await expectCounted(fixture, writer)
            time += Int64.random(in: 0...3, using: &random)
            _ = try await writer.append([.sessionEnded(session: session, at: at(time), reason: .lost, detail: nil)])
            try await expectCounted(fixture, writer)
        }
        try await writer.close()
        try await expectCounted(fixture, nil)
    }

    private func expectCounted(_ fixture: ArchiveFixture, _ writer: AccountWriter?) async throws {
        let gaps = try await fixture.archive.gaps(scope: .accounts(["demo"]))
        // Current gaps grow meanwhile.
        func seconds(_ now: Int64) -> Int64 {
            gaps.reduce(0) { $0 + ($1.to?.microseconds ?? max($1.from.microseconds, now)) - $1.from.microseconds }
                / 1_000_000
        }
        let start = Timestamp.now().microseconds
        let statuses = [try await fixture.archive.status().first, try await writer?.status()].compactMap(\.self)
        let possible = (seconds(start) - 1)...(seconds(Timestamp.now().microseconds) + 1)
        for status in statuses {
            #expect(status.openGaps == gaps.count)
            #expect(possible.contains(status.gapSeconds ?? -1))
        }
    }

    @Test func `a page names the gaps that it crosses, those at its edges and the one up to now`() async throws {
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
            let page = try await fixture.archive.page(try fixture.query(anchor, limit: limit))
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
    func `an open session whose process is gone is a gap from its last sign of life, and the next writer closes it`()
        async throws
    {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: at(0))
        _ = try await writer.append([.said("a", at: 100, in: session), .signOfLife(session: session, at: at(500))])
        try await writer.close()
        let gap = Gap(
            account: "demo", room: "lobby", from: at(500), to: nil, state: .current, reason: "crashed", nextTry: nil)
        #expect(try await fixture.archive.page(try fixture.query()).gaps == [gap])
        let next = try await fixture.openWriter()
        #expect(try await fixture.archive.gaps(scope: .accounts(["demo"])) == [gap])
        #expect(try fixture.value("SELECT reason FROM session") == "crashed")
        try await next.close()
    }

    @Test func `a live session that was heard of just now leaves no gap`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession(at: .now())
        #expect(try await fixture.archive.page(try fixture.query()).gaps.isEmpty)
        #expect(try await fixture.archive.status().first?.state == .connected)
        _ = session
        try await writer.close()
    }

    @Test func `a live session that has been silent for over a minute is a gap from its last sign of life`()
        async throws
    {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let longAgo = Timestamp.now().advanced(by: .seconds(-120))
        _ = try await writer.openSession(at: longAgo)
        let gaps = try await fixture.archive.page(try fixture.query()).gaps
        #expect(gaps.map(\.from) == [longAgo])
        #expect(gaps.map(\.reason) == ["silent"])
        try await writer.close()
    }

    @Test func `an unreadable event is kept once and counted, and splits every live room when its room is unknown`()
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
        #expect(try await fixture.archive.gaps(scope: .accounts(["demo"])).map(\.reason) == ["failure", "stopped"])
        #expect(try await fixture.archive.status().first?.failures == 1)
        try await writer.close()
    }
}
