import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/kkaiwwana/qq-chat-converter (qq_chat_converter/py_funcs.py) and of
/// github.com/road0001/QQMessageParse (python/messageParse.py).
struct QQPageTests {
    private static let font =
        #"<font style="font-size:10pt;font-family:'','MS Sans Serif',sans-serif;" color='000000'>"#

    private static func head(_ room: String = "计划") -> String {
        """
        <html><head><title>QQ Message</title></head><body><table><tr><td><div style=padding-left:10px;><br><b>消息记录</b>\
        </div></td></tr><tr><td><div style=padding-left:10px;>消息分组:我的群聊</div></td></tr>\(roomRow(room))\(day())
        """
    }

    private static func roomRow(_ name: String) -> String {
        "<tr><td><div style=padding-left:10px;>消息对象:\(name)</div></td></tr>"
    }

    private static func day(_ date: String = "2026-11-21") -> String {
        "<tr><td style=height:24px;color:#3568BB;>日期: \(date)</td></tr>"
    }

    private static func row(_ sender: String, _ text: String, at time: String = "6:23:11") -> String {
        """
        <tr><td><div style=color:#006EFE;padding-left:10px;><div style=float:left;margin-right:6px;>\(sender)</div>\
        \(time)</div><div style=padding-left:20px;>\(text)</div></td></tr>
        """
    }

    private func read(_ rows: String..., head: String = Self.head(), room: String? = nil) throws -> Export {
        try Export(QQPageFormat.self, head + rows.joined(separator: "\n"), path: "计划.mht", room: room)
    }

    @Test func `a message has a sender with a number, a local time and a text of several lines`() throws {
        let export = try read(Self.row("小明(100001)", "\(Self.font)走吗&nbsp;&lt;今天&get;<br>bob</font>"))
        #expect(export.unreadable == [])
        let time = try #require(Export.time("2026-11-20T21:23:11.000000Z"))
        #expect(
            export.messages == [
                ImportedMessage(
                    room: "计划", roomKind: .group, kind: .message, sender: "小明", senderKey: "100001",
                    body: "走吗 <今天>\nbob", time: time, resolution: .second)
            ])
    }

    @Test(arguments: [
        ("bob&lt;bob@example.net&get;", "bob: hi"), ("bob", "bob: hi"), ("系统消息(10000)", "system: hi"),
        ("&nbsp;", "system: hi"),
        ("", "system: hi"),
    ])
    func `a row without a person is system`(sender: String, told: String) throws {
        #expect(try read(Self.row(sender, "\(Self.font)hi</font>")).messages.map(\.told) == [told])
    }

    @Test func `pictures have their names in the page, and the report counts them`() throws {
        let export = try read(
            Self.row("小明", #"<IMG src="{0A0A}.dat">\#(Self.font)hi</font><IMG src="{0B0B}.dat">"#),
            "</table></html>\nContent-Type:image/jpeg\nContent-Location:{0A0A}.dat\n\n/9j/4AAQ\n")
        #expect(export.messages.map { $0.files.map(\.path) } == [["{0A0A}.dat", "{0B0B}.dat"]])
        #expect(export.messages.map(\.body) == ["hi"])
        #expect(
            export.assumptions == ["files kept by name only, because their bytes are inside of the page: 2"])
    }

    @Test func `rows of days and rooms hold for the rows after them`() throws {
        let export = try read(
            Self.row("小明", "hi"), Self.day("2026-11-22"), Self.row("小明", "ho"), Self.roomRow("bob"),
            Self.day("2026-11-20"), Self.row("bob", "ha"))
        #expect(
            export.messages.map { "\($0.room) \($0.time.short) \($0.told)" } == [
                "计划 20T21:23:11 小明: hi", "计划 21T21:23:11 小明: ho", "bob 19T21:23:11 bob: ha",
            ])
        #expect(export.hasOwnRooms && export.messages.allSatisfy { $0.place == nil })
    }

    @Test func `messages of the group of the latest chats are counted apart`() throws {
        let export = try read(
            Self.row("小明", "hi"), "<tr><td><div style=padding-left:10px;>消息分组:最近联系人</div></td></tr>",
            Self.roomRow("计划"), Self.day(), Self.row("小明", "hi"))
        #expect(export.messages.map(\.section) == [0, 1] && export.assumptions == [])
        #expect(export.messages.allSatisfy { $0.room == "计划" && $0.place == nil })
    }

    @Test(arguments: [
        (row("小明", "hi", at: "soon"), "its time can't be read"),
        (day("2026-11-31") + row("小明", "hi"), "its date does not exist"),
        (roomRow("bob") + row("小明", "hi"), "no row before it gives its date"),
        ("<tr><td><div", "the file ends in the middle of its XML"),
    ])
    func `an invalid row is reported once with the reason`(row: String, reason: String) throws {
        let export = try read(Self.row("小明", "ho"), row)
        #expect(export.unreadable == [reason] && export.messages.map(\.body) == ["ho"])
    }

    @Test func `without a row of a room, the room must be given`() throws {
        let rows = Self.day() + Self.row("小明", "hi")
        #expect(try read(rows, head: "").unreadable == ["no row before it gives its room; --room does"])
        #expect(try read(rows, head: "", room: "小明").messages.map(\.room) == ["小明"])
    }

    @Test(arguments: 0..<100)
    func `a damaged page never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("qq-mht") {
            _ = try Export(QQPageFormat.self, files: [(nil, Mutation.of(sample.bytes, using: &random))])
        }
    }

    @Test func `another page is not recognised`() {
        #expect(Export.recognising("<html><title>QQ Message</title></html>", path: "a.mht") == [])
    }
}
