import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/hellodigua/ChatLab (docs/en/standard/chatlab-format.md,
/// electron/main/parser/formats/chatlab-jsonl.ts) and of github.com/hicccc77/WeFlow
/// (electron/services/export/formatters/ChatLabFormatter.ts).
struct ChatLabTests {
    private static let meta =
        #""name": "计划", "platform": "wechat", "type": "group", "groupId": "20001", "ownerId": "wxid_alice""#

    private static func message(
        _ parts: String = "", type: Int = 0, content: String = #""hi""#, sender: String = "wxid_ming"
    )
        -> String
    {
        """
        {"sender": "\(sender)", "accountName": "ming", "groupNickname": "小明", "timestamp": 1795242191, "type": \(type), \
        "content": \(content)\(parts)}
        """
    }

    private func read(_ messages: String..., meta: String = Self.meta, room: String? = nil) throws -> Export {
        let text = """
            {"chatlab": {"version": "0.0.1"}, "meta": {\(meta)}, "members": [{"platformId": "x"}],
             "messages": [\(messages.joined(separator: ", "))]}
            """
        return try Export(ChatLabFormat.self, text, path: "计划.json", room: room)
    }

    @Test func `a message has the service's ids and its time`() throws {
        let export = try read(Self.message(#", "platformMessageId": "7001", "replyToMessageId": "7000""#))
        #expect(export.unreadable == [])
        let time = try #require(Export.time("2026-11-21T06:23:11.000000Z"))
        #expect(
            export.messages == [
                ImportedMessage(
                    room: "计划", roomKey: "20001", roomKind: .group, kind: .message, sender: "小明",
                    senderKey: "wxid_ming",
                    body: "hi", time: time, resolution: .second, remoteID: "7001", replyTo: "7000")
            ])
    }

    @Test func `lines of JSON give the same messages, without the comments and members between them`() throws {
        let line = Self.message().replacing("{\"sender\"", with: "{\"_type\": \"message\", \"sender\"")
        let text = """
            # a comment
            {"_type": "header", "chatlab": {"version": "0.0.2"}, "meta": {\(Self.meta)}}
            {"_type": "member", "platformId": "x"}

            \(line)
            """
        let export = try Export(ChatLabFormat.self, text, path: "计划.jsonl")
        #expect(try export.messages == read(Self.message()).messages && export.unreadable == [])
        #expect(Export.recognising(text, path: "计划.jsonl") == ["chatlab"])
    }

    @Test func `the lines may have their type behind other keys, and indented comments`() throws {
        let line = Self.message().replacing("\"accountName\"", with: "\"_type\": \"message\", \"accountName\"")
        let text = """
            {"chatlab": {"version": "0.0.2"}, "meta": {\(Self.meta)}, "_type": "header"}
              # a comment
            \(line)

            """
        let export = try Export(ChatLabFormat.self, text, path: "计划.jsonl")
        #expect(try export.messages == read(Self.message()).messages && export.unreadable == [])
        #expect(Export.recognising(text, path: "计划.jsonl") == ["chatlab"])
    }

    @Test func `the lines are found behind a first line that is longer than a part`() throws {
        let line = Self.message().replacing("{\"sender\"", with: "{\"_type\": \"message\", \"sender\"")
        let picture = String(repeating: "A", count: 400)
        let text = """
            {"chatlab": {"version": "0.0.2"}, "meta": {"groupAvatar": "\(picture)", \(Self.meta)}, "_type": "header"}
            \(line)
            """
        let cutter = ChatLabFormat.cutter()
        for size in [1, 256, 300] {
            #expect(JSONPieces.cut(Array(text.utf8), by: size, cutter).map(\.number) == [1, 2])
        }
    }

    @Test func `messages above the chat's name get the room of the file, and the report counts them`() throws {
        let text = """
            {"chatlab": {"version": "0.0.1"}, "messages": [\(Self.message())], "meta": {\(Self.meta)}}
            """
        let export = try Export(ChatLabFormat.self, text, path: "小明.json")
        #expect(export.messages.map(\.room) == ["小明"])
        #expect(
            export.assumptions == [
                "messages without the chat's name above them, which get the room of the file's name: 1"
            ])
    }

    @Test func `messages of the owner are you`() throws {
        let export = try read(Self.message(sender: "wxid_alice"))
        #expect(export.messages.map(\.told) == ["you: hi"] && export.messages.map(\.senderKey) == [nil])
    }

    @Test(
        arguments: [
            (0, "null", nil), (1, "null", "[image]"), (23, "null", "[call]"), (25, #""hi""#, "hi"),
            (99, #""hi""#, "hi"),
        ] as [(Int, String, String?)])
    func `a message without a text has its type as words`(type: Int, content: String, body: String?) throws {
        #expect(try read(Self.message(type: type, content: content)).messages.map(\.body) == [body])
    }

    @Test(arguments: [80, 81])
    func `a notice is system`(type: Int) throws {
        #expect(try read(Self.message(type: type)).messages.map(\.told) == ["system: hi"])
    }

    @Test func `the text of a picture is its path, if it was exported`() throws {
        let export = try read(
            Self.message(type: 1, content: #""media/a.jpg""#), Self.message(content: #""media/a.jpg""#))
        #expect(export.messages.map { $0.files.map(\.path) } == [["media/a.jpg"], []])
        #expect(export.messages.map(\.body) == [nil, "media/a.jpg"])
    }

    @Test func `forwarded messages are lines of the text`() throws {
        let records =
            #", "chatRecords": [{"accountName": "bob", "content": "ho"}, {"accountName": "bob", "type": 1, "content": null}]"#
        #expect(try read(Self.message(records, type: 26)).messages.map(\.body) == ["hi\nbob: ho\nbob: [image]"])
    }

    @Test func `a private chat is direct, and content of an unknown kind is counted`() throws {
        let export = try read(Self.message(type: 6, content: "null"), meta: #""name": "小明", "type": "private""#)
        #expect(export.messages.map(\.isDirect) == [true] && export.messages.map(\.roomKey) == [nil])
        #expect(export.unknownKinds.counts == ["type 6": 1])
    }

    @Test(arguments: [
        (#"{"sender": "x"}"#, "it has no \"timestamp\""),
        (#"{"timestamp": "soon"}"#, "its \"timestamp\" is not a time"), ("7", "it is not a JSON object"),
    ])
    func `an invalid message is reported once with the reason`(message: String, reason: String) throws {
        let export = try read(message, Self.message())
        #expect(export.unreadable == [reason] && export.messages.count == 1)
    }

    @Test(arguments: 0..<100)
    func `a damaged export never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("chatlab") {
            _ = try Export(ChatLabFormat.self, files: [(nil, Mutation.of(sample.bytes, using: &random))])
        }
    }
}
