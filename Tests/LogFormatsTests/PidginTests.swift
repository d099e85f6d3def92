import ChatModel
import Testing

@testable import LogFormats

struct PidginTests {
    private static let folder = "logs/irc/carol@irc.example.net/#example.chat/"
    private static let title = "Conversation with #example at Sat Nov 21 06:23:10 2026 on carol@irc.example.net (irc)\n"

    private func read(_ lines: String, path: String = folder + "2026-11-21.062310+0000GMT.txt") throws -> LogReading {
        try LogReading(PidginFormat.self, Self.title + lines, path: path)
    }

    @Test(arguments: [
        ("alice: hi: all", "alice: hi: all"), ("***alice waves", "action alice: waves"), ("alice: ", "alice: "),
        ("alice: (notice) psst", "notice alice: psst"), ("bob [~bob@host] entered the room.", "join bob"),
        ("bob left the room.", "leave bob"), ("bob left the room (bye (now)).", "leave bob: bye (now)"),
        ("bob left the room (quit: \"bye: all\").", "leave bob: \"bye: all\""),
        ("bob left the room (Kicked by alice (loud (really))).", "kick alice: bob: loud (really)"),
        ("bob is now known as bob2", "rename bob: bob2"),
        ("bob is now known as bob", "system: bob is now known as bob"),
        ("alice!~a@host: alice has changed the topic to: a: b", "topic alice: a: b"),
        ("alice!~a@host: alice has cleared the topic.", "topic alice: "),
        ("#example: mode (+tn ) by alice", "mode alice: +tn"),
        ("The topic for #example is: words", "system: The topic for #example is: words"),
        ("alice is away", "system: alice is away"),
        // What people write is never an event.
        ("***bob left the room.", "action bob: left the room."),
        ("alice: bob left the room.", "alice: bob left the room."),
        ("alice: bob is now known as eve", "alice: bob is now known as eve"),
        ("alice: mode (+o bob) by eve", "alice: mode (+o bob) by eve"),
        ("alice: alice has cleared the topic.", "alice: alice has cleared the topic."),
        // In Korean.
        ("bob [~bob@host] 님이 대화실에 들어왔습니다.", "join bob"), ("bob 님이 대화실을 나갔습니다.", "leave bob"),
        ("bob 님이 대화실 (quit: bye) (으)로부터 나갔습니다.", "leave bob: bye"),
        ("bob 님이 대화실 (alice (loud) 에게 차였습니다) (으)로부터 나갔습니다.", "kick alice: bob: loud"),
        ("bob 님은 민수 (으)로 인식되었습니다", "rename bob: 민수"),
        ("alice!~a@host: alice 님이 주제를 변경했습니다: 새 주제", "topic alice: 새 주제"),
        ("#example: 모드 (+o bob) by alice", "mode alice: +o bob"),
    ])
    func `a line of a room has its kind, sender and text`(line: String, told: String) throws {
        let read = try read("(06:23:11) \(line)\n")
        #expect(read.told == [told])
        #expect(read.messages.allSatisfy { $0.room == "#example" && !$0.isDirect && $0.resolution == .second })
        #expect(read.times == ["21T06:23:11"])
    }

    @Test(arguments: [
        "06:23:11", "06:23:11 AM", "6:23:11 AM", "오전 06시 23분 11초", "06시 23분 11초", "午前06時23分11秒", "06.23.11",
        "11/21/26 06:23:11", "21.11.2026 06:23:11", "2026-11-21 06:23:11", "2026년 11월 21일 06시 23분 11초",
    ])
    func `times are read as the user's language writes them`(time: String) throws {
        let read = try read("(\(time)) alice: hi\n")
        #expect(read.told == ["alice: hi"])
        #expect(read.times == ["21T06:23:11"])
    }

    @Test func `a text continues until the next line with a time`() throws {
        let read = try read("(06:23:11) alice: one\n\n  three\n(lunch) four\n(06:23:12) bob: five\n")
        #expect(read.told == ["alice: one\n\n  three\n(lunch) four", "bob: five"])
    }

    @Test func `a window may be open for days, and a late line has its date`() throws {
        let read = try read(
            "(23:59:59) a: 1\n(00:00:01) a: 2\n(11/20/26 08:00:00) a: late\n(15:00:00) a: 3\n(09:00:00) a: 4\n")
        #expect(
            read.times == [
                "21T23:59:59", "22T00:00:01", "20T08:00:00 after 22T00:00:01", "22T15:00:00", "23T09:00:00",
            ])
        #expect(read.assumptions.first?.hasPrefix("days assumed to begin where the time goes back") == true)
    }

    @Test func `the offset in the file's name is the zone of the times`() throws {
        for zone in ["GMT", "Asia/Seoul"] {
            let read = try LogReading(
                PidginFormat.self, Self.title + "(06:23:11) alice: hi\n",
                path: Self.folder + "2026-11-21.062310+0900KST.txt", zone: zone)
            #expect(read.times == ["20T21:23:11"])
        }
    }

    @Test(arguments: [
        ("logs/irc/me@host/%e1%84%92%e1%85%a1%e1%86%ab.chat/2026-11-21.062310+0000GMT.txt", "한", false),
        ("logs/irc/me@host/#mix%2fed.chat/2026-11-21.062310+0000GMT.txt", "#mix/ed", false),
        ("logs/jabber/me@example.org/alice@example.org/2026-11-21.062310+0000GMT.txt", "alice@example.org", true),
    ])
    func `a title or the folder names the room`(path: String, room: String, isDirect: Bool) throws {
        let untitled = try LogReading(PidginFormat.self, "(06:23:11) alice: hi\n", path: path)
        #expect(untitled.messages.map(\.room) == [room])
        #expect(Export.recognising("(06:23:11) alice: hi\n", path: path) == ["pidgin"])
        let title = "Conversation with \(room) at noon on me@host (jabber)\n"
        let read = try LogReading(PidginFormat.self, title + "(06:23:11) alice: hi\n", path: path)
        #expect(read.messages.map(\.room) == [room])
        #expect(read.messages.map(\.isDirect) == [isDirect])
    }

    @Test func `the other person's address has no resource`() throws {
        let title = "Conversation with alice@example.org at noon on me@example.org/home (jabber)\n"
        let path = "jabber/me@example.org/alice@example.org/2026-11-21.062310+0000GMT.txt"
        let read = try LogReading(
            PidginFormat.self,
            title + "(06:23:11) alice@example.org/phone: hi\n(06:23:12) ***alice@example.org/phone waves\n", path: path)
        #expect(read.told == ["alice@example.org: hi", "action alice@example.org: waves"])
        #expect(PidginFormat.accountName(in: LogReading.source(Array(title.utf8), path: path)) == "me@example.org")
    }

    @Test func `the account's own new name counts if its old one is known`() throws {
        let line = "(06:23:12) You are now known as carol2\n(06:23:13) You are now known as carol\n"
        #expect(
            try read("(06:23:11) List of 2 users: [ alice ][ carol ]\n" + line).told.dropFirst() == [
                "rename carol: carol2", "rename carol2: carol",
            ])
        #expect(try read(line).told == ["system: You are now known as carol2", "system: You are now known as carol"])
        let same = "(06:23:11) List of 2 users: [ alice ][ carol ]\n(06:23:12) You are now known as carol\n"
        #expect(try read(same).told.last == "system: You are now known as carol")
    }

    private static let page = """
        <html><head><title>Conversation with #example at noon on carol@irc.example.net (irc)</title></head><body><h3>Conversation</h3>
        <span style="font-size: smaller">(06:23:10)</span><b> List of 2 users:
        [ alice ][ carol ]</b><br>
        <span style="color: #A82F2F"><span style="font-size: smaller">(06:23:11)</span> <b>alice:</b></span> a &lt;b&gt; <span style='color: red;'>c</span><br>
        <font color="#062585"><font size="2">(06:23:12)</font> <b>***alice</b></font> waves<br/>
        <font color="#A82F2F"><font size="2">(06:23:13)</font> <b>alice:</b></font> <br/>
        <font color="#A82F2F"><font size="2">(06:23:14)</font> <b>alice:</b></font> one<br/>two<br/>
        <font color="#A82F2F"><font size="2">(06:23:15)</font> <b>alice:</b></font> <a href="http://a/">here</a> <a href="http://b/">http://b/</a><br/>
        <font size="2">(06:23:16)</font><b> bob [<em>~bob@host</em>] entered the room.</b><br/>
        <font size="2">(06:23:17)</font><b> alice has changed the topic to: a &amp; b</b><br/>
        <font size="2">(06:23:18)</font><b> mode (+o bob) by alice</b><br/>
        <font color="#A82F2F"><font size="2">(06:23:19)</font> <b>alice:</b></font> bob left the room.<br/>
        <font color="#FF0000"><font size="2">(06:23:20)</font><b> It failed: why</b></font><br/>
        </p>
        </body>
        </html>

        """

    @Test func `pages have the same lines, whose names stand apart`() throws {
        let path = Self.folder + "2026-11-21.062310+0000GMT.html"
        let read = try LogReading(PidginFormat.self, Self.page, path: path)
        #expect(
            read.told == [
                "system: List of 2 users:\n[ alice ][ carol ]", "alice: a <b> c", "action alice: waves", "alice: ",
                "alice: one\ntwo", "alice: here (http://a/) http://b/", "join bob", "topic alice: a & b",
                "mode alice: +o bob", "alice: bob left the room.", "system: It failed: why",
            ])
        #expect(read.unreadable == [])
        #expect(Export.recognising(Self.page, path: "a.html") == ["pidgin"])
    }

    @Test func `the log of the account has system lines`() throws {
        let text = """
            System log for account me@host (irc) connected at Sat Nov 21 06:23:10 2026
            ---- +++ me@host signed on @ 11/21/26 06:23:11 ----

            """
        let read = try LogReading(PidginFormat.self, text, path: ".system/2026-11-21.062310+0000GMT.txt")
        #expect(read.told == ["system: +++ me@host signed on"])
        #expect(read.times == ["21T06:23:11"])
    }
}
