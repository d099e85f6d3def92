import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Writing

/// The days of statistics: how many messages, and whether they are all.
@Suite struct DayCoverageTests {
    private static let hour = Int64(3_600_000_000)
    private static let day = 24 * hour
    private static let work = RoomReference(key: "#work", name: "#work", kind: .channel)

    private static func at(_ days: Double) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: Int64(days * Double(day)))
    }

    /// An account whose lobby is covered between pairs of days since 2026-11-21, and in which somebody talks on each
    /// of some days.
    private func fixture(
        covered: [(Double, Double)], said: [Double] = [], room: RoomReference = ArchiveFixture.lobby,
        in fixture: ArchiveFixture? = nil, account: String = "demo"
    ) async throws -> ArchiveFixture {
        let fixture = try fixture ?? ArchiveFixture()
        let writer = try await fixture.openWriter(account)
        for (from, to) in covered {
            guard case .new(let id)? = try await writer.append([.sessionOpened(at: Self.at(from))]).first else {
                throw TestFailure()
            }
            let session = SessionID(rawValue: id)
            _ = try await writer.append(
                [.roomLive(session: session, room: room, at: Self.at(from))]
                    + said.filter { from <= $0 && $0 < to }.map {
                        .said("x", at: Int64($0 * Double(Self.day)), in: session, room: room)
                    } + [.sessionEnded(session: session, at: Self.at(to), reason: .lost, detail: nil)])
        }
        try await writer.close()
        return fixture
    }

    private func days(
        _ fixture: ArchiveFixture, scope: MessageQuery.Scope = .accounts(["demo"]), after: Double? = nil,
        before: Double? = nil, zone: Zone = .gmt, now: Double = 100
    ) async throws -> [String] {
        let statistics = try fixture.archive.reading().counts.statistics(
            scope: scope, after: after.map { MessageID(Self.at($0).advanced(byMicroseconds: -1)) },
            before: before.map { MessageID(Self.at($0)) }, zone: zone, now: Self.at(now))
        return statistics.days.map {
            "\($0.day.suffix(5)) \($0.messages) \($0.isComplete.map(String.init) ?? "nil")"
        }
    }

    @Test func `every day between the first and the last message is listed with its coverage`() async throws {
        // Covered as a whole: days 1 and 2; in part: 0, 3 and 4.
        let fixture = try await fixture(covered: [(0.5, 3.25), (3.75, 4.5)], said: [0.5, 1.5, 1.6, 4.1])
        #expect(
            try await days(fixture) == [
                "11-21 1 false", "11-22 2 true", "11-23 0 true", "11-24 0 false", "11-25 1 false",
            ])
        #expect(try await days(fixture, after: 1, before: 3) == ["11-22 2 true", "11-23 0 true"])
        #expect(try await days(fixture, after: -1, before: 1) == ["11-20 0 false", "11-21 1 false"])
        #expect(try await days(fixture, before: 2) == ["11-21 1 false", "11-22 2 true"])
        #expect(try await days(fixture, after: 2, now: 5.5).count == 4)
        #expect(try await days(fixture, after: 20, before: 22) == ["12-11 0 false", "12-12 0 false"])
    }

    @Test func `coverage follows the days of the zone`() async throws {
        let seoul = try #require(Zone(identifier: "Asia/Seoul"))
        let fixture = try await fixture(covered: [(0.625, 2.625)], said: [0.7])
        #expect(try await days(fixture, after: 0, before: 3) == ["11-21 1 false", "11-22 0 true", "11-23 0 false"])
        #expect(
            try await days(fixture, after: 0.625, before: 2.625, zone: seoul) == ["11-22 1 true", "11-23 0 true"])
    }

    @Test func `adjacent spans have no gap, and a missing microsecond is a gap`() async throws {
        let microsecond = 1 / Double(Self.day)
        for (between, expected) in [(microsecond, "true"), (3 * microsecond, "false")] {
            let fixture = try await fixture(covered: [(0, 1.5), (1.5 + between, 2)], said: [0.5, 1.6])
            #expect(try await days(fixture, after: 1, before: 2) == ["11-22 1 \(expected)"])
        }
    }

    @Test func `the current day is undecided while nothing is missing`() async throws {
        let fixture = try await fixture(covered: [(0, 1.5)], said: [0.5, 1.2])
        #expect(try await days(fixture, after: 0, now: 1.5) == ["11-21 1 true", "11-22 1 nil"])
        #expect(try await days(fixture, after: 0, now: 1.75) == ["11-21 1 true", "11-22 1 false"])
        #expect(try await days(fixture, after: 0, before: 9, now: 1.5).count == 2)
    }

    @Test func `a room counts from its first day until it is left`() async throws {
        let fixture = try await fixture(covered: [(0, 4)], said: [0.5, 3.5])
        _ = try await self.fixture(covered: [(2, 4)], said: [2.5], room: Self.work, in: fixture)
        #expect(
            try await days(fixture) == ["11-21 1 true", "11-22 0 true", "11-23 1 true", "11-24 1 true"])
        #expect(
            try await days(fixture, scope: .room(account: "demo", id: 2), after: 1, before: 3).first == "11-22 0 false")
        try fixture.execute("UPDATE room SET left_at_us = \(Self.at(2.5).microseconds) WHERE id = 2")
        #expect(
            try await days(fixture, scope: .room(account: "demo", id: 2), after: 2, before: 4)
                == ["11-23 1 true", "11-24 0 false"])
        #expect(try await days(fixture).last == "11-24 1 true")
    }

    @Test func `a day is complete when all rooms of all accounts are`() async throws {
        let fixture = try await fixture(covered: [(0, 3)], said: [0.5, 2.5])
        _ = try await self.fixture(covered: [(0, 1), (1.5, 3)], said: [0.6], in: fixture, account: "other")
        #expect(
            try await days(fixture, scope: .accounts(["demo", "other"]))
                == ["11-21 2 true", "11-22 0 false", "11-23 1 true"])
    }

    @Test func `an imported log proves no coverage`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        _ = try await writer.importLines(
            [0.5, 1.5].map { day in
                .message(
                    ImportedMessage(
                        room: "lobby", kind: .message, sender: "alice", body: "x", time: Self.at(day),
                        resolution: .microsecond, place: nil, remoteID: nil, receivedAt: nil))
            }, at: Self.at(2))
        try await writer.close()
        #expect(try await days(fixture) == ["11-21 1 false", "11-22 1 false"])
    }

    @Test func `only the last ten years of days are listed`() async throws {
        let fixture = try await fixture(covered: [(0, 5000)], said: [0.5, 4000.5])
        let statistics = try fixture.archive.reading().counts.statistics(
            scope: .accounts(["demo"]), after: nil, before: nil, zone: .gmt, now: Self.at(5000))
        #expect(statistics.days.count == 3660 && statistics.earlierDays == 341)
        #expect(statistics.days.last?.messages == 1 && statistics.days.allSatisfy { $0.isComplete == true })
        #expect(statistics.messages == 2)
    }

    @Test(arguments: ["UTC", "America/New_York", "Asia/Seoul", "Pacific/Apia"])
    func `counting a room's days by the index gives the same as its statistics`(zone: String) async throws {
        let zone = try #require(Zone(identifier: zone))
        let fixture = try await fixture(covered: [(0.5, 3.25), (3.75, 4.5)], said: [0.5, 1.5, 1.6, 4.1])
        let (reading, now) = (fixture.archive.reading(), Self.at(6.5))
        let room = RoomKey(account: "demo", id: 1)
        let first = CivilDay(containing: Self.at(-2), in: zone)
        for count in [1, 4, 20] as [Int64] {
            let end = CivilDay(number: first.number + count, zone: zone).span.lowerBound
            let statistics = try reading.counts.statistics(
                scope: .rooms([room]), after: MessageID(first.span.lowerBound.advanced(byMicroseconds: -1)),
                before: MessageID(end), zone: zone, now: now)
            let days = try reading.counts.days(
                of: room, days: first.number...first.number + count - 1, zone: zone, now: now)
            #expect(days == statistics.days)
        }
    }
}
