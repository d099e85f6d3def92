import Archive
import ChatModel
import Foundation
import SearchText
import TestSupport
import Testing

@testable import Reading
@testable import Writing

@Suite struct StatisticsTests {
    private static let hour = Int64(3_600_000_000)
    private static let work = RoomReference(key: "#work", name: "#work", kind: .channel)

    /// Two accounts. In both, alice talks on Saturday 2026-11-21 and 민수 on Monday, in UTC, and somebody joins.
    private func fixture() async throws -> ArchiveFixture {
        let fixture = try ArchiveFixture()
        for name in ["a", "b"] {
            let writer = try await fixture.openWriter(name)
            let session = try await writer.openSession()
            _ = try await writer.append([
                .said("one", at: 1, in: session), .said("", at: 2, in: session, kind: .join),
                .said("two", at: 23 * Self.hour, in: session, room: Self.work),
                .said("셋", at: 50 * Self.hour, by: "민수", in: session),
            ])
            try await writer.close()
        }
        return fixture
    }

    private func counts(_ statistics: Statistics, _ property: Statistics.Property) -> [String] {
        statistics.counts[property, default: []].map {
            [$0.account, $0.name].compactMap(\.self).joined(separator: "/") + " \($0.count)"
        }
    }

    @Test func `messages are counted by every property, without joins`() async throws {
        let fixture = try await fixture()
        let all = try fixture.archive.reading().counts.statistics(
            scope: .accounts(["a", "b"]), after: nil, before: nil, zone: .gmt)
        #expect(all.messages == 6 && all.people == 4)
        #expect(all.first?.microseconds == ArchiveFixture.day.microseconds + 1)
        #expect(all.last?.microseconds == ArchiveFixture.day.microseconds + 50 * Self.hour)
        #expect(counts(all, .room) == ["a/lobby 2", "b/lobby 2", "a/#work 1", "b/#work 1"])
        #expect(counts(all, .user) == ["a/alice 2", "b/alice 2", "a/민수 1", "b/민수 1"])
        #expect(counts(all, .year) == ["2026 6"] && counts(all, .month) == ["2026-11 6"])
        #expect(counts(all, .day) == ["2026-11-21 4", "2026-11-23 2"])
        #expect(counts(all, .weekday) == ["Monday 2", "Saturday 4"])
        #expect(counts(all, .hour) == ["00 2", "02 2", "23 2"])
    }

    @Test func `a room, a time and a zone change the counts`() async throws {
        let fixture = try await fixture()
        let reading = fixture.archive.reading()
        let seoul = try #require(Zone(identifier: "Asia/Seoul"))
        let room = try reading.counts.statistics(
            scope: .room(account: "a", id: 1), after: nil, before: nil, zone: seoul)
        #expect(counts(room, .day) == ["2026-11-21 1", "2026-11-23 1"] && counts(room, .hour) == ["09 1", "11 1"])
        let end = MessageID(ArchiveFixture.day.advanced(byMicroseconds: 50 * Self.hour))
        let part = try reading.counts.statistics(
            scope: .accounts(["a"]), after: MessageID(ArchiveFixture.day.advanced(byMicroseconds: 1)), before: end,
            zone: seoul)
        #expect(counts(part, .day) == ["2026-11-22 1"] && part.people == 1)
        let none = try reading.counts.statistics(
            scope: .accounts(["a"]), after: end, before: nil, zone: .gmt)
        #expect(none.messages == 0 && none.first == nil && counts(none, .user).isEmpty)
    }

    @Test(arguments: ["", "one OR two OR 셋"])
    func `each unit of time counts hits, and without a query all messages`(text: String) async throws {
        let fixture = try await fixture()
        let expected: [TimeUnit: [String]] = [
            .year: ["2026 6"], .month: ["2026-11 6"], .day: ["2026-11-21 4", "2026-11-23 2"],
            .weekday: ["Monday 2", "Saturday 4"], .hour: ["00 2", "02 2", "23 2"],
        ]
        for unit in TimeUnit.allCases {
            let counts = try await fixture.archive.reading().counts.hits(
                scope: .accounts(["a", "b"]), matching: SearchScope(query: SearchQuery(parsing: text)),
                by: .time(unit, .gmt))
            #expect(counts.map { "\($0.name ?? "") \($0.count)" } == expected[unit], "\(unit)")
        }
    }

    @Test func `times before 1970 and clock changes keep their days and hours`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let times = ["1969-12-31T23:30:00.000000Z", "2026-03-29T00:59:59.000000Z", "2026-03-29T01:00:00.000000Z"]
        _ = try await writer.importLines(
            times.compactMap { Timestamp(cursor: $0) }.enumerated().map { number, time in
                .message(
                    ImportedMessage(
                        room: "lobby", kind: .message, sender: "alice", body: "\(number)", time: time,
                        resolution: .microsecond, place: nil, remoteID: nil, receivedAt: nil))
            }, at: ArchiveFixture.day)
        try await writer.close()
        let berlin = try #require(Zone(identifier: "Europe/Berlin"))
        let reading = fixture.archive.reading()
        let local = try reading.counts.statistics(
            scope: .accounts(["demo"]), after: nil, before: nil, zone: berlin)
        #expect(counts(local, .hour) == ["00 1", "01 1", "03 1"])
        let utc = try reading.counts.statistics(scope: .accounts(["demo"]), after: nil, before: nil, zone: .gmt)
        #expect(
            counts(utc, .day) == ["1969-12-31 1", "2026-03-29 2"]
                && counts(utc, .weekday) == ["Wednesday 1", "Sunday 2"])
    }
}
