import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/hellodigua/ChatLab (electron/main/parser/formats/qq-native-txt.ts), of
/// github.com/hikariyo/qq-chat-history (qq_chat_history/body.py) and of github.com/aoguai/QQtoExcel (src/QQtoExcel.py).
struct QQTextTests {
    private static let rule = String(repeating: "=", count: 64)

    private static func head(_ room: String, group: String = "我的好友") -> String {
        "\(rule)\n消息分组:\(group)\n\(rule)\n消息对象:\(room)\n\(rule)\n\n"
    }

    private func read(_ text: String, room: String? = nil, zone: String = "Asia/Shanghai") throws -> LogReading {
        try LogReading(QQTextFormat.self, text, path: "小明.txt", room: room, zone: zone)
    }

    @Test func `a message has a sender, a local time and the lines of its text`() throws {
        let title = "消息记录（此消息记录为文本格式，不支持重新导入）\n\n"
        let read = try read(
            title + Self.head("小明") + "2026-11-21 6:23:11 小明\n在吗\n\n今天\n\n2026-11-21 18:24:00 alice\n在\n\n")
        #expect(read.unreadable == [])
        #expect(read.told == ["小明: 在吗\n\n今天", "alice: 在"])
        #expect(read.times == ["20T22:23:11", "21T10:24:00"])
        #expect(read.messages.allSatisfy { $0.room == "小明" && $0.roomKind == .group && $0.senderKey == nil })
    }

    @Test(arguments: [
        ("小明(100001)", "小明", "100001"), ("【管理员】【LV5】小明(100001)", "小明", "100001"), ("(100001)", "100001", "100001"),
        ("小明<ming@example.net>", "小明", "ming@example.net"), ("小明 (老家)(100001)", "小明 (老家)", "100001"),
        ("小明(老家)", "小明(老家)", nil), ("【潜水】", "【潜水】", nil), ("a<b>", "a<b>", nil), ("小明(1234)", "小明(1234)", nil),
    ])
    func `a sender has a name, and a number or an address`(text: String, name: String, key: String?) throws {
        let read = try read(Self.head("计划") + "2026-11-21 6:23:11 \(text)\nhi\n")
        #expect(read.messages.map(\.sender) == [name] && read.messages.map(\.senderKey) == [key])
    }

    @Test(arguments: [
        ("2026-11-21 6:23:11", "21T06:23:11"), ("2026-11-21 18:23:11", "21T18:23:11"),
        ("2026-11-21 6:23:11 PM", "21T18:23:11"), ("2026-11-21 12:23:11 AM", "21T00:23:11"),
        ("2026-11-21 下午 6:23:11", "21T18:23:11"), ("2026-11-21 上午 06:23:11", "21T06:23:11"),
        ("2026-11-5 6:23:11", "05T06:23:11"),
    ])
    func `a time has a clock of 24 or 12 hours`(time: String, told: String) throws {
        let read = try read(Self.head("计划") + "\(time) 小明(100001)\nhi\n", zone: "GMT")
        #expect(read.times == [told] && read.told == ["小明: hi"])
    }

    @Test(arguments: ["系统消息(10000)", "系统消息(1000000)"])
    func `a notice of QQ is system`(sender: String) throws {
        let read = try read(Self.head("计划") + "2026-11-21 6:23:11 \(sender)\ncarol加入本群。\n")
        #expect(read.told == ["system: carol加入本群。"])
    }

    @Test func `a message may have no text, and its picture is a word`() throws {
        let read = try read(
            Self.head("计划") + "2026-11-21 6:23:11 小明(100001)\n\n\n2026-11-21 6:23:12 小明(100001)\n[图片]\n")
        #expect(read.told == ["小明", "小明: [图片]"])
    }

    @Test func `a line like a message's first one begins one with a number, or after an empty line`() throws {
        let read = try read(
            Self.head("计划") + """
                2026-11-21 6:23:11 小明
                see:
                2026-11-20 6:00:00 deploy
                2026-11-21 6:23:12 bob(100003)
                ok
                """)
        #expect(read.told == ["小明: see:\n2026-11-20 6:00:00 deploy", "bob: ok"])
    }

    @Test func `a friend with a blank name is called like the room`() throws {
        let read = try read(
            Self.head("小明") + "2026-11-21 6:23:11 alice\nhi\n2026-11-21 6:23:12 \nmore\n\n2026-11-21 0:00:05 \nho\n")
        #expect(read.told == ["alice: hi\n2026-11-21 6:23:12 \nmore", "小明: ho"])
    }

    @Test func `each head begins a room, whose lines have an order of their own`() throws {
        let read = try read(
            Self.head("小明") + "2026-11-21 6:23:11 小明\nhi\n\n" + Self.head("计划", group: "我的群聊")
                + "2026-11-20 6:23:11 bob(100003)\nho\n\n" + Self.head("小明") + "2026-11-21 6:23:10 小明\nha\n",
            zone: "GMT")
        #expect(read.messages.map { "\($0.room) \($0.told)" } == ["小明 小明: hi", "计划 bob: ho", "小明 小明: ha"])
        #expect(read.times == ["21T06:23:11", "20T06:23:11", "21T06:23:10 after 21T06:23:11"])
    }

    @Test func `messages of the group of the latest chats are counted apart`() throws {
        let read = try read(
            Self.head("小明", group: "最近联系人") + "2026-11-21 6:23:11 小明\nhi\n\n" + Self.head("小明")
                + "2026-11-20 6:23:11 小明\nho\n\n2026-11-21 6:23:11 小明\nhi\n",
            zone: "GMT")
        #expect(read.times == ["21T06:23:11", "20T06:23:11", "21T06:23:11"])
        #expect(read.messages.map(\.section) == [1, 0, 0] && Set(read.messages.map(\.room)) == ["小明"])
        #expect(read.assumptions == [])
    }

    @Test func `chats of one name are one room, and the report names them`() throws {
        let read = try read(
            Self.head("小明") + "2026-11-21 6:23:11 小明\nhi\n\n" + Self.head("小明", group: "同事")
                + "2026-11-21 6:23:12 小明\nho\n")
        #expect(read.assumptions == ["chats with the name of a chat above them, read as one room: 小明"])
        #expect(read.messages.map(\.section) == [0, 0])
    }

    @Test func `a room that the user gives names the only room, and none of several`() throws {
        let one = Self.head("小明") + "2026-11-21 6:23:11 小明\nhi\n\n"
        #expect(try read(one, room: "Ming").messages.map(\.room) == ["Ming"])
        let several = one + Self.head("计划") + "2026-11-21 6:23:12 bob(100003)\nho\n"
        #expect(try read(several, room: "Ming").messages.map(\.room) == ["小明", "计划"])
    }

    @Test func `lines of equals signs without a room stay in the message`() throws {
        let read = try read(
            Self.head("小明") + "2026-11-21 6:23:11 小明\na\n\(Self.rule)\nb\n\(Self.rule)\n消息分组:x\nc\n\(Self.rule)\n")
        #expect(read.told == ["小明: a\n\(Self.rule)\nb\n\(Self.rule)\n消息分组:x\nc\n\(Self.rule)"])
    }

    @Test(arguments: [
        ("2026-13-21 6:23:11 小明(100001)\nhi\n", "its date does not exist"),
        ("words\n", "it has no time, and no line before it begins a message"),
        ("2026-11-21 25:23:11 小明(100001)\n", "it has no time, and no line before it begins a message"),
    ])
    func `an invalid line is reported once with the reason`(line: String, reason: String) throws {
        let read = try read(Self.head("小明") + line + "\n2026-11-21 6:23:11 小明\nhi\n")
        #expect(read.unreadable == [reason] && read.told == ["小明: hi"])
    }

    @Test func `without a head, the room must be given`() throws {
        let text = "2026-11-21 6:23:11 小明\nhi\n"
        #expect(throws: LogSourceError.noRoom) { try read(text) }
        #expect(try read(text, room: "小明").told == ["小明: hi"])
    }

    @Test(arguments: ["消息对象:小明\n", "\(String(repeating: "=", count: 64))\n消息分组:我的好友\n", "2026-11-21 6:23:11 小明\nhi\n"])
    func `a text without a whole head is not recognised`(text: String) {
        #expect(Export.recognising(text, path: "小明.txt") == [])
    }

    @Test func `a head that never ends takes no memory`() throws {
        let text = Self.head("小明") + String(repeating: "\(Self.rule)\n消息分组:x\n", count: 1000)
        #expect(try read(text + "2026-11-21 6:23:11 小明(100001)\nhi\n").told == ["小明: hi"])
    }
}
