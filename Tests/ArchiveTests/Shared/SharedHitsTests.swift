import ChatModel
import PostgreSQL
import SearchText
import TestSupport
import Testing

@testable import Accounts
@testable import Archive
@testable import Reading
@testable import Writing

/// A shared archive with more messages than a search looks through one by one.
@Suite(.enabled(if: PostgreSQLServer.isAvailable, "needs PostgreSQL, which .ci/fetch-tools fetches"))
struct SharedHitsTests {
    private let fixture: ArchiveFixture
    private let copy: SharedCopy

    /// 26 months, so that the messages are in several parts of the table.
    private static let count = 19_000
    private static let hour: Int64 = 3_600_000_000

    init() async throws {
        fixture = try ArchiveFixture()
        copy = try await SharedCopy()
        for (account, count) in [("demo", Self.count), ("other", 700)] {
            let writer = try await fixture.openWriter(account)
            let session = try await writer.openSession()
            for first in stride(from: 0, to: count, by: 1000) {
                _ = try await writer.append(
                    (first..<min(first + 1000, count)).map {
                        .said(Self.body($0), at: Int64($0 - Self.count) * Self.hour, in: session)
                    })
            }
            try await writer.close()
            try await copy.replicate(fixture.archive, account: account)
        }
        try copy.connect().execute("UPDATE scrollback.feed_position SET caught_up_at_us = 0")
    }

    /// Words of every frequency: some in clusters, some only at one end.
    private static func body(_ number: Int) -> String {
        var words = ["all"]
        if number.isMultiple(of: 10) { words.append("often") }
        if number.isMultiple(of: 170) { words.append("seldom") }
        if number.isMultiple(of: 400) { words.append(number.isMultiple(of: 800) ? "어느날 가끔 궁금해" : "어느날 가끔 집에") }
        if number.isMultiple(of: 6000) { words.append("rare") }
        if number < 90 { words.append("early") }
        if number > count - 40 || number < 600 { words.append("ends") }
        if number > count - 6 || (number < 9000 && number.isMultiple(of: 500)) { words.append("burst") }
        return words.joined(separator: " ")
    }

    @Test(arguments: [false, true])
    func `hits are the same for words of every frequency, with and without the server's statistics`(
        isAnalysed: Bool
    ) async throws {
        if isAnalysed { try copy.connect().execute("ANALYZE scrollback.message") }
        let shared = SharedArchive(try SharedAddress(copy.address)).reading()
        let middle = MessageID(ArchiveFixture.day.advanced(byMicroseconds: Int64(-Self.count / 2) * Self.hour))
        // Exclusive bounds: a message that is a hit, before which there are too few hits.
        let seldom = MessageID(ArchiveFixture.day.advanced(byMicroseconds: Int64(1700 - Self.count) * Self.hour))
        for text in [
            "all", "often", "seldom", "rare", "early", "ends", "burst", "none", "often seldom", "sel*", "*eld*",
            "*urst OR *are", "\"가끔 궁\"",
            "often -\"가끔 궁\"",
        ] {
            let search = SearchScope(query: SearchQuery(parsing: text))
            for accounts in [["demo"], ["other"], ["demo", "other"]] {
                for anchor in [
                    MessageQuery.Anchor.latest, .oldest, .before(middle), .after(middle), .after(seldom),
                    .before(seldom),
                ] {
                    let query = try fixture.query(anchor, limit: 20, room: nil, accounts: accounts)
                    let expected = try fixture.archive.reading().page(query, matching: search)
                    let found = try shared.page(query, matching: search)
                    #expect(found == expected, "\(text) \(accounts) \(anchor)")
                }
            }
            let scope = MessageQuery.Scope.accounts(["demo", "other"])
            let expected = try fixture.archive.reading().counts.hits(scope: scope, matching: search, by: .all)
            #expect(try shared.counts.hits(scope: scope, matching: search, by: .all) == expected, "\(text)")
        }
    }
}
