import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Exporting
@testable import Rendering

/// Colours and styles of IRC, as people see them.
struct StyledTextTests {
    private func renderer(isColored: Bool, width: Int? = nil, marksHits: Bool = false) -> TextRenderer {
        TextRenderer(
            time: LocalTime(zone: .gmt), style: Style(isColored: isColored), now: sampleTime,
            options: TextRenderer.Options(marksHits: marksHits), width: { width })
    }

    private func shown(_ body: String, isColored: Bool = true, kind: MessageKind = .message) -> String {
        var renderer = renderer(isColored: isColored)
        let lines = renderer.render([message(body, kind: kind)]).split(separator: "\n")
        return String(lines.last?.split(separator: "  ", maxSplits: 2).last ?? "")
    }

    private func sgr(_ codes: String, _ text: String) -> String {
        "\u{1B}[\(codes)m\(text)\u{1B}[0m"
    }

    @Test(arguments: [
        ("\u{2}bold\u{2} plain", "1", "bold", " plain"), ("\u{1D}i\u{F} x", "3", "i", " x"),
        ("\u{1F}u\u{1F}x", "4", "u", "x"), ("\u{1E}s\u{1E}", "9", "s", ""), ("\u{16}r\u{16}", "7", "r", ""),
        ("\u{3}04red\u{3} x", "91", "red", " x"), ("\u{3}4,2on\u{3}", "38;5;231;48;5;18", "on", ""),
        ("\u{3}1,8on", "38;5;16;48;5;226", "on", ""), ("\u{3}8,8hidden?", "38;5;16;48;5;226", "hidden?", ""),
        ("\u{4}ff0000red", "91", "red", ""), ("\u{3}52x\u{3}99y", "91", "x", "y"),
        ("\u{2}\u{1D}\u{3}3all\u{F}!", "1;3;32", "all", "!"), ("\u{2}a b\u{2} c", "1", "a b", " c"),
        ("\u{3}99,4x", "38;5;16;48;5;196", "x", ""), ("\u{3}4,2a\u{3}3", "38;5;231;48;5;18", "a", ""),
    ])
    func `a code is a style on a terminal, and nothing elsewhere`(
        body: String, codes: String, styled: String, rest: String
    ) {
        #expect(shown(body) == (styled.isEmpty ? "" : sgr(codes, styled)) + rest)
        #expect(shown(body, isColored: false) == styled + rest)
    }

    @Test(arguments: ["\u{3}0w\u{3}", "\u{3}01b", "\u{3}98w", "\u{11}mono\u{11}", "\u{3}99x", "\u{3},5x", "\u{4}12x"])
    func `hiding and unsupported styles are plain`(body: String) {
        #expect(shown(body) == shown(body, isColored: false))
    }

    private func link(_ address: String, _ text: String) -> String {
        "\u{1B}]8;id=1;\(address)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
    }

    @Test func `an address is a link on a coloured terminal, without surrounding marks`() {
        let address = "https://example.org/a,b"
        #expect(shown("(see \(address)), x") == "(see \(link(address, address))), x")
        #expect(shown(address) == link(address, address))
        #expect(shown("(see \(address)), x", isColored: false) == "(see \(address)), x")
        #expect(shown("\u{2}\(address)\u{2}!") == link(address, sgr("1", address)) + "!")
        #expect(shown("javascript://example.org/x") == "javascript://example.org/x")
        let long = "https://example.org/" + String(repeating: "한", count: 60)
        #expect(shown(long) == long, "its address has more than 512 bytes")
        let korean = "https://example.org/한국어"
        #expect(shown(korean) == link("https://example.org/%ED%95%9C%EA%B5%AD%EC%96%B4", korean))
    }

    @Test func `each line of a broken address links to the whole address`() {
        var renderer = renderer(isColored: true, width: 40)
        let address = "https://example.org/" + String(repeating: "abcdefghij", count: 6)
        let text = renderer.render([message("look: \(address), twice \(address)")])
        let parts = text.matches(of: /\u{1B}\]8;id=1;([^\u{1B}]*)\u{1B}\\([^\u{1B}]*)\u{1B}\]8;;\u{1B}\\/)
        #expect(parts.count > 4 && parts.allSatisfy { $0.1 == address }, "\(text)")
        #expect(parts.map { String($0.2) }.joined() == address + address)
        #expect(
            text.split(separator: "\n").allSatisfy { line in
                line.components(separatedBy: "\u{1B}]8;id").count == line.components(separatedBy: "\u{1B}]8;;").count
            })
    }

    @Test func `a style ends with its line and its message`() {
        var renderer = renderer(isColored: true)
        let text = renderer.render([message("\u{2}one\ntwo"), message("three")])
        let lines = text.split(separator: "\n").dropFirst()
        #expect(lines.allSatisfy { $0.hasSuffix("\u{1B}[0m") || $0.hasSuffix("three") })
        #expect(lines.count == 3 && lines.dropFirst().first?.contains(sgr("1", "two")) == true)
    }

    @Test func `dangerous characters are escaped inside and outside styles`() {
        #expect(shown("\u{2}\u{1B}[2J\u{202E}\u{2}\u{7}") == sgr("1", "\\u{1B}[2J\\u{202E}") + "\\u{7}")
        #expect(shown("\u{1B}\u{3}4[31m", isColored: false) == "\\u{1B}[31m")
    }

    @Test func `hits are highlighted at their place in the stored body`() {
        var renderer = renderer(isColored: true)
        renderer.matches = { body in body.range(of: "te\u{2}st").map { [$0] } ?? [] }
        let text = renderer.render([message("te\u{2}st\u{2}!")])
        #expect(text.hasSuffix(sgr("1;33", "test") + "!\n"), "\(text)")
    }

    @Test func `a hit with a code in it is one hit, and styles continue after it`() {
        let body = "\u{3}4x down y"
        let range = body.range(of: "down")
        let styled = StyledText(body, matches: [range].compactMap(\.self))
        #expect(styled.text == "x down y")
        #expect(styled.parts.map(\.text) == ["x ", "down", " y"])
        #expect(styled.parts.map(\.isMatch) == [false, true, false])
        let painted = styled.painted(["x down y"], Style(isColored: true))
        #expect(painted == [sgr("91", "x") + " " + sgr("1;33", "down") + " " + sgr("91", "y")])
    }

    @Test func `joins and replies have no codes`() {
        #expect(shown("\u{2}bye\u{2}", isColored: false, kind: .leave).contains("<-- alice has left (bye)"))
        let reply = Message.Reply(remoteID: "1", id: MessageID(sampleTime), sender: "bob", body: "\u{3}4,5re\u{2}d")
        #expect(ReplyText.excerpt(reply, width: 50) == "bob: red")
    }

    @Test func `show prints the styles, and keeps the payload unchanged`() {
        var detail = sampleDetail
        detail.versions[0].body = "\u{2}hi\u{2} \u{1B}"
        func text(_ style: Style) -> String {
            MessageDetailText(time: LocalTime(zone: .gmt), style: style, now: sampleTime).text(detail)
        }
        #expect(text(.plain).contains("text         hi \\u{1B}\n"))
        #expect(text(Style(isColored: true)).contains(sgr("1", "hi") + " \\u{1B}\n"))
        #expect(JSONValue(message("\u{2}hi")).text.contains(#""body": "\u0002hi""#))
        #expect(CSV.record(JSONValue(message("\u{2}hi"))).contains(#"\u{2}hi"#))
    }

    @Test func `too many changes of style end in complete plain text`() {
        let body = String(repeating: "\u{2}a\u{2}b", count: 5000)
        let styled = StyledText(body)
        #expect(styled.text == String(repeating: "ab", count: 5000))
        #expect(styled.parts.count <= StyledText.maximumChanges + 1)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<8)
    func `for any codes, the text is safe, fits its lines and ends plain`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let pieces = [
            "\u{2}", "\u{3}", "\u{3}4", "\u{3}04,12", "\u{3}4,", "\u{4}ff00aa", "\u{4}f", "\u{F}", "\u{11}", "\u{16}",
            "\u{1D}", "\u{1E}", "\u{1F}", "\u{1B}[31m", "a", "b c", " ", "가나", "👍🏽", "\n", "\t", "\u{202E}", "12", ",",
            "é",
        ]
        for _ in 0..<200 {
            let body = (0..<Int.random(in: 0..<30, using: &random)).compactMap { _ in
                pieces.randomElement(using: &random)
            }
            .joined()
            var (plain, colored) = (renderer(isColored: false, width: 24), renderer(isColored: true, width: 24))
            colored.matches = { body in
                body.unicodeScalars.firstIndex(of: "b").map { [$0..<body.unicodeScalars.index(after: $0)] } ?? []
            }
            let (text, painted) = (plain.render([message(body)]), colored.render([message(body)]))
            #expect(!text.unicodeScalars.contains { Sanitizer.isHostile($0) && $0 != "\n" })
            #expect(text.split(separator: "\n").allSatisfy { DisplayWidth.of(String($0)) <= 24 }, "\(text)")
            let sequence = /\u{1B}\[([0-9;]*)m/
            #expect(Array(painted.replacing(sequence, with: "").unicodeScalars) == Array(text.unicodeScalars))
            for line in painted.split(separator: "\n") {
                let codes = line.matches(of: sequence).map(\.1)
                #expect(codes.isEmpty || codes.last == "0", "\(line)")
            }
        }
    }

    @Test(arguments: [
        ("\u{2}bold\u{2} x", #"<span class="sb">bold</span> x"#),
        ("\u{3}4red <b>\u{3}", #"<span class="c0">red &lt;b&gt;</span>"#),
        ("\u{3}4,2on", #"<span class="s2">on</span>"#), ("\u{3}4\u{16}r", #"<span class="sv">r</span>"#),
        ("\u{2}\u{1D}\u{1F}\u{1E}\u{11}a", #"<span class="sb si su ss sm">a</span>"#), ("\u{3}0w\u{3}1b", "wb"),
        (
            "\u{2}see http://a.ex\u{2}ample/ \u{1B}",
            #"<span class="sb">see </span><a rel="noopener noreferrer nofollow" dir="ltr" href="http://a.example/">"#
                + #"<span class="sb">http://a.ex</span>ample/</a> \u{1B}"#
        ),
    ])
    func `a page shows styles as classes`(body: String, html: String) {
        #expect(HTMLText.body(body).text == html)
    }

    @Test(arguments: [
        ("\u{2}bold\u{2} x", "**bold** x"), ("\u{1D}i\u{1D}, \u{1E}s\u{1E}", "*i*, ~~s~~"),
        ("\u{2}\u{1D}both\u{F}", "***both***"), ("\u{2} a \u{2}b", " **a** b"), ("a\u{2}b\u{2}c", "a**b**c"),
        ("a\u{2}(b)\u{2}c", "a(b)c"), ("(\u{2}\"b\"\u{2})", "(**\"b\"**)"), ("\u{2}a\u{2}\u{1D}b\u{1D}", "**a**b"),
        ("\u{2}*x*\u{2}", #"**\*x\***"#), ("@\u{3}4bob\u{3} hi", "`@bob` hi"), ("ww\u{3}4w.a.b", #"www\.a.b"#),
        ("\u{2}x\u{2}*y*", #"**x**\*y\*"#), ("*\u{2}x\u{2}", #"\*x"#), ("\u{3}4http:\u{2}//a.b\u{2}", "<http://a.b>"),
        ("\u{2}a\nb", "**a**\\\n**b**"), ("\u{1E}\u{2}(x)\u{F}y", "(x)y"), ("\u{1F}u\u{1F}", "u"), ("\u{2} \u{2}", ""),
        ("x\n\u{2}# y\u{2}", "x\\\n**# y**"),
    ])
    func `Markdown shows styles as emphasis`(body: String, markdown: String) {
        let lines = MarkdownText.lines(body, indent: "")
        #expect(lines == markdown.trimmingCharacters(in: .whitespaces))
    }

    @Test func `a log and a fence have only the text`() throws {
        let (body, code) = ("\u{2}hi\u{2} \u{3}4you", "\u{2}if a {\n  b\u{2}\n}")
        #expect(try exported(TextExport.self, message(body)).contains("<alice> hi you\n"))
        #expect(try exported(MarkdownExport.self, message(code)).hasSuffix("```\nif a {\n  b\n}\n```\n"))
        #expect(try exported(CSVExport.self, message(body)).contains(#"\u{2}hi\u{2} \u{3}4you"#))
    }
}
