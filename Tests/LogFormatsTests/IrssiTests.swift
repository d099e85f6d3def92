import ChatModel
import Testing

@testable import LogFormats

struct IrssiTests {
    func read(_ text: String, path: String = "irclogs/libera/#example.log", zone: String = "GMT") throws
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
        ("-!- Topic unset by alice on #example", "topic alice: "),
        ("-!- Topic for #example: words", "system: Topic for #example: words"),
        ("-!- Irssi: #example: Total of 2 nicks", "system: Irssi: #example: Total of 2 nicks"),
        ("-!- Netsplit a.example.net <-> b.example.net quits: alice, bob", nil),
        ("-alice:#example- psst", "notice alice: psst"), ("-alice(~alice@host)- psst", "notice alice: psst"),
        ("!irc.example.net Found your host", "system: !irc.example.net Found your host"),
        (">>> alice [~a@host] requested CTCP VERSION", "system: >>> alice [~a@host] requested CTCP VERSION"),
    ])
    func `each line has its kind, sender and text`(line: String, told: String?) throws {
        let read = try read("--- Log opened Sat Nov 21 06:23:11 2026\n06:23 \(line)\n")
        #expect(read.told == [told ?? "system: \(line.dropFirst(4))"])
        #expect(read.messages.first?.room == "#example")
        #expect(read.times == ["21T06:23:00"])
    }

    @Test func `lines with a new day set the date and are not messages`() throws {
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

    @Test func `midnight can come before the line with the new day`() throws {
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

    @Test func `a 12-hour clock shows midnight after each date`() throws {
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

    @Test func `a line without a known day is invalid`() throws {
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
        ("--- Day changed Sun Nov 22 2026", true), ("--- Log closed Sat Nov 21 23:59:59 2026", false),
    ])
    func `a log that begins within a day is read from there`(dateLine: String, isAssumed: Bool) throws {
        let text = "06:22 < carol> morning\n06:23 < bob> hi\n\(dateLine)\n06:24 < carol> bye\n"
        #expect(Export.recognising(text, path: "irclogs/libera/#example.log") == ["irssi"])
        let read = try read(text)
        #expect(read.told == ["carol: morning", "bob: hi", "carol: bye"])
        #expect(read.times == ["21T06:22:00", "21T06:23:00", isAssumed ? "22T06:24:00" : "21T06:24:00"])
        let assumption = "the lines before the first date are read as of the day before it"
        #expect(read.assumptions == (isAssumed ? [assumption] : []))
    }

    @Test func `without any day, the error says to add one`() throws {
        for text in ["06:22 < carol> morning\n", "06:22 -!- carol [~c@host] has joined #example\n"] {
            #expect(Export.recognising(text, path: "#example.log") == ["irssi"])
            #expect(throws: LogSourceError.noDate) { try self.read(text, path: "#example.log") }
        }
        #expect(Export.recognising("06:22 carol has gone\n", path: "notes.txt") == [])
    }

    @Test func `times are in the zone`() throws {
        let text = "--- Log opened Sun Oct 25 00:00:00 2026\n02:30 < a> b\n02:10 < a> b\n03:00 < a> b"
        let read = try read(text, zone: "Europe/Berlin")
        #expect(read.times == ["25T00:30:00", "25T01:10:00", "25T02:00:00"])
        #expect(read.assumptions.count == 1)
    }

    @Test func `a message's second line has no sender`() throws {
        let read = try read(
            """
            --- Log opened Fri Nov 27 06:23:11 2026
            06:23 -!- bob [room@host/bob] has joined room@host
            06:24 < bob> one
            06:24 <alice> pasted
            06:24 <@alice> two
            """, path: "irclogs/xmpp:me@host/room@host.log")
        #expect(read.told == ["join bob", "bob: one", "system: <alice> pasted", "alice: two"])
        #expect(read.messages.allSatisfy { $0.room == "room@host" && !$0.isDirect })
        #expect(read.assumptions.count == 1)
        let direct = try self.read(
            "--- Log opened Fri Nov 27 06:23:11 2026\n06:24 <alice@host> hi",
            path: "irclogs/xmpp:me@host/alice@host.log")
        #expect(direct.told == ["alice@host: hi"])
    }

    @Test(arguments: [("me", "me"), ("nick", "nick")])
    func `a further line of a conversation on XMPP is not a message of a third person`(
        nick: String, own: String
    ) throws {
        let read = try read(
            """
            --- Log opened Fri Nov 27 06:23:11 2026
            06:23 -!- Irssi: Starting query in xmpp:me@host with alice@host/pc
            06:23 <\(nick)> one
            06:24 <alice@host/pc> two
            06:24 <carol> pasted
            06:24 <carol@host> pasted, too
            """, path: "irclogs/xmpp:me@host/alice@host_pc.log")
        #expect(
            Array(read.told.suffix(4)) == [
                "\(own): one", "alice@host/pc: two", "system: <carol> pasted", "system: <carol@host> pasted, too",
            ])
        #expect(read.messages.allSatisfy { $0.room == "alice@host/pc" && $0.isDirect })
    }

    @Test func `a quit reason with the words of a join is not a join`() throws {
        let read = try read(
            "--- Log opened Fri Nov 27 06:23:11 2026\n06:23 -!- alice [~a@host] has quit [x] has joined #example]")
        #expect(read.told == ["leave alice: x] has joined #example"])
    }

    @Test func `a line without a mark is not an event if other events have one`() throws {
        let read = try read("--- Log opened Fri Nov 27 06:23:11 2026\n06:23 alice has joined #example")
        #expect(read.told == ["system: alice has joined #example"])
    }

    @Test(arguments: [
        ("06:23:11 PM ", "21T18:23:11"), ("06:23pm ", "21T18:23:00"), ("12:23 AM ", "21T00:23:00"),
        ("[06:23 PM] ", "21T18:23:00"), ("21.11.2026 06:23 ", "21T06:23:00"), ("11/21/26 06:23:11 ", "21T06:23:11"),
        ("[21/11/26 06:23] ", "21T06:23:00"), ("21.11. 06:23 ", "21T06:23:00"), ("Nov 21 06:23:11 ", "21T06:23:11"),
        ("Sat 21 Nov 06:23 ", "21T06:23:00"), ("(06:23) ", "21T06:23:00"), ("2026/11/21 06:23 ", "21T06:23:00"),
        ("2026-11-21, 06:23:11 ", "21T06:23:11"), ("20261121 06:23 ", "21T06:23:00"),
    ])
    func `a time in another form belongs to the day of its log`(stamp: String, time: String) throws {
        let read = try read(
            "--- Log opened Sat Nov 21 00:01:11 2026\n\(stamp)< alice> hi\n\(stamp)-!- bob [~bob@host] has joined #example"
        )
        #expect(read.told == ["alice: hi", "join bob"])
        #expect(read.times == [time, time])
        #expect(read.unreadable == [])
    }

    @Test(arguments: ["PM < alice> hi", "25:61 < alice> hi", "Nov < alice> hi", "1 2 3 4 5 6 06:23 < alice> hi"])
    func `a line without a time does not get one`(line: String) throws {
        #expect(try read("--- Log opened Sat Nov 21 00:01:11 2026\n\(line)").told == [])
    }

    @Test(arguments: ["alice | ", "  @alice | ", "alice│ ", "[alice] ", "[@alice] ", "alice: ", "alice> ", "{ alice} "])
    func `a theme's form of messages is learned from the lines`(name: String) throws {
        let lines = [
            "\(name)one: 1 | 2", " * alice waves", "\(name)two", "-!- bob [~bob@host] has joined #example",
            name + "three",
        ]
        let read = try read(
            "--- Log opened Sat Nov 21 06:23:11 2026\n" + lines.map { "06:23 \($0)\n" }.joined()
                + "06:23 !host: hello\n")
        #expect(
            read.told == [
                "alice: one: 1 | 2", "action alice: waves", "alice: two", "join bob", "alice: three",
                "system: !host: hello",
            ])
    }

    @Test(arguments: [
        ("-- bob [~bob@host] has joined #example", "join bob"), ("--> bob [~bob@host] has joined #example", "join bob"),
        (":: bob [~bob@host] has quit [bye]", "leave bob: bye"), ("→ bob [~bob@host] has joined #example", "join bob"),
        ("== bob is now known as bob2", "rename bob: bob2"),
        (" * bob [~bob@host] has joined #example", "action bob: [~bob@host] has joined #example"),
        ("<bob> -- alice [~a@host] has joined #example", "bob: -- alice [~a@host] has joined #example"),
        ("-- words", "system: -- words"),
    ])
    func `a theme's own mark can precede an event`(line: String, told: String) throws {
        #expect(try read("--- Log opened Sat Nov 21 06:23:11 2026\n06:23 \(line)").told == [told])
    }

    @Test func `one usual message shows that the log has no theme`() throws {
        let notes = String(repeating: "06:23 note: words\n", count: 5)
        let read = try read("--- Log opened Sat Nov 21 06:23:11 2026\n" + notes + "06:23 < alice> hi")
        #expect(read.messages.map(\.kind) == Array(repeating: .system, count: 5) + [.message])
    }
}
