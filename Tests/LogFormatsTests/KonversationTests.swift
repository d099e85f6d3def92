import ChatModel
import Testing

@testable import LogFormats

struct KonversationTests {
    private static let heading = "\n*** Logfile started\n*** on Sat Nov 21 06:23:10 2026\n\n"

    private func read(_ lines: String..., path: String = "logs/libera_#example.log") throws -> LogReading {
        let text = lines.map { "[Saturday, 21 November 2026] [06:23:11 +0900] \($0)\n" }.joined()
        return try LogReading(KonversationFormat.self, Self.heading + text, path: path)
    }

    @Test(arguments: [
        ("<@alice>\thi: all", "alice: hi: all"), ("<alice>\t", "alice: "), ("\t * alice waves", "action alice: waves"),
        ("Notice\t-alice to #example- psst", "notice alice: psst"), ("Notice\t-alice- psst", "notice alice: psst"),
        ("Join\tbob (~bob@host) has joined this channel.", "join bob"),
        ("Part\tbob (~bob@host) has left this channel.", "leave bob"),
        ("Part\tbob (~bob@host) has left this channel (bye (now)).", "leave bob: bye (now)"),
        ("Quit\tbob (~bob@host) has left this server (\"bye\").", "leave bob: \"bye\""),
        ("Kick\tbob has been kicked from the channel by alice (loud (really)).", "kick alice: bob: loud (really)"),
        ("Kick\tbob has been kicked from the channel by alice.", "kick alice: bob"),
        ("Nick\tbob is now known as bob2.", "rename bob: bob2"),
        ("Topic\talice sets the channel topic to \"a \"b\" c\".", "topic alice: a \"b\" c"),
        ("Topic\talice sets the channel topic to \"\".", "topic alice: "),
        ("Mode\talice gives channel operator privileges to bob.", "mode alice: +o bob"),
        ("Mode\talice takes the permission to talk from bob.", "mode alice: -v bob"),
        ("Mode\talice sets a ban on *!*@host.", "mode alice: +b *!*@host"),
        ("Mode\talice sets the channel limit to 80 nicks.", "mode alice: +l 80"),
        ("Mode\talice switches on 'topic protection'.", "mode alice: +t"),
        ("Mode\tChannel modes: ", "system: Channel modes:"), ("MOTD\t- \"hello\"", "system: - \"hello\""),
        // In Korean.
        ("입장\tbob(~bob@host) 님이 이 대화방에 입장했습니다.", "join bob"),
        ("퇴장\tbob(~bob@host) 님이 이 대화방을 떠났습니다(또 봐요 (안녕)).", "leave bob: 또 봐요 (안녕)"),
        ("끝내기\tbob(~bob@host) 님이 이 서버를 떠났습니다.", "leave bob"),
        ("추방\talice 님이 bob 님을 대화방에서 추방했습니다(시끄러움).", "kick alice: bob: 시끄러움"),
        ("대화명\tbob 님이 대화명을 bob2(으)로 바꿨습니다.", "rename bob: bob2"),
        ("주제\talice 님이 대화방 주제를 \"새 주제\"(으)로 바꿨습니다.", "topic alice: 새 주제"),
        ("모드\talice 님이 bob 님에게 대화방 운영자 권한을 주었습니다.", "mode alice: +o bob"),
        ("공지\t-alice 님이 #example(으)로 보냄- psst", "notice alice: psst"),
        // In German.
        ("Betreten\tbob (~bob@host) hat diesen Kanal betreten.", "join bob"),
        ("Verlassen\tbob (~bob@host) hat diesen Kanal verlassen (weg).", "leave bob: weg"),
    ])
    func `a line has its kind, sender and text`(line: String, told: String) throws {
        let read = try read(line)
        #expect(read.told == [told])
        #expect(read.times == ["20T21:23:11"])
        #expect(read.messages.allSatisfy { $0.room == "#example" && !$0.isDirect && $0.resolution == .second })
    }

    @Test(arguments: [
        "[Saturday, 21 November 2026] [06:23:11 +0000]", "[Saturday, November 21, 2026] [6:23:11 AM GMT]",
        "[2026년 11월 21일 토요일] [오전 06시 23분 11초 +0000]", "[Samstag, 21. November 2026] [06:23:11 +0000]",
        "[mardi 21 novembre 2026] [06:23:11 UTC]", "[2026年11月21日星期六] [06:23:11]", "[21.11.2026] [06:23:11]",
    ])
    func `dates and times are read as the user's language writes them`(stamp: String) throws {
        let text = "\(stamp) <alice>\thi\n"
        let read = try LogReading(KonversationFormat.self, text, path: "libera_#example.log")
        #expect(read.told == ["alice: hi"])
        #expect(read.times == ["21T06:23:11"])
        #expect(Export.recognising(text, path: "libera_#example.log") == ["konversation"])
    }

    @Test(arguments: [
        ("libera_#mix_ed.log", "#Mix/ed", false), ("libera_alice_.log", "alice_", true),
        ("libera.log", "libera", false),
        ("irc.example.net_alice.log", "alice", true),
    ])
    func `the file's name has the network and the room`(name: String, room: String, isDirect: Bool) throws {
        let own = "Join\tYou (~carol@host) have joined the channel #Mix/ed."
        let read = try read("<alice>\thi", name.contains("#") ? own : "<alice>\tho", path: name)
        #expect(Set(read.messages.map(\.room)) == [room])
        #expect(read.messages.map(\.isDirect) == [isDirect, isDirect])
    }

    @Test func `the own new nick counts once a line has named the old one`() throws {
        let read = try read("Nick\tYou are now known as carol2.", "Nick\tYou are now known as carol.")
        #expect(read.told == ["system: You are now known as carol2.", "rename carol2: carol"])
    }
}
