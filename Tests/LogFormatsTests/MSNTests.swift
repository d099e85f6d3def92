import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/tysonmatanich/msn-chat-history-viewer (src/xslt/to-html.xslt, test/simple.xml), of
/// github.com/moebiusmania/msn-backup-viewer (src/types.ts) and of libpurple (keep.imfreedom.org/pidgin/pidgin,
/// libpurple/plugins/log_reader.c: `msn_logger_list`, `msn_logger_read`).
struct MSNTests {
    private func read(_ elements: String, path: String = "bob3141592653.xml") throws -> LogReading {
        try LogReading(
            MSNFormat.self, "<?xml version=\"1.0\"?>\n<Log FirstSessionID=\"1\" LastSessionID=\"1\">\(elements)</Log>",
            path: path)
    }

    private static let head = #"Date="21/11/2026" Time="15:23:11" DateTime="2026-11-21T06:23:11.123Z" SessionID="1""#

    private static func message(_ text: String, from user: String = #"FriendlyName="bob""#) -> String {
        """
        <Message \(head)><From><User \(user)/></From><To><User FriendlyName="alice"/></To><Text Style="x">\(text)</Text></Message>
        """
    }

    @Test func `a message has the contact's room, its sender and its time in UTC`() throws {
        let reading = try read(Self.message("hi &lt;b&gt;\nthere"))
        let time = try #require(Export.time("2026-11-21T06:23:11.123000Z"))
        #expect(
            reading.messages == [
                ImportedMessage(
                    room: "bob", roomKind: .group, kind: .message, sender: "bob", body: "hi <b>\nthere", time: time,
                    resolution: .microsecond)
            ])
        let named = try read(Self.message("hi", from: #"FriendlyName="" LogonName="bob@example.org""#)).messages
        #expect(named.map(\.sender) == ["bob@example.org"] && named.map(\.senderKey) == ["bob@example.org"])
    }

    @Test func `joins, leaves and files have their kinds`() throws {
        let reading = try read(
            """
            <Join \(Self.head)><User FriendlyName="carol"/><Text>carol has joined</Text></Join>
            <Leave \(Self.head)><User FriendlyName="carol"/><Text>carol has left</Text></Leave>
            <Invitation \(Self.head)><From><User FriendlyName="alice"/></From><File>a.png</File><Text>sends a.png</Text></Invitation>
            <InvitationResponse \(Self.head)><From><User FriendlyName="bob"/></From><Text>accepts</Text></InvitationResponse>
            """)
        #expect(
            reading.messages.map(\.told) == [
                "join carol", "leave carol", "action alice: sends a.png", "action bob: accepts",
            ])
        #expect(reading.messages[2].files == [.init(path: "a.png")])
    }

    @Test(arguments: [
        (
            "<Message SessionID=\"1\"><From><User FriendlyName=\"a\"/></From></Message>",
            "its \"DateTime\" is not a time"
        ),
        ("<Message \(head)><Text>x</Text></Message>", "it names no sender"),
        ("<Message \(head)><From>", "the XML is invalid here"),
    ])
    func `an invalid element is reported once with the reason`(element: String, reason: String) throws {
        let reading = try read(element + Self.message("hi"))
        #expect(reading.unreadable == [reason] && reading.messages.map(\.body) == ["hi"])
    }

    @Test func `a history that breaks off gives its whole messages and one error`() throws {
        let bytes = Array("<Log FirstSessionID=\"1\">\(Self.message("hi"))\(Self.message("ho"))</Log>".utf8)
        for end in stride(from: 26, to: bytes.count, by: 5) {
            let reading = try LogReading(MSNFormat.self, Array(bytes[..<end]), path: "bob.xml")
            #expect(reading.unreadable == ["the file ends in the middle of its XML"], "\(end)")
        }
    }

    @Test(arguments: [("bob3141592653.xml", "bob"), ("bob1.xml", "bob1"), ("1234567.xml", "1234567")])
    func `the room is the contact in the file's name`(path: String, room: String) throws {
        #expect(try read(Self.message("hi"), path: path).messages.map(\.room) == [room])
    }

    @Test(arguments: 0..<100)
    func `a damaged history never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("msn") {
            _ = try LogReading(MSNFormat.self, Mutation.of(sample.bytes, using: &random), path: sample.path)
        }
    }

    @Test func `a history is recognised by its first element`() {
        #expect(Export.recognising("<Log FirstSessionID=\"1\" LastSessionID=\"1\"></Log>", path: "a.xml") == ["msn"])
        #expect(Export.recognising("<Log><Message/></Log>", path: "a.xml") == [])
    }
}
