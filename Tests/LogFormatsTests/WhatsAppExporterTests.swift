import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/KnugiHK/WhatsApp-Chat-Exporter (Whatsapp_Chat_Exporter/data_model.py, and its tests of
/// incremental merging) and of github.com/messagecrate/WhatsApp-Chat-Exporter.
struct WhatsAppExporterTests {
    private static func message(_ parts: String = "", isOwn: Bool = false, data: String = #""hi""#) -> String {
        """
        {"from_me": \(isOwn), "timestamp": 1795242191.123, "time": "06:23", "key_id": "K1", "data": \(data)\(parts)}
        """
    }

    private static func document(
        _ message: String, chat: String = "15550100@s.whatsapp.net", name: String = #""alice""#
    )
        -> String
    {
        #"{"\#(chat)": {"name": \#(name), "type": "android", "messages": {"1": \#(message)}}}"#
    }

    private func one(_ message: String, chat: String = "15550100@s.whatsapp.net", name: String = #""alice""#) throws
        -> ImportedMessage
    {
        let export = try Export(WhatsAppExporterFormat.self, Self.document(message, chat: chat, name: name))
        #expect(export.unreadable.isEmpty)
        return try #require(export.messages.first)
    }

    @Test func `a message has the chat's name, and WhatsApp's ids`() throws {
        let time = try #require(Export.time("2026-11-21T06:23:11.123000Z"))
        #expect(
            try one(Self.message())
                == ImportedMessage(
                    room: "alice", roomKey: "15550100@s.whatsapp.net", roomKind: .direct, kind: .message,
                    sender: "alice", body: "hi", time: time, resolution: .microsecond, remoteID: "K1"))
        #expect(try one(Self.message(isOwn: true)).told == "you: hi")
        #expect(try one(Self.message(), name: "null").told == "15550100: hi")
    }

    @Test func `a group's message has its sender, answer, file and reactions`() throws {
        let parts = """
            , "sender": "bob", "reply": "K0", "quoted_data": "x", "media": true, "caption": "look",
             "reactions": {"You": "👍", "carol": "👎"}
            """
        let message = try one(
            Self.message(parts, data: #""WhatsApp/Media/a.jpg""#), chat: "1-2@g.us", name: #""plans""#)
        #expect(message.told == "bob: look" && message.roomKind == .group && message.replyTo == "K0")
        #expect(message.files == [.init(path: "WhatsApp/Media/a.jpg")])
        #expect(message.reactions == [.init(text: "👍", user: "you"), .init(text: "👎", user: "carol")])
    }

    @Test(arguments: [
        (#", "meta": true"#, #""alice left""#, "system: alice left"), ("", #""a <br>b<br>c""#, "alice: a\nb\nc"),
        (#", "meta": true, "media": true"#, #""The media is missing""#, "system: The media is missing"),
        ("", "null", "alice"), ("", "7", "alice: 7"),
    ])
    func `a notice is system, and lines are separate`(parts: String, data: String, told: String) throws {
        #expect(try one(Self.message(parts, data: data)).told == told)
    }

    @Test(arguments: [
        (#"{"from_me": true}"#, "it has no \"timestamp\""),
        (#"{"timestamp": "soon"}"#, "its \"timestamp\" is not a time"), ("7", "it is not a JSON object"),
    ])
    func `an invalid message is reported once with the reason`(message: String, reason: String) throws {
        let export = try Export(WhatsAppExporterFormat.self, Self.document(message + #", "2": \#(Self.message())"#))
        #expect(export.unreadable == [reason] && export.messages.count == 1)
    }

    @Test(arguments: 0..<100)
    func `a damaged export never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("whatsapp-exporter") {
            _ = try Export(WhatsAppExporterFormat.self, files: [(nil, Mutation.of(sample.bytes, using: &random))])
        }
    }

    @Test func `an export is recognised by the keys of its messages`() {
        #expect(Export.recognising(Self.document(Self.message()), path: "result.json") == ["whatsapp-exporter"])
        #expect(Export.recognising(#"{"a": {"name": "x", "messages": {"1": {"text": "y"}}}}"#, path: "a.json") == [])
    }
}
