import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/mtlynch/chat_unifier (chat_unifier/parsers/trillian/line_parser.py,
/// tests/parsers/trillian_xml/test_parser.py), of github.com/NeQuissimus/Trillian2Adium
/// (src/com/nequissimus/trillian/log/XMLFile.java) and of github.com/tdauth/qronicle (README.md, src/trillian.cpp); the milliseconds
/// are those of github.com/Deltik/Log2Log, and the history without names is that of github.com/Lucent/trillian-log-join
/// (convert-cloud-to-xml.php).
struct TrillianTests {
    private static let path = "logs/ICQ/Query/2000.xml"
    private static let start = #"<session type="start" time="1795242191" medium="ICQ" to="2000" from="1000"/>"#

    private func read(_ elements: String, path: String = path, room: String? = nil) throws -> LogReading {
        try LogReading(TrillianFormat.self, Self.start + "\n" + elements, path: path, room: room)
    }

    private static func message(
        _ text: String, type: String = "incoming_privateMessage", from: String = #"from="2000" from_display="Bob""#,
        time: String = #"time="1795242191""#
    ) -> String {
        #"<message type="\#(type)" \#(time) medium="ICQ" to="1000" \#(from) text="\#(text)"/>"# + "\n"
    }

    @Test func `a message has the contact's room, its sender's name and id, and its time in UTC`() throws {
        let reading = try read(Self.message("%EC%95%88%EB%85%95%20%3Cb%3E%20%26amp;"))
        let time = try #require(Export.time("2026-11-21T06:23:11.000000Z"))
        #expect(
            reading.messages == [
                ImportedMessage(
                    room: "2000", roomKind: .direct, kind: .message, sender: "Bob", senderKey: "2000",
                    body: "안녕 <b> &amp;", time: time, resolution: .second)
            ])
        #expect(reading.unreadable.isEmpty)
    }

    @Test(arguments: [
        (#"time="1795242191" ms="123""#, "2026-11-21T06:23:11.123000Z", TimeResolution.microsecond),
        (#"time="1795242191" ms="0""#, "2026-11-21T06:23:11.000000Z", .second),
        (#"time="1795242191" ms="-5""#, "2026-11-21T06:23:11.000000Z", .second),
        (#"time="1795242191123""#, "2026-11-21T06:23:11.123000Z", .microsecond),
    ])
    func `a time is in seconds or milliseconds`(time: String, instant: String, resolution: TimeResolution) throws {
        let message = try #require(try read(Self.message("hi", time: time)).messages.first)
        #expect(message.time == Export.time(instant) && message.resolution == resolution)
    }

    @Test(arguments: [
        ("incoming_privateMessage", "Bob: hi"), ("outgoing_privateMessage", "Bob: hi"),
        ("incoming_groupMessage", "Bob: hi"),
        ("incoming_privateAction", "action Bob: hi"), ("information_standard", "system: hi"), ("", "system: hi"),
    ])
    func `a message's type says whether a person wrote it`(type: String, told: String) throws {
        #expect(try read(Self.message("hi", type: type)).told == [told])
    }

    @Test func `a history without names has the contact and the user's own word`() throws {
        let text = """
            <message time="1795242191123" type="outgoing_privateMessage" text="hi"/>
            <message time="1795242192456" type="incoming_privateMessage" text="ho"/>
            """
        let reading = try LogReading(TrillianFormat.self, text, path: "_CLOUD/bob.xml")
        #expect(reading.told == ["Me: hi", "bob: ho"])
        #expect(Export.recognising(text, path: "_CLOUD/bob.xml") == ["trillian"])
    }

    @Test(arguments: [
        ("a%3Cbr%20/%3Eb", "a\nb"), ("%3Ca%20href=%22http://a/%22%3Ewords%3C/a%3E", "words (http://a/)"),
        ("1%20%3C%202", "1 < 2"), ("100%", "100%"), ("%FF", "%FF"),
    ])
    func `a text's lines and links are read if it has them`(text: String, body: String) throws {
        #expect(try read(Self.message(text)).messages.map(\.body) == [body])
    }

    @Test func `a file that begins to be sent is a message with its name`() throws {
        let transfer = #"time="1795242191" medium="ICQ" to="1000" from="2000" link="C%3A%5Cin%5C%EA%B0%80.png"/>"#
        let reading = try read(
            #"<filetransfer type="incoming_filetransferInitialize" "# + transfer
                + #"<filetransfer type="incoming_filetransferUninitialize" "# + transfer)
        #expect(reading.messages.map(\.files) == [[.init(path: "가.png")]])
        #expect(reading.messages.map(\.sender) == ["2000"])
    }

    @Test(arguments: [
        ("logs/ICQ/Query/2000.xml", "2000", RoomReference.Kind.direct),
        ("alice%40example%2Eorg.xml", "alice@example.org", .direct),
        ("logs/ICQ/Channel/plans.xml", "plans", .group), ("", "2000", .direct),
    ])
    func `the room is the contact in the file's name, or in the session`(
        path: String, room: String, kind: RoomReference.Kind
    ) throws {
        let message = try #require(try read(Self.message("hi"), path: path).messages.first)
        #expect(message.room == room && message.roomKind == kind)
        #expect(try read(Self.message("hi"), path: path, room: "Bob").messages.map(\.room) == ["Bob"])
    }

    @Test func `a channel of IRC is a channel, and the network's name is the account's`() throws {
        let sample = try #require(FormatSample.of("trillian").last)
        let reading = try LogReading(TrillianFormat.self, sample.bytes, path: sample.path)
        #expect(reading.messages.allSatisfy { $0.room == "#example" && $0.roomKind == .channel })
        #expect(TrillianFormat.accountName(in: LogReading.source(sample.bytes, path: sample.path)) == "irc")
    }

    @Test(arguments: [
        (message("x", time: #"time="soon""#), "its \"time\" is not a time"),
        (message("x", time: ""), "its \"time\" is not a time"),
        (#"<message type="incoming_privateMessage" time="1795242191" text="x"# + "\n", "the XML is invalid here"),
        (
            #"<filetransfer type="incoming_filetransferInitialize" time="1795242191" from="2000"/>"#, "it names no file"
        ),
    ])
    func `an invalid element is reported once with the reason`(element: String, reason: String) throws {
        let reading = try read(element + Self.message("hi"))
        #expect(reading.unreadable == [reason] && reading.messages.map(\.body) == ["hi"])
    }

    @Test func `a log that breaks off gives its whole messages, and an error for the rest`() throws {
        let bytes = Array((Self.start + Self.message("hi") + Self.message("ho")).utf8)
        for end in stride(from: Self.start.utf8.count, through: bytes.count, by: 7) {
            let reading = try LogReading(TrillianFormat.self, Array(bytes[..<end]), path: Self.path)
            #expect(reading.messages.map(\.body) == Array(["hi", "ho"].prefix(reading.messages.count)), "\(end)")
            #expect(reading.unreadable.allSatisfy { $0 == "the file ends in the middle of its XML" }, "\(end)")
        }
    }

    @Test func `an element that is too long is cut and reported`() throws {
        let long = String(repeating: "x", count: TrillianFormat.maximumLine)
        let reading = try read(Self.message(long) + Self.message("hi"))
        #expect(reading.unreadable == ["longer than \(TrillianFormat.maximumLine) bytes"])
        #expect(reading.messages.map(\.body) == ["hi"])
    }

    @Test(arguments: 0..<100)
    func `a damaged log never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("trillian") {
            _ = try LogReading(TrillianFormat.self, Mutation.of(sample.bytes, using: &random), path: sample.path)
        }
    }

    @Test func `a log is recognised by its first element, also behind a byte order mark that replaces its beginning`() {
        #expect(Export.recognising(Self.start, path: "a.xml") == ["trillian"])
        let replaced = "\u{FEFF}\(Self.start.dropFirst(3))\n\(Self.message("hi"))"
        #expect(Export.recognising(replaced, path: "a.xml") == ["trillian"])
        #expect(Export.recognising("<session type=\"start\"/>", path: "a.xml") == [])
        #expect(Export.recognising("<log>\(Self.start)</log>", path: "a.xml") == [])
        #expect(Export.recognising("<message to=\"a\" text=\"b\"/>", path: "a.xml") == [])
    }
}
