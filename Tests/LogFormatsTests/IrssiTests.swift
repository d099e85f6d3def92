import ChatModel
import Testing

@testable import LogFormats

struct IrssiTests {
    private func read(_ text: String, path: String = "irclogs/libera/#example.log", zone: String = "GMT") throws
        -> LogReading
    {
        try LogReading(IrssiFormat.self, text, path: path, zone: zone)
    }

    @Test(arguments: [
        ("< alice> hi  there", "alice: hi  there"), ("<@alice> <b> c", "alice: <b> c"), ("<+민수> 안녕", "민수: 안녕"),
        ("<alice:#other> hi", "alice: hi"), (" * alice waves", "action alice: waves"),
        ("-!- alice [~alice@host] has joined #example", "join alice"),
        ("-!- alice [~alice@host] [account] has joined #example", "join alice"),
        ("-!- alice [~alice@host] has left #example []", "leave alice"),
        ("-!- alice [~alice@host] has left #example [see you [later]]", "leave alice: see you [later]"),
        ("-!- alice [~alice@host] has quit [Quit: bye]", "leave alice: Quit: bye"),
        ("-!- alice was kicked from #example by bob [loud]", "kick bob: alice: loud"),
        ("-!- alice is now known as bob", "rename alice: bob"),
        ("-!- You're now known as bob", "system: You're now known as bob"),
        ("-!- mode/#example [+o bob] by alice", "mode alice: +o bob"),
        ("-!- mode/#example [+b *!*@[::1]] by alice", "mode alice: +b *!*@[::1]"),
        ("-!- ServerMode/#example [+nt] by irc.example.net", "mode irc.example.net: +nt"),
        ("-!- mode/#example [+nt]", "system: mode/#example [+nt]"),
        ("-!- alice changed the topic of #example to: all: about it", "topic alice: all: about it"),
        ("-!- Topic unset by alice on #example", "topic alice"),
        ("-!- Topic for #example: words", "system: Topic for #example: words"),
        ("-!- Irssi: #example: Total of 2 nicks", "system: Irssi: #example: Total of 2 nicks"),
        ("-!- Netsplit a.example.net <-> b.example.net quits: alice, bob", nil),
        ("-alice:#example- psst", "notice alice: psst"), ("-alice(~alice@host)- psst", "notice alice: psst"),
        ("!irc.example.net Found your host", "system: !irc.example.net Found your host"),
        (">>> alice [~a@host] requested CTCP VERSION", "system: >>> alice [~a@host] requested CTCP VERSION"),
    ])
    func `a line says who does what`(line: String, told: String?) throws {
        let read = try read("--- Log opened Sat Nov 21 06:23:11 2026\n06:23 \(line)\n")
        #expect(read.told == [told ?? "system: \(line.dropFirst(4))"])
        #expect(read.messages.first?.room == "#example")
        #expect(read.times == ["21T06:23:00"])
    }

    @Test func `days are told by lines of their own, which say nothing else`() throws {
        let read = try read(
            """
            --- Log opened Sat Nov 21 06:23:11 2026
            06:23 < alice> one
            --- Day changed Sun Nov 22 2026
            00:10 < alice> two
            --- Log closed Sun Nov 22 00:10:30 2026
            --- Log opened Mon Nov 23 05:00:00 2026
            05:00:01 < alice> three
            --- Day changed 화 11월 24 2026
            00:00 < alice> four

            """)
        #expect(read.times == ["21T06:23:00", "22T00:10:00", "23T05:00:01", "24T00:00:00"])
        #expect(read.messages.map(\.resolution) == [.minute, .minute, .second, .minute])
        #expect((read.unreadable, read.assumptions) == ([], []))
        #expect(read.parsed.filter { $0 == .nothing }.count == 6)
    }

    @Test func `midnight may come before the line that tells it`() throws {
        let read = try read(
            """
            --- Log opened Sat Nov 21 23:00:00 2026
            23:59 < alice> one
            00:00 < alice> two
            --- Day changed Sun Nov 22 2026
            00:00 < alice> three
            23:59 < alice> four
            """)
        #expect(read.times == ["21T23:59:00", "22T00:00:00", "22T00:00:00", "22T23:59:00"])
        #expect(read.assumptions.count == 1)
    }

    @Test func `a clock of 12 hours shows midnight after each date`() throws {
        let read = try read(
            """
            --- Day changed Sat Nov 21 2026
            11:59 < alice> one
            12:30 < alice> noon
            01:00 < alice> two
            11:59 < alice> three
            --- Day changed Sun Nov 22 2026
            12:00 < alice> four
            """)
        #expect(read.times.map { $0.prefix(8) } == ["21T11:59", "21T12:30", "21T13:00", "21T23:59", "22T00:00"])
    }

    @Test func `what has no day is not guessed`() throws {
        let read = try read(
            """
            06:22 < alice> zero
            --- Log opened Sat Nov 21 06:23:11 2026
            06:23 < alice> one
            --- Day changed Su Smarch 22 2026
            00:10 < alice> two
            --- Day changed Mon Feb 31 2026
            00:11 < alice> three
            --- Day changed Mon Nov 23 2026
            00:12 < alice> four
            nonsense
            """)
        #expect(read.times == ["21T06:23:00", "23T00:12:00"])
        #expect(read.unreadable.count == 6)
        #expect(throws: LogSourceError.noDate) { try self.read("06:22 < alice> zero") }
    }

    @Test(arguments: [
        ("irclogs/libera/#example.log", "#example", false), ("#example.2026-11-21.log", "#example", false),
        ("irclogs/libera/alice.log", "alice", true), ("logs/#example/a.log", "#example", false),
        ("example.log", "example", false), ("irclogs/2026/libera/#example.dev.11-21.log", "#example.dev.11-21", false),
    ])
    func `the path tells the room`(path: String, room: String, isDirect: Bool) throws {
        let read = try read("--- Log opened Sat Nov 21 06:23:11 2026\n06:23 < alice> hi", path: path)
        #expect(read.messages.map(\.room) == [room])
        #expect(read.messages.map(\.isDirect) == [isDirect])
    }

    @Test func `the room may be told by its lines, the day by its name or by each time`() throws {
        let join = "06:23 < bob> hi\n06:23 -!- alice [~a@host] has joined #other\n"
        #expect(try read(join, path: "2026-11-21.log").messages.map(\.room) == ["#other", "#other"])
        #expect(try read("2026-11-21 06:23:11 < alice> hi").times == ["21T06:23:11"])
        #expect(try read("[2026-11-21 06:23:11] < alice> hi").times == ["21T06:23:11"])
    }

    @Test func `times are the zone's`() throws {
        let text = "--- Log opened Sun Oct 25 00:00:00 2026\n02:30 < a> b\n02:10 < a> b\n03:00 < a> b"
        let read = try read(text, zone: "Europe/Berlin")
        #expect(read.times == ["25T00:30:00", "25T01:10:00", "25T02:00:00"])
        #expect(read.assumptions.count == 1)
    }
}
