import ChatModel
import Testing

@testable import LogFormats

struct HexChatScrollbackTests {
    private func read(_ line: String, path: String = "scrollback/libera/#example.txt") throws -> LogReading {
        let text = line.replacing(/\^(C[0-9]*|[BHO])/) { match in
            match.1.hasPrefix("C") ? "\u{3}\(match.1.dropFirst())" : ["B": "\u{2}", "H": "\u{8}"][match.1] ?? "\u{F}"
        }
        return try LogReading(HexChatScrollbackFormat.self, "T 1795242191 " + text, path: path)
    }

    @Test(arguments: [
        ("^C18^H<^Halice^C18^H>^H^O\thi", "alice: hi"),
        ("^C18^H<^H@alice^C18^H>^H^O\t  two  spaces", "alice:   two  spaces"),
        ("^C20^H<^Hbob^H>^H^O^C30\tmine^O", "bob: mine"),
        ("^C18^H<^Halice^C18^H>^H^O\t<bob> pasted", "alice: <bob> pasted"),
        ("-^C18alice^C/^C22#example^C-\tpsst^O", "notice alice: psst"), ("-^C28alice^C-\tpsst^O", "notice alice: psst"),
        ("^C18*\t^Balice^O waves", "action alice: waves"), ("^C20*\t^Bbob^O^C30 waves^O", "action bob: waves"),
        ("^C18*\talice^O waves", "action alice: waves"),
        ("^C19*^O\t^C19^Balice^B^O waves at bob", "action alice: waves at bob"),
        ("^C23*\tbob (~bob@host^C23) has joined", "join bob"),
        ("^C24*\tbob (~bob@host^C24) has left (bye (now))", "leave bob: bye (now)"),
        ("^C24*\tbob has quit (\"why\")", "leave bob: \"why\""),
        ("^C24*^O\t^C28bob^O is now known as ^C18bob2^O", "rename bob: bob2"),
        (
            "^C22*^O\t^C26alice^C has kicked ^C18bob^C from ^C22#example^C (^C24loud (really)^O)",
            "kick alice: bob: loud (really)"
        ),
        ("^C22*^O\t^C26alice^C has changed the topic to: all: about^O", "topic alice: all: about"),
        ("^C22*^O\t^C26alice^C has changed the topic to: ^O", "topic alice: "),
        ("^C22*^O\t^C26alice^O gives channel operator status to ^C18bob carol^O", "mode alice: +oo bob carol"),
        ("^C22*^O\t^C26alice^O sets mode ^C24+t^O on ^C22#example^O", "mode alice: +t"),
        ("^C19*^O\tNow talking on ^C22#example^O", "system: Now talking on #example"),
        ("^C20*^O\tYou are now known as ^C18bob2^O", "system: You are now known as bob2"),
    ])
    func `a line with colours is read`(line: String, told: String) throws {
        let read = try read(line)
        #expect(read.told == [told])
        #expect(read.messages.map { "\($0.room) \($0.isDirect)" } == ["#example false"])
        #expect(read.times == ["21T06:23:11"])
    }

    @Test(arguments: ["is now known as zed", "has quit (bye)", "sets mode +o bob", "(~a@host) has joined"])
    func `an action in an event's words stays an action`(words: String) throws {
        #expect(try read("^C18*\t^Balice^O \(words)").told == ["action alice: \(words)"])
    }

    @Test(arguments: [
        ("^C23*\tcarol (~c@host^C23)님이 입장하였습니다", "join carol"),
        ("^C24*\tcarol (~c@host^C24)님이 나갔습니다(안녕)", "leave carol: 안녕"),
        ("^C24*\tcarol님이 끝내셨습니다(안녕)", "leave carol: 안녕"),
        ("^C24*^O\t^C28bob^O님의 대화명은 이제 ^C18bob2^O 입니다", "rename bob: bob2"),
        ("^C22*^O\t^C26alice^C님께서 ^C22#example^C에서 ^C18bob^C님을 추방했습니다(^C24왜^O)", "kick alice: bob: 왜"),
        ("^C22*^O\t^C26alice^C님이 주제를 모두: 함께(으)로 바꿨습니다.^O", "topic alice: 모두: 함께"),
        ("^C22*^O\t^C26alice^O님이 ^C22#example^O의 모드를 ^C24+t^O(으)로 설정했습니다", "mode alice: +t"),
        ("^C22*^O\t^C26alice^O님이 ^C18bob carol^O님께 대화방 관리 권한을 부여했습니다.", "mode alice: +oo bob carol"),
        // Another language.
        ("^C23*\tcarol (~c@host^C23) ist hier", "join carol"),
        ("^C24*\tcarol (~c@host^C24) ist weg (why (now))", "leave carol: why (now)"),
        ("^C24*^O\t^C28bob^O heißt jetzt ^C18bob2^O", "rename bob: bob2"),
        ("^C22*^O\t^C26alice^C warf ^C18bob^C aus ^C22#example^C (^C24why^O)", "kick alice: bob: why"),
        ("^C22*^O\t^C26alice^C änderte: all: about^O", "topic alice: all: about"),
        ("^C22*^O\t^C26alice^O setzt ^C24+t^O in ^C22#example^O", "mode alice: +t"),
        ("^C22*^O\t^C26alice^O gibt ^C18bob^O Rechte", "system: alice gibt bob Rechte"),
    ])
    func `events are events in another language`(line: String, told: String) throws {
        #expect(try read(line).told == [told])
    }

    @Test func `a quit whose name is joined to a word is a known person's`() throws {
        let text = """
            T 1795242191 \u{3}18\u{8}<\u{8}carol\u{3}18\u{8}>\u{8}\u{F}\thi
            T 1795242192 \u{3}24*\tcarolさんは去った (why)
            T 1795242193 \u{3}24*\tdaveさんは去った (why)
            """
        let read = try LogReading(HexChatScrollbackFormat.self, text, path: "scrollback/libera/#example.txt")
        #expect(read.told == ["carol: hi", "leave carol: why", "system: daveさんは去った (why)"])
    }

    @Test func `the room is the one that the lines name, or the other person`() throws {
        let talking = "^C19*^O\tNow talking on ^C22#Mix/ed^O"
        #expect(try read(talking, path: "scrollback/libera/#mix_ed.txt").messages.map(\.room) == ["#Mix/ed"])
        let direct = try read("^C18^H<^Halice^H>^H^O\thi", path: "scrollback/libera/alice.txt")
        #expect(direct.messages.map { "\($0.room) \($0.isDirect)" } == ["alice true"])
        let source = LogReading.source([], path: "scrollback/libera/#example.txt")
        #expect(HexChatScrollbackFormat.accountName(in: source) == "libera")
    }
}
