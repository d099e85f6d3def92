import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/shuakami/qq-chat-exporter (qq-chat-export-core/src/types.rs and json_exporter.rs), and of
/// github.com/hellodigua/ChatLab (electron/main/parser/formats/shuakami-qq-exporter.ts and …-chunked.ts).
struct QQExporterTests {
    private static func message(
        _ content: String = #""text": "hi", "elements": [], "resources": []"#, _ parts: String = "",
        sender: String = #""uid": "u_ming", "uin": "100001", "name": "小明""#
    ) -> String {
        #"{"id": "7001", "timestamp": 1795242191000, "sender": {\#(sender)}, "content": {\#(content)}\#(parts)}"#
    }

    private static func document(_ messages: [String], chat: String) -> String {
        #"{"metadata": {"name": "QQChatExporter"}, "chatInfo": {\#(chat)}, "messages": [\#(messages.joined(separator: ", "))]}"#
    }

    private func read(
        _ messages: String..., chat: String = #""name": "计划", "type": "group", "peerUid": "20001""#, room: String? = nil
    ) throws -> Export {
        try Export(QQExporterFormat.self, Self.document(messages, chat: chat), path: "a.json", room: room)
    }

    @Test func `a message has QQ's ids and its time`() throws {
        let export = try read(Self.message())
        #expect(export.unreadable == [])
        let time = try #require(Export.time("2026-11-21T06:23:11.000000Z"))
        #expect(
            export.messages == [
                ImportedMessage(
                    room: "计划", roomKey: "20001", roomKind: .group, kind: .message, sender: "小明", senderKey: "100001",
                    body: "hi", time: time, resolution: .second, remoteID: "7001")
            ])
    }

    @Test func `version 4 has other keys`() throws {
        let message = """
            {"messageId": "7001", "timestamp": "2026-11-21T06:23:11.000Z", "sender": {"uid": "u_ming", "name": "小明"},
             "isSystemMessage": false, "isRecalled": true,
             "content": {"text": "hi", "reply": {"messageId": "1", "referencedMessageId": "7000"}}}
            """
        let export = try read(message, chat: #""name": "小明", "type": "private""#)
        let imported = try #require(export.messages.first)
        #expect(imported.remoteID == "7001" && imported.time.short == "21T06:23:11" && imported.senderKey == "u_ming")
        #expect(imported.replyTo == "7000" && imported.deletedAt == imported.time && imported.body == "hi")
        #expect(imported.isDirect && imported.roomKey == nil)
    }

    @Test(arguments: [
        (#""uid": "未知", "name": "系统消息""#, "system: hi"), (#""uid": "", "uin": "0", "name": """#, "system: hi"),
        (#""uid": "u_ming", "uin": "0", "name": """#, "u_ming: hi"),
        (#""name": "bob""#, "bob: hi"),
    ])
    func `a message without a person is system`(sender: String, told: String) throws {
        #expect(try read(Self.message(sender: sender)).messages.map(\.told) == [told])
    }

    @Test func `a notice is system, and one in place of a recalled message deletes that`() throws {
        let export = try read(
            Self.message(#""text": "小明 加入了群聊""#, #", "system": true"#),
            Self.message(#""text": "小明 撤回了一条消息""#, #", "system": true, "recalled": true"#))
        #expect(export.messages.map(\.told) == ["system: 小明 加入了群聊", "小明"])
        #expect(export.messages.map { $0.deletedAt != nil } == [false, true])
    }

    @Test func `files are known by their path in the export, and their marks leave the text`() throws {
        let image = #"{"type": "image", "filename": "a.jpg", "size": 3, "localPath": "images/a.jpg"}"#
        let linked =
            #"{"type": "image", "filename": "b.jpg", "size": 0, "url": "https://example.net/b", "localPath": "C:\\b.jpg"}"#
        let export = try read(
            Self.message(#""text": "see [图片:a.jpg][图片: b.jpg]", "resources": [\#(image), \#(linked)]"#),
            Self.message(#""text": "[文件:c.pdf]", "resources": [{"type": "file", "filename": "c.pdf"}]"#))
        #expect(export.messages.map(\.body) == ["see [图片: b.jpg]", nil])
        #expect(
            export.messages.map { $0.files.map(\.path) } == [
                ["resources/images/a.jpg", "https://example.net/b"], ["c.pdf"],
            ])
        #expect(export.messages[0].files.map(\.size) == [3, nil])
        #expect(
            export.assumptions == [
                "files kept by name only, because the export has neither the file nor its address: 1"
            ])
    }

    @Test(arguments: [
        // An address without a host leads nowhere.
        ("/download?appid=1407&fileid=Z", "plan.pdf", nil),
        ("https://example.net/download?fileid=Z", "https://example.net/download?fileid=Z", "[文件:plan.pdf]"),
        ("https://example.net/a/plan.pdf?x=1", "https://example.net/a/plan.pdf?x=1", nil),
        ("resources/files/plan.pdf", "resources/files/plan.pdf", nil),
    ])
    func `the name of a file stays in the text if its address lacks it`(url: String, path: String, body: String?) throws
    {
        let file = #"{"type": "file", "filename": "plan.pdf", "url": "\#(url)"}"#
        let export = try read(Self.message(#""text": "[文件:plan.pdf]", "resources": [\#(file)]"#))
        #expect(export.messages.map { $0.files.map(\.path) } == [[path]])
        #expect(export.messages.map(\.body) == [body])
    }

    @Test func `each mark is removed once, also of a name with brackets`() throws {
        let files = ["a.jpg", "a.jpg", "b[1].jpg"].map { #"{"type": "image", "filename": "\#($0)"}"# }
        let export = try read(
            Self.message(
                #""text": "[图片:a.jpg][图片:b[1].jpg]x[图片:a.jpg][图片:a.jpg][图片:", "resources": [\#(files.joined(separator: ","))]"#
            ))
        #expect(export.messages.map(\.body) == ["x[图片:a.jpg][图片:"])
    }

    @Test func `a text of many marks and many files is read`() throws {
        let files = (0..<100).map { #"{"type": "image", "filename": "\#($0).jpg"}"# }.joined(separator: ",")
        let text = String(repeating: "[图片:", count: 20_000)
        let export = try read(Self.message(#""text": "\#(text)", "resources": [\#(files)]"#))
        #expect(export.messages.map(\.files.count) == [100] && export.messages.first?.flags == .oversize)
    }

    @Test func `an answer names its message, and its mark leaves the text`() throws {
        let reply = #"{"type": "reply", "data": {"messageId": "7000", "referencedMessageId": "7000"}}"#
        let export = try read(Self.message(#""text": "[回复消息]hi", "elements": [\#(reply)]"#))
        #expect(export.messages.map(\.replyTo) == ["7000"] && export.messages.map(\.body) == ["hi"])
    }

    @Test func `content of an unknown kind is counted`() throws {
        let export = try read(Self.message(#""text": "", "elements": [{"type": "calendar", "data": {}}]"#))
        #expect(export.unknownKinds.counts == ["calendar": 1])
    }

    @Test func `chunks are read after their list`() throws {
        let paths = [
            "avatars.json", "manifest.json", "chunks/c000002.jsonl", "chunks/c000001.jsonl", "resources/a.jpg",
        ]
        #expect(QQExporterFormat.files(among: paths) == [1, 3, 2])
        #expect(QQExporterFormat.files(among: ["manifest.json", "a.jsonl"]) == nil)
        let manifest =
            #"{"metadata": {"name": "QQChatExporter"}, "chatInfo": {"name": "计划", "type": "group"}, "chunked": {}}"#
        let files = [manifest, Self.message() + "\n", "\n" + Self.message()].map { Array($0.utf8) }
        let export = try Export(
            QQExporterFormat.self,
            files: zip(["manifest.json", "chunks/c000001.jsonl", "chunks/c000002.jsonl"], files).map {
                ($0, $1)
            })
        #expect(export.messages.map { "\($0.room) \($0.told)" } == ["计划 小明: hi", "计划 小明: hi"])
        #expect(export.unreadable == [])
    }

    @Test func `a single chunk needs a room`() throws {
        let chunk = Self.message(#""text": "hi", "elements": [], "resources": []"#)
        #expect(throws: LogSourceError.noRoom) { try Export(QQExporterFormat.self, chunk, path: "c000001.jsonl") }
        let export = try Export(QQExporterFormat.self, chunk, path: "c000001.jsonl", room: "计划")
        #expect(export.messages.map(\.room) == ["计划"])
        #expect(Export.recognising(chunk, path: "c000001.jsonl") == ["qq-exporter"])
    }

    @Test(arguments: [
        (#"{"id": "7002"}"#, "it has no \"timestamp\""),
        (#"{"id": "7002", "timestamp": "soon"}"#, "its \"timestamp\" is not a time"), ("7", "it is not a JSON object"),
    ])
    func `an invalid message is reported once with the reason`(message: String, reason: String) throws {
        let export = try read(message, Self.message())
        #expect(export.unreadable == [reason] && export.messages.count == 1)
    }

    @Test(arguments: 0..<100)
    func `a damaged export never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("qq-exporter") {
            _ = try Export(QQExporterFormat.self, files: [(nil, Mutation.of(sample.bytes, using: &random))], room: "x")
        }
    }

    @Test func `a file of lines or of one document is cut the same in any parts`() {
        for sample in FormatSample.of("qq-exporter", "chatlab") {
            let cutter = LinesOrDocumentCutter(
                linesFrom: sample.format == "chatlab" ? "_type" : "id", places: ["chatInfo", "meta", "messages[]"],
                maximumPiece: 100_000)
            let whole = JSONPieces.cut(sample.bytes, by: nil, cutter)
            #expect(whole.count > 1)
            for size in [1, 7, 255, 256, 257] {
                let parts = JSONPieces.cut(sample.bytes, by: size, cutter)
                #expect(parts.map(\.bytes) == whole.map(\.bytes) && parts.map(\.place) == whole.map(\.place))
                #expect(parts.map(\.number) == whole.map(\.number))
            }
        }
    }
}
