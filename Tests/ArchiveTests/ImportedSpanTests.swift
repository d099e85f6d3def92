import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Writing

/// What is told of times of which a log was imported.
@Suite struct ImportedSpanTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private let at = ArchiveFixture.at

    private func log(_ room: String, _ spans: (Int, Int)...) -> [ImportedLine] {
        let messages = spans.map {
            ImportedMessage(
                room: room, kind: .message, sender: "alice", body: "hi", time: at($0.0), resolution: .second)
        }
        return fixture.source(messages)
            + spans.map { .imported(ImportedSpan(room: room, roomKey: nil, from: at($0.0), to: at($0.1))) }
    }

    private func spans(_ account: String = "old") throws -> String? {
        try fixture.strings(
            """
            SELECT room_id || ':' || (from_us / 1000000 % 86400) || '-' || (to_us / 1000000 % 86400) AS text
            FROM imported_span
            """,
            account: account)
    }

    @Test func `overlapping or adjacent spans are joined, and repeating them writes nothing`() async throws {
        _ = try await fixture.store(log("#a", (10, 20), (40, 50), (60, 70)) + log("#b", (1, 2)))
        #expect(try spans() == "1:10-20 1:40-50 1:60-70 2:1-2")
        _ = try await fixture.store(log("#a", (10, 20), (12, 15), (60, 70)))
        #expect(try spans() == "1:10-20 1:40-50 1:60-70 2:1-2")
        _ = try await fixture.store(log("#a", (15, 45), (5, 6), (70, 99), (0, 100)))
        #expect(try spans() == "1:0-100 2:1-2")
        let touching = ImportedSpan(room: "#b", roomKey: nil, from: at(2).advanced(byMicroseconds: 1), to: at(3))
        _ = try await fixture.store([.imported(touching)])
        #expect(try spans() == "1:0-100 2:1-3")
        #expect(try fixture.archive.check(accounts: ["old"]).flatMap(\.problems) == [])
    }

    @Test func `a known span or one of an unknown room writes nothing`() async throws {
        _ = try await fixture.store(log("#a", (10, 20)))
        let rows = try fixture.rows("old")
        _ = try await fixture.store(
            log("#a", (10, 20)) + [.imported(ImportedSpan(room: "#none", roomKey: "C9", from: at(1), to: at(2)))])
        #expect(try fixture.rows("old") == rows)
    }

    @Test func `gaps list the spans that only a log has, and mark the logged parts of a room's gaps`() async throws {
        let writer = try await fixture.openWriter()
        for (start, end) in [(100, 200), (300, 400)] {
            let session = try await writer.openSession(at: at(start))
            _ = try await writer.append([.sessionEnded(session: session, at: at(end), reason: .lost, detail: nil)])
        }
        try await writer.close()
        _ = try await fixture.store(
            log("lobby", (10, 20), (30, 250)) + log("#b", (10, 20), (90_000, 90_001)), into: ArchiveFixture.account)
        let gaps = try fixture.archive.reading().gaps(scope: .accounts(["demo"]))
        func shown(_ gap: Gap) -> String {
            func second(_ time: Timestamp?) -> String {
                time.map { String($0.since(ArchiveFixture.day).components.seconds) } ?? ""
            }
            let parts = gap.imported.map { "\(second($0.from))-\(second($0.to))" }.joined(separator: ",")
            return "\(gap.room) \(gap.state.rawValue) \(second(gap.from))-\(second(gap.to)) [\(parts)]"
        }
        #expect(
            gaps.map(shown) == [
                "#b imported 10-20 [10-20]", "lobby imported 10-100 [10-100]", "lobby lost 200-300 [30-250]",
                "lobby current 400- []", "#b imported 90000-90001 [90000-90001]",
            ])
        let page = try fixture.archive.reading().page(fixture.query(room: nil))
        #expect(page.gaps.filter { $0.state == .imported } == [])
    }

    @Test func `logs of consecutive days are listed as one`() async throws {
        _ = try await fixture.store(log("#a", (0, 80_000), (86_400, 160_000), (400_000, 400_001)))
        let gaps = try fixture.archive.reading().gaps(scope: .accounts(["old"]))
        #expect(gaps.map { $0.to?.since(ArchiveFixture.day) } == [.seconds(160_000), .seconds(400_001)])
    }
}
