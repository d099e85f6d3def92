import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of Adium itself (github.com/adium/adium, Source/AILoggerPlugin.m: `contentObjectAdded:`, and
/// Source/AIXMLChatlogConverter.m) and of github.com/Jachimo/adiumtoeml (adium_xml.py, samples).
struct AdiumTests {
    private static let path = "AIM.alice/bob/bob (2026-11-21T15.23.11+0900).xml"

    private func read(_ elements: String, end: String = "</chat>", path: String = path) throws -> LogReading {
        try LogReading(
            AdiumFormat.self,
            "<?xml version=\"1.0\"?>\n<chat xmlns=\"http://purl.org/net/ulf/ns/0.4-02\" account=\"alice\" service=\"AIM\">"
                + elements + end, path: path)
    }

    private static func message(_ content: String, _ parts: String = "alias=\"Bob\"") -> String {
        "<message sender=\"bob\" time=\"2026-11-21T15:23:11+0900\" \(parts)><div>\(content)</div></message>\n"
    }

    @Test func `a message has the file's room, and its sender's alias and id`() throws {
        let reading = try read(Self.message("<span>hi</span>"))
        let time = try #require(Export.time("2026-11-21T06:23:11.000000Z"))
        #expect(
            reading.messages == [
                ImportedMessage(
                    room: "bob", roomKind: .group, kind: .message, sender: "Bob", senderKey: "bob", body: "hi",
                    time: time, resolution: .second)
            ])
    }

    @Test(arguments: [
        ("a<br/>b<br>c", "a\nb\nc"), ("&lt;a&gt; &amp; b", "<a> & b"),
        ("<a href=\"http://example.org/\">http://example.org/</a>", "http://example.org/"),
        ("<a href=\"http://example.org/\">here</a>", "here (http://example.org/)"), ("<b>a</b> <i>b</i>", "a b"),
    ])
    func `a text is read without its marks`(content: String, text: String) throws {
        #expect(try read(Self.message(content)).messages.map(\.body) == [text])
    }

    @Test func `a picture is a file of the message`() throws {
        let message = try #require(try read(Self.message("look <img src=\"a b.png\" alt=\"x\"/>")).messages.first)
        #expect(message.files == [.init(path: "a b.png")] && message.body == "look")
    }

    @Test func `states are system, and windows say nothing`() throws {
        let reading = try read(
            """
            <event type="windowOpened" sender="alice" time="2026-11-21T15:23:10+0900"></event>
            <status type="away" sender="bob" time="2026-11-21T15:24:00+0900" alias="Bob"><div>lunch</div></status>
            <status type="online" sender="bob" time="2026-11-21T15:25:00+0900"/>
            """)
        #expect(reading.messages.map(\.told) == ["system: Bob: away\nlunch", "system: bob: online"])
    }

    @Test(arguments: ["", "</cha", "<message sender=\"bob\" time=\"2026"])
    func `a file that was not ended is read as far as it goes`(end: String) throws {
        let reading = try read(Self.message("hi"), end: end)
        #expect(reading.messages.map(\.body) == ["hi"] && reading.unreadable.isEmpty)
    }

    @Test(arguments: [
        ("<message sender=\"bob\"><div>x</div></message>", "its \"time\" is not a time"),
        ("<message sender=\"bob\" time=\"soon\"/>", "its \"time\" is not a time"),
        ("<message sender=\"bob\" time=\"2026-11-21T15:23:11\"<", "the XML is invalid here"),
    ])
    func `an invalid element is reported once with the reason`(element: String, reason: String) throws {
        let reading = try read(element + Self.message("hi"))
        #expect(reading.unreadable == [reason] && reading.messages.map(\.body) == ["hi"])
    }

    @Test(arguments: [
        ("bob/bob (2026-11-21T15.23.11+0900).chatlog/bob (2026-11-21T15.23.11+0900).xml", "bob"),
        ("bob (x) (2026-11-21T15.23.11+0900).xml", "bob (x)"), ("carol/bob (1).chatlog/log.xml", "carol"),
    ])
    func `the room is the partner in the file's name`(path: String, room: String) throws {
        #expect(try read(Self.message("hi"), path: path).messages.map(\.room) == [room])
    }

    @Test(arguments: 0..<100)
    func `a damaged log never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("adium") {
            _ = try LogReading(AdiumFormat.self, Mutation.of(sample.bytes, using: &random), path: sample.path)
        }
    }

    @Test func `a log is recognised by its namespace`() {
        #expect(
            Export.recognising("<chat xmlns=\"http://purl.org/net/ulf/ns/0.4-02\"></chat>", path: "a.xml") == ["adium"])
        #expect(Export.recognising("<chat><message/></chat>", path: "a.xml") == [])
    }
}
