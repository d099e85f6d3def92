import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The forms are those of github.com/LC044/WeChatMsg (app/util/exporter/exporter_csv.py) and of github.com/aisahpA/WeChatMsg
/// (exporter/exporter_csv.py), and of github.com/xaoyaoo/PyWxDump (pywxdump/api/export/exportCSV.py), which
/// github.com/xming521/WeClone reads (make_dataset/csv_to_json.py).
struct WeChatTableTests {
    private static let numbered =
        "localId,TalkerId,Type,SubType,IsSender,CreateTime,Status,StrContent,StrTime,Remark,NickName,Sender\n"
    private static let named = "消息ID,类型,发送人,时间,内容,备注,昵称,更多信息\n"
    private static let dumped = "id,MsgSvrID,type_name,is_sender,talker,room_name,msg,src,CreateTime\n"

    private func read(_ text: String, path: String = "小明/小明_utf8.csv", room: String? = nil) throws -> Export {
        try Export(WeChatTableFormat.self, text, path: path, room: room)
    }

    @Test func `a table of WeChatMsg has times in UTC, the ids of people, and marks one's own messages`() throws {
        let export = try read(
            Self.numbered + """
                12,3,1,0,0,1795242191,2,"走吗,\n今天",2026-11-21 06:23:11,明,小明,wxid_ming
                13,3,1,0,1,1795242192,2,走,2026-11-21 06:23:12,,alice,wxid_alice
                14,3,10000,0,0,1795242193,2,小明撤回了一条消息,2026-11-21 06:23:13,,小明,wxid_ming
                """)
        #expect(export.messages.map(\.told) == ["明: 走吗,\n今天", "you: 走", "system: 小明撤回了一条消息"])
        #expect(export.messages.map(\.time.short) == ["21T06:23:11", "21T06:23:12", "21T06:23:13"])
        #expect(export.messages.map(\.senderKey) == ["wxid_ming", nil, nil])
        #expect(export.messages.allSatisfy { $0.room == "小明" && $0.remoteID == nil } && export.assumptions == [])
    }

    @Test(arguments: [
        ("3", "<?xml version=\"1.0\"?><msg/>", "[image]"), ("47", "<msg><emoji/></msg>", "[sticker]"),
        ("49", "", "[link or file]"),
        ("10000", "<revokemsg><![CDATA[\"小明\" 撤回了一条消息]]></revokemsg>", "\"小明\" 撤回了一条消息"), ("1", "<b>", "<b>"),
        ("3", "words", "words"),
    ])
    func `WeChat's XML becomes words`(type: String, content: String, body: String) throws {
        let field = content.replacing("\"", with: "\"\"")
        let export = try read(Self.numbered + "12,3,\(type),0,0,1795242191,2,\"\(field)\",2026-11-21 06:23:11\n")
        #expect(export.messages.map(\.body) == [body])
    }

    @Test func `a row without a name of the sender is the other person's`() throws {
        let export = try read(Self.numbered + "12,3,1,0,0,1795242191,2,hi,2026-11-21 06:23:11\n")
        #expect(export.messages.map(\.told) == ["小明: hi"])
    }

    @Test func `a table of MemoTrace has local times and WeChat's ids`() throws {
        let export = try read(
            Self.named + """
                7001,文本,小明,2026-11-21 06:23:11,走吗,小明,ming,more
                7002,拍一拍,小明,2026-11-21 06:23:12,小明拍了拍我,小明,ming,more
                0,图片,alice,2026-11-21 06:23:13,【图片】,alice,alice,more
                """, path: "小明(1).csv")
        #expect(export.messages.map(\.told) == ["小明: 走吗", "system: 小明拍了拍我", "alice: 【图片】"])
        #expect(export.messages.map(\.remoteID) == ["7001", "7002", nil])
        #expect(export.messages.map(\.time.short) == ["20T21:23:11", "20T21:23:12", "20T21:23:13"])
        #expect(export.messages.map(\.room) == ["小明", "小明", "小明"])
        #expect(export.assumptions == ["times without a zone, read as GMT+0900: 3"])
    }

    @Test func `a table of PyWxDump has the ids of rooms and the paths of files`() throws {
        let export = try read(
            Self.dumped + """
                1,7001,文本,0,wxid_ming,20001@chatroom,走吗,,2026-11-21 06:23:11
                2,7002,图片,1,我,20001@chatroom,图片,FileStorage/Image/0a.dat,2026-11-21 06:23:12
                3,7003,消息撤回5,0,未知,wxid_ming,小明撤回了一条消息,,2026-11-21 06:23:13
                """, path: "20001@chatroom_0_5000.csv")
        #expect(export.messages.map(\.told) == ["wxid_ming: 走吗", "you: 图片", "system: 小明撤回了一条消息"])
        #expect(export.messages.map(\.roomKey) == ["20001@chatroom", "20001@chatroom", "wxid_ming"])
        #expect(export.messages.map(\.roomKind) == [.group, .group, .direct])
        #expect(export.messages.map { $0.files.map(\.path) } == [[], ["FileStorage/Image/0a.dat"], []])
        #expect(export.messages.map(\.remoteID) == ["7001", "7002", "7003"])
    }

    @Test(arguments: [
        ("图片", "图片", "https://example.net/a.jpg", "图片", "https://example.net/a.jpg"),
        ("(分享)卡片式链接", "a page", "https://example.net/page", "a page\nhttps://example.net/page", nil),
        ("合并转发的聊天记录", "chats", "小明: hi", "chats\n小明: hi", nil), ("文本", "hi", "hi", "hi", nil),
        ("文件", "", "plan", "plan", nil),
    ])
    func `content beside the text is a file or a further line`(
        kind: String, text: String, source: String, body: String, file: String?
    ) throws {
        let export = try read(
            Self.dumped + "1,7001,\(kind),0,wxid_ming,20001@chatroom,\(text),\(source),2026-11-21 06:23:11\n")
        #expect(export.messages.map(\.body) == [body])
        #expect(export.messages.map { $0.files.map(\.path) } == [file.map { [$0] } ?? []])
    }

    @Test func `XML beside the text is left out, and counted`() throws {
        let export = try read(
            Self.dumped + "1,7001,图片,0,wxid_ming,20001@chatroom,图片,<msg/>,2026-11-21 06:23:11\n")
        #expect(export.messages.map(\.body) == ["图片"] && export.unknownKinds.counts == ["图片": 1])
    }

    @Test func `a row of a group without a sender is system`() throws {
        let rows = ["小明", "bob", ""].enumerated().map { "700\($0),文本,\($1),2026-11-21 06:23:11,hi,,,more\n" }
        let export = try read(Self.named + rows.joined(), path: "计划.csv")
        #expect(export.messages.map(\.told) == ["小明: hi", "bob: hi", "system: hi"])
        #expect(try read(Self.named + rows[2], path: "小明.csv").messages.map(\.told) == ["小明: hi"])
    }

    @Test func `the table of all chats needs a room`() throws {
        #expect(throws: LogSourceError.noRoom) { try read(Self.numbered, path: "messages.csv") }
        let export = try read(
            Self.numbered + "12,3,1,0,0,1795242191,2,hi,2026-11-21 06:23:11,,小明,wxid_ming\n", path: "messages.csv",
            room: "all")
        #expect(export.messages.map(\.room) == ["all"])
    }

    @Test(arguments: [
        ("12,3,1,0,0,soon,2,hi,later\n", "its time can't be read"), ("12\n", "its time can't be read"),
    ])
    func `an invalid row is reported once with the reason`(row: String, reason: String) throws {
        let export = try read(Self.numbered + row + "12,3,1,0,0,1795242191,2,hi,2026-11-21 06:23:11\n")
        #expect(export.unreadable == [reason] && export.messages.map(\.body) == ["hi"])
    }

    @Test(arguments: [
        "localId,Type\n", "id,MsgSvrID,type_name\n", "消息ID,类型\n", "Type,IsSender,CreateTime\n",
    ])
    func `another table is not recognised`(header: String) {
        #expect(Export.recognising(header, path: "a.csv") == [])
    }

    @Test(arguments: 0..<100)
    func `a damaged table never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("wechat-csv") {
            _ = try Export(WeChatTableFormat.self, files: [(nil, Mutation.of(sample.bytes, using: &random))], room: "x")
        }
    }
}
