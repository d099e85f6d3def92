import ChatModel
import Foundation
import SQLQueries
import TestSupport
import Testing

@testable import Accounts
@testable import Files
@testable import Moves
@testable import Writing

/// SQL over many accounts, compared with the messages that were stored in them.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SQLUnionTests {
    @Test(.disabled(if: QuickCheck.isRunning))
    func `SQL counts, groups, sorts, limits and joins 200 accounts as one`() async throws {
        var fixture = try SQLFixture()
        try await fixture.fill(accounts: 200)
        let said = fixture.said
        try #require(said.count > 800)
        // All accounts fit in; only a few do.
        for places in [300, 12] {
            func rows(_ sql: String) async throws -> [[String]] { try await fixture.rows(sql, places: places) }
            #expect(
                try await rows("SELECT count(*), min(id), max(id) FROM messages") == [
                    [
                        "\(said.count)", "\(said.map(\.id).min() ?? 0)", "\(said.map(\.id).max() ?? 0)",
                    ]
                ])
            let accounts = Dictionary(grouping: said, by: \.account).mapValues(\.count)
                .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            #expect(
                try await rows("SELECT account, count(*) FROM messages GROUP BY account ORDER BY 2 DESC, 1")
                    == accounts.map { [$0.key, "\($0.value)"] })
            let newest = said.sorted { ($1.id, $0.account) < ($0.id, $1.account) }.prefix(20)
            #expect(
                try await rows("SELECT account, id, at, sender, body FROM messages ORDER BY id DESC, account LIMIT 20")
                    == newest.map { [$0.account, "\($0.id)", $0.at, $0.sender, $0.body] })
            #expect(
                try await rows("SELECT id FROM messages ORDER BY id DESC LIMIT 7 OFFSET 5")
                    == said.map(\.id).sorted(by: >).dropFirst(5).prefix(7).map { ["\($0)"] })
            let senders = Dictionary(grouping: said, by: \.sender)
            #expect(
                try await rows(
                    """
                    SELECT people.name, count(*), count(DISTINCT messages.account) FROM messages JOIN people
                    ON people.account = messages.account AND people.id = sender_id GROUP BY people.name ORDER BY 2, 1
                    """)
                    == senders.map { ($0.value.count, $0.key, Set($0.value.map(\.account)).count) }.sorted(by: <)
                    .map { ["\($0.1)", "\($0.0)", "\($0.2)"] })
            #expect(try await rows("SELECT count(DISTINCT account), count(*) FROM rooms") == [["200", "200"]])
        }
    }

    private static let conditions: [(sql: String, isMeant: @Sendable (SQLFixture.Said) -> Bool)] = [
        ("account = 'net3'", { $0.account == "net3" }),
        ("account IN ('net3', 'net8', 'none')", { ["net3", "net8"].contains($0.account) }),
        ("account = 'NET3' COLLATE NOCASE", { $0.account == "net3" }), ("account = 3", { _ in false }),
        ("account = 'net3' OR id % 2 = 0", { $0.account == "net3" || $0.id % 2 == 0 }),
        ("account = 'net3' OR room = 'lobby'", { _ in true }), ("account <> 'net3'", { $0.account != "net3" }),
        ("room = 'Lobby'", { _ in false }), ("room = 'Lobby' COLLATE NOCASE", { _ in true }),
        ("at >= '2026-11-22'", { $0.at >= "2026-11-22" }), ("at < '2026-11-21T02'", { $0.at < "2026-11-21T02" }),
        ("at <= '2026-11-21 10:00'", { $0.at <= "2026-11-21 10:00" }), ("at > '2026'", { _ in true }),
        ("at >= '2026-12' OR at = '2026-11-21T00:00:00.000001Z'", { $0.at == "2026-11-21T00:00:00.000001Z" }),
        // A column with texts is compared with a text.
        ("at > 5", { _ in false }), ("at < 5", { _ in true }),
        ("at BETWEEN '2026-11-21T01' AND '2026-11-21T06'", { $0.at >= "2026-11-21T01" && $0.at <= "2026-11-21T06" }),
        ("id = '1795219200000001'", { $0.id == 1_795_219_200_000_001 }),
        ("id > 1795219200002000.5", { $0.id > 1_795_219_200_002_000 }), ("id = room_id", { _ in false }),
        ("id > 'text'", { _ in false }), ("id < 'text'", { _ in true }), ("id = NULL", { _ in false }),
        ("room_id = 1.0 AND sender_id IS NOT NULL", { _ in true }), ("body LIKE 'tea%'", { $0.body.hasPrefix("tea") }),
    ]

    /// An account's file evaluates some of them, alone or with others.
    @Test(.disabled(if: QuickCheck.isRunning), arguments: conditions.indices)
    func `a condition finds the same in any number of accounts`(number: Int) async throws {
        let condition = Self.conditions[number]
        var fixture = try SQLFixture()
        try await fixture.fill(accounts: 9)
        let meant = fixture.said.filter(condition.isMeant)
        #expect(
            try await fixture.rows("SELECT account, id FROM messages WHERE \(condition.sql) ORDER BY account, id")
                == meant.sorted { ($0.account, $0.id) < ($1.account, $1.id) }.map { [$0.account, "\($0.id)"] })
        #expect(
            try await fixture.rows("SELECT id FROM messages WHERE \(condition.sql) ORDER BY id DESC LIMIT 3")
                == meant.map(\.id).sorted(by: >).prefix(3).map { ["\($0)"] })
    }

    @Test func `only the named accounts are read, and an unknown one is an error`() async throws {
        var fixture = try SQLFixture()
        try await fixture.fill(accounts: 4)
        let count = fixture.said.count { $0.account == "net2" }
        #expect(
            try await fixture.rows("SELECT account, count(*) FROM messages", accounts: ["net2"]) == [
                ["net2", "\(count)"]
            ])
        let error = await #expect(throws: ArchiveError.self) {
            try await fixture.rows("SELECT 1", accounts: ["none"])
        }
        #expect(error?.code == .unknownAccount)
    }

    @Test func `the last messages cost the same in a large and a small archive`() async throws {
        let fixture = try SQLFixture()
        try await fixture.fixture.openWriter().close()
        try fixture.fixture.execute(
            """
            INSERT INTO room (id, key, kind) VALUES (1, 'b', 'channel');
            INSERT INTO room_name VALUES (1, 500, NULL, 'busy');
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
            INSERT INTO message (id, room_id, kind, body) SELECT i, 1, 0, 'x' FROM n;
            """)
        for condition in ["1", "account = 'demo'", "room_id = 1", "id < 1000", "id > 199000"] {
            // The clock has the number of the times that SQLite asked for it: after each 4,000 instructions.
            let asked = Counter()
            let limit = ReadLimit { asked.next() }
            limit.end(in: 60)
            let rows = try await fixture.rows(
                "SELECT id, body FROM messages WHERE \(condition) ORDER BY id DESC LIMIT 50", limit: limit)
            #expect(rows.count == 50 && asked.count < 150, "\(condition): \(asked.count)")
        }
    }

    @Test func `compressed accounts are skipped or read one at a time`() async throws {
        var fixture = try SQLFixture()
        try await fixture.fill(accounts: 5)
        for account in ["net1", "net4"] { _ = try fixture.fixture.archive.evict(account: account, level: 1) }
        let count = "SELECT account, count(*) FROM messages GROUP BY account"
        let all = Dictionary(grouping: fixture.said, by: \.account).mapValues(\.count).sorted { $0.key < $1.key }
        func words(_ entries: some Sequence<(key: String, value: Int)>) -> [[String]] {
            entries.map { [$0.key, "\($0.value)"] }
        }
        #expect(try await fixture.rows(count) == words(all.filter { !["net1", "net4"].contains($0.key) }))
        #expect(try await fixture.rows(count, cold: .several) == words(all))
        #expect(
            try await fixture.rows("SELECT id FROM messages ORDER BY id DESC LIMIT 2", cold: .several)
                == fixture.said.map(\.id).sorted(by: >).prefix(2).map { ["\($0)"] })
        #expect(
            try await fixture.rows(
                "SELECT count(*) FROM messages JOIN people ON people.account = messages.account AND people.id = sender_id",
                cold: .several) == [["\(fixture.said.count)"]])
        let error = await #expect(throws: ArchiveError.self) {
            try await fixture.rows(
                "SELECT count(*) FROM messages a JOIN messages b ON a.account = 'net1' AND b.account = 'net4'",
                cold: .several)
        }
        #expect(error?.code == .tooManyOpen)
    }
}

/// A clock that stands still, and counts how often it was asked.
private final class Counter: Sendable {
    private let start = ContinuousClock.now
    private let number = Watched(0)

    var count: Int { number.value }

    func next() -> ContinuousClock.Instant {
        number.change { $0 += 1 }
        return start
    }
}
