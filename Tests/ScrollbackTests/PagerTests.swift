import Testing

@testable import Rendering

struct PagerTests {
    private func command(_ environment: [String: String]) -> String? {
        let environment = ["TERM": "xterm"].merging(environment) { $1 }
        return Pager(environment: environment, terminal: Terminal(environment: environment))?.command
    }

    @Test(arguments: [
        ([:], "less -FRX"), (["PAGER": "more"], "more"),
        (["PAGER": "more", "SCROLLBACK_PAGER": " less -S "], "less -S"),
        (["PAGER": "more", "SCROLLBACK_PAGER": ""], nil), (["PAGER": "cat"], nil), (["PAGER": " "], nil),
        (["SCROLLBACK_PAGER": "cat", "PAGER": "less"], nil), (["PAGER": "cat -v"], "cat -v"),
        (["TERM": "dumb", "PAGER": "less"], nil), (["TERM": ""], nil),
    ])
    func `the chosen pager is used, and none on a dumb terminal`(
        environment: [String: String], chosen: String?
    ) {
        #expect(command(environment) == chosen)
    }

    @Test(arguments: [([:], false), (["PAGER": "less -FRX"], true), (["SCROLLBACK_PAGER": "less"], true)])
    func `a pager from a variable counts as named`(environment: [String: String], isNamed: Bool) {
        #expect(Pager(environment: environment, terminal: Terminal(environment: ["TERM": "xterm"]))?.isNamed == isNamed)
    }

    @Test func `a custom pager shows colours unless its variables forbid it`() throws {
        let terminal = Terminal(environment: ["TERM": "xterm"])
        let own = try #require(Pager(environment: ["LESS": "S", "A": "1"], terminal: terminal))
        #expect(own.environment == ["LESS": "S", "LV": "-c", "LESSCHARSET": "utf-8", "A": "1"])
        #expect(Pager(environment: [:], terminal: terminal)?.environment["LESS"] == "FRX")
        let charset = Pager(environment: ["LESSCHARSET": "iso8859"], terminal: terminal)?.environment["LESSCHARSET"]
        #expect(charset == "iso8859")
        let sudo = Pager(environment: ["SUDO_UID": "1000", "LESSSECURE": "0"], terminal: terminal)
        #expect(sudo?.environment["LESSSECURE"] == "1")
    }

    @Test(arguments: [
        ([:], Pager.Place.end, "less -FRX +G"), ([:], .line(7), "less -FRX -j.3 +7g"), ([:], .start, "less -FRX"),
        (["PAGER": "/usr/bin/less -S"], .end, "/usr/bin/less -S +G"), (["PAGER": "less +F"], .end, "less +F"),
        (["PAGER": "less $OPTIONS"], .end, "less $OPTIONS"), (["PAGER": "more"], .end, "more"),
        (["PAGER": "lessonly"], .line(2), "lessonly"),
    ])
    func `less opens at a place, and other pagers at the start`(
        environment: [String: String], place: Pager.Place, command: String
    ) throws {
        let terminal = Terminal(environment: ["TERM": "xterm"])
        let pager = try #require(Pager(environment: environment, terminal: terminal))
        let text = String(repeating: "line\n", count: 24)
        #expect(pager.opening(at: place, of: text, height: 24).command == command)
        #expect(pager.opening(at: place, of: text, height: 25) == pager, "the text fits on the screen")
    }

    @Test(arguments: [
        (ColorChoice.auto, ["TERM": "xterm"] as [String: String]?, true),
        (.auto, ["TERM": "xterm", "NO_COLOR": "1"], false),
        (.auto, ["TERM": "xterm", "NO_COLOR": ""], true), (.auto, ["TERM": "dumb"], false), (.auto, [:], false),
        (.always, ["TERM": "dumb", "NO_COLOR": "1"], true), (.never, ["TERM": "xterm"], false), (.auto, nil, false),
        (.always, nil, true),
    ])
    func `terminals that support colours get them, and others on request`(
        choice: ColorChoice, environment: [String: String]?, isColored: Bool
    ) {
        #expect(Style(choice, terminal: environment.map(Terminal.init)).isColored == isColored)
    }

    @Test func `a name has one colour in any Unicode form, and one's own is bold`() {
        let style = Style(isColored: true)
        let composed = style.name("x", of: "민수")
        #expect(composed == style.name("x", of: "\u{1106}\u{1175}\u{11AB}\u{1109}\u{116E}"))
        #expect(composed == "\u{1B}[\(composed.dropFirst(2).prefix(2))mx\u{1B}[0m")
        #expect(style.name("x", of: "민수", isSelf: true).hasPrefix("\u{1B}[1;"))
        #expect(Set(["alice", "bob", "carol", "민수", "さくら"].map { style.name("x", of: $0) }).count > 2)
    }
}
