import Foundation
import SearchText
import TestSupport
import Testing

/// The index against the definition of a match: both find the same, always.
@Suite struct MatchTests {
    private static let rows = [
        "서버가 죽었다", "새서버down", "서버 down", "서버", "down 서버실", "서 버", "우리집 다운", "다", "다다", "가나다 라마", "ㅋㅋㅋ 안녕ㅠㅠ",
        "東京タワーに行く", "東京 タワー", "京都", "食べる", "食べ物を食べた", "ﾄｳｷｮｳ ﾀﾜｰ", "トウキョウ・タワー", "ｶﾞﾝﾀﾞﾑ", "ガンダム",
        "修改youer服务端", "我修改 youer 的服务端", "youer", "服务器 𠮷野家", "C++20 is out", "c 20", "C2O", "what's up", "whats up",
        "what s up",
        "foo-bar baz", "foo bar", "bar foo", "food", "AND", "and or not near", "say \"hi\"", "100% of a_b",
        "100 of a b",
        "Ｆｕｌｌ Ｗｉｄｔｈ １２", "full width 12", "Nguyễn Straße", "nguyen strasse", "cafe\u{301}", "CAFÉ", "ΣΊΣΥΦΟΣ",
        "σίσυφος",
        "https://example.org/a/b?c=1", "mail alice@example.org now", "te\u{2}st \u{3}04,12red\u{3} \u{4}FF0000hex",
        "test red hex",
        "👍🏽 nice", "👍", "👨‍👩‍👧 family", "👨", "❤️", "❤", "🇰🇷🇯🇵", "🇰🇷", "#️⃣1️⃣", "1", "हिन्दी में", "ประเทศไทย", "שָׁלוֹם", "שלום",
        "서버".decomposedStringWithCanonicalMapping + "가", "nul\0between", "", "?!", "다\u{301}라", "あ\u{3099}い", "ㄱㄴ",
        "ﾡﾤ",
    ]

    private static let found: [(query: String, rows: [String])] = [
        ("서버", ["서버가 죽었다", "새서버down", "서버 down", "서버", "down 서버실", "서버".decomposedStringWithCanonicalMapping + "가"]),
        (
            "서버".decomposedStringWithCanonicalMapping,
            ["서버가 죽었다", "새서버down", "서버 down", "서버", "down 서버실", "서버".decomposedStringWithCanonicalMapping + "가"]
        ),
        ("서버down", ["새서버down", "서버 down"]),
        ("\"down 서\"", ["down 서버실"]),
        ("\"down 서버\"", ["down 서버실"]),
        ("\"서 버\"", ["서 버"]),
        ("\"나 라\"", []),
        ("\"다 라\"", ["가나다 라마"]),
        ("\"나다 라\"", ["가나다 라마"]),
        ("다", ["서버가 죽었다", "우리집 다운", "다", "다다", "가나다 라마", "다\u{301}라"]),
        ("다라", ["다\u{301}라"]),
        ("ㅋㅋ", ["ㅋㅋㅋ 안녕ㅠㅠ"]),
        ("ㅠ", ["ㅋㅋㅋ 안녕ㅠㅠ"]),
        ("ㄱㄴ", ["ㄱㄴ", "ﾡﾤ"]),
        ("東京", ["東京タワーに行く", "東京 タワー"]),
        ("東京タワー", ["東京タワーに行く"]),
        ("\"東京 タワー\"", ["東京 タワー"]),
        ("京", ["東京タワーに行く", "東京 タワー", "京都"]),
        ("ー", ["東京タワーに行く", "東京 タワー", "ﾄｳｷｮｳ ﾀﾜｰ", "トウキョウ・タワー"]),
        ("食べ", ["食べる", "食べ物を食べた"]),
        ("ガンダム", ["ｶﾞﾝﾀﾞﾑ", "ガンダム"]),
        ("ﾀﾜｰ", ["東京タワーに行く", "東京 タワー", "ﾄｳｷｮｳ ﾀﾜｰ", "トウキョウ・タワー"]),
        ("\"トウキョウ タワー\"", ["ﾄｳｷｮｳ ﾀﾜｰ", "トウキョウ・タワー"]),
        ("修改youer服务端", ["修改youer服务端"]),
        ("youer", ["修改youer服务端", "我修改 youer 的服务端", "youer"]),
        ("修改 服务端", ["修改youer服务端", "我修改 youer 的服务端"]),
        ("𠮷", ["服务器 𠮷野家"]),
        ("𠮷野", ["服务器 𠮷野家"]),
        ("C++20", ["C++20 is out", "c 20"]),
        ("what's", ["what's up", "what s up"]),
        ("foo-bar", ["foo-bar baz", "foo bar"]),
        ("foo*", ["foo-bar baz", "foo bar", "bar foo", "food"]),
        ("foo", ["foo-bar baz", "foo bar", "bar foo"]),
        ("fo", []),
        ("*oo*", ["foo-bar baz", "foo bar", "bar foo", "food"]),
        ("*OOD", ["food"]),
        ("*oo", ["foo-bar baz", "foo bar", "bar foo"]),
        ("*o-b*", ["foo-bar baz", "foo bar"]),
        ("*o-bar*", ["foo-bar baz", "foo bar"]),
        ("foo -*az*", ["foo bar", "bar foo"]),
        ("*uyê*", ["Nguyễn Straße", "nguyen strasse"]),
        ("*ß*", ["Nguyễn Straße", "nguyen strasse"]),
        ("*ample.or*", ["https://example.org/a/b?c=1", "mail alice@example.org now"]),
        ("*버do*", ["새서버down", "서버 down"]),
        ("*서버*", ["서버가 죽었다", "새서버down", "서버 down", "서버", "down 서버실", "서버".decomposedStringWithCanonicalMapping + "가"]),
        ("*wn", ["새서버down", "서버 down", "down 서버실"]),
        ("*👍*", ["👍🏽 nice", "👍"]),
        ("*न्दी", ["हिन्दी में"]),
        ("*ไทย", ["ประเทศไทย"]),
        ("*ίσυ*", ["ΣΊΣΥΦΟΣ", "σίσυφος"]),
        ("foo OR food -baz", ["foo bar", "bar foo", "food"]),
        ("AND", ["AND", "and or not near"]),
        ("say \"hi", ["say \"hi\""]),
        ("100%", ["100% of a_b", "100 of a b"]),
        ("a_b", ["https://example.org/a/b?c=1", "100% of a_b", "100 of a b"]),
        ("full width 12", ["Ｆｕｌｌ Ｗｉｄｔｈ １２", "full width 12"]),
        ("ＦＵＬＬ", ["Ｆｕｌｌ Ｗｉｄｔｈ １２", "full width 12"]),
        ("nguyen", ["Nguyễn Straße", "nguyen strasse"]),
        ("straße", ["Nguyễn Straße", "nguyen strasse"]),
        ("café", ["cafe\u{301}", "CAFÉ"]),
        ("σίσυφος", ["ΣΊΣΥΦΟΣ", "σίσυφος"]),
        ("example.org", ["https://example.org/a/b?c=1", "mail alice@example.org now"]),
        ("alice@example.org", ["mail alice@example.org now"]),
        ("alice", ["mail alice@example.org now"]),
        ("test red hex", ["te\u{2}st \u{3}04,12red\u{3} \u{4}FF0000hex", "test red hex"]),
        ("👍", ["👍"]),
        ("👍*", ["👍🏽 nice", "👍"]),
        ("👨‍👩‍👧", ["👨‍👩‍👧 family"]),
        ("👨", ["👨"]),
        ("❤️", ["❤️", "❤"]),
        ("🇰🇷", ["🇰🇷🇯🇵", "🇰🇷"]),
        ("1️⃣", ["#️⃣1️⃣"]),
        ("1", ["https://example.org/a/b?c=1", "1"]),
        ("हिन्दी", ["हिन्दी में"]),
        ("ประเทศ*", ["ประเทศไทย"]),
        ("שלום", ["שָׁלוֹם", "שלום"]),
        ("between", ["nul\0between"]),
        ("あい", ["あ\u{3099}い"]),
    ]

    @Test(arguments: found)
    func `each query finds its rows`(query: String, rows: [String]) throws {
        let index = try Index(Self.rows)
        let query = SearchQuery(parsing: query)
        #expect(Set(index.matching(query).map { Self.rows[$0] }.map(\.exact)) == Set(rows.map(\.exact)))
        #expect(try index.found(query) == index.matching(query))
    }

    private static let operators = [
        "?!", "\"", "\"\"", "\"\"\"", "'", "*", "**", "-", "--", "---", "-\"", "-*", "OR", "OR OR", "OR OR OR", "-OR",
        "AND", "NOT", "NEAR",
        "NEAR(a b)", "NEAR(a b, 5)", "^a", "a^", "(", ")", "(a", "a)", "()", "{", "}", "{text}:a", "text:a", "text : a",
        "facets:all", "chars:다",
        "a:b", ":", ":a", "a:", "::", "+", "a + b", "a+b", "%", "_", "a%", "\\", "\\\"", "a\\", ";", "--a", "/*", "*/",
        "a*b", "a**", "* a",
        "from:", "from:\"", "from:\"\"", "in:", "has:", "has:a", "is:", "is:a", "before:", "before:x", "after:", "on:",
        "on:\"", "-before:2024",
        "-from:", "-has:link", "-is:edited", "-in:1", "from:1 from:2", "from:9x", "-from:9x", "in:9x OR a", "OR a",
        "a OR", "a OR OR b",
        "a OR -b", "-a OR b", "a OR ?!", "(a b) OR c", "-(a b)", "NOT (a OR b)", "(-a) OR b", "(a", "a)", "()", "NOT",
        "a AND b", "?! OR a", "a OR ?! OR b", "-?!", "a OR -?! b", "\"a\"b", "a\"b", "\"a\"*",
        "\"a*\"", "\"a OR b\"", "\0", "a\0b",
        "\"\0", "\u{E000}", "\u{E000}1", "\u{FFFE}", "\u{FFFF}", "\u{FFFD}", "\u{200D}", "\u{FE0F}", "\u{301}",
        "\"\u{301}", "\u{301}\"a\"",
    ]

    @Test(.disabled(if: QuickCheck.isRunning))
    func `every query is accepted`() throws {
        let index = try Index(Self.rows)
        for first in Self.operators {
            for second in ["", " ", " a", "다", " \"b c\"", " OR 다"] {
                let text = first + second
                let query = SearchQuery(parsing: text)
                #expect(try index.found(query) == index.matching(query), "\(text)")
            }
        }
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            "a ", "다", "다 ", "👍", "\"", "-a ", "a OR ", "from:1 OR ", "\"다 ", "e\u{301}", "?! ", "- ", "다* ", "(a ",
            "a) ", "-(", "NOT (a ", "(a OR (b ", "AND ",
        ])
    func `a query of any length is answered`(piece: String) throws {
        let index = try Index([String(repeating: piece, count: 3000), "a", "다"])
        let query = SearchQuery(parsing: String(repeating: piece, count: 3000))
        #expect(query.isCut)
        #expect(try index.found(query) == index.matching(query))
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `every word of a long text is found, up to the limit`() throws {
        let word = " 서버down"
        let body = String(repeating: "é 東京 a", count: 6000) + word
        let far = String(repeating: "é", count: Analyser.maximumBytes) + word
        let index = try Index([body, far])
        let query = SearchQuery(parsing: word)
        #expect(body.utf8.count > 1 << 16)
        #expect(try index.found(query) == [0])
        #expect(index.matching(query) == [0])
    }
}

extension String {
    /// Code points: strings that only look alike are different rows.
    fileprivate var exact: [Unicode.Scalar] {
        Array(unicodeScalars)
    }
}
