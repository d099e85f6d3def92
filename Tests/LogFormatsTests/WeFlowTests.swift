import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/hicccc77/WeFlow (electron/services/export/formatters/JsonFormatter.ts), of
/// github.com/ycccccccy/echotrace (lib/services/chat_export_service.dart) and of github.com/hellodigua/ChatLab
/// (electron/main/parser/formats/weflow.ts).
struct WeFlowTests {
    private static let group = #""wxid": "20001@chatroom", "displayName": "计划", "type": "群聊", "messageCount": 1"#
    private static let direct = #""accountId": "wxid_ming", "displayName": "小明", "type": "私聊", "messageCount": 1"#

    private static func message(
        _ parts: String = "", type: String = "文本消息", content: String = #""hi""#, isSend: String = "0",
        sender: String = #""wxid_ming""#
    ) -> String {
        """
        {"localId": 1, "createTime": 1795242191, "type": "\(type)", "localType": 1, "content": \(content), "isSend": \(isSend),
         "senderUsername": \(sender), "senderDisplayName": "小明"\(parts)}
        """
    }

    private func read(_ messages: String..., session: String = Self.group, room: String? = nil) throws -> Export {
        let text = """
            {"weflow": {"version": "1"}, "session": {\(session)}, "messages": [\(messages.joined(separator: ", "))]}
            """
        return try Export(WeFlowFormat.self, text, path: "计划.json", room: room)
    }

    @Test func `a message has WeChat's ids and its time`() throws {
        let export = try read(Self.message(#", "platformMessageId": "7001", "replyToMessageId": "7000""#))
        #expect(export.unreadable == [])
        let time = try #require(Export.time("2026-11-21T06:23:11.000000Z"))
        #expect(
            export.messages == [
                ImportedMessage(
                    room: "计划", roomKey: "20001@chatroom", roomKind: .group, kind: .message, sender: "小明",
                    senderKey: "wxid_ming", body: "hi", time: time, resolution: .second, remoteID: "7001",
                    replyTo: "7000")
            ])
    }

    @Test func `one's own messages are you, and a message without a sender is the other person's`() throws {
        let export = try read(
            Self.message(isSend: "1"),
            Self.message(sender: "null").replacing("\"senderDisplayName\": \"小明\"", with: "\"x\": 1"),
            session: Self.direct)
        #expect(export.messages.map(\.told) == ["you: hi", "小明: hi"])
        #expect(export.messages.map(\.senderKey) == [nil, "wxid_ming"])
        #expect(export.messages.allSatisfy { $0.isDirect && $0.roomKey == "wxid_ming" && $0.remoteID == nil })
    }

    @Test(arguments: [
        message(type: "系统消息"), message(type: "拍一拍消息"), message(isSend: "null"), message(sender: #""20001@chatroom""#),
    ])
    func `a notice is system`(message: String) throws {
        #expect(try read(message).messages.map(\.told) == ["system: hi"])
    }

    @Test(arguments: [
        ("图片消息", "media/images/a.jpg", "media/images/a.jpg"), ("图片消息", #"media\\images\\a.jpg"#, "media/images/a.jpg"),
        ("图片消息", "[图片]", nil), ("文本消息", "media/images/a.jpg", nil), ("语音消息", "a/b", nil),
    ])
    func `the text of a picture is its path, if it was exported`(type: String, content: String, path: String?) throws {
        let export = try read(Self.message(type: type, content: "\"\(content)\""))
        #expect(export.messages.map { $0.files.map(\.path) } == [path.map { [$0] } ?? []])
        #expect(export.messages.map { $0.body == nil } == [path != nil])
    }

    @Test func `content that is not a text stays as JSON, and missing content is counted`() throws {
        let export = try read(Self.message(content: #"{"a": 1}"#), Self.message(type: "通话消息", content: "null"))
        #expect(export.messages.map(\.body) == [#"{"a": 1}"#, nil])
        #expect(export.unknownKinds.counts == ["通话消息": 1])
    }

    @Test(arguments: [
        (#"{"type": "x"}"#, "it has no \"createTime\""),
        (#"{"createTime": "soon"}"#, "its \"createTime\" is not a whole number"), ("7", "it is not a JSON object"),
    ])
    func `an invalid message is reported once with the reason`(message: String, reason: String) throws {
        let export = try read(message, Self.message())
        #expect(export.unreadable == [reason] && export.messages.count == 1)
    }

    @Test func `a room that the user gives has no id`() throws {
        let export = try read(Self.message(), room: "Plans")
        #expect(export.messages.map(\.room) == ["Plans"] && export.messages.map(\.roomKey) == [nil])
    }

    @Test func `WeFlow's arkme form, which has other senders, is not recognised`() {
        let text =
            #"{"weflow": {"version": "1", "format": "arkme-json"}, "session": {"messageCount": 1}, "messages": []}"#
        #expect(Export.recognising(text, path: "a.json") == [])
        let kind = UnsupportedKind.find(name: "a.json", beginning: Array(text.utf8))
        #expect(kind?.what == "a WeChat export of WeFlow as arkme JSON")
    }

    @Test func `the form of older versions, which begins like ChatLab's, is recognised`() throws {
        let text = """
            {"chatlab": {"version": "0.0.1"}, "meta": {"name": "x"}, "session": {\(Self.group)},
             "messages": [\(Self.message())]}
            """
        #expect(Export.recognising(text, path: "计划.json") == ["weflow"])
        let export = try Export(WeFlowFormat.self, text, path: "计划.json")
        #expect(export.messages.map(\.roomKey) == ["20001@chatroom"] && export.unreadable == [])
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [100_000, 1_100_000])
    func `a chat with a large picture is recognised, and has its name`(size: Int) throws {
        let picture = String(repeating: "A", count: size)
        let session = #"\#(Self.direct), "lastTimestamp": 1, "avatar": "\#(picture)", "wxid": "wxid_ming""#
        let text = #"{"session": {\#(session)}, "messages": [\#(Self.message())]}"#
        #expect(Export.recognising(text, path: "a.json") == ["weflow"])
        let export = try Export(WeFlowFormat.self, text, path: "a.json")
        #expect(export.messages.map(\.room) == ["小明"] && export.messages.map(\.roomKey) == ["wxid_ming"])
        #expect(export.unreadable == [])
    }

    @Test(arguments: 0..<100)
    func `a damaged export never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("weflow") {
            _ = try Export(WeFlowFormat.self, files: [(nil, Mutation.of(sample.bytes, using: &random))])
        }
    }
}
