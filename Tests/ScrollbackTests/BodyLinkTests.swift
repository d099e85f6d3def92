import TestSupport
import Testing

@testable import Rendering

struct BodyLinkTests {
    @Test(arguments: [
        ("see https://example.org/a?b=c#d.", "https://example.org/a?b=c#d"),
        ("(http://example.org/wiki/A_(b))", "http://example.org/wiki/A_(b)"),
        ("HTTP://example.org:8080", "HTTP://example.org:8080"),
        ("보세요https://example.org에서", "https://example.org"),
        ("https://example.org/한국어 참고", "https://example.org/한국어"),
        ("<ircs://irc.example.net/swift>", "ircs://irc.example.net/swift"),
        ("https://example.org/\u{202E}gpj.exe", "https://example.org/"),
        ("https://example.org/a\"onclick=\"x", "https://example.org/a"),
        ("*https://example.org/a*", "https://example.org/a"), ("**https://example.org**", "https://example.org"),
        ("_https://example.org/a_", "https://example.org/a"), ("~https://example.org/a~", "https://example.org/a"),
        ("||https://example.org/a||", "https://example.org/a"), ("_(https://example.org/a)_", "https://example.org/a"),
        ("https://example.org/a_b_c?d=*e", "https://example.org/a_b_c?d=*e"),
        ("「https://example.org/a」", "https://example.org/a"), ("https://example.org/a。", "https://example.org/a"),
        ("https://example.org,and more", "https://example.org"), ("https://example.org,", "https://example.org"),
        ("https://example.org/a,https://example.com/b", "https://example.org/a"),
        ("https://example.org/a,https://example.com/b", "https://example.com/b"),
        ("https://example.org,https://example.com", "https://example.com"),
        ("https://example.org/a;https://example.com/b", "https://example.org/a"),
        ("https://example.org/a,b,c", "https://example.org/a,b,c"),
        ("https://web.example/2020/https://example.org/", "https://web.example/2020/https://example.org/"),
        ("https://example.org/?u=https://example.com", "https://example.org/?u=https://example.com"),
        ("http://[2001:db8::1]:8080/a", "http://[2001:db8::1]:8080/a"), ("http://[::1]", "http://[::1]"),
        ("[http://[2001:db8::1]/]", "http://[2001:db8::1]/"),
        ("(http://[::ffff:192.0.2.1]).", "http://[::ffff:192.0.2.1]"),
        ("https://example.org)", "https://example.org"), ("'https://example.org'", "https://example.org"),
    ])
    func `a link ends where readers expect it`(text: String, link: String) {
        #expect(BodyLink.pieces(of: text).contains(.link(link)))
    }

    @Test(arguments: [
        "javascript:alert(1)", "javascript://example.org/%0aalert(1)", "data:text/html,x", "file:///etc/passwd",
        "http://",
        "http:///x", "https://example.com@evil.example/", "https://user:pass@evil.example/", "xhttp://example.org",
        "http://[]/", "http://[1]/", "http://[::1", "http://[::g]/", "http://[fe80::1%25eth0]/", "http://[::1]x/",
        "http://exa_mple.org", "http://exa%6Dple.org", "http://a,b@evil.example/",
        "http://.example.org", "http://예시.kr/", "http://exa예mple.org", "a://b", "://", ":",
    ])
    func `a misleading link stays text`(text: String) {
        #expect(BodyLink.pieces(of: text) == [.text(text)])
    }

    @Test(arguments: 0..<50)
    func `the pieces of a text together are the text`(seed: Int) {
        var texts = HostileTexts(random: SeededGenerator(seed: UInt64(seed)))
        for _ in 0..<50 {
            let text = texts.text(upTo: 20)
            let joined = BodyLink.pieces(of: text).map { piece in
                switch piece {
                case .text(let text), .link(let text): text
                }
            }.joined()
            #expect(Array(joined.unicodeScalars) == Array(text.unicodeScalars))
        }
    }

    @Test func `a link over the browsers' limit stays text`() {
        let long = "https://example.org/" + String(repeating: "a", count: 2000)
        #expect(BodyLink.pieces(of: long) == [.text(long)])
    }
}
