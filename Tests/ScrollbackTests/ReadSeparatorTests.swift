import ChatModel
import Foundation
import Testing

@testable import Rendering

struct ReadSeparatorTests {
    private func at(_ seconds: Int) -> Timestamp {
        sampleTime.advanced(by: .seconds(seconds))
    }

    private func renderer(_ unread: UnreadRoom) -> TextRenderer {
        TextRenderer(
            time: LocalTime(zone: .gmt), style: .plain, now: at(600), options: TextRenderer.Options(),
            separator: ReadSeparator(unread))
    }

    @Test func `the separator is between read and unread messages`() {
        var text = renderer(unread(2))
        #expect(
            text.render([message("read"), message("new", at: at(60)), message("newer", at: at(61))]) == """
                Saturday 2026-11-21
                06:23  alice  read
                === 2 unread since 2026-11-21 06:23:11 ===
                06:24  alice  new
                06:24  alice  newer

                """)
        #expect(!text.render([message("newest", at: at(62))]).contains("==="), "once")
    }

    @Test func `a gap after the marker is new, and one before it is not`() {
        var text = renderer(unread(1))
        let lines = text.render(
            [message("read"), message("new", at: at(60))],
            gaps: [gap(from: at(-9), to: at(-8)), gap(from: at(10), to: at(20))]
        ).split(separator: "\n").map { $0.prefix(9) }
        #expect(lines == ["--- gap 2", "Saturday ", "06:23  al", "=== 1 unr", "--- gap 0", "06:24  al"])
    }

    @Test func `joins on both sides of the marker are not folded together`() {
        var text = renderer(unread(0))
        let joins = [-1, 0, 1, 2].map { message(nil, at: at($0), kind: .join, sender: "bob\($0)") }
        let lines = text.render(joins).split(separator: "\n")
        #expect(lines.count == 4 && lines[2].hasPrefix("=== 0 unread"))
        #expect(lines[1].contains("2 joined") && lines[3].contains("2 joined"))
    }

    @Test func `without a marker, everything is below the separator`() {
        var text = renderer(unread(UnreadRoom.countLimit, through: nil))
        #expect(
            text.render([message("first")]).hasPrefix("=== 10000+ unread, nothing was marked as read yet ===\nSaturday")
        )
    }
}
