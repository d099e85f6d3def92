import Archive
import ChatModel
import TestSupport
import Testing

@testable import Checks
@testable import Reading
@testable import Writing

@Suite struct CoverageTests {
    func at(_ offset: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: offset)
    }

    @Test func `a gap after a crash begins with the last message of one read`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let outcomes = try await writer.append(["a", "b", "c"].map { .said($0, at: 5, in: session) })
        try await writer.close()
        try await fixture.openWriter().close()
        let gaps = try fixture.archive.reading().gaps(scope: .accounts(["demo"]))
        #expect(outcomes.last == .new(ArchiveFixture.day.microseconds + 7))
        #expect(gaps.map(\.from) == [ArchiveFixture.day.advanced(byMicroseconds: 7)])
    }

    @Test func `the time between two sessions is a gap with the first one's reason`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let first = try await writer.openSession(at: at(0))
        _ = try await writer.append([
            .said("a", at: 100, in: first), .signOfLife(session: first, at: at(150)),
            .sessionEnded(session: first, at: at(200), reason: .closed, detail: "the server closed the connection"),
            .waiting(attempts: 3, nextTry: at(900)),
        ])
        var gaps = try fixture.archive.reading().gaps(scope: .room(account: "demo", id: 1))
        #expect(
            gaps == [
                Gap(
                    account: "demo", room: "lobby", from: at(200), to: nil,
                    kind: .gap(.init(reason: "closed", nextTry: at(900))))
            ])
        let second = try await writer.openSession(at: at(1000))
        _ = try await writer.append([.said("b", at: 1100, in: second)])
        _ = try await writer.append([.sessionEnded(session: second, at: at(1200), reason: .stopped, detail: nil)])
        gaps = try fixture.archive.reading().gaps(scope: .room(account: "demo", id: 1))
        #expect(
            gaps == [
                Gap(
                    account: "demo", room: "lobby", from: at(200), to: at(1000),
                    kind: .gap(.init(reason: "closed"))),
                Gap(
                    account: "demo", room: "lobby", from: at(1200), to: nil,
                    kind: .gap(.init(reason: "stopped"))),
            ])
        #expect(try fixture.archive.reading().status().first?.openGaps == 2)
        try await writer.close()
    }

    /// A message that was sent `offset` seconds after the day began, and received at another second.
    private func sent(
        _ body: String, at offset: Int64, received: Int64, in session: SessionID, isLive: Bool = false
    ) -> ChatEvent {
        let message = IncomingMessage(
            session: session, room: ArchiveFixture.lobby, kind: .message, sender: UserReference(key: "a", name: "a"),
            body: body, remoteID: body, sourceTime: at(offset * 1_000_000), receivedAt: at(received * 1_000_000))
        return .message(message, isLive ? .live : .replay(Occurrence(), .microsecond))
    }

    @Test func `a gap counts its replayed messages`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let first = try await hear(writer, lead: 1_000_000, since: 0)
        _ = try await writer.append([
            sent("live", at: 11, received: 10, in: first, isLive: true),
            .sessionEnded(session: first, at: at(10_000_500), reason: .lost, detail: nil),
        ])
        let second = try await hear(writer, lead: 1_000_000, since: 60_000_000)
        _ = try await writer.append([
            sent("seen before", at: 10, received: 61, in: second), sent("missed", at: 30, received: 61, in: second),
            sent("missed too", at: 40, received: 61, in: second),
            sent("just before the join", at: 60, received: 60, in: second),
            sent("next", at: 70, received: 69, in: second, isLive: true),
        ])
        let gaps = try fixture.archive.reading().gaps(scope: .room(account: "demo", id: 1))
        #expect(gaps.first?.missing?.replayed == Gap.Replayed(messages: 2))
        #expect(gaps.first?.state == .lost, "nobody knows if the replay has all of them")
        let page = try fixture.archive.reading().page(try fixture.query())
        #expect(page.gaps.first == gaps.first)
        try await writer.close()
    }

    @Test func `only the first thousand messages of a gap are counted`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let first = try await hear(writer, lead: 0, since: 0)
        _ = try await writer.append([.sessionEnded(session: first, at: at(10), reason: .lost, detail: nil)])
        let second = try await hear(writer, lead: 0, since: 5_000_000_000)
        _ = try await writer.append((1...1200).map { sent("\($0)", at: $0, received: 5000, in: second) })
        let gaps = try fixture.archive.reading().gaps(scope: .room(account: "demo", id: 1))
        #expect(gaps.first?.missing?.replayed == Gap.Replayed(messages: 1000, hasMore: true))
        try await writer.close()
    }

    /// A session, and a room from then on, on a network whose clock is that far ahead.
    private func hear(_ writer: AccountWriter, lead: Int64, since time: Int64) async throws -> SessionID {
        guard case .new(let number) = try await writer.append([.sessionOpened(at: at(time))]).first else {
            throw CancellationError()
        }
        let session = SessionID(rawValue: number)
        _ = try await writer.append([
            .networkClock(session: session, leadMicroseconds: lead),
            .roomLive(session: session, room: ArchiveFixture.lobby, at: at(time)),
        ])
        return session
    }

    @Test(arguments: [-4_000_000, 4_000_000])
    func `gaps use the network's time where it sends times`(lead: Int64) async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let first = try await hear(writer, lead: lead, since: 100)
        #expect(try fixture.value("SELECT from_us FROM coverage") == at(100 + lead).microseconds)
        _ = try await writer.append([.signOfLife(session: first, at: at(200))])
        #expect(try await writer.lastReceipt()?.time == at(200), "what was received is told by our clock")
        _ = try await writer.append([.sessionEnded(session: first, at: at(3_300), reason: .lost, detail: nil)])
        _ = try await hear(writer, lead: lead, since: 6_000)
        let gap = try #require(try fixture.archive.reading().gaps(scope: .room(account: "demo", id: 1)).first)
        #expect(
            (gap.from, gap.to) == (at(2_999 + lead), at(6_000 + lead)), "before the millisecond that was heard last")
        #expect(try fixture.archive.check().allSatisfy { $0.state == .fine })
        try await writer.close()
    }

    @Test func `a network clock that was set back during an outage still leaves a gap`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let first = try await hear(writer, lead: 0, since: 100)
        _ = try await writer.append([.sessionEnded(session: first, at: at(300), reason: .lost, detail: nil)])
        _ = try await hear(writer, lead: -400, since: 600)
        let gaps = try fixture.archive.reading().gaps(scope: .room(account: "demo", id: 1))
        #expect(gaps.first?.from == at(300))
        try await writer.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `status counts the gaps that the list shows, and their seconds`() async throws {
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
        let gaps = try fixture.archive.reading().gaps(scope: .accounts(["demo"]))
        // Current gaps grow meanwhile.
        func seconds(_ now: Int64) -> Int64 {
            gaps.reduce(0) { $0 + ($1.to?.microseconds ?? max($1.from.microseconds, now)) - $1.from.microseconds }
                / 1_000_000
        }
        let start = Timestamp.now().microseconds
        let statuses = [try fixture.archive.reading().status().first, try await writer?.status()].compactMap(
            \.self)
        let possible = (seconds(start) - 1)...(seconds(Timestamp.now().microseconds) + 1)
        for status in statuses {
            #expect(status.openGaps == gaps.count)
            #expect(possible.contains(status.gapSeconds ?? -1))
        }
    }

    @Test(arguments: [false, true])
    func `a room that was left or deleted has no outage from then on`(
        isGone: Bool
    ) async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let first = try await writer.openSession(at: at(0))
        let work = RoomReference(key: "w", name: "우리", kind: .channel)
        let reason = isGone ? EndReason.gone : .left
        _ = try await writer.append([
            .roomLive(session: first, room: work, at: at(10)), .said("hi", at: 20, in: first, room: work),
            .roomSilent(session: first, room: work, at: at(30), reason: reason),
            .roomUnlisted(work, isGone: isGone, at: at(50)),
            .sessionEnded(session: first, at: at(100), reason: .lost, detail: nil),
            .waiting(attempts: 1, nextTry: at(900)),
        ])
        func gaps() async throws -> [Gap] {
            try fixture.archive.reading().gaps(scope: .accounts(["demo"])).filter { $0.room == "우리" }
        }
        let ended = Gap(
            account: "demo", room: "우리", from: at(30), to: nil, kind: .ended(reason))
        #expect(try await gaps() == [ended])
        #expect(try fixture.archive.reading().status().first?.openGaps == 1, "the lobby's")
        #expect(try fixture.archive.reading().page(fixture.query(room: 2)).gaps == [ended])

        let again = try await writer.openSession(at: at(1000))
        _ = try await writer.append([
            .roomListed(RoomListing(room: work), at: at(1001)), .roomLive(session: again, room: work, at: at(1010)),
            .sessionEnded(session: again, at: at(1100), reason: .closed, detail: nil),
        ])
        #expect(try await gaps().map(\.state) == [.lost, .current])
        #expect(try await gaps().map(\.reason) == [reason.rawValue, "closed"])
        try await writer.close()
    }

    @Test
    func `an outage before a room was left is a separate gap, and a page lists it once`()
        async throws
    {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let first = try await writer.openSession(at: at(0))
        let work = RoomReference(key: "w", name: "우리", kind: .channel)
        _ = try await writer.append([
            .roomLive(session: first, room: work, at: at(10)), .said("hi", at: 20, in: first, room: work),
            .sessionEnded(session: first, at: at(100), reason: .stopped, detail: nil),
            .waiting(attempts: 1, nextTry: at(900)),
        ])
        _ = try await writer.append([.roomUnlisted(work, isGone: false, at: at(1_000_100))])
        let gaps = try fixture.archive.reading().gaps(scope: .room(account: "demo", id: 2))
        #expect(gaps.map(\.from) == [at(100), at(1_000_100)] && gaps.map(\.to) == [at(1_000_100), nil])
        #expect(gaps.map(\.state) == [.lost, .ended] && gaps.map(\.reason) == ["stopped", "left"])
        #expect(gaps.allSatisfy { $0.missing?.nextTry == nil })
        #expect(try fixture.archive.reading().status().first?.openGaps == 2, "the lobby's and this")
        func rooms(_ anchor: MessageQuery.Anchor) async throws -> [Gap.State] {
            let query = try MessageQuery(scope: .accounts(["demo"]), anchor: anchor)
            return try fixture.archive.reading().page(query).gaps.filter { $0.room == "우리" }.map(\.state)
        }
        #expect(try await rooms(.latest) == [.lost, .ended])
        #expect(try await rooms(.after(MessageID(at(2_000_000)))) == [])
        try await writer.close()
    }

    @Test func `an unreadable message of history stays missing, whatever is covered later`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let work = RoomReference(key: "w", name: "우리", kind: .channel)
        let session = try await writer.openSession(at: at(0))
        func unreadable(_ payload: UInt8, at instant: Int64?) -> ChatEvent {
            .unreadable(
                UnreadableEvent(
                    session: session, room: work, remoteID: nil, receivedAt: at(5000), instant: instant.map(at),
                    payload: [payload], reason: "no id"))
        }
        func fetched(_ from: Int64, _ to: Int64) -> ChatEvent {
            .covered(session: session, room: work, from: at(from), to: at(to))
        }
        func missing() async throws -> [Int64] {
            try fixture.archive.reading().gaps(scope: .accounts(["demo"])).filter { $0.reason == "unreadable" }
                .map { $0.from.microseconds - ArchiveFixture.day.microseconds }
        }
        _ = try await writer.append([fetched(0, 0), unreadable(1, at: 100)])
        _ = try await writer.append([unreadable(2, at: 101), unreadable(3, at: 3000), fetched(0, 2000)])
        #expect(try await missing() == [99], "two that follow each other are one gap")
        #expect(try await writer.completeUntil(room: work) == at(2000), "they are not asked for again")
        _ = try await writer.append([unreadable(3, at: 3000), fetched(2000, 4000)])
        #expect(try await missing() == [99, 2999])
        #expect(try await writer.completeUntil(room: work) == at(4000))
        // Fetched once more, from the beginning, they are as they were; in another shape the first are there.
        _ = try await writer.append([unreadable(3, at: 3000), fetched(0, 4000)])
        #expect(try await missing() == [2999])
        // What was only heard is there once history has it.
        _ = try await writer.append([.roomLive(session: session, room: work, at: at(4001)), unreadable(4, at: nil)])
        #expect(try await writer.completeUntil(room: work) == at(4000), "history is asked for from there")
        _ = try await writer.append([fetched(4000, 6000)])
        #expect(try await missing() == [2999])
        #expect(
            try fixture.archive.reading().gaps(scope: .room(account: "demo", id: 2)).filter { $0.to != nil }.count
                == 1)
        try await writer.close()
    }
}
