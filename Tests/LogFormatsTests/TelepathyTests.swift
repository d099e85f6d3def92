import ChatModel
import Testing

@testable import LogFormats

struct TelepathyTests {
    private func read(
        _ lines: String, path: String = "TpLogger/logs/idle_irc_alice0/chatrooms/#example/20261121.log",
        end: String = "</log>\n",
        rooms: [String] = []
    ) throws -> LogReading {
        let head = """
            <?xml version='1.0' encoding='utf-8'?>
            <?xml-stylesheet type="text/xsl" href="log-store-xml.xsl"?>
            <log>

            """
        return try LogReading(TelepathyFormat.self, head + lines + end, path: path, rooms: rooms)
    }

    private static func message(_ type: String, _ text: String, more: String = "") -> String {
        "<message time='20261121T06:23:11' id='bob' name='bob' token='' isuser='false' type='\(type)'\(more)>\(text)</message>\n"
    }

    @Test(arguments: [
        (message("normal", "it&apos;s &lt;b&gt; &amp;amp;"), "bob: it's <b> &amp;"),
        (message("action", "waves"), "action bob: waves"),
        (message("notice", "psst"), "notice bob: psst"), (message("auto-reply", "away"), "bob: away"),
        (message("normal", "  a\n b"), "bob:   a\n b"), (message("delivery-report", "lost"), "system: lost"),
        (
            "<call time='20261121T06:23:11' id='b' name='bob' isuser='false' token='' duration='63' reason='user-requested'/>\n",
            "system: call, bob, 63 s"
        ),
    ])
    func `each element has its kind, sender and text, in UTC`(line: String, told: String) throws {
        let read = try read(line)
        #expect(read.told == [told] && read.unreadable == [] && read.times == ["21T06:23:11"])
        #expect(read.messages.allSatisfy { $0.room == "#example" && !$0.isDirect })
    }

    @Test(arguments: [
        (
            "TpLogger/logs/gabble_jabber_alice_40example_2enet0/chatrooms/a@rooms.example.net/20261121.log",
            "a@rooms.example.net", false
        ),
        ("TpLogger/logs/gabble_jabber_alice_40example_2enet0/bob@example.net/20261121.log", "bob@example.net", true),
        ("TpLogger/logs/idle_irc_alice0/chatrooms/#mix_ed/20261121.log", "#Mix/ed", false),
    ])
    func `the folder names the room or the other person`(path: String, room: String, isDirect: Bool) throws {
        let read = try read(Self.message("normal", "hi"), path: path, rooms: ["#Mix/ed"])
        #expect(read.messages.allSatisfy { $0.room == room && $0.isDirect == isDirect })
    }

    @Test func `an edit belongs to the message that it replaces`() throws {
        let read = try read(
            Self.message("normal", "one", more: " message-token='1'")
                + Self.message(
                    "normal", "two", more: " message-token='2' supersedes-token='1' edit-timestamp='20261121T06:24:00'")
        )
        #expect(
            read.messages.map(\.remoteID) == ["1", "1"]
                && read.messages.map { $0.editedAt?.short } == [nil, "21T06:24:00"])
    }

    @Test func `a file without its end is read`() throws {
        #expect(try read(Self.message("normal", "hi"), end: "").told == ["bob: hi"])
    }

    @Test func `a damaged element is unreadable`() throws {
        let read = try read(
            "<message time='noon' name='bob'>hi</message>\n<message time='2026\n" + Self.message("normal", "hi"))
        #expect(read.told == ["bob: hi"] && read.unreadable.count == 2)
    }

    @Test(arguments: [
        ("TpLogger/logs/gabble_jabber_alice_40example_2enet0/bob@example.net/20261121.log", "alice@example.net"),
        ("TpLogger/logs/idle_irc_libera0/chatrooms/#a_b/20261121.log", "libera"), ("a/20261121.log", nil),
    ])
    func `the account's folder names the account`(path: String, name: String?) {
        #expect(TelepathyFormat.accountName(in: LogReading.source([], path: path)) == name)
    }
}
