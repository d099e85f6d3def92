import ChatModel
import Foundation
import SearchText
import Testing

@testable import Rendering

/// How text for people fits itself into a terminal.
struct TextLayoutTests {
    private func text(
        _ messages: [Message], width: Int?, gaps: [Gap] = [], options: TextRenderer.Options = .init(),
        style: Style = .plain
    ) -> String {
        var renderer = TextRenderer(
            time: LocalTime(zone: .gmt), style: style, now: sampleTime.advanced(by: .seconds(3600)), options: options,
            width: { width })
        let text = renderer.render(messages, gaps: gaps)
        return text.split(separator: "\n", maxSplits: 1).last.map(String.init) ?? ""
    }

    @Test func `a long text wraps below its beginning`() {
        let messages = [message("one two three four five six seven", sender: "민수"), message("ok")]
        #expect(
            text(messages, width: 36) == """
                06:23   민수  one two three four
                              five six seven
                06:23  alice  ok

                """)
        #expect(text(messages, width: nil).hasPrefix("06:23   민수  one two three four five six seven\n"))
    }

    @Test func `names are shortened for the text while they stay readable`() {
        let messages = [message("one two three four five", sender: "a-very-long-name")]
        #expect(text(messages, width: 80) == "06:23  a-very-long-name  one two three four five\n")
        #expect(
            text(messages, width: 40) == """
                06:23  a-very-lon…  one two three four
                                    five

                """)
    }

    @Test func `otherwise the text is below the name`() {
        let messages = [message("one two three four five six"), message(nil, kind: .join, sender: "bob")]
        #expect(
            text(messages, width: 30) == """
                06:23  alice
                       one two three four five
                       six
                06:23  --> bob has joined

                """)
        #expect(
            text(messages, width: 40, options: .init(showsRooms: true)) == """
                06:23  demo/lobby  alice
                       one two three four five six
                06:23  demo/lobby
                       --> bob has joined

                """)
    }

    @Test(arguments: 1...40)
    func `lines fill a terminal of any width and never exceed it`(width: Int) {
        let messages = [
            message("안녕하세요 https://example.org/x 👨‍👩‍👧‍👦", sender: "a-very-long-name"),
            message("hi", kind: .topic, sender: "❤️"),
        ]
        for options in [TextRenderer.Options(), .init(showsRooms: true), .init(showsIDs: true)] {
            let lines = text(messages, width: width, gaps: [gap()], options: options).split(separator: "\n")
            // Below these, not even a time and a letter of a name have room.
            guard width >= (options.showsIDs ? 31 : 14) else { continue }
            for line in lines { #expect(DisplayWidth.of(String(line)) <= width, "\(line)") }
        }
    }

    @Test(arguments: ["minsu❤️", "👨‍👩‍👧‍👦", "👍🏽"])
    func `nothing follows a name of uncertain width on its line`(name: String) {
        let fill = String(repeating: " ", count: max(0, 5 - DisplayWidth.of(name)))
        let indent = String(repeating: " ", count: 9 + max(5, DisplayWidth.of(name)))
        #expect(
            text([message("hi"), message("hello", sender: name)], width: 80).hasSuffix(
                "06:23  \(fill)\(name)\n\(indent)hello\n"))
        #expect(text([message("hello", sender: name)], width: nil) == "06:23  \(name)  hello\n")
    }

    /// The text of a message alone, what was looked for in brackets.
    private func found(_ query: String, in message: Message, width: Int? = nil) -> String {
        var renderer = TextRenderer(
            time: LocalTime(zone: .gmt), style: Style(isColored: true), now: sampleTime, options: .init(),
            width: { width })
        let matcher = Matcher(SearchQuery(parsing: query))
        renderer.matches = { matcher.ranges(in: $0) }
        let columns = message.kind == .message ? 2 : 1
        return renderer.render([message]).split(separator: "\n").dropFirst().enumerated().map { index, line in
            let text = line.split(separator: "\u{1B}[0m  ").dropFirst(index == 0 ? columns : 0)
            return text.joined().drop { $0 == " " }
                .replacing("\u{1B}[1;33m", with: "[").replacing("\u{1B}[0m", with: "]")
        }.joined(separator: "|")
    }

    @Test(arguments: [
        ("server", "the server is down", nil, "the [server] is down"),
        ("server down", "server down", nil, "[server] [down]"),
        ("\"server is down\"", "the server is down", nil, "the [server is down]"),
        ("\"server is down\"", "I think the server is down", 36, "I think the [server is]|[down]"),
        ("\"one two\"", "a one\t two", 50, "a [one    two]"), ("\"one two\"", "one\ntwo", nil, "[one]|[two]"),
        ("서버가", "어제아까부터우리집서버가죽었다", 36, "어제아까부터우리집[서버]|[가]죽었다"),
        ("u*", "\u{1B}c up", nil, "\\u{1B}c [up]"), ("test", "a te\u{2}st", nil, "a [test]"),
        ("b", "a\t\u{301} b", 40, "a       \u{301} [b]"), ("x", "nothing", nil, "nothing"),
    ])
    func `searched words are highlighted across line ends and escapes`(
        query: String, body: String, width: Int?, shown: String
    ) {
        #expect(found(query, in: message(body), width: width) == shown)
    }

    @Test func `words of the surrounding sentence are not highlighted`() {
        #expect(found("alice", in: message("alice waves", kind: .action)) == "* alice [alice] waves")
        #expect(found("kicked", in: message("kicked out", kind: .kick)) == "<-- kicked by alice ([kicked] out)")
    }

    @Test func `each line has its own colours`() {
        let text = text(
            [message("one two three four five", kind: .leave), message("x", flags: .oversize)], width: 36,
            style: Style(isColored: true))
        let dimmed = text.split(separator: "\n").prefix(2)
        #expect(dimmed.count == 2 && dimmed.allSatisfy { $0.hasSuffix("\u{1B}[0m") })
        #expect(text.hasSuffix("x \u{1B}[2m[cut]\u{1B}[0m\n"))
    }

    @Test func `a flag without space beside the text is below it`() {
        #expect(
            text([message("one two three four", flags: .maybeCoalesced)], width: 36).hasSuffix(
                "one two three four\n              [glued?]\n"))
    }

    @Test func `a long gap line wraps`() {
        #expect(
            text([message("a", at: sampleTime.advanced(by: .seconds(-1)))], width: 40, gaps: [gap()]).hasSuffix(
                """
                --- gap 06:23:11 to 06:25:40 (2
                    min): the server closed the
                    connection; nothing can fill it ---

                """))
    }

    @Test func `ids replace times, and each join has its own`() {
        let messages = [message(nil, kind: .join), message(nil, kind: .leave), message("hi")]
        #expect(
            text(messages, width: nil, options: .init(showsIDs: true)) == """
                2026-11-21T06:23:11.123456Z         --> alice has joined
                2026-11-21T06:23:11.123456Z         <-- alice has left
                2026-11-21T06:23:11.123456Z  alice  hi

                """)
    }
}
