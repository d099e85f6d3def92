import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/tbvdm/sigtop (fmt_text.go, signal/recipient.go, cmd/sigtop/fmt_json.go) and of
/// github.com/signalapp/Signal-Desktop (ts/model-types.d.ts), whose messages the JSON has.
struct SigtopTests {
    private func read(_ text: String, path: String = "bob (+15550100).txt", room: String? = nil) throws -> LogReading {
        try LogReading(SigtopFormat.self, text, path: path, room: room)
    }

    private static func block(_ fields: String = "", text: String = "hi", from: String = "bob (+15550100)") -> String {
        """
        From: \(from)
        Type: \(from == "You" ? "outgoing" : "incoming")
        Sent: Sat, 21 Nov 2026 15:23:11 +0900
        \(fields)
        \(text)


        """
    }

    private static let title = "Conversation: bob (+15550100)\n\n"

    @Test func `a message has its sender, its time and the conversation's room`() throws {
        let reading = try read(Self.title + Self.block("Reaction: 👍 from You\n", text: "hi\n\nthere"))
        #expect(reading.unreadable.isEmpty)
        let time = try #require(Export.time("2026-11-21T06:23:11.000000Z"))
        #expect(
            reading.messages == [
                ImportedMessage(
                    room: "bob", roomKind: .direct, kind: .message, sender: "bob", body: "hi\n\nthere", time: time,
                    resolution: .second)
            ])
    }

    @Test func `a message continues until the next one begins`() throws {
        let text = Self.block(text: "see\n\nFrom: the cellar\nSent: nothing") + Self.block(text: "next", from: "You")
        let reading = try read(Self.title + text)
        #expect(reading.messages.map(\.told) == ["bob: see\n\nFrom: the cellar\nSent: nothing", "You: next"])
        #expect(try read(Self.title + text, room: "a").messages.map(\.room) == ["a", "a"])
    }

    @Test func `files and quotes are read`() throws {
        let quote = "\n\n> From: bob (+15550100)\n> Sent: Sat, 21 Nov 2026 15:23:11 +0900\n>\n> hi\n"
        let reading = try read(
            Self.title + Self.block("Attachment: a (b).png (image/png, 100 bytes)" + quote, text: "ho"))
        #expect(reading.messages.map(\.told) == ["bob: > hi\n\nho"])
        #expect(reading.messages.map(\.files) == [[.init(path: "a (b).png")]])
    }

    @Test func `an edited message has its earlier texts`() throws {
        let edits = """
            Edited: 2 versions

            | Version: 2
            | Sent: Sat, 21 Nov 2026 15:25:00 +0900
            |
            | new
            | line
            |
            | Version: 1
            | Sent: Sat, 21 Nov 2026 15:23:11 +0900
            |
            | old
            """
        let block = Self.block().replacing("\n\nhi", with: "\n" + edits)
        let message = try #require(try read(Self.title + block).messages.first)
        #expect(message.body == "new\nline" && message.editedAt?.short == "21T06:25:00")
        #expect(message.versions.map(\.body) == ["old"] && message.versions.map(\.at.short) == ["21T06:23:11"])
    }

    @Test func `an event is an action with its type, and a group is a group`() throws {
        let text = """
            Conversation: plans (group)

            Type: group-v2-change
            Sent: Sat, 21 Nov 2026 15:23:11 +0900

            """
        let message = try #require(try read(text).messages.first)
        #expect(message.told == "system: group v2 change" && message.room == "plans" && message.roomKind == .group)
    }

    @Test func `a message without a readable time is invalid, and the next one is read`() throws {
        let bad = Self.block().replacing("Sat, 21 Nov 2026 15:23:11 +0900", with: "unknown")
        let reading = try read(Self.title + bad + Self.block(text: "next"))
        #expect(reading.unreadable == ["its time can't be read"] && reading.messages.map(\.body) == ["next"])
    }

    @Test func `the messages of the database are read from JSON`() throws {
        let text = """
            [{"conversationId":"c","type":"incoming","sent_at":1795242191123,"source":"+15550100","body":"new",
              "editHistory":[{"timestamp":1795242200000,"body":"new"},{"timestamp":1795242191123,"body":"old"}],
              "attachments":[{"fileName":"a.png","size":100}]},
             {"conversationId":"c","type":"outgoing","sent_at":1795242192000,"deletedForEveryone":true},
             {"conversationId":"c","type":"call-history","sent_at":1795242193000}, {"type":"incoming"}]
            """
        let reading = try read(text, path: "plans (group).json")
        #expect(reading.messages.map(\.told) == ["+15550100: new", "You", "system: call history"])
        #expect(reading.messages[0].versions.map(\.body) == ["old"] && reading.messages[0].files.count == 1)
        #expect(reading.messages[1].deletedAt != nil && reading.messages.allSatisfy { $0.room == "plans" })
        #expect(reading.unreadable == ["it has no \"sent_at\""])
        let direct = try read(text, path: "bob (+15550100).json")
        #expect(direct.messages.map(\.sender) == ["bob", "You", nil])
    }

    @Test(arguments: 0..<100)
    func `a damaged file never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("sigtop") {
            let bytes = Mutation.of(sample.bytes, using: &random)
            _ = try LogReading(SigtopFormat.self, bytes, path: sample.path)
        }
    }

    @Test func `both forms are recognised`() {
        #expect(Export.recognising(Self.title + Self.block(), path: "a.txt") == ["sigtop"])
        #expect(Export.recognising("Conversation: the weather\nIt rains.\n", path: "a.txt") == [])
        #expect(
            Export.recognising(#"[{"conversationId":"c","type":"incoming","sent_at":1}]"#, path: "a.json") == ["sigtop"]
        )
    }
}
