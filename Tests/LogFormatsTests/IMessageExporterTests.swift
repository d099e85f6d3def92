import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/ReagentX/imessage-exporter (imessage-exporter/src/exporters/txt.rs, and its tests) and
/// of github.com/willjasen/imessage-exporter-filter.
struct IMessageExporterTests {
    private func read(_ text: String, path: String = "bob.txt") throws -> LogReading {
        try LogReading(IMessageExporterFormat.self, text, path: path, zone: "Asia/Seoul")
    }

    @Test func `a message has its local time, its sender and its text`() throws {
        let reading = try read("Nov 21, 2026  3:23:11 PM (Read by you after 1 minute)\nbob\nhi\n\nthere\n\n")
        let time = try #require(Export.time("2026-11-21T06:23:11.000000Z"))
        #expect(reading.unreadable.isEmpty && reading.assumptions.isEmpty)
        #expect(
            reading.messages == [
                ImportedMessage(
                    room: "bob", kind: .message, sender: "bob", body: "hi\n\nthere", time: time, resolution: .second)
            ])
    }

    @Test func `answers below a message are left out, because they follow in their place`() throws {
        let text = try #require(FormatSample.of("imessage-exporter").first).text
        let reading = try read(text)
        #expect(reading.unreadable.isEmpty)
        #expect(
            reading.messages.map(\.told) == [
                "bob: hi\n\nthere", "Me: ho", "system: You renamed the conversation to plans",
            ])
        #expect(reading.assumptions == ["reactions skipped, because the messages have no ids: 1"])
    }

    @Test func `attachments and unsent messages are recognised`() throws {
        let reading = try read(
            """
            Nov 21, 2026  6:23:11 AM
            Me
            attachments/1/2.jpeg
            look

            Nov 21, 2026  6:24:11 AM
            Me
            /Users/alice/Library/Messages/Attachments/0a/a b.png

            Nov 21, 2026  6:25:11 AM
            bob
            bob unsent this message part 5 seconds after sending!

            """)
        #expect(reading.messages.map(\.told) == ["Me: look", "Me", "bob"])
        #expect(reading.messages[0].files == [.init(path: "attachments/1/2.jpeg")])
        #expect(reading.messages[1].files == [.init(path: "/Users/alice/Library/Messages/Attachments/0a/a b.png")])
        #expect(reading.messages.map { $0.deletedAt == nil } == [true, true, false])
    }

    @Test(arguments: [("12:00:00 AM", "00:00:00"), ("12:30:00 PM", "12:30:00"), (" 1:02:03 PM", "13:02:03")])
    func `hours count to twelve`(written: String, time: String) throws {
        let reading = try LogReading(
            IMessageExporterFormat.self, "Nov 21, 2026 \(written)\nMe\nhi\n", path: "bob.txt", zone: "GMT")
        #expect(reading.times == ["21T\(time)"])
    }

    @Test(arguments: [
        ("words\n", "no line before it begins a message"),
        ("Nov 31, 2026  6:23:11 AM\nMe\nhi\n", "its date does not exist"),
        ("Nov 21, 2026  6:23:11 AM\n", "it has no sender"),
    ])
    func `a line that belongs to no message is invalid`(text: String, reason: String) throws {
        #expect(try read(text).unreadable.first == reason)
    }

    @Test(arguments: 0..<100)
    func `a damaged text never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("imessage-exporter") {
            _ = try LogReading(
                IMessageExporterFormat.self, Mutation.of(sample.bytes, using: &random), path: sample.path)
        }
    }

    @Test func `a text is recognised by its first line`() {
        #expect(Export.recognising("Nov 21, 2026  6:23:11 AM\nMe\nhi\n", path: "bob.txt") == ["imessage-exporter"])
        #expect(Export.recognising("Nov 21, 2026\nSlept long.\n", path: "diary.txt") == [])
        #expect(Export.recognising("Nov 21, 2026 at 6:23:11 AM\nMe\n", path: "a.txt") == [])
    }
}
