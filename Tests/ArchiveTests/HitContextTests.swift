import ChatModel
import SearchText
import Testing

@testable import Archive
@testable import Reading
@testable import Writing

@Suite struct HitContextTests {
    private let fixture: ArchiveFixture
    private static let work = RoomReference(key: "#work", name: "#work", kind: .channel)

    init() throws {
        fixture = try ArchiveFixture()
    }

    /// Groups as `b [hit] a`, in the order in which they come.
    private func groups(
        _ text: String, before: Int, after: Int, anchor: MessageQuery.Anchor = .latest, accounts: [String] = ["demo"]
    ) async throws -> [String] {
        let query = try fixture.query(anchor, room: nil, accounts: accounts)
        let search = SearchScope(query: SearchQuery(parsing: text))
        let page = try fixture.archive.reading().page(query, matching: search)
        return try fixture.archive.reading().search.context(of: page.messages, query, before: before, after: after).map(
            text(of:))
    }

    private func text(of group: HitGroup) -> String {
        group.messages.map { group.hits.contains($0.id) ? "[\($0.body ?? "")]" : $0.body ?? "" }
            .joined(separator: " ")
    }

    private func fill(_ bodies: [String], _ writer: AccountWriter, room: RoomReference = ArchiveFixture.lobby)
        async throws
    {
        let session = try await writer.openSession()
        _ = try await writer.append(
            bodies.enumerated().map { .said($1, at: Int64($0) * 10, in: session, room: room) })
    }

    @Test(arguments: [
        (1, 1, ["b [hit] d", "f [hit] h"]), (0, 0, ["[hit]", "[hit]"]), (2, 0, ["a b [hit]", "e f [hit]"]),
        (0, 2, ["[hit] d e", "[hit] h"]), (2, 2, ["a b [hit] d e f [hit] h"]), (100, 100, ["a b [hit] d e f [hit] h"]),
        (1, 2, ["b [hit] d e f [hit] h"]), (3, 0, ["a b [hit] d e f [hit]"]),
    ])
    func `context surrounds each hit, and nearby hits share a group`(
        before: Int, after: Int, expected: [String]
    ) async throws {
        let writer = try await fixture.openWriter()
        try await fill(["a", "b", "hit", "d", "e", "f", "hit", "h"], writer)
        #expect(try await groups("hit", before: before, after: after) == expected)
        try await writer.close()
    }

    @Test func `every hit is in exactly one group, for any context size`() async throws {
        let writer = try await fixture.openWriter()
        let bodies = (0..<60).map { $0 % 7 == 0 || $0 % 11 == 0 ? "hit\($0) hit" : "\($0)" }
        try await fill(bodies, writer)
        for before in 0..<6 {
            for after in 0..<6 {
                let shown = try await groups("hit", before: before, after: after)
                var expected: [[Int]] = []
                for (index, body) in bodies.enumerated() where body.hasPrefix("hit") {
                    let near = max(0, index - before)...min(59, index + after)
                    if let last = expected.last?.last, near.lowerBound <= last + 1 {
                        expected[expected.count - 1] += Array(near).filter { $0 > last }
                    } else {
                        expected.append(Array(near))
                    }
                }
                let texts = expected.map { group in
                    group.map { bodies[$0].hasPrefix("hit") ? "[\(bodies[$0])]" : bodies[$0] }.joined(separator: " ")
                }
                #expect(shown == texts, "\(before) before, \(after) after")
            }
        }
        try await writer.close()
    }

    @Test func `context is from the hit's room and account, without joins and leaves`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("a", at: 0, in: session), .said("far", at: 1, in: session, room: Self.work),
            .said("", at: 2, in: session, kind: .join), .said("hit", at: 3, in: session),
            .said("", at: 4, in: session, kind: .leave), .said("hit there", at: 5, in: session, room: Self.work),
            .said("b", at: 6, in: session), .said("later", at: 7, in: session, room: Self.work),
        ])
        let other = try await fixture.openWriter("other")
        try await fill(["x", "hit", "y"], other)
        #expect(
            try await groups("hit", before: 1, after: 1, accounts: ["demo", "other"])
                == ["a [hit] b", "far [hit there] later", "x [hit] y"])
        try await writer.close()
        try await other.close()
    }

    @Test func `a group lists the gaps up to its neighbours, and no others`() async throws {
        let writer = try await fixture.openWriter()
        for part in 0..<3 {
            let start = ArchiveFixture.day.advanced(by: .seconds(part * 3600))
            let session = try await writer.openSession(at: start)
            let offset = Int64(part) * 3_600_000_000
            _ = try await writer.append([
                .said(part == 1 ? "hit" : "far", at: offset + 1, in: session),
                .said("near", at: offset + 2, in: session),
                .sessionEnded(
                    session: session, at: start.advanced(by: .seconds(60)), reason: .lost, detail: nil),
            ])
        }
        let query = try fixture.query(room: nil)
        let search = SearchScope(query: SearchQuery(parsing: "hit"))
        let page = try fixture.archive.reading().page(query, matching: search)
        #expect(page.gaps.count == 3)
        let groups = try fixture.archive.reading().search.context(of: page.messages, query, before: 1, after: 1)
        #expect(groups.map(text(of:)) == ["near [hit] near"])
        #expect(groups[0].gaps == Array(page.gaps[..<2]))
        try await writer.close()
    }
}
