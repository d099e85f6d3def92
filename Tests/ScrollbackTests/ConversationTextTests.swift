import ChatModel
import Foundation
import Testing

@testable import Rendering

/// Answers, reactions, what was replayed, and why something is missing, as people read it.
struct ConversationTextTests {
    private func rendered(_ messages: [Message], gaps: [Gap] = []) -> String {
        var renderer = TextRenderer(
            time: LocalTime(zone: .gmt), style: .plain, now: sampleTime, options: TextRenderer.Options())
        return renderer.render(messages, gaps: gaps)
    }

    @Test func `a reply has its message above it and reactions behind it`() {
        var answer = message("yes", flags: .replayed)
        answer.reply = Message.Reply(
            remoteID: "m1", id: MessageID(sampleTime), sender: "민\u{1B}수", body: "are you\nthere?")
        answer.reactions = [
            Message.Reaction(text: "👍", by: ["bob", "carol"]), Message.Reaction(text: "\u{202E}x", by: ["eve"]),
        ]
        let lines = rendered([answer]).split(separator: "\n").dropFirst()
        #expect(lines.first?.hasSuffix("alice  ↪ 민\\u{1B}수: are you\\u{A}there?") == true)
        #expect(lines.last?.hasSuffix("       yes [replayed] [👍 2] [\\u{202E}x 1]") == true)
        answer.reply = Message.Reply(remoteID: "m1")
        #expect(!rendered([answer]).contains("↪"))
    }

    @Test func `show names the answered message and who reacted`() {
        var detail = sampleDetail
        detail.message.reply = Message.Reply(remoteID: "m\u{1B}1")
        detail.message.reactions = [Message.Reaction(text: "👍", by: ["bob", "민수"])]
        let text = MessageDetailText(time: LocalTime(zone: .gmt), style: .plain, now: sampleTime).text(detail)
        #expect(text.contains("m\\u{1B}1 (not archived)\n"))
        #expect(text.contains("👍 2: bob, 민수\n"))
    }

    @Test func `a gap shows the server's reason why it is not filled, with escapes`() {
        func open(_ reason: String, _ unfilled: String?, _ detail: String? = nil) -> Gap {
            var gap = gap(state: .open, reason: reason, nextTry: sampleTime.advanced(by: .seconds(600)))
            gap.missing?.unfilled = unfilled
            gap.missing?.detail = detail
            return gap
        }
        let text = GapText(time: LocalTime(zone: .gmt), now: sampleTime, showsRoom: false)
        #expect(
            text.sentence(open("lost", "refused", "try\u{1B}[2J later")).contains(
                "the connection was lost; the server refused to give its history (try\\u{1B}[2J later); not filled yet")
        )
        #expect(
            text.sentence(open("burst", "burst")).contains(
                "): more messages have the same time than the server returns; not filled yet"))
        #expect(
            text.sentence(open("left", nil, "kicked by alice\u{1B}")).contains(
                "): the room was left (kicked by alice\\u{1B}); not filled yet"))
        for reason in UnfilledReason.allCases {
            #expect(!GapText.unfilled(open("left", reason.rawValue)).contains(reason.rawValue + ";"))
        }
    }

    @Test func `rooms give the reason why they are not joined, in every format`() {
        var secret = room("#secret")
        secret.trouble = RoomTrouble(
            .inviteOnly, detail: "Cannot join\u{1B} (+i)", since: sampleTime,
            nextTry: sampleTime.advanced(by: .seconds(900)))
        let listing = Room.listing(time: LocalTime(zone: .gmt))
        #expect(
            listing.render([secret], format: .text).contains(
                "invite only: Cannot join\\u{1B} (+i); next try 2026-11-21 06:38:11"))
        #expect(
            listing.render([secret], format: .jsonl).contains(
                #""trouble": "invite_only", "trouble_detail": "Cannot join\u001b (+i)", "#))
        #expect(listing.keys == CSV.header(of: JSONValue(secret)))
    }

    @Test func `docs/json.md has every reason of a room or a gap`() throws {
        let text = try document("docs/json.md")
        for reason in RoomTrouble.Reason.allCases { #expect(text.contains("`\(reason.rawValue)`")) }
        for reason in UnfilledReason.allCases {
            #expect(text.contains("`\(reason.rawValue)`"))
            #expect(GapText.reason(reason.rawValue) != reason.rawValue)
        }
    }
}
