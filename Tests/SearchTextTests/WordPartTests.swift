import SearchText
import TestSupport
import Testing

/// Parts of words: the index against the definition of a match.
@Suite struct WordPartTests {
    private static let letters = Array("abAB012٣éßøİ서東かกิำ👍 .-_*\u{301}\u{93E}\u{200C}\u{200B}".unicodeScalars)

    private static func text(_ count: Int, _ random: inout SeededGenerator) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1...count, using: &random) {
            text.append(letters.randomElement(using: &random) ?? "a")
        }
        return String(text)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: UInt64(1)...20)
    func `the index finds parts of words where the rules find them`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rows = (0..<60).map { _ in Self.text(12, &random) }
        let index = try Index(rows)
        var hits = 0
        for _ in 0..<100 {
            let (part, other) = (Self.text(3, &random), Self.text(3, &random))
            let form = ["*\(part)*", "*\(part)", "-*\(part)*", "*\(part)* OR \(other)", "(a -*\(part)) OR *\(other)*"]
                .randomElement(using: &random)
            let query = SearchQuery(parsing: form ?? part)
            let found = try index.found(query)
            #expect(found == index.matching(query), "\(query)")
            #expect(Set(found).isSubset(of: index.matching(query.withoutWordParts)), "\(query)")
            hits += found.count
        }
        #expect(hits > 100)
    }

    @Test(arguments: UInt64(1)...10)
    func `a search for a part is a scan for words that contain it, folded`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let letters = "abcdeABCDE01".map(String.init)
        func word(_ count: Int) -> String {
            (0..<count).compactMap { _ in letters.randomElement(using: &random) }.joined()
        }
        let rows = (0..<50).map { _ in
            (0..<4).map { _ in word(Int.random(in: 1...8, using: &random)) }.joined(separator: ", ")
        }
        let index = try Index(rows)
        for _ in 0..<50 {
            let part = word(Int.random(in: 1...3, using: &random))
            let expected = rows.indices.filter { rows[$0].lowercased().contains(part.lowercased()) }
            #expect(try index.found(SearchQuery(parsing: "*\(part)*")) == expected)
            let ends = rows.indices.filter { row in
                rows[row].lowercased().split(separator: ", ").contains { $0.hasSuffix(part.lowercased()) }
            }
            #expect(try index.found(SearchQuery(parsing: "*\(part)")) == ends)
        }
    }

    @Test func `a part is found in words of up to 256 letters, and a longer word by its beginning`() throws {
        let (short, long) = (String(repeating: "é", count: 253) + "boo", String(repeating: "é", count: 254) + "boo")
        let index = try Index([short, long, "reboot", "re-boot"])
        for (query, rows) in [("*boo*", [0, 2, 3]), ("*boo", [0]), ("éé*", [0, 1]), ("*oot", [2, 3])] {
            let query = SearchQuery(parsing: query)
            #expect(try index.found(query) == rows)
            #expect(index.matching(query) == rows)
        }
    }

    @Test(arguments: [
        // Any part of Han, Thai and others matches without a star.
        ("*ไทย", "ประเทศไทยวันนี้", true), ("*ทศไ*", "ประเทศไทย", true), ("*ศ*", "ประเทศไทย", true),
        ("*เท*", "ประทเศ", false),
        ("*ootไทย*", "rebootไทยแลนด์", true), ("*ootไทย", "bootsไทย", false),
        // A joined word has the part in both of its forms.
        ("*خواه*", "می\u{200C}خواهم", true), ("*یخوا*", "می\u{200C}خواهم", true),
        ("*ی\u{200C}خوا*", "می\u{200C}خواهم", true), ("*ی\u{200C}خوا*", "می خواهم", true),
        ("*ی\u{200C}خوا*", "میخواهم", true), ("*یخوا*", "می خواهم", false), ("*می", "می\u{200C}خواهم", true),
        // The letters match as those of words.
        ("*ørreb*", "smorrebrod", true), ("*orreb*", "Smørrebrød", true), ("*duo*", "Đường", true),
        ("*٣٤*", "a1345b", true),
        ("*ﬁ*", "office", true), ("*o'zb*", "no, ozbek", false), ("*o'zb*", "co oʻzbek no zbek", true),
    ])
    func `a part is found by the rules of words`(query: String, body: String, isHit: Bool) throws {
        let (query, index) = (SearchQuery(parsing: query), try Index([body]))
        #expect(try index.found(query) == (isHit ? [0] : []))
        #expect(index.matching(query) == (isHit ? [0] : []))
    }

    @Test func `exact letters change nothing for a part, and in quotes a star is punctuation`() {
        let rows = ["Boot", "boot", "reBoot", "Boots"]
        func found(_ text: String) -> [String] {
            let matcher = Matcher(SearchQuery(parsing: text, exactLetters: true))
            return rows.filter { row in matcher.matches(row) { _ in false } }
        }
        #expect(found("*Boot*") == rows)
        #expect(found("\"*Boot*\"") == ["Boot"])
        #expect(found("*oot* -\"Boot\"") == ["boot", "reBoot", "Boots"])
    }

    @Test func `a hit of a part is the whole word`() {
        let body = "please reboot, or Reboot-boot"
        let ranges = Matcher(SearchQuery(parsing: "*BOOT")).ranges(in: body)
        #expect(ranges.map { body[$0] } == ["reboot", "Reboot", "boot"])
    }

    @Test(arguments: [
        ("*a* b", "b"), ("*a*", ""), ("b OR *a*", ""), ("b -*a*", "b"), ("(b d *a) OR c", "(b d) OR c"),
        ("b NOT (c -*a*)", "b"), ("b NOT (c *a*)", "b"), ("b NOT (c OR *a*)", "b -c"), ("*서버*", "*서버*"),
        ("*ไทย", "*ไทย"), ("b*", "b*"),
        ("b *می\u{200C}خوا*", "b"),
    ])
    func `a query without its parts of words finds at least as much`(text: String, weaker: String) {
        let (query, expected) = (SearchQuery(parsing: text).withoutWordParts, SearchQuery(parsing: weaker))
        #expect((query.all, query.none) == (expected.all, expected.none))
    }

    @Test func `the words of an indexed text are folded, without pairs of characters and clusters, and emoji`() {
        #expect(
            Set(Index.words(of: ["The re-boot: v2, 서버down 東京", "Éa ok👍 ไปกัน", "می\u{200C}خواهم"])) == [
                "the", "re", "boot", "v2", "down", "ea", "ok", "\u{645}\u{64A}خواهم", "\u{645}\u{64A}", "خواهم",
            ])
    }
}
