import ChatModel
import Testing

@testable import LogFormats

struct ThunderbirdTests {
    private static func head(
        network: String = "irc", name: String = "#Example", address: String = "#example", isChat: Bool = true
    ) -> String {
        #"{"date":"2026-11-21T06:23:11.289Z","name":"\#(name)","title":"t","account":"a@host","protocol":"\#(network)","isChat":\#(isChat),"normalizedName":"\#(address)"}"#
    }

    private static func line(_ who: String, _ text: String, _ flags: String..., more: String = "") -> String {
        let flags = flags.map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"date":"2026-11-21T06:23:12.000Z","who":"\#(who)","text":"\#(text)","flags":[\#(flags)]\#(more)}"#
    }

    private func read(_ head: String, _ lines: String...) throws -> LogReading {
        try LogReading(
            ThunderbirdFormat.self, ([head] + lines).joined(separator: "\n") + "\n",
            path: "logs/irc/a@host/#example.chat/2026-11-21.062311+0900.json")
    }

    @Test(arguments: [
        (line("bob", "hi", "incoming"), "bob: hi"), (line("alice", "hi", "outgoing"), "alice: hi"),
        (line("bob", "&lt;b&gt; &amp; <b>c</b>", "incoming"), "bob: <b> & c"),
        (line("bob", "<b> &amp;", "incoming", "noFormat"), "bob: <b> &amp;"),
        (line("bob", "waves", "incoming", "action"), "action bob: waves"),
        (line("bob", "psst", "incoming", "notification"), "notice bob: psst"),
        (line("bob", "bob entered the room.", "incoming"), "bob: bob entered the room."),
        (line("host", "No such nick", "error"), "system: No such nick"),
        (line("~b@h", "bob has left the room (Part: bye (now)).", "system"), "leave bob: bye (now)"),
    ])
    func `each line has its kind, sender and text`(line: String, told: String) throws {
        let read = try read(Self.head(), line)
        #expect(read.told == [told] && read.unreadable == [] && read.times == ["21T06:23:12"])
        #expect(read.messages.allSatisfy { $0.room == "#Example" && !$0.isDirect && $0.resolution == .second })
    }

    @Test(arguments: [
        ("bob [~bob@host] entered the room.", "join bob"), ("bob has left the room (Part).", "leave bob"),
        ("bob has left the room (Quit: see (you)).", "leave bob: see (you)"),
        ("bob has left the room (Quit).", "leave bob"),
        ("bob has been kicked by alice: loud [really].", "kick alice: bob: loud [really]"),
        ("bob has been kicked by alice.", "kick alice: bob"), ("bob is now known as 민수.", "rename bob: 민수"),
        ("alice has changed the topic to: all: about 'tea'.", "topic alice: all: about 'tea'"),
        ("alice has changed the topic to: bob entered the room..", "topic alice: bob entered the room."),
        ("alice has cleared the topic.", "topic alice: "), ("Mode +v for bob set by alice.", "mode alice: +v bob"),
        ("Channel mode +nt set by alice.", "mode alice: +nt"),
        ("bob [~bob@host]님이 입실했습니다.", "join bob"), ("bob님이 퇴장했습니다. (이탈 : 또 봐요)", "leave bob: 또 봐요"),
        ("bob님이 퇴장했습니다. (이탈 )", "leave bob"), ("bob님이 퇴장했습니다. (종료 : 안녕)", "leave bob: 안녕"),
        ("alice님이 bob를 : 시끄러움 사유로 강퇴하였습니다.", "kick alice: bob: 시끄러움"),
        ("bob님의 닉네임이 민수 로 변경되었습니다.", "rename bob: 민수"), ("alice이 주제를 변경했습니다: 새 주제.", "topic alice: 새 주제"),
        ("alice님이 bob님의 모드를 +v로 변경했습니다.", "mode alice: +v bob"),
        ("alice님이 채널 모드를 +nt로 변경했습니다.", "mode alice: +nt"),
        ("The topic for #example is: words.", "system: The topic for #example is: words."),
        ("two words entered the room.", "system: two words entered the room."),
    ])
    func `events of IRC are read in English and Korean`(text: String, told: String) throws {
        #expect(try read(Self.head(), Self.line("x", text, "system")).told == [told])
    }

    @Test(arguments: [
        ("A Bee entered the room.", "join A Bee"), ("A Bee has left the room.", "leave A Bee"),
        ("A Bee has left the room: why", "leave A Bee: why"),
        ("Al has kicked A Bee from the room: why", "kick Al: A Bee: why"),
        ("A Bee has been banned from the room.", "kick: A Bee"), ("A Bee 님이 방에 들어왔습니다.", "join A Bee"),
    ])
    func `events of XMPP are read, with spaces in names`(text: String, told: String) throws {
        let head = Self.head(network: "jabber", name: "a", address: "a@rooms.example.net")
        let read = try read(head, Self.line("x", text, "system"))
        #expect(read.told == [told] && read.messages.map(\.room) == ["a@rooms.example.net"])
    }

    @Test func `a conversation of two is named after the other person`() throws {
        let irc = try read(Self.head(name: "Bob", address: "bob", isChat: false), Self.line("Bob", "hi", "incoming"))
        #expect(irc.messages.allSatisfy { $0.room == "Bob" && $0.isDirect })
        let head = Self.head(network: "jabber", name: "Bob", address: "bob@example.net", isChat: false)
        let xmpp = try read(head, Self.line("bob@example.net", "/me waves", "incoming", more: #","alias":"Bob""#))
        #expect(xmpp.told == ["action bob@example.net: waves"])
        #expect(xmpp.messages.allSatisfy { $0.room == "bob@example.net" && $0.isDirect })
    }

    @Test func `Matrix has ids of rooms, people and messages, and deleted messages`() throws {
        let head = Self.head(network: "matrix", name: "Example", address: "!a:example.net")
        let read = try read(
            head, Self.line("@bob:example.net", "hi", "incoming", more: #","alias":"Bob","remoteId":"$1""#),
            Self.line("@bob:example.net", "", "incoming", "deleted", more: #","alias":"Bob","remoteId":"$1""#))
        #expect(read.told == ["Bob: hi", "Bob"])
        #expect(
            read.messages.allSatisfy {
                $0.room == "Example" && $0.roomKey == "!a:example.net" && $0.senderKey == "@bob:example.net"
                    && $0.remoteID == "$1"
            })
        #expect(read.messages.map { $0.deletedAt != nil } == [false, true])
    }

    @Test(arguments: ["words", "{", #"{"who":"bob"}"#, #"{"date":"noon","who":"bob","text":"hi","flags":[]}"#])
    func `another line is unreadable`(line: String) throws {
        let read = try read(Self.head(), line)
        #expect(read.messages.isEmpty && read.unreadable.count == 1)
    }
}
