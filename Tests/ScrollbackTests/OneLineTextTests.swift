import ChatModel
import Foundation
import Testing

@testable import Rendering

struct OneLineTextTests {
    private func renderer(
        showsRooms: Bool = false, showsIDs: Bool = false, marksHits: Bool = false, style: Style = .plain,
        zone: Zone = .gmt
    ) -> TextRenderer {
        TextRenderer(
            time: LocalTime(zone: zone), style: style, now: later(3600),
            options: TextRenderer.Options(
                showsRooms: showsRooms, showsIDs: showsIDs, marksHits: marksHits, isOneLine: true),
            separator: ReadSeparator(unread(2)), width: { 40 })
    }

    private func later(_ seconds: Int) -> Timestamp {
        sampleTime.advanced(by: .seconds(seconds))
    }

    @Test func `each message and each gap is one line with its date and time, at any width`() {
        var renderer = renderer()
        let text = renderer.render(
            [
                message("first\nsecond\tthird"),
                message(nil, at: later(1), kind: .join, sender: "bob"),
                message(nil, at: later(2), kind: .leave, sender: "bob"),
                message("waves", at: later(200), kind: .action, sender: "우리집"),
                message("안녕", at: later(86_400), sender: "a name of more than sixteen cells", editedAt: later(86_401)),
            ], gaps: [gap(from: later(2), to: later(200)), gap(from: later(86_500), to: nil, state: .current)])
        #expect(
            text == """
                2026-11-21 06:23:11  alice  first ⏎ second\tthird
                2026-11-21 06:23:12  --> bob has joined
                2026-11-21 06:23:13  <-- bob has left
                2026-11-21 06:23:13  -- gap 2026-11-21 06:23:13 to 2026-11-21 06:26:31 (3 min): the server closed the connection; nothing can fill it
                2026-11-21 06:26:31  * 우리집 waves
                2026-11-22 06:23:11  a name of more than sixteen cells  안녕 (edited)
                2026-11-22 06:24:51  -- gap 2026-11-22 06:24:51 to now (under 1 s): the server closed the connection

                """)
        let times = text.split(separator: "\n").map { $0.prefix(19) }
        #expect(times.sorted() == times)
    }

    @Test func `unarchived time is a gap on one line`() {
        var renderer = renderer()
        let gap = gap(to: later(5 * 86_400), state: .notArchived, reason: nil)
        #expect(
            renderer.render([], gaps: [gap]) == """
                2026-11-21 06:23:11  -- gap 2026-11-21 06:23:11 to 2026-11-26 06:23:11 (5 days): after the imported log, before listening began

                """)
    }

    @Test func `a file without a text follows the name after two spaces`() {
        var renderer = renderer()
        var picture = message(nil)
        picture.attachments = [Attachment(path: "0002.png")]
        var pictures = message("look", at: later(1))
        pictures.attachments = picture.attachments
        #expect(
            renderer.render([picture, pictures, message(nil, at: later(2), deletedAt: later(3))]) == """
                2026-11-21 06:23:11  alice  [image 0002.png]
                2026-11-21 06:23:12  alice  look [image 0002.png]
                2026-11-21 06:23:13  alice  (deleted)

                """)
    }

    @Test func `several rooms add the room to each line, and --ids the id`() {
        var rooms = renderer(showsRooms: true)
        #expect(
            rooms.render([message("hi", room: "우리집")], gaps: [gap()])
                == """
                2026-11-21 06:23:11  demo/우리집  alice  hi
                2026-11-21 06:23:11  demo/lobby  -- gap 2026-11-21 06:23:11 to 2026-11-21 06:25:40 (2 min): the server closed the connection; nothing can fill it

                """)
        var ids = renderer(showsIDs: true)
        #expect(ids.render([message("hi")]) == "2026-11-21T06:23:11.123456Z  alice  hi\n")
    }

    @Test func `hits and their context have different signs`() {
        var renderer = renderer(marksHits: true)
        let messages = [message("hi"), message("서버 down", at: later(1))]
        #expect(
            renderer.render(messages, hits: [messages[1].id]) == """
                2026-11-21 06:23:11  -  alice  hi
                2026-11-21 06:23:12  >  alice  서버 down

                """)
    }

    @Test func `colours change no text, and hostile text stays on its line`() {
        var (plain, colored) = (renderer(), renderer(style: Style(isColored: true)))
        let messages = [message("a\n\u{03}04b\r\n\u{1B}[2J", sender: "\u{202E}eve\n"), message("x", kind: .join)]
        let expected = plain.render(messages)
        #expect(expected.hasPrefix("2026-11-21 06:23:11  \\u{202E}eve\\u{A}  a ⏎ b\\u{D} ⏎ \\u{1B}[2J\n"))
        let painted = colored.render(messages)
        #expect(painted != expected && painted.replacing(/\u{1B}\[[0-9;]*m/, with: "") == expected)
    }
}
