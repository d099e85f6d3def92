import Foundation
import Testing

@testable import ChatModel

/// Who wrote what a relay bot says.
struct BridgePatternTests {
    @Test(arguments: [
        ("<{nick}> {text}", "<alice> hi", "alice", "hi"), ("[{nick}] {text}", "[alice] hi <b> c", "alice", "hi <b> c"),
        ("[tg] <{nick}> {text}", "[tg] <민수 김> 안녕", "민수 김", "안녕"), ("**{nick}**: {text}", "**a*b**: x", "a*b", "x"),
        ("{nick}: {text}", "alice: one: two", "alice", "one: two"),
        ("<{nick}> {text}", "<a> line\nnext", "a", "line\nnext"),
        ("<{nick}> {text}", "<\u{3}04al\u{200B}ice\u{3}> hi", "alice", "hi"),
        ("<{nick}> {text}", "\u{2}<\u{3}4,12al\u{FEFF}ice\u{F}>\u{2} \u{2}bold\u{2}", "alice", "\u{2}bold\u{2}"),
        ("<{nick}> {text}", "<\u{4}ff8800,000000alice\u{4}> hi", "alice", "hi"),
        ("<{nick}> {text}", "<1\u{3}23> hi", "1", "hi"),
    ])
    func `a prefix names the author, and the rest is the text`(
        pattern: String, body: String, nick: String, text: String
    ) throws {
        let found = try #require(try BridgePattern(pattern).match(body))
        #expect(found.nick == nick && found.text == text)
        #expect(body.utf8.suffix(text.utf8.count).elementsEqual(text.utf8))
    }

    @Test(arguments: [
        "hi", "", "<alice>", "<alice> ", "<> hi", "<alice>hi", "x<alice> hi", "<al\nice> hi", "< alice",
        "<" + String(repeating: "a", count: 10_000) + "> hi", "<\u{3}\u{3}\u{3}", "\u{4}12345",
    ])
    func `another form has no author`(body: String) throws {
        #expect(try BridgePattern("<{nick}> {text}").match(body) == nil)
    }

    @Test(arguments: [
        ("<nick> text", "needs {nick} once"), ("{text}", "needs {nick} once"),
        ("{nick}{nick} {text}", "needs {nick} once"),
        ("<{nick}> {text} end", "needs {nick} once"), ("{text} {nick}", "needs {nick} once"),
        ("{nick}{text}", "needs a sign between"), ("\u{1F}{nick} {text}", "control characters"),
        (String(repeating: "x", count: 101) + "{nick} {text}", "longer than 100"),
    ])
    func `an invalid pattern is refused with a reason`(text: String, reason: String) throws {
        let error = #expect(throws: BridgePattern.Invalid.self) { try BridgePattern(text) }
        #expect(error?.detail.contains(reason) == true)
    }

    @Test func `only a bridge's own keys name it`() throws {
        let key = BridgeKey(bot: "relay", pattern: try BridgePattern("<{nick}> {text}"), nick: "al\u{1F}ice")
        #expect(BridgeKey(key.text) == key && BridgeKey.isBridged(key.text))
        for other in ["alice", "", "\u{1F}", "\u{1F}a\u{1F}b", "\u{1F}relay\u{1F}pattern\u{1F}alice"] {
            #expect(BridgeKey(other) == nil)
        }
        let request = Bridging(bot: 7, name: "relay", pattern: key.pattern)
        #expect(try JSONDecoder().decode(Bridging.self, from: JSONEncoder().encode(request)) == request)
    }
}
