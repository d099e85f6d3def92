import Archive
import ChatModel
import Foundation
import Testing

@testable import Rendering

struct HitRenderingTests {
    private func renderer(
        _ format: OutputFormat, style: Style = .plain, width: Int? = nil, ranges: BodyRanges? = nil
    ) -> HistoryRenderer {
        var text = TextRenderer(
            time: LocalTime(zone: .gmt), style: style, now: sampleTime.advanced(by: .seconds(3600)),
            options: TextRenderer.Options(showsRooms: true, marksHits: true), width: { width })
        if style.isColored { text.matches = { $0.ranges(of: "down") } }
        return HistoryRenderer(
            format: format, text: text,
            nextCommand: NextCommand(subject: ["down"], options: ["-C", "1"], command: "search"), ranges: ranges)
    }

    private func later(_ seconds: Int) -> Timestamp {
        sampleTime.advanced(by: .seconds(seconds))
    }

    private var groups: [HitGroup] {
        let first = [message("is it up?", at: later(0)), message("it is down", at: later(60), sender: "bob")]
        let second = [message("서버 down", at: later(600)), message("down? not here", at: later(720), sender: "bob")]
        return [
            HitGroup(messages: first, hits: [first[1].id], gaps: []),
            HitGroup(messages: second, hits: [second[0].id], gaps: [gap(from: later(601), to: later(700))]),
        ]
    }

    private var page: Page {
        Page(messages: groups.map { $0.messages[0] }, older: MessageID(sampleTime), newer: nil, gaps: [gap(), gap()])
    }

    @Test func `hits differ from their context, groups are apart, and gaps are in place`() {
        var renderer = renderer(.text)
        let rendered = renderer.render(hits: page, groups: groups)
        #expect(
            rendered.output == """
                Saturday 2026-11-21
                  06:23  demo/lobby  alice  is it up?
                > 06:24  demo/lobby    bob  it is down
                --
                > 06:33  demo/lobby  alice  서버 down
                --- gap in demo/lobby 06:33:12 to 06:34:51 (1 min): the server closed the connection; nothing can fill it ---
                  06:35  demo/lobby    bob  down? not here

                """)
        #expect(
            rendered.notes == """
                2 gaps in the time of this page; "scrollback gaps" lists them
                older: scrollback search down --before 2026-11-21T06:23:11.123456Z -C 1

                """)
    }

    @Test func `only hits are highlighted`() {
        var renderer = renderer(.text, style: Style(isColored: true))
        let output = renderer.render(hits: page, groups: groups).output
        #expect(output.contains("서버 \u{1B}[1;33mdown\u{1B}[0m"))
        #expect(output.contains("  down? not here"))
    }

    @Test func `every line fits a narrow terminal`() {
        for width in [20, 30, 40, 60] {
            var renderer = renderer(.text, width: width)
            for line in renderer.render(hits: page, groups: groups).output.split(separator: "\n") {
                #expect(DisplayWidth.of(String(line)) <= width, "\(line)")
            }
        }
    }

    @Test func `gaps between hits without context are counted, not shown`() {
        var renderer = renderer(.text)
        let rendered = renderer.render(hits: page, groups: nil)
        #expect(!rendered.output.contains("gap"))
        #expect(rendered.notes.hasPrefix("2 gaps in the time of this page"))
        let one = Page(messages: page.messages, older: nil, newer: nil, gaps: [gap()])
        #expect(
            renderer.render(hits: one, groups: nil).notes
                == "1 gap in the time of this page; \"scrollback gaps\" lists it\n")
    }

    @Test func `JSON says where the hits are, in code points of the body`() throws {
        let ranges: BodyRanges = { $0.ranges(of: "down") }
        let body = "👍🏽 e\u{301} down, \u{3}04서버\u{3} down"
        let hits = Page(
            messages: [message(body), message("up", at: later(1)), message(nil, at: later(2))], older: nil, newer: nil,
            gaps: [])
        let expected = ["[[6, 10], [19, 23]]", "[]", "[]"]
        let scalars = Array(body.unicodeScalars)
        for range in [6..<10, 19..<23] { #expect(String(String.UnicodeScalarView(scalars[range])) == "down") }

        var (json, jsonl) = (renderer(.json, ranges: ranges), renderer(.jsonl, ranges: ranges))
        let lines = jsonl.render(hits: hits, groups: nil).output.split(separator: "\n")
        for (line, matches) in zip(lines, expected) { #expect(line.hasSuffix(", \"matches\": \(matches)}"), "\(line)") }
        let document = json.render(hits: hits, groups: nil).output
        #expect(document.hasPrefix(#"{"messages": ["# + lines.joined(separator: ", ") + "]"))
        var stream = HistoryStream(renderer(.json, ranges: ranges), isSearch: true)
        #expect(stream.render(hits).output + stream.end().output == document)
        var csv = renderer(.csv, ranges: ranges)
        #expect(!csv.render(hits: hits, groups: nil).output.contains("matches"))
    }

    @Test func `a message near a hit has no matches`() {
        var jsonl = renderer(.jsonl, ranges: { $0.ranges(of: "down") })
        let lines = jsonl.render(hits: page, groups: groups).output.split(separator: "\n")
        let ends =
            [#"false, "group": 1, "matches": []}"#, #"true, "group": 1, "matches": [[6, 10]]}"#]
            + [#"true, "group": 2, "matches": [[3, 7]]}"#, #"false, "group": 2, "matches": []}"#]
        for (line, end) in zip(lines, ends) { #expect(line.hasSuffix("\"hit\": " + end), "\(line)") }
        #expect(lines.count == 4)
    }

    @Test func `machine formats give each message's group and whether it is a hit`() throws {
        var json = renderer(.json)
        let document = try JSONSerialization.jsonObject(with: Data(json.render(hits: page, groups: groups).output.utf8))
        let object = try #require(document as? [String: Any])
        let messages = try #require(object["messages"] as? [[String: Any]])
        #expect(messages.map { $0["hit"] as? Bool } == [false, true, true, false])
        #expect(messages.map { $0["group"] as? Int } == [1, 1, 2, 2])
        #expect((object["gaps"] as? [Any])?.count == 2 && object["older"] is String)

        var lines = renderer(.jsonl)
        let rendered = lines.render(hits: page, groups: groups)
        #expect(rendered.output.split(separator: "\n").count == 4)
        #expect(
            rendered.output.hasPrefix(
                JSONValue(groups[0].messages[0]).text.dropLast() + ", \"hit\": false, \"group\": 1}\n"))

        var csv = renderer(.csv)
        let records = csv.render(hits: page, groups: groups).output.split(separator: "\r\n")
        #expect(records.count == 5)
        #expect(records[0].hasSuffix(",reactions,hit,group,sender_is_self") && records[2].hasSuffix(",true,1,false"))
    }
}
