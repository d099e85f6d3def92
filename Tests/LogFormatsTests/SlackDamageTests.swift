import ChatModel
import Foundation
import TestSupport
import Testing

@testable import LogFormats

/// Damaged and hostile exports of Slack.
struct SlackDamageTests {
    private static let head = SlackTests.head

    @Test(arguments: [
        (#"{"user": "U1"}"#, "it has no \"ts\""), (#"{"user": "U1", "ts": "now"}"#, "its \"ts\" is not a time"),
        (#"{"user": "U1", "ts": "99999999999999999999.0"}"#, "its \"ts\" is not a time"),
        (#"{"ts": "1.0", "text": "x"}"#, "it has neither \"user\" nor \"bot_id\""),
        (#"{\#(head), "reactions": [{"users": []}]}"#, "it has no \"reactions[0].name\""),
        (#"{\#(head), "text": 7}"#, "its \"text\" has the wrong type"),
        (#"{\#(head), "edited": {"ts": "x"}}"#, "its \"edited.ts\" is not a time"),
        (#"{"type": "event", "ts": "1.0", "user": "U1"}"#, "its \"type\" is not \"message\""),
    ])
    func `an invalid message is reported with the reason`(message: String, reason: String) throws {
        #expect(try SlackTests.export(message).unreadable == [reason])
    }

    @Test func `a message of many mentions is cut at 64 KiB`() throws {
        let users = Array(#"[{"id": "U", "name": "\#(String(repeating: "n", count: 1024))"}]"#.utf8)
        let day = Array(#"[{\#(Self.head), "text": "\#(String(repeating: "<@U>", count: 10_000))"}]"#.utf8)
        let export = try Export(
            SlackFormat.self,
            files: [("users.json", users), ("channels.json", Array("[]".utf8)), ("a/2026-11-21.json", day)])
        let message = try #require(export.messages.first)
        #expect(message.body?.utf8.count == 64 * 1024)
        #expect(message.flags == .oversize)
        let text = String(repeating: "<@U>", count: 10_000)
        let made = SlackText(
            text, limit: 64 * 1024, user: { _ in String(repeating: "n", count: 1024) }, room: { _ in nil })
        #expect(made.string.utf8.count <= 64 * 1024 + 1025, "no more is made than is kept")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `names beyond the limit are shown as ids, and counted`() {
        var directory = SlackDirectory()
        let count = 30_000
        for index in 0..<count {
            directory.addUser(SlackDirectory.User(id: "U\(index)", name: String(repeating: "n", count: 1000)))
        }
        #expect(directory.user("U0") != nil)
        #expect(directory.user("U\(count - 1)") == nil)
        #expect(directory.budget.forgotten > 0)
        #expect((count - directory.budget.forgotten) * 1000 <= NameBudget.maximumSize)
    }

    @Test func `an invalid list and an entry without an id are reported`() throws {
        let users = Array(#"[{"name": "alice"}]"#.utf8)
        let export = try Export(
            SlackFormat.self, files: [("users.json", users), ("channels.json", Array("{}".utf8))])
        #expect(export.unreadable == ["it has no \"id\"", "the JSON is invalid here"])
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [100, 250, 600, 100_000])
    func `a deeply nested message is read or reported`(depth: Int) throws {
        for (open, close) in [("[", "]"), ("{\"elements\":[", "]}")] {
            let deep = String(repeating: open, count: depth) + String(repeating: close, count: depth)
            for key in ["blocks", "attachments", "unknown"] {
                let message = #"{\#(Self.head), "text": "", "\#(key)": \#(deep)}"#
                let export = try SlackTests.export(message + ", {\(Self.head)}")
                #expect(export.messages.count + export.unreadable.count == 2)
                #expect(export.messages.count >= 1)
            }
        }
    }

    @Test(arguments: 0..<300)
    func `a damaged sample never traps, and each piece gives a message or an error`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let message = #"{\#(Self.head), "text": "<@U1> & <x|y>", "files": [{"id": "F"}], "reactions": [{"name": "a"}]}"#
        let sample = "[\([message, message, message].joined(separator: ",\n"))]"
        let bytes = Mutation.of(Array(sample.utf8), using: &random)
        let pieces = JSONPieces.cut(bytes, by: nil, SlackFormat.cutter())
        let export = try Export(SlackFormat.self, files: [("example/2026-11-21.json", bytes)])
        #expect(export.messages.count + export.unreadable.count == pieces.count)
    }
}
