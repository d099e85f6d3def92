import ChatModel
import Foundation
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Writing

@Suite struct RegexSearchTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func search(
        _ pattern: String, _ words: String = "", deadline: ContinuousClock.Instant = .now + .seconds(3600)
    ) throws -> RegexSearch {
        RegexSearch(
            reading: fixture.archive.reading(), search: SearchScope(query: SearchQuery(parsing: words)),
            expression: try RegularExpression(pattern), deadline: deadline)
    }

    /// `v0` to `v2499`, every third of them by bob and with the word "release".
    private func fill(_ name: String = "demo") async throws {
        let writer = try await fixture.openWriter(name)
        let session = try await writer.openSession()
        _ = try await writer.append(
            (0..<2500).map { number in
                let isRelease = number % 3 == 0
                return .said(
                    isRelease ? "release v\(number)" : "v\(number)", at: Int64(number) * 60_000_000,
                    by: isRelease ? "bob" : "alice", in: session)
            })
        try await writer.close()
    }

    /// All that is found, page by page.
    private func walk(_ search: RegexSearch, _ start: MessageQuery.Anchor, accounts: [String] = ["demo"]) async throws
        -> [String]
    {
        var (anchor, found) = (start, [String]())
        while true {
            let (page, _) = try search.page(fixture.query(anchor, limit: 7, room: nil, accounts: accounts))
            found = start == .oldest ? found + page.bodies : page.bodies + found
            guard let next = start == .oldest ? page.newer : page.older else { return found }
            anchor = start == .oldest ? .after(next) : .before(next)
        }
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            (#"^v\d*7\d$"#, ""), (#"v\d*7\d$"#, "release"), (#"99"#, "from:bob"), ("nothing", ""),
            (#"v\d"#, "-release"),
            ("(?i)V1[0-9]{3}$", "release OR v1000"),
        ])
    func `a regular expression finds what a scan of all hits finds, in both directions`(pattern: String, words: String)
        async throws
    {
        try await fill()
        let matcher = Matcher(SearchQuery(parsing: words))
        let expression = try NSRegularExpression(pattern: pattern)
        let expected = (0..<2500).map { $0 % 3 == 0 ? "release v\($0)" : "v\($0)" }.filter { body in
            matcher.matches(body) { _ in body.hasPrefix("release") }
                && expression.firstMatch(in: body, range: NSRange(body.startIndex..., in: body)) != nil
        }
        #expect(try await walk(try search(pattern, words), .latest) == expected)
        #expect(try await walk(try search(pattern, words), .oldest) == expected)
        let (counts, progress) = try search(pattern, words).count(scope: .accounts(["demo"]), by: .all)
        #expect(counts.map(\.count) == [Int64(expected.count)])
        #expect(!progress.isCut && progress.skipped == 0)
    }

    @Test func `an edge of a word is not inside a Hindi word`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("मैं हिन्दी लिखता हूँ", at: 1, in: session), .said("हिन्दुस्तान", at: 2, in: session),
        ])
        try await writer.close()
        func found(_ pattern: String) throws -> [String] {
            try search(pattern).page(fixture.query(room: nil)).page.bodies
        }
        #expect(try found(#"\bहिन्दी\b"#) == ["मैं हिन्दी लिखता हूँ"])
        #expect(try found(#"^\w+$"#) == ["हिन्दुस्तान"])
        #expect(try found(#"हि\b"#) == [])
    }

    @Test func `two accounts are one history that never splits equal times`() async throws {
        try await fill()
        try await fill("other")
        let found = try await walk(try search("v2[0-9]{2}$"), .latest, accounts: ["demo", "other"])
        #expect(found.count == 200 && Set(found).count == 100)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `when its time is over, a page says how far it came, and its cursor continues there`() async throws {
        try await fill()
        var (found, anchor, rounds) = ([String](), MessageQuery.Anchor.latest, 0)
        while true {
            let (page, progress) = try search("v24..$", deadline: .now).page(
                fixture.query(anchor, limit: 50, room: nil))
            found = page.bodies + found
            rounds += 1
            #expect(progress.isCut == (page.older != nil) || page.messages.isEmpty)
            guard let older = page.older, rounds < 150 else { break }
            #expect(progress.tested == 1 && older == progress.last)
            anchor = .before(older)
        }
        #expect(rounds == 150, "one message each")
        #expect(found.count == 100)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [MessageQuery.Anchor.latest, .oldest])
    func `rare hits are found between thousands of other messages, and every message counts as tested`(
        start: MessageQuery.Anchor
    ) async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let rare = Set([3, 12_799, 12_801, 29_998])
        for first in stride(from: 0, to: 30_000, by: 1000) {
            _ = try await writer.append(
                (first..<first + 1000).map { number in
                    .said(
                        rare.contains(number) ? "Straße v\(number)" : "v\(number)", at: Int64(number) * 1_000_000,
                        in: session)
                })
        }
        try await writer.close()
        let expected = rare.sorted().map { "Straße v\($0)" }
        for (pattern, words) in [("^S.ra", ""), ("v", "\"Straße\"")] {
            let search = RegexSearch(
                reading: fixture.archive.reading(),
                search: SearchScope(query: SearchQuery(parsing: words, exactLetters: true)),
                expression: try RegularExpression(pattern), deadline: .now + .seconds(3600))
            let (page, progress) = try search.page(fixture.query(start, room: nil))
            #expect(page.bodies == expected)
            #expect(!progress.isCut && progress.tested == (words.isEmpty ? 30_000 : 4))
        }
    }

    @Test func `a search that may test only some messages ends after these, and its cursor continues there`()
        async throws
    {
        try await fill()
        let whole = try search("v1$")
        let limited = RegexSearch(
            reading: whole.reading, search: whole.search, expression: whole.expression, deadline: whole.deadline,
            most: 300)
        let (page, progress) = try limited.page(fixture.query(room: nil))
        #expect(page.messages.isEmpty && progress.isCut && page.older == progress.last)
        #expect((300..<600).contains(progress.tested))
    }

    @Test func `hits of a regular expression are counted by room, person and day`() async throws {
        try await fill()
        func counts(_ grouping: HitGrouping) async throws -> [String] {
            try search(#"v\d"#).count(scope: .accounts(["demo"]), by: grouping).counts
                .map { "\($0.account ?? "-") \($0.name ?? "-") \($0.count)" }
        }
        #expect(try await counts(.room) == ["demo lobby 2500"])
        #expect(try await counts(.user) == ["demo alice 1666", "demo bob 834"])
        #expect(try await counts(.time(.day, .gmt)) == ["- 2026-11-21 1440", "- 2026-11-22 1060"])
        let (_, progress) = try search("x", deadline: .now).count(scope: .accounts(["demo"]), by: .all)
        #expect(progress.isCut && progress.tested == 1)
    }

    @Test func `a message on which the expression takes too many steps is counted`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said(String(repeating: "a", count: 30_000) + "!", at: 1, in: session), .said("aaa", at: 2, in: session),
        ])
        let (page, progress) = try search("^(a|aa)+$").page(fixture.query(room: nil))
        #expect(page.bodies == ["aaa"])
        #expect(progress.skipped == 1 && progress.tested == 2)
        try await writer.close()
    }

    /// Texts in which letters stand together that no word has, or whose words have other letters.
    private static let oddTexts = [
        "plain words and boots", "REBOOT now", "re\u{02}boot", "\u{04}aabbooting", "\u{03}04boot",
        "bo\u{301}ot boot\u{301}",
        String(repeating: "x", count: 300) + "boot", String(repeating: "y", count: 252) + "boot", "boot_up", "foo-boot",
        "서버가", "새서버\u{11A8}", "서\u{11AB}버", "버서", "서버down", "ｂｏｏｔ", "boo\u{200D}t", "boot\u{20DD}", "ſtop \u{212A}ill",
        "stop kill",
        "ß boss", "東京タワー", "か\u{3099}き", "",
    ]

    @Test(arguments: [
        "boot", "bbo", "(?i)boot", "oot$", "서버", "버", "(서버|boot)", "(?i)stop", "(?i)kill", "東京", "xboot", "yboot",
        "boss|tower",
        "(?=.*now)REB", "t", "nothing|boot_",
    ])
    func `the index finds every text that matches, odd ones and those it does not have yet`(pattern: String)
        async throws
    {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append(
            Self.oddTexts.enumerated().map { .said($1, at: Int64($0) * 1_000_000, in: session) })
        try await writer.close()
        let expression = try RegularExpression(pattern)
        let expected = Self.oddTexts.filter { expression.matches($0) == true }.map { Array($0.unicodeScalars) }
        func found() async throws -> [[Unicode.Scalar]] {
            try await walk(search(pattern), .latest).map { Array($0.unicodeScalars) }
        }
        #expect(try await found() == expected)
        let (counts, _) = try search(pattern).count(scope: .accounts(["demo"]), by: .all)
        #expect(counts.map(\.count) == [Int64(expected.count)])
        try fixture.execute("UPDATE search_index SET from_us = 5000000")
        #expect(try await found() == expected)
    }

    @Test func `messages without the letters are not tested`() async throws {
        try await fill()
        let (page, progress) = try search("release v1.*").page(fixture.query(limit: 1000, room: nil))
        #expect(page.messages.count == 369 && progress.tested == 834)
        #expect(try search("releases").page(fixture.query(room: nil)).progress.tested == 0)
    }
}
