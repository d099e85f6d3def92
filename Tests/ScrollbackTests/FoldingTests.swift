import ChatModel
import Foundation
import Testing

@testable import Rendering

/// Joins and leaves that follow each other.
struct FoldingTests {
    private func later(_ seconds: Int) -> Timestamp {
        sampleTime.advanced(by: .seconds(seconds))
    }

    private func join(_ name: String, at seconds: Int = 0, room: String = "lobby") -> Message {
        message(nil, at: later(seconds), kind: .join, sender: name, room: room)
    }

    private func leave(_ name: String, at seconds: Int = 0) -> Message {
        message("reading", at: later(seconds), kind: .leave, sender: name)
    }

    private func lines(
        _ messages: [Message], gaps: [Gap] = [], options: TextRenderer.Options = .init(), width: Int? = nil
    ) -> [String] {
        var renderer = TextRenderer(
            time: LocalTime(zone: .gmt), style: .plain, now: later(100_000), options: options, width: { width })
        return renderer.render(messages, gaps: gaps).split(separator: "\n").map(String.init)
    }

    @Test func `a run of joins and leaves is one line with counts and names`() {
        let run = [join("alice"), join("bob"), leave("carol"), join("민수"), leave("alice", at: 70)]
        #expect(
            lines(run + [message("hi", at: later(80), sender: "민수")]).dropFirst() == [
                "06:23        -- 3 joined (alice, bob, 민수), 2 left (carol, alice)", "06:24  민수  hi",
            ])
        #expect(lines([leave("bob"), leave("bob")]).last == "06:23    -- 2 left (bob)")
    }

    @Test func `a single join stays as it is, and so does each on request`() {
        #expect(lines([join("alice"), message("hi"), leave("bob")]).dropFirst().count == 3)
        #expect(lines([join("alice")]).last == "06:23    --> alice has joined")
        #expect(
            lines([join("alice"), leave("alice")], options: .init(unfolds: true)).dropFirst() == [
                "06:23    --> alice has joined", "06:23    <-- alice has left (reading)",
            ])
    }

    @Test func `a run ends at another message, a gap, a day and another room`() {
        #expect(lines([join("a"), message("x", kind: .kick), join("b")]).dropFirst().count == 3)
        #expect(lines([join("a"), message("x", kind: .rename), join("b")]).dropFirst().count == 3)
        #expect(lines([join("a"), join("b", at: 200)], gaps: [gap()]).dropFirst().count == 3)
        #expect(lines([join("a"), join("b", at: 86_400)]).count == 4)
        var other = join("b", room: "other")
        other.roomID = 2
        #expect(lines([join("a"), other, join("c")], options: .init(showsRooms: true)).dropFirst().count == 3)
    }

    @Test func `as many names are shown as fit`() {
        let run = (1...12).map { join("user\($0)") } + (1...9).map { leave("user\($0)") }
        func sentence(_ width: Int) -> String { MembershipText(run).sentence(width: width) }
        #expect(sentence(20) == "-- 12 joined, 9 left")
        #expect(sentence(50) == "-- 12 joined (user1, …), 9 left (user1, user2, …)")
        #expect(sentence(200).hasSuffix("9 left (user1, user2, user3, user4, user5, user6, user7, user8, user9)"))
        for width in 20...200 { #expect(DisplayWidth.atMost(sentence(width)) <= width) }
        #expect(lines(run, width: 40).last == "06:23    -- 12 joined, 9 left")
    }

    @Test func `space that one group does not need goes to the other`() {
        let run = [join("a")] + (1...9).map { leave("user\($0)") }
        #expect(MembershipText(run).sentence(width: 50) == "-- 1 joined (a), 9 left (user1, user2, user3, …)")
        #expect(MembershipText(Array(run.reversed())).sentence(width: 50).hasPrefix("-- 1 joined (a), "))
    }

    @Test func `names are escaped`() {
        #expect(
            MembershipText([join("\u{1B}[2J"), join("")]).sentence(width: 60) == "-- 2 joined (\\u{1B}[2J, (no name))")
    }
}
