import ChatModel
import Foundation
import Testing

@testable import Rendering

struct TextRendererTests {
    private func renderer(
        zone: Zone = .gmt, style: Style = .plain, showsRooms: Bool = false, showsIDs: Bool = false,
        unfolds: Bool = false, width: Int? = nil
    ) -> TextRenderer {
        TextRenderer(
            time: LocalTime(zone: zone), style: style, now: sampleTime.advanced(by: .seconds(3600)),
            options: TextRenderer.Options(showsRooms: showsRooms, showsIDs: showsIDs, unfolds: unfolds),
            width: { width })
    }

    private func later(_ seconds: Int) -> Timestamp {
        sampleTime.advanced(by: .seconds(seconds))
    }

    @Test func `a page has day lines, times, aligned names, and events as sentences`() {
        var renderer = renderer()
        let text = renderer.render([
            message("hi there"),
            message(nil, at: later(1), kind: .join, sender: "bob"),
            message("waves", at: later(60), kind: .action, sender: "우리집"),
            message("안녕", at: later(61), sender: "우리집"),
            message("reading", at: later(62), kind: .leave, sender: "bob"),
            message("공지", at: later(63), kind: .system, sender: nil),
            message("be kind", at: later(64), kind: .notice, sender: "op"),
        ])
        #expect(
            text == """
                Saturday 2026-11-21
                06:23   alice  hi there
                06:23          --> bob has joined
                06:24          * 우리집 waves
                06:24  우리집  안녕
                06:24          <-- bob has left (reading)
                06:24          *** 공지
                06:24          -op- be kind

                """)
    }

    @Test(arguments: [(nil, "  "), (30, "\n       ")] as [(Int?, String)])
    func `a file without a text is in the column of the texts`(width: Int?, space: String) {
        var renderer = renderer(width: width)
        var picture = message(nil)
        picture.attachments = [Attachment(path: "a-picture-with-a-name.png")]
        #expect(
            renderer.render([picture])
                == "Saturday 2026-11-21\n06:23  alice\(space)[image a-picture-with-a-name.png]\n")
    }

    @Test func `a day line marks a new local day, even across calls`() throws {
        var renderer = renderer(zone: try zone("Asia/Seoul"))
        let evening = try #require(Timestamp(cursor: "2026-11-21T14:59:59.000000Z"))
        let first = renderer.render([message("a", at: evening)])
        let second = renderer.render([message("b", at: evening.advanced(by: .seconds(1)))])
        let third = renderer.render([message("c", at: evening.advanced(by: .seconds(2)))])
        #expect(first == "Saturday 2026-11-21\n23:59  alice  a\n")
        #expect(second == "Sunday 2026-11-22\n00:00  alice  b\n")
        #expect(third == "00:00  alice  c\n")
    }

    @Test func `a gap is before the first message after it, with its reason`() {
        var renderer = renderer()
        let text = renderer.render(
            [message("before", at: later(-10)), message("after", at: later(200))],
            gaps: [gap(), gap(from: later(300), to: nil, state: .current, reason: "silent", nextTry: later(4000))])
        #expect(
            text == """
                Saturday 2026-11-21
                06:23  alice  before
                --- gap 06:23:11 to 06:25:40 (2 min): the server closed the connection; nothing can fill it ---
                06:26  alice  after
                --- nothing received since 06:28:11 (55 min): the server fell silent; next try at 07:29:51 ---

                """)
    }

    @Test(arguments: [
        (-1, 151, "; an imported log covers it ---"),
        (10, 20, "; an imported log covers a part of it, and nothing can fill the rest ---"),
    ])
    func `a gap that a log covers does not claim that nothing can fill it`(from: Int, to: Int, end: String) {
        var gap = gap()
        gap.missing?.imported = [.init(from: later(from), to: later(to))]
        var renderer = renderer()
        let text = renderer.render([message("after", at: later(200))], gaps: [gap])
        #expect(text.contains("(2 min): the server closed the connection\(end)\n"), "\(text)")
        gap.missing?.isOpen = true
        renderer = self.renderer()
        let open = renderer.render([message("after", at: later(200))], gaps: [gap])
        #expect(open.contains("; an imported log covers") && open.contains("it; not filled yet ---\n"), "\(open)")
    }

    @Test(arguments: [
        (1, false, Gap.State.lost, "; some of it was replayed (1 message), and nothing can fill the rest ---"),
        (12, false, .open, "; some of it was replayed (12 messages); not filled yet ---"),
        (1000, true, .lost, "; some of it was replayed (1,000 messages or more), and nothing can fill the rest ---"),
    ])
    func `a gap shows its number of replayed messages`(count: Int64, hasMore: Bool, state: Gap.State, end: String) {
        var gap = gap(state: state)
        gap.missing?.replayed = Gap.Replayed(messages: count, hasMore: hasMore)
        var renderer = renderer()
        let text = renderer.render([message("after", at: later(200))], gaps: [gap])
        #expect(text.contains("(2 min): the server closed the connection\(end)\n"), "\(text)")
        let html = HTMLGap(gap: gap, time: LocalTime(zone: .gmt), now: sampleTime, showsRoom: false).html.text
        #expect(html.contains("some of it was replayed (\(Int(count).of(.message))"), "\(html)")
        #expect(GapText.reason(gap).contains("some of it was replayed ("))
    }

    @Test func `unarchived time is named, with the reason why history did not fill it`() {
        var gap = gap(state: .notArchived, reason: nil)
        var renderer = renderer()
        let messages = [message("logged", at: later(-10)), message("heard", at: later(200))]
        #expect(
            renderer.render(messages, gaps: [gap]) == """
                Saturday 2026-11-21
                06:23  alice  logged
                --- not archived 06:23:11 to 06:25:40 (2 min): after the imported log, before listening began ---
                06:26  alice  heard

                """)
        gap.missing?.unfilled = "limit"
        renderer = self.renderer()
        let limited = renderer.render(messages, gaps: [gap])
        #expect(limited.contains("began; the server's history does not go back that far ---\n"), "\(limited)")
    }

    @Test func `a gap on another day shows the date`() {
        var renderer = renderer()
        let text = renderer.render([message("after", at: later(90_000))], gaps: [gap(to: later(86_400))])
        #expect(text.hasPrefix("--- gap 2026-11-21 06:23:11 to 2026-11-22 06:23:11 (1 day): "))
    }

    @Test func `a body of several lines continues below its beginning`() {
        var renderer = renderer()
        let text = renderer.render([message("one\ntwo\n\n--- gap 00:00:00", sender: "日本")])
        #expect(
            text == """
                Saturday 2026-11-21
                06:23  日本  one
                             two
                             \("")
                             --- gap 00:00:00

                """)
    }

    @Test func `names, rooms and bodies are escaped`() {
        var renderer = renderer(showsRooms: true)
        let text = renderer.render(
            [message("\u{1B}]0;x\u{7}", sender: "\u{202E}eve", room: "\u{9B}2J")], gaps: [gap(reason: "\u{1B}c")])
        #expect(!text.unicodeScalars.contains { $0 != "\n" && Sanitizer.isHostile($0) })
        #expect(text.contains("\\u{1B}]0;x\\u{7}"))
        #expect(text.contains("\\u{202E}eve"))
    }

    @Test func `a long name is cut and keeps the column's width`() {
        var renderer = renderer()
        let text = renderer.render([message("hi", sender: String(repeating: "name", count: 75))])
        #expect(text.contains("06:23  namenamenamenam…  hi\n"))
    }

    @Test func `several rooms get a column with their names`() {
        var renderer = renderer(showsRooms: true)
        let text = renderer.render([message("a"), message("b", room: "회의", account: "work")])
        #expect(text.contains("06:23  demo/lobby  alice  a\n06:23  work/회의   alice  b\n"))
    }

    @Test func `edits and deletions are marked at the end, even of an action`() {
        var renderer = renderer()
        let text = renderer.render([
            message("hi", editedAt: sampleTime), message("waves", kind: .action, deletedAt: sampleTime),
            message("ho", flags: .oversize, editedAt: sampleTime, deletedAt: sampleTime),
        ])
        #expect(text.contains("alice  hi (edited)\n"))
        #expect(text.contains("* alice waves (deleted)\n"))
        #expect(text.contains("ho [cut] (edited) (deleted)\n"))
    }

    @Test func `flags are at the end`() {
        var renderer = renderer()
        let text = renderer.render([message("hibob::yo", flags: [.maybeCoalesced, .invalidUTF8])])
        #expect(text.hasSuffix("hibob::yo [glued?] [bad bytes]\n"))
    }

    @Test func `a name keeps its colour, and joins are dimmed`() {
        var first = renderer(style: Style(isColored: true))
        var second = renderer(style: Style(isColored: true))
        let alice = first.render([message("a")])
        #expect(alice == second.render([message("a")]))
        #expect(alice.contains("\u{1B}[0m  a\n"))
        let join = first.render([message(nil, kind: .join)])
        #expect(join.contains("\u{1B}[2m--> alice has joined\u{1B}[0m"))
    }

    @Test func `a sender without a name is shown as such`() {
        var renderer = renderer()
        #expect(renderer.render([message(nil, kind: .join, sender: "")]).contains("--> (no name) has joined"))
    }

    @Test(arguments: EndReason.allCases.map(\.rawValue) + ["failure"])
    func `every reason has a phrase`(code: String) {
        #expect(GapText.reason(code) != code)
    }

    @Test(arguments: [(0, "under 1 s"), (59, "59 s"), (3_599, "59 min"), (3_660, "1 h 1 min"), (90_000, "1 day 1 h")])
    func `a duration is given in its largest units`(seconds: Int, text: String) {
        #expect(RoughDuration(.seconds(seconds)).description == text)
    }
}
