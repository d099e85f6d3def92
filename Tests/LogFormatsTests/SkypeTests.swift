import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/suurjaak/Skyperious (src/skyperious/live.py: `SkypeExport`, `process_message_edit`)
/// and of github.com/siwen-r/skype-export-parser (src/classes/SkypeParser.ts, src/types/SkypeExport.d.ts,
/// docs/skype.md). Reactions are in the form in which Microsoft's server gives them to Teams; no public reader of this
/// export names them.
struct SkypeTests {
    private static func message(_ content: String, type: String = "RichText", _ parts: String = "") -> String {
        """
        {"id": "100", "displayName": null, "originalarrivaltime": "2026-11-21T06:23:11.123Z", "messagetype": "\(type)",
         "content": "\(content.replacing("\"", with: "\\\"").replacing("\n", with: "\\n"))", "from": "8:live:bob"\(parts)}
        """
    }

    private static func document(_ messages: String, id: String = "8:live:bob", _ parts: String = "") -> String {
        """
        {"userId": "8:alice", "exportDate": "2026-11-21T06:30", "conversations": [{"id": "\(id)", "displayName": null,
         "version": 1\(parts), "MessageList": [\(messages)]}]}
        """
    }

    private func one(_ content: String, type: String = "RichText", _ parts: String = "") throws -> ImportedMessage {
        let export = try Export(SkypeFormat.self, Self.document(Self.message(content, type: type, parts)))
        #expect(export.unreadable.isEmpty)
        return try #require(export.messages.first)
    }

    @Test func `a message has the other person's room, and Skype's ids`() throws {
        let time = try #require(Export.time("2026-11-21T06:23:11.123000Z"))
        #expect(
            try one("hi <b>&amp;</b> ho", type: "Text")
                == ImportedMessage(
                    room: "bob", roomKey: "8:live:bob", roomKind: .direct, kind: .message, sender: "bob",
                    senderKey: "8:live:bob", body: "hi <b>&amp;</b> ho", time: time, resolution: .microsecond,
                    remoteID: "100"))
    }

    @Test(arguments: [
        ("a &lt;b&gt; <b raw_pre=\"*\">c</b>", "a <b> c"), ("<ss type=\"smile\">:)</ss>", ":)"),
        ("<a href=\"https://example.org/\">https://example.org/</a>", "https://example.org/"),
        ("<a href=\"https://example.org/\">here</a> go", "here (https://example.org/) go"),
        ("<at id=\"8:carol\">Carol</at> hi", "Carol hi"),
        (
            "<quote author=\"carol\" timestamp=\"1\"><legacyquote>[1] carol: </legacyquote>a\nb<legacyquote>\n\n&lt;&lt;&lt; </legacyquote></quote>ho",
            "> a\n> b\nho"
        ),
    ])
    func `a rich text is read without its marks`(content: String, text: String) throws {
        #expect(try one(content).body == text)
    }

    @Test func `an edit and a deletion have their times`() throws {
        let edited = try one("hi<e_m ts_ms=\"1795242200000\" a=\"bob\"/>")
        #expect(edited.body == "hi" && edited.editedAt?.short == "21T06:23:20")
        let deleted = try one("", #", "properties": {"deletetime": "1795242200000"}"#)
        #expect(deleted.body == nil && deleted.deletedAt?.short == "21T06:23:20")
    }

    @Test func `an edited message that arrived again has the time of its first text`() throws {
        let edited = try one(
            "Edited previous message: ho<e_m ts_ms=\"1795242180000\" ts=\"1795242180\" a=\"bob\" t=\"61\"/>")
        #expect(edited.body == "ho" && edited.time.short == "21T06:23:00" && edited.editedAt?.short == "21T06:23:11")
        let plain = try one("ho<e_m ts_ms=\"1795242180000\"/>", type: "Text")
        #expect(plain.body == "ho" && plain.editedAt?.short == "21T06:23:11")
        let named = try one(
            "ho<e_m ts_ms=\"1795242191123\"/>", #", "properties": {"edittime": "1795242200000"}"#)
        #expect(named.time.short == "21T06:23:11" && named.editedAt?.short == "21T06:23:20")
    }

    @Test func `a quote names the answered message`() throws {
        let answer = try one("<quote author=\"carol\" timestamp=\"1\" messageid=\"99\">a</quote>ho")
        #expect(answer.replyTo == "99" && answer.body == "> a\nho")
    }

    @Test(arguments: [
        #"[{"key": "like", "users": [{"mri": "8:carol", "time": 1795242200000, "value": "1"}]}]"#,
        #""[{\"key\": \"like\", \"users\": [{\"mri\": \"8:carol\", \"time\": 1795242200000}]}]""#,
    ])
    func `reactions have their people`(emotions: String) throws {
        let message = try one("hi", #", "properties": {"emotions": \#(emotions)}"#)
        #expect(message.reactions.map(\.text) == [":like:"] && message.reactions.map(\.userKey) == ["8:carol"])
        #expect(message.reactions.first?.at?.short == "21T06:23:20")
    }

    @Test func `a file lies in the folder of media, under its id`() throws {
        let content =
            "<URIObject type=\"Picture.1\" doc_id=\"0-weu-d1-ab\">go to: <a href=\"https://x\">x</a><OriginalName v=\"a.heic\"/></URIObject>"
        let export = try Export(SkypeFormat.self, Self.document(Self.message(content, type: "RichText/UriObject")))
        let file = try #require(export.messages.first?.files.first)
        #expect(
            file.path == "a.heic" && file.copies?.prefix(2) == ["media/0-weu-d1-ab.1.heic", "media/0-weu-d1-ab.1.jpg"])
        #expect(export.messages[0].body == nil && export.assumptions == [])
        let album = try one("", type: "RichText/Media_Album", #", "amsreferences": ["0-a", "0-b"]"#)
        #expect(album.files.map(\.path) == ["0-a", "0-b"])
    }

    @Test func `a file without an id has its name, and the report counts it`() throws {
        let content = "<URIObject type=\"Picture.1\"><a href=\"https://x\">x</a><OriginalName v=\"a.jpg\"/></URIObject>"
        let export = try Export(SkypeFormat.self, Self.document(Self.message(content, type: "RichText/UriObject")))
        #expect(export.messages.map(\.files) == [[.init(path: "a.jpg")]] && export.messages[0].body == nil)
        #expect(export.assumptions.count == 1)
    }

    @Test(arguments: [
        (
            "ThreadActivity/AddMember",
            "<addmember><eventtime>1</eventtime><initiator>8:alice</initiator><target>8:bob</target></addmember>",
            "invite alice: bob"
        ),
        (
            "ThreadActivity/AddMember", "<addmember><initiator>8:bob</initiator><target>8:bob</target></addmember>",
            "join bob"
        ),
        (
            "ThreadActivity/DeleteMember",
            "<deletemember><initiator>8:bob</initiator><target>8:bob</target></deletemember>", "leave bob"
        ),
        (
            "ThreadActivity/TopicUpdate", "<topicupdate><initiator>8:bob</initiator><value>plans</value></topicupdate>",
            "topic bob: plans"
        ),
        (
            "Event/Call",
            "<partlist type=\"ended\"><part identity=\"8:bob\"><duration>35.5</duration></part></partlist>",
            "action bob: called (35 seconds)"
        ),
        ("Event/Call", "<partlist type=\"missed\"></partlist>", "action bob: called: missed"),
        ("RichText/Contacts", "<contacts><c t=\"s\" s=\"carol\" f=\"Carol\"/></contacts>", "bob: Carol carol"),
        ("Notice", "hello", "system: hello"),
    ])
    func `the type of a message gives its kind`(type: String, content: String, told: String) throws {
        #expect(try one(content, type: type).told == told)
    }

    @Test func `a group is called by its topic`() throws {
        let text = Self.document(
            Self.message("hi"), id: "19:abc@thread.skype", #", "threadProperties": {"topic": "plans", "members": "[]"}"#
        )
        let message = try #require(try Export(SkypeFormat.self, text).messages.first)
        #expect((message.room, message.roomKind) == ("plans", .group))
    }

    @Test(arguments: [
        (#"{"id": "1", "content": "x"}"#, "it has no \"originalarrivaltime\""),
        (#"{"originalarrivaltime": "soon"}"#, "its \"originalarrivaltime\" is not a time"),
        ("7", "it is not a JSON object"),
    ])
    func `an invalid message is reported once with the reason`(message: String, reason: String) throws {
        let export = try Export(SkypeFormat.self, Self.document(message + ", " + Self.message("hi")))
        #expect(export.unreadable == [reason] && export.messages.map(\.body) == ["hi"])
    }

    @Test(arguments: 0..<100)
    func `a damaged export never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("skype") {
            _ = try Export(SkypeFormat.self, files: [(nil, Mutation.of(sample.bytes, using: &random))])
        }
    }

    @Test func `an export is recognised by its keys`() {
        #expect(Export.recognising(Self.document(""), path: "messages.json") == ["skype"])
        #expect(Export.recognising(#"{"userId": "a", "conversations": []}"#, path: "messages.json") == [])
    }
}
