import ChatModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Schema
@testable import Writing

@Suite struct DayPageTests {
    private static let hour = Int64(3_600_000_000)
    private static let day = 24 * hour

    /// Two accounts. Somebody talks on days 0 and 3, and joins on day 2. In `b` they talk on day 1 as well.
    private func fixture() async throws -> ArchiveFixture {
        let fixture = try ArchiveFixture()
        for name in ["a", "b"] {
            let writer = try await fixture.openWriter(name)
            let session = try await writer.openSession()
            _ = try await writer.append(
                [
                    .said("first", at: 0, in: session), .said("last", at: Self.day - 1, in: session),
                    .said("", at: 2 * Self.day, in: session, kind: .join),
                    .said("later", at: 3 * Self.day, in: session),
                ] + (name == "b" ? [.said("between", at: Self.day, in: session)] : []))
            try await writer.close()
        }
        return fixture
    }

    private func civil(_ offset: Int64, _ zone: Zone = .gmt) -> CivilDay {
        CivilDay(containing: ArchiveFixture.day.advanced(byMicroseconds: offset * Self.day), in: zone)
    }

    private func neighbours(_ page: Page) -> [String?] { [page.day?.previous?.name, page.day?.next?.name] }

    @Test func `a day has its messages and links to the nearest days with messages`() async throws {
        let fixture = try await fixture()
        let reading = fixture.archive.reading()
        func page(_ offset: Int64, hidesNoise: Bool = false) async throws -> Page {
            try reading.page(
                fixture.query(.day(civil(offset)), accounts: ["a"], hidesNoise: hidesNoise))
        }
        let first = try await page(0)
        #expect(first.bodies == ["first", "last"] && first.older == nil && first.newer == nil)
        #expect(first.day?.day.name == "2026-11-21" && neighbours(first) == [nil, "2026-11-23"])
        #expect(try await neighbours(page(0, hidesNoise: true)) == [nil, "2026-11-24"])
        let quiet = try await page(1)
        #expect(quiet.messages.isEmpty && neighbours(quiet) == ["2026-11-21", "2026-11-23"])
        #expect(try await neighbours(page(3, hidesNoise: true)) == ["2026-11-21", nil])
        #expect(try await neighbours(page(-9)) == [nil, "2026-11-21"])
        #expect(try await neighbours(page(9)) == ["2026-11-24", nil])
        #expect(try reading.page(fixture.query(accounts: ["a"])).day == nil)
    }

    @Test func `the nearest day of several accounts is that of any of them`() async throws {
        let fixture = try await fixture()
        let query = try fixture.query(.day(civil(0)), room: nil, accounts: ["a", "b"])
        let page = try fixture.archive.reading().page(query)
        #expect(page.messages.count == 4 && neighbours(page) == [nil, "2026-11-22"])
    }

    @Test func `pages of a day continue to its end and no further`() async throws {
        let fixture = try await fixture()
        let reading = fixture.archive.reading()
        let query = try fixture.query(.day(civil(0)), limit: 1, room: nil, accounts: ["a", "b"])
        var walk = PageWalk(query)
        var bodies: [[String]] = []
        while let page = try walk.next({ try reading.page($0) }) { bodies.append(page.bodies) }
        #expect(bodies == [["first", "first"], ["last", "last"]])
    }

    @Test func `days follow the zone`() async throws {
        let fixture = try await fixture()
        let seoul = try #require(Zone(identifier: "Asia/Seoul"))
        let page = try fixture.archive.reading().page(
            fixture.query(.day(civil(1, seoul)), accounts: ["a"], hidesNoise: true))
        #expect(page.bodies == ["last"] && neighbours(page) == ["2026-11-21", "2026-11-24"])
    }

    @Test(arguments: [
        ("America/Sao_Paulo", "2018-11-04", "03:00", "2018-11-05T02:00"),
        ("Europe/Berlin", "2026-03-29", "23:00", "2026-03-29T22:00"),
        ("Europe/Berlin", "2026-10-25", "22:00", "2026-10-25T23:00"),
    ])
    func `a day with a clock change has all its hours`(
        name: String, date: String, start: String, end: String
    ) async throws {
        let zone = try #require(Zone(identifier: name))
        let before = name.hasPrefix("Europe") ? 1 : 0
        let day = try #require(Int64(date.suffix(2))) - Int64(before)
        let from = try #require(
            Timestamp(cursor: "\(date.prefix(8))\(day < 10 ? "0" : "")\(day)T\(start):00.000000Z"))
        let to = try #require(Timestamp(cursor: end + ":00.000000Z"))
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let times = [from.advanced(byMicroseconds: -1), from, to.advanced(byMicroseconds: -1), to]
        _ = try await writer.importLines(
            times.enumerated().map { number, time in
                .message(
                    ImportedMessage(
                        room: "lobby", kind: .message, sender: "alice", body: "\(number)", time: time,
                        resolution: .microsecond, place: nil, remoteID: nil, receivedAt: nil))
            }, at: ArchiveFixture.day)
        try await writer.close()
        let civil = CivilDay(containing: from, in: zone)
        let page = try fixture.archive.reading().page(fixture.query(.day(civil)))
        #expect(civil.name == date && page.bodies == ["1", "2"])
        #expect(page.day?.previous?.following == civil && page.day?.next == civil.following)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [true, false])
    func `the nearest days of a busy room are found without reading it`(hidesNoise: Bool) async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let count = 20_000
        for start in stride(from: 0, to: count, by: 1000) {
            _ = try await writer.append(
                (start..<start + 1000).map { .said("x", at: Int64($0) * Self.hour, in: session) })
        }
        try await writer.close()
        let queue = try DatabaseQueue(path: try fixture.file())
        defer { try? queue.close() }
        let query = try fixture.query(.day(civil(400)), hidesNoise: hidesNoise)
        let steps = try queue.write { db in
            let counter = StepCounter()
            counter.count(of: db)
            let pages = PageReader(account: ArchiveFixture.account, query: query)
            let part = try PagePart.read(query, pages, ReadTransaction(db))
            #expect(part.after.count == 24 && part.beforeDay != nil && part.afterDay != nil)
            return withExtendedLifetime(counter) { counter.steps }
        }
        #expect(steps < 10_000)
    }
}
