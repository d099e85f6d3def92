import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/carderne/signal-export (sigexport/models.py, sigexport/create.py) and of
/// github.com/bzupnick/signal-export-viewer.
struct SignalExportTests {
    private func read(_ text: String, path: String = "export/bob/data.json") throws -> LogReading {
        try LogReading(SignalExportFormat.self, text, path: path, zone: "Asia/Seoul")
    }

    private static func line(
        _ parts: String = "", body: String = "hi  ", at time: String = "2026-11-21T15:23:11.123000"
    )
        -> String
    {
        #"{"date": "\#(time)", "sender": "bob", "body": "\#(body)", "quote": "", "reactions": [], "attachments": []\#(parts)}"#
    }

    @Test func `a line of JSON has the folder's room, and a local time`() throws {
        let time = try #require(Export.time("2026-11-21T06:23:11.123000Z"))
        #expect(
            try read(Self.line()).messages == [
                ImportedMessage(
                    room: "bob", kind: .message, sender: "bob", body: "hi", time: time, resolution: .microsecond)
            ])
    }

    @Test func `a message has its quote, sticker and files, and reactions are counted`() throws {
        let line = """
            {"date": "2026-11-21T15:23:11", "sender": "Me", "body": "ho  ", "quote": "\\n\\n> hi\\n\\n",
             "sticker": {"emoji": "😀"}, "reactions": [["bob", "👍"]], "attachments": [{"name": "a b", "path": "media/a%20b"}]}
            """.replacing("\n", with: "")
        let reading = try read(line)
        #expect(reading.messages.map(\.told) == ["Me: > hi\nho\n😀"])
        #expect(reading.messages.map(\.files) == [[.init(path: "media/a b")]])
        #expect(reading.assumptions == ["reactions skipped, because the messages have no ids: 1"])
    }

    @Test func `a deleted message has no text, and a call is an action`() throws {
        let deleted = try #require(try read(Self.line(#", "deleted": true"#)).messages.first)
        #expect(deleted.body == nil && deleted.deletedAt == deleted.time)
        let call = try read(Self.line(#", "call": true"#, body: "Missed voice call")).messages
        #expect(call.map(\.told) == ["action bob: Missed voice call"])
    }

    private static let text = """
        [2026-11-21 15:23:11] bob: hi
        there\u{20}\u{20}
        (- Me: 👍, bob: 👍 -)![a b.png](./media/a%20b.png)  [c.txt](./media/c.txt)\u{20}\u{20}

        [2026-11-21 15:23:12] Me: > no [quote](./x)\u{20}\u{20}

        [2026-11-21 15:23:13] bob: (This message was deleted)

        """

    @Test func `a text has the messages without what the program adds`() throws {
        let reading = try read(Self.text, path: "export/bob/chat.md")
        #expect(reading.unreadable.isEmpty)
        #expect(reading.messages.map(\.told) == ["bob: hi\nthere", "Me: > no [quote](./x)", "bob"])
        #expect(reading.messages.map(\.files) == [[.init(path: "media/a b.png"), .init(path: "media/c.txt")], [], []])
        #expect(reading.messages.map { $0.deletedAt == nil } == [true, true, false])
        #expect(reading.times == ["21T06:23:11", "21T06:23:12", "21T06:23:13"])
        #expect(reading.assumptions == ["reactions skipped, because the messages have no ids: 2"])
    }

    @Test func `a chat's folder is read by its JSON, and by its text where that is missing`() {
        #expect(SignalExportFormat.files(among: ["chat.md", "data.json", "index.html", "media/a"]) == [1])
        #expect(SignalExportFormat.files(among: ["chat.md", "index.html"]) == [0])
        #expect(SignalExportFormat.files(among: ["data.json"]) == nil)
    }

    @Test(arguments: [
        ("words", "it is not JSON"), (#"{"sender": "bob"}"#, "it has no \"date\""),
        (#"{"date": "soon", "sender": "bob"}"#, "its \"date\" is not a time"),
        (#"{"date": "2026-11-21T15:23:11"}"#, "it has no \"sender\""),
        (#"{"date": "2026-11-21T15:23:11", "sender": ""}"#, "its sender has no name"),
    ])
    func `an invalid line is reported once with the reason`(line: String, reason: String) throws {
        let reading = try read(Self.line() + "\n" + line + "\n" + Self.line())
        #expect(reading.unreadable == [reason] && reading.messages.count == 2)
    }

    @Test func `a file needs a room`() {
        #expect(throws: LogSourceError.noRoom) { try read(Self.line(), path: "data.json") }
    }

    @Test func `both files are recognised`() {
        #expect(Export.recognising(Self.line(), path: "bob/data.json") == ["signal-export"])
        #expect(Export.recognising(Self.text, path: "bob/chat.md") == ["signal-export"])
        #expect(Export.recognising("# Title\n", path: "bob/chat.md") == [])
    }
}
