import ChatModel
import Foundation
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Writing

/// Hits counted by several properties together.
@Suite struct CrossCountTests: SearchSuite {
    let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    private static let hour: Int64 = 3_600_000_000

    /// Two accounts with messages of alice, bob and 민수 in two rooms at several hours.
    private func store() async throws {
        for account in ["demo", "other"] {
            let writer = try await fixture.openWriter(account)
            let session = try await writer.openSession()
            _ = try await writer.append([
                .said("one", at: 1, in: session), .said("two", at: 2, by: "bob", in: session),
                .said("셋", at: Self.hour, by: "민수", in: session, room: Self.work),
                .said("four", at: Self.hour + 1, in: session, room: Self.work),
                .said("five", at: 25 * Self.hour, in: session),
            ])
            if account == "other" { _ = try await writer.append([.said("six", at: 3, by: "bob", in: session)]) }
            try await writer.close()
        }
    }

    private func counts(
        _ text: String, _ properties: [HitProperty], in accounts: [String] = ["demo"], zone: Zone = .gmt
    ) async throws -> [String] {
        try await fixture.archive.reading().counts.hits(
            scope: .accounts(accounts), matching: scope(text), by: .crossed(properties, zone)
        ).map { count in
            ([count.account ?? "-"] + count.names.map { $0 ?? "" } + ["\(count.count)"]).joined(separator: " ")
        }
    }

    @Test(arguments: ["", "one OR two OR 셋 OR four OR five OR six"])
    func `hits are counted by hour and person, with times in order and people by count`(text: String) async throws {
        try await store()
        #expect(
            try await counts(text, [.time(.hour), .user]) == [
                "demo 00 alice 1", "demo 00 bob 1", "demo 01 alice 2", "demo 01 민수 1",
            ])
        #expect(
            try await counts(text, [.user, .time(.day)], in: ["demo", "other"]) == [
                "demo alice 2026-11-21 2", "demo alice 2026-11-22 1", "other alice 2026-11-21 2",
                "other alice 2026-11-22 1", "other bob 2026-11-21 2", "demo bob 2026-11-21 1", "demo 민수 2026-11-21 1",
                "other 민수 2026-11-21 1",
            ])
        #expect(
            try await counts(text, [.room, .user, .time(.weekday)]) == [
                "demo lobby alice Saturday 1", "demo lobby alice Sunday 1", "demo lobby bob Saturday 1",
                "demo #work alice Saturday 1", "demo #work 민수 Saturday 1",
            ])
        #expect(
            try await counts(text, [.time(.day), .time(.hour)], in: ["demo", "other"]) == [
                "- 2026-11-21 00 5", "- 2026-11-21 01 4", "- 2026-11-22 01 2",
            ])
    }

    @Test func `only hits are counted, by the zone's time`() async throws {
        try await store()
        #expect(try await counts("four OR 셋 -from:alice", [.user, .room]) == ["demo 민수 #work 1"])
        #expect(try await counts("nowhere", [.user, .room]) == [])
        let seoul = try #require(Zone(identifier: "Asia/Seoul"))
        #expect(try await counts("five", [.time(.day), .time(.hour)], zone: seoul) == ["- 2026-11-22 10 1"])
    }

    @Test func `hits of a regular expression are counted in the same way`() async throws {
        try await store()
        let search = RegexSearch(
            reading: fixture.archive.reading(), search: try await scope(""),
            expression: try RegularExpression("^[a-z]"),
            deadline: .now + .seconds(30))
        for properties in [[.time(.hour), .user], [.user, .room], [.time(.month), .time(.weekday), .room]]
            as [[HitProperty]]
        {
            let grouping = HitGrouping.crossed(properties, .gmt)
            let found = try search.count(scope: .accounts(["demo", "other"]), by: grouping).counts
            let expected = try await fixture.archive.reading().counts.hits(
                scope: .accounts(["demo", "other"]), matching: scope("-셋"), by: grouping)
            #expect(found == expected && !found.isEmpty, "\(properties)")
        }
    }

    @Test func `counting too many rows fails instead of growing without bound`() throws {
        var tally = CrossTally([.time(.year), .user], zone: .gmt)
        for sender in 0..<Int64(TooManyCounts.limit) { try tally.add(0, room: 1, sender: sender) }
        try tally.add(1, room: 2, sender: 7)
        try tally.add(2, room: 2, sender: nil)
        #expect(throws: TooManyCounts.self) { try tally.add(3, room: 1, sender: -1) }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `the row limit holds for all accounts together, and equal times count once`() throws {
        func message(_ account: String, _ number: Int64) -> Message {
            Message(
                id: MessageID(microseconds: number), account: account, network: "irc", workspace: nil, roomID: 1,
                room: "lobby", kind: .message, sender: Message.Sender(id: number, name: "alice", isSelf: false),
                body: "x",
                remoteID: nil, receivedAt: Timestamp(microseconds: number), sourceTime: nil, flags: [])
        }
        let half = Int64(TooManyCounts.limit / 2)
        var people = HitCounter(.crossed([.user, .time(.year)], .gmt))
        var times = HitCounter(.crossed([.time(.year), .time(.hour)], .gmt))
        for account in ["one", "two"] {
            for number in 0..<half { try people.add(message(account, number)) }
            try times.add(message(account, 1))
        }
        #expect(throws: TooManyCounts.self) { try people.add(message("three", 1)) }
        #expect(times.hitCounts == [HitCount(account: nil, names: ["1970", "00"], count: 2)])
    }
}
