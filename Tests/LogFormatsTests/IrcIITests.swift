import ChatModel
import Testing

@testable import LogFormats

struct IrcIITests {
    private static let start = "IRC log started Sat Nov 21 06:23:11 2026\n"
    private static let joined = start + "*** me (~me@host) has joined channel #example\n"

    private func read(_ text: String, room: String? = nil, now: Timestamp = Timestamp(microseconds: .max)) throws
        -> LogReading
    {
        try LogReading(IrcIIFormat.self, text, path: "irc.log", room: room, now: now)
    }

    /// `#example alice: hi`.
    private func placed(_ read: LogReading) -> [String] {
        read.messages.map { "\($0.isDirect ? "with " : "")\($0.room) \($0.told)" }
    }

    @Test(arguments: [
        ("<alice> hi", "#example alice: hi"), ("<alice:#other> hi", "#other alice: hi"),
        ("<alice> <bob> pasted", "#example alice: <bob> pasted"), ("> hi", "#example me: hi"),
        ("* alice waves", "#example action alice: waves"), ("* alice:#other waves", "#other action alice: waves"),
        ("∞ alice waves", "#example action alice: waves"), ("<#other> ∞ alice waves", "#other action alice: waves"),
        ("-alice:#example- psst", "#example notice alice: psst"), ("-a-b- psst", "with a-b notice a-b: psst"),
        ("-irc.example.net- hello", "status notice irc.example.net: hello"),
        ("*alice* hi", "with alice alice: hi"), ("*> alice waves", "with alice action alice: waves"),
        ("*alice*> hi", "with alice me: hi"), ("-> *alice* hi", "with alice me: hi"),
        ("[∙alice∙] hi", "with alice me: hi"),
        ("\u{2}∙\u{2}alice\u{2}∙\u{2} hi  (~alice@host) [06:23]", "with alice alice: hi"),
        ("*** bob (~bob@host) has joined channel #other", "#other join bob"),
        ("*** bob has left channel #example because (bye (now))", "#example leave bob: bye (now)"),
        ("*** bob has left channel #example because ()", "#example leave bob"),
        ("*** bob has left channel #example", "#example leave bob"),
        ("*** Signoff: bob (\"why\")", "#example leave bob: \"why\""),
        (
            "*** bob has been kicked off channel #example by alice (loud (really))",
            "#example kick alice: bob: loud (really)"
        ),
        (
            "\u{2}[\u{2}S+Z\u{2}]\u{2} bob has been kicked from channel #example by alice (no)",
            "#example kick alice: bob: no"
        ),
        ("*** bob is now known as bob2", "#example rename bob: bob2"),
        ("*** alice has changed the topic on channel #example to all: about", "#example topic alice: all: about"),
        ("*** alice has changed the topic on channel #example to ", "#example topic alice: "),
        ("\u{2}[\u{2}S+Z\u{2}]\u{2} alice has unset the topic on channel #example", "#example topic alice: "),
        ("*** Mode change \"+oo bob carol\" on channel #example by alice", "#example mode alice: +oo bob carol"),
        ("*** There are 16 users", "status system: There are 16 users"),
    ])
    func `lines belong to the room that they name, else to the one that was joined last`(line: String, told: String)
        throws
    {
        let read = try read(Self.joined + line)
        #expect(placed(read) == ["#example join me", told])
        #expect(read.unreadable == [])
    }

    @Test func `all lines have the minute at which the session began, and the report says so`() throws {
        let text =
            Self.joined
            + "<alice> hi\nIRC log ended Sun Nov 22 00:02:02 2026\nIRC log started Sun Nov 22 00:03:01 2026\n"
            + "*** me (~me@host) has joined channel #example\n<alice> hi again\n"
        let read = try read(text)
        #expect(read.times == ["21T06:23:00", "21T06:23:00", "22T00:03:00", "22T00:03:00"])
        #expect(read.messages.allSatisfy { $0.resolution == .minute })
        #expect(
            read.assumptions == [
                "lines without a time, each of which gets the time at which its session began; most of what the archive "
                    + "has of them from a listener or another program's log is stored twice: 4, the first is line 2"
            ])
        #expect(read.messages.allSatisfy { !$0.isTimed })
    }

    @Test(arguments: ["<alice> late", "*** bob is now known as bob2", "\u{2}[\u{2}S+Z\u{2}]\u{2} There are 16 users"])
    func `a log that begins within a session is read from the next one on`(line: String) throws {
        let text = "\(line)\nIRC log ended Sat Nov 21 06:00:00 2026\n" + Self.joined + "<alice> hi\n"
        #expect(Export.recognising(text, path: "irc.log") == ["ircii"])
        let read = try read(text)
        #expect(read.told == ["join me", "alice: hi"])
        #expect(read.unreadable == ["no earlier line gives its date"])
        #expect(Export.recognising("\(line)\n<bob> hi\n", path: "irc.log") == [])
    }

    @Test(arguments: [
        ("Sat Nov 21 06:23", "2026-11-21T06:23"), ("Fri Nov 21 06:23", "2025-11-21T06:23"),
        ("Mon Nov 21 06:23", "2022-11-21T06:23"), ("Tue Feb 29 06:23", "2000-02-29T06:23"),
        ("Sat Nov  7 06:23", "2026-11-07T06:23"),
    ])
    func `a date without a year is in the last year that has its weekday`(start: String, time: String) throws {
        let text = "IRC log started \(start)\n*** me (~me@host) has joined channel #example\n"
        // 2026-11-21 12:00 UTC
        let read = try read(text, now: Timestamp(seconds: 1_795_262_400))
        #expect(read.messages.map { String($0.time.description.prefix(16)) } == [time])
        #expect(read.assumptions.contains { $0.hasPrefix("sessions without a year") })
    }

    /// A log whose sessions are in 2020, 2020, 2024 and 2026.
    private static let yearless = ["Sat Nov 21", "Tue Dec 15", "Fri Mar  1", "Sat Nov 28"].map {
        "IRC log started \($0) 06:23\n*** me (~me@host) has joined channel #example\n"
    }

    @Test(arguments: [1_796_083_200, 1_801_440_000])
    func `the sessions of a log are in order, whenever it is read`(seconds: Int64) throws {
        // 2026-12-01 and 2027-02-01. Tuesday, the 15th of December is in 2020 and in 2026.
        let read = try read(Self.yearless.joined(), now: Timestamp(seconds: seconds))
        #expect(
            read.messages.map { String($0.time.description.prefix(10)) }
                == ["2020-11-21", "2020-12-15", "2024-03-01", "2026-11-28"])
        #expect(read.assumptions.count == 2)
    }

    @Test func `sessions that can't be in order are read one by one`() throws {
        let text = (0..<12).map { _ in Self.yearless.reversed().joined() }.joined()
        let read = try read(text, now: Timestamp(seconds: 1_796_083_200))
        let days = Set(read.messages.map { String($0.time.description.prefix(10)) })
        #expect(days == ["2026-11-21", "2020-12-15", "2024-03-01", "2026-11-28"])
    }

    @Test func `a quit belongs to a room of the person`() throws {
        let text =
            Self.joined + """
                *** Users on #example: me @alice
                *** me (~me@host) has joined channel #other
                *** Users on #other: me bob
                *** Signoff: alice (bye)
                *** Signoff: bob (bye)
                *** Signoff: stranger (bye)
                """
        let leaves = try placed(read(text)).filter { $0.contains(" leave ") }
        #expect(leaves == ["#example leave alice: bye", "#other leave bob: bye", "#other leave stranger: bye"])
    }

    @Test func `after one has left a room, lines belong to the one before`() throws {
        let text =
            Self.joined + """
                *** me (~me@host) has joined channel #other
                > one
                *** me is now known as me2
                *** me2 has left channel #other (bye)
                > two
                """
        let own = try placed(read(text)).filter { $0.contains(": one") || $0.contains(": two") }
        #expect(own == ["#other me: one", "#example me2: two"])
    }

    @Test func `without a join of one's own, --room names the room`() throws {
        let text = Self.start + "<alice> hi\n*** bob (~bob@host) has joined channel #example\n<alice> hi\n> mine\n"
        let read = try read(text)
        #expect(placed(read) == ["#example join bob"])
        #expect(read.unreadable.count == 3)
        let named = try self.read(text, room: "#example")
        #expect(placed(named) == ["#example alice: hi", "#example join bob", "#example alice: hi", "#example >: mine"])
    }

    @Test func `a start that is not in the calendar is reported`() throws {
        let read = try read("IRC log started Sat Nov 31 06:23:11 2026\n<alice> hi\n", room: "#example")
        #expect(read.unreadable == ["can't read its date", "no earlier line gives its date"])
    }
}
