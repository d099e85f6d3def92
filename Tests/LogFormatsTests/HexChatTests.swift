import ChatModel
import Testing

@testable import LogFormats

struct HexChatTests {
    private static let begin = "**** BEGIN LOGGING AT Sat Nov 21 06:23:11 2026\n\n"

    private func read(
        _ text: String, path: String = "logs/libera/#example.log", room: String? = nil
    ) throws -> LogReading {
        try LogReading(HexChatFormat.self, text, path: path, room: room)
    }

    @Test(arguments: [
        ("<@alice>\thi  there ", "alice: hi  there "), ("<alice> hi", "alice: hi"), ("<민수>\t안녕", "민수: 안녕"),
        ("*\talice waves", "action alice: waves"), ("*\talice  waves", "action alice:  waves"),
        ("-alice-\tpsst", "notice alice: psst"), ("-alice/#example-\tpsst", "notice alice: psst"),
        ("*\talice (~a@host) has joined", "join alice"), ("-->\talice (~a@host) has joined #example", "join alice"),
        ("--> alice has joined #example", "join alice"),
        ("*\talice (~a@host) has left", "leave alice"), ("*\talice (~a@host) has left (bye)", "leave alice: bye"),
        ("<--\talice (~a@host) has left #example", "leave alice"),
        ("<--\talice (~a@host) has left #example (all, bye)", "leave alice: all, bye"),
        ("*\talice (~a@host) has left #example: bye", "leave alice: bye"),
        ("*\talice has quit (Quit: bye)", "leave alice: Quit: bye"),
        ("*\talice (~a@host) has quit: bye", "leave alice: bye"),
        ("<--\talice has quit (Read error (104))", "leave alice: Read error (104)"),
        ("*\talice is now known as bob", "rename alice: bob"), ("---\talice is now known as bob", "rename alice: bob"),
        ("*\talice has kicked bob from #example (loud)", "kick alice: bob: loud"),
        ("<--\talice has kicked bob from #example (loud)", "kick alice: bob: loud"),
        ("*\talice has changed the topic to: all about it", "topic alice: all about it"),
        ("*\talice has changed the topic to: ", "topic alice: "),
        ("*\talice gives channel operator status to bob carol", "mode alice: +oo bob carol"),
        ("---\talice gives channel operator status to bob", "mode alice: +o bob"),
        ("*\talice removes voice from bob", "mode alice: -v bob"),
        ("*\talice sets ban on *!*@host", "mode alice: +b *!*@host"),
        ("*\talice removes user limit", "mode alice: -l"), ("*\talice sets mode +nt on #example", "mode alice: +nt"),
        ("*\talice sets modes [+nt]", "mode alice: +nt"), ("*\talice sets mode: +i", "mode alice: +i"),
        ("*\tNow talking on #example", "system: Now talking on #example"),
        ("-->\tYou are now talking on #example", "system: You are now talking on #example"),
        ("*\tTopic for #example is: words", "system: Topic for #example is: words"),
        ("*\tYou are now known as bob", "system: You are now known as bob"),
        ("*\tDisconnected (Remote host closed socket)", "system: Disconnected (Remote host closed socket)"),
        (">bob<\tpsst", "system: >bob<\tpsst"), ("*bob*\tpsst", "system: *bob*\tpsst"),
        ("words without a mark", "system: words without a mark"),
    ])
    func `each line has its kind, sender and text`(line: String, told: String) throws {
        let read = try read(Self.begin + "Nov 21 06:23:11 " + line)
        #expect(read.told == [told])
        #expect(read.unreadable == [])
        #expect(read.times == ["21T06:23:11"])
    }

    @Test(arguments: [
        "alice has left the building", "alice (at work) has left", "alice has joined in", "alice has quit smoking",
        "alice sets modes", "alice gives voice to", "alice is now known as the queen",
    ])
    func `an action that resembles an event stays an action`(text: String) throws {
        #expect(try read(Self.begin + "Nov 21 06:23:11 *\t\(text)").messages.map(\.kind) == [.action])
    }

    @Test func `the year comes from the beginning of the log, and changes in January`() throws {
        let read = try read(
            """
            **** BEGIN LOGGING AT Wed Dec 30 23:00:00 2026

            Dec 30 23:00:00 <a>\t1
            Jan  1 00:00:01 <a>\t2
            Dec 31 23:59:59 <a>\t3
            Jan 02 00:00:00 <a>\t4
            **** ENDING LOGGING AT Sat Jan  2 01:00:00 2027

            **** BEGIN LOGGING AT Sat Mar  4 01:00:00 2028

            Feb 29 00:00:00 <a>\t5
            Feb 30 00:00:00 <a>\t6
            """)
        #expect(
            read.messages.map { $0.time.description.prefix(10) }
                == ["2026-12-30", "2027-01-01", "2026-12-31", "2027-01-02", "2028-02-29"])
        #expect(read.unreadable == ["its date does not exist"])
    }

    @Test(arguments: [
        ("Mai", 5), ("mai", 5), ("maj", 5), ("Okt", 10), ("oct.", 10), ("déc.", 12), ("ene", 1), ("янв", 1), ("5월", 5),
        ("12月", 12), ("May", 5),
    ])
    func `months are read in the languages of the C library`(word: String, month: Int) throws {
        let read = try read("**** BEGIN LOGGING AT Wed Jul  1 23:00:00 2026\n\(word) 07 06:23:11 <a>\tx")
        #expect(
            read.messages.first.map { String($0.time.description.dropFirst(5).prefix(5)) } == (month < 10 ? "0" : "")
                + "\(month)-07")
    }

    @Test(arguments: [
        ("[06:23:11] <a>\tx", "21T06:23:11"), ("06:23 <a>\tx", "21T06:23:00"),
        ("2026-11-22 06:23:11 <a>\tx", "22T06:23:11"),
        ("Nov 21 06:23 <a>\tx", "21T06:23:00"),
    ])
    func `other forms of time are read`(line: String, time: String) throws {
        #expect(try read(Self.begin + line).times == [time])
    }

    @Test func `an invalid HexChat line is reported, and the next is read`() throws {
        let read = try read(
            "Nov 21 06:23:11 <a>\tx\n\(Self.begin)words\nNox 21 06:23:11 <a>\tx\nNov 21 06:23:11 \nNov 21 06:23:12 <b>\ty\n"
        )
        #expect(
            read.unreadable
                == ["no earlier line gives its year"] + Array(repeating: "not a valid hexchat line", count: 3))
        #expect(read.told == ["b: y"])
    }

    @Test func `the room is given, else a channel, else named after the file in a network's folder`()
        throws
    {
        let said = Self.begin + "Nov 21 06:23:11 <a>\tx"
        func room(_ path: String, _ text: String, given: String? = nil) throws -> [String] {
            try read(text, path: path, room: given).messages.prefix(1).map { ($0.isDirect ? "direct " : "") + $0.room }
        }
        #expect(try room("logs/libera/#example.log", said, given: "#given") == ["#given"])
        #expect(try room("libera-#example.log", said) == ["#example"])
        #expect(try room("x.log", Self.begin + "Nov 21 06:23:11 *\tNow talking on #other") == ["#other"])
        #expect(try room("logs/libera/alice.log", said) == ["direct alice"])
        #expect(try room("logs/Libera/libera.log", said) == ["libera"])
        #expect(throws: LogSourceError.noRoom) { try room("logs/alice.log", said) }
        #expect(throws: LogSourceError.noDate) { try room("#a.log", "Nov 21 06:23:11 <a>\tx") }
    }

    @Test(arguments: [
        ("logs/libera/#example.log", "libera"), ("xchatlogs/libera-#example.log", "libera"), ("#example.log", nil),
    ])
    func `the network is the folder's name or precedes the channel`(path: String, network: String?) {
        #expect(HexChatFormat.accountName(in: LogReading.source([], path: path)) == network)
    }

    @Test func `lines in the server's window have no sender`() throws {
        let lines = ["*\tWelcome to the network", "*\t- hello", "*\tThere are 2 users", "*\talice is now known as bob"]
        let text = Self.begin + lines.map { "Nov 21 06:23:11 \($0)\n" }.joined()
        for path in ["logs/libera/libera.log", "logs/libera/server.log"] {
            let read = try read(text, path: path)
            #expect(read.messages.map(\.kind) == [.system, .system, .system, .rename])
            #expect(read.messages.allSatisfy { !$0.isDirect })
        }
    }

    @Test func `a person's address has the time of the log's beginning`() throws {
        let read = try read(
            Self.begin + "[alice has address ~alice@host]\nNov 21 06:23:12 <alice>\thi", path: "logs/libera/alice.log")
        #expect(read.told == ["system: [alice has address ~alice@host]", "alice: hi"])
        #expect(read.times == ["21T06:23:11", "21T06:23:12"])
        #expect(read.unreadable == [])
    }

    @Test(arguments: [
        ("#example.11-21.log", "#example"), ("#example.2026-11.log", "#example"),
        ("#example.11-22.log", "#example.11-22"),
        ("#mix_ed.log", "#Mix/ed"), ("alice.11-21.log", "alice"),
    ])
    func `the room's name has no date and its spelling from the lines`(name: String, room: String) throws {
        let joined = room == "#Mix/ed" ? "Nov 21 06:23:11 *\tNow talking on #Mix/ed\n" : ""
        let read = try read(
            Self.begin + joined + "Nov 21 06:23:12 <alice>\thi", path: "logs/2026/libera/" + name)
        #expect(Set(read.messages.map(\.room)) == [room])
        #expect(read.messages.allSatisfy { $0.isDirect == !room.hasPrefix("#") })
    }

    /// Sentences of an invented language, in which a particle follows a name.
    private static let foreign = """
        **** LUKO ALKAS Sat Nov 21 06:00:00 2026

        Nov 21 06:00:00 *\tNun #example parolas
        Nov 21 06:00:01 *\talice (~alice@host)-o venis
        Nov 21 06:00:02 <alice>\thi
        Nov 21 06:00:03 *\tbob (~bob@host)-o venis
        Nov 21 06:00:04 <bob>\thi
        Nov 21 06:00:05 *\tbob (~bob@host)-o foriris (bye (all))
        Nov 21 06:00:06 *\talice waves at nobody
        Nov 21 06:00:07 *\tcarol (~carol@host)-o venis
        Nov 21 06:00:08 *\tcarol-o finis (Quit: bye)
        Nov 21 06:00:09 *\tcarol (~carol@host)-o venis
        Nov 21 06:00:10 <carol>\thi
        Nov 21 06:00:11 *\tcarol-o nun estas dave
        Nov 21 06:00:12 *\tdave (~carol@host)-o foriris
        Nov 21 06:00:13 *\tcarol (~carol@host)-o flugis

        """

    @Test func `events in any language are joins, leaves or program messages, never a person's`() throws {
        let read = try read(Self.foreign)
        #expect(
            read.told == [
                "system: Nun #example parolas", "join alice", "alice: hi", "join bob", "bob: hi",
                "leave bob: bye (all)", "action alice: waves at nobody", "join carol",
                "system: carol-o finis (Quit: bye)", "join carol", "carol: hi", "system: carol-o nun estas dave",
                "leave dave", "system: carol (~carol@host)-o flugis",
            ])
        #expect(read.unreadable == [])
    }

    @Test func `words that follow several people's names belong to events`() throws {
        let names = ["alice", "bob", "carol"]
        let said = names.map { "Nov 21 06:00:01 <\($0)>\thi\n" }.joined()
        let left = names.map { "Nov 21 06:00:02 *\t\($0) jam foriris (Quit: bye)\n" }.joined()
        let read = try read(
            "**** LUKO ALKAS Sat Nov 21 06:00:00 2026\n" + said + left + "Nov 21 06:00:03 *\talice jam waves")
        #expect(read.messages.map(\.kind) == [.message, .message, .message, .system, .system, .system, .action])
    }

    @Test func `an English session after another language is read as English`() throws {
        let read = try read(Self.foreign + Self.begin + "Nov 21 07:00:00 *\tzed waves")
        #expect(read.told.last == "action zed: waves")
    }

    @Test func `a 12-hour clock can have AM and PM`() throws {
        let read = try read(
            Self.begin + "Nov 21 06:23:11 AM <alice>\thi\nNov 21 06:23:11 PM *\tbob (~bob@host) has joined\n")
        #expect(read.told == ["alice: hi", "join bob"])
        #expect(read.times == ["21T06:23:11", "21T18:23:11"])
    }

    @Test(arguments: [
        ("carol (~c@host)님이 입장하였습니다", "join carol"), ("carol (~c@host)님이 나갔습니다", "leave carol"),
        ("carol (~c@host)님이 나갔습니다(bye (now))", "leave carol: bye (now)"), ("carol님이 끝내셨습니다(bye)", "leave carol: bye"),
        ("bob님의 대화명은 이제 [bob] 입니다", "rename bob: [bob]"),
        ("alice님께서 #example에서 bob님을 추방했습니다(loud (really))", "kick alice: bob: loud (really)"),
        ("alice님이 주제를 all: about(으)로 바꿨습니다.", "topic alice: all: about"),
        ("alice님이 주제를 (으)로 바꿨습니다.", "topic alice: "),
        ("alice님이 bob carol님께 대화방 관리 권한을 부여했습니다.", "mode alice: +oo bob carol"),
        ("alice님이 bob님의 대화방 운영자 권한을 박탈했습니다", "mode alice: -o bob"),
        ("alice님이 bob님께 발언권을 부여했습니다.", "mode alice: +v bob"), ("alice님이 bob님의 발언권을 박탈했습니다", "mode alice: -v bob"),
        ("alice님이 *!*@bad에 입장 금지했습니다.", "mode alice: +b *!*@bad"),
        ("alice님이 *!*@bad님의 강제 퇴장을 해제했습니다.", "mode alice: -b *!*@bad"),
        ("alice님이 대화방 제한을 80(으)로 설정했습니다", "mode alice: +l 80"), ("alice님이 사용자 제한을 제거했습니다", "mode alice: -l"),
        ("alice님이 대화방 암호를 key(으)로 지정했습니다", "mode alice: +k key"), ("alice님이 대화방 암호를 제거했습니다", "mode alice: -k"),
        ("alice님이 #example의 모드를 +t(으)로 설정했습니다", "mode alice: +t"),
        ("현재 #example에서 대화중입니다", "system: 현재 #example에서 대화중입니다"), ("이제부터 대화명은 me2 입니다", "system: 이제부터 대화명은 me2 입니다"),
        ("alice 님이 끝내셨습니다(bye)", "action alice: 님이 끝내셨습니다(bye)"),
    ])
    func `events in Korean are read, and actions in their words stay actions`(line: String, told: String) throws {
        let text = """
            **** 기록 시작: Sat Nov 21 06:23:11 2026

            11월 21 06:23:11 <alice>\thi
            11월 21 06:23:12 *\t\(line)
            """
        let read = try LogReading(HexChatFormat.self, text, path: "logs/libera/#example.log")
        #expect(read.told == ["alice: hi", told])
    }

    @Test func `a Korean log gives its room the name that the lines write`() throws {
        let text = "**** 기록 시작: Sat Nov 21 06:23:11 2026\n\n11월 21 06:23:11 *\t현재 #Mix/ed에서 대화중입니다\n"
        let read = try LogReading(HexChatFormat.self, text, path: "logs/libera/#mix_ed.log")
        #expect(read.messages.map(\.room) == ["#Mix/ed"])
    }
}
