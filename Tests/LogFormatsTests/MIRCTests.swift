import ChatModel
import Testing

@testable import LogFormats

struct MIRCTests {
    private func read(
        _ text: String, path: String = "#example.20261121.log", room: String? = nil, zone: String = "GMT"
    ) throws -> LogReading {
        try LogReading(MIRCFormat.self, text, path: path, room: room, zone: zone)
    }

    @Test(arguments: [
        ("[06:23] <alice> hi  there ", "alice: hi  there "), ("[06:23:11] <@alice> hi", "alice: hi"),
        ("06:23 <+alice> hi", "alice: hi"), ("<alice> hi", "alice: hi"),
        ("[06:23] * alice waves", "action alice: waves"),
        ("[06:23] * @alice waves", "action alice: waves"), ("[06:23] -alice- psst", "notice alice: psst"),
        ("[06:23] -alice:#example- psst", "notice alice: psst"), ("[06:23] <민수> 안녕", "민수: 안녕"),
        ("[06:23] * alice (~a@host) has joined #example", "join alice"),
        ("[06:23] * alice has joined #example", "join alice"),
        ("[06:23] * Joins: alice (~a@host)", "join alice"),
        ("[06:23] *** alice (~a@host) has joined #example", "join alice"),
        ("[06:23] * alice (~a@host) has left #example", "leave alice"),
        ("[06:23] * alice (~a@host) has left #example (all, bye)", "leave alice: all, bye"),
        ("[06:23] * alice has left #example", "leave alice"),
        ("[06:23] * Parts: alice (~a@host) (bye)", "leave alice: bye"),
        ("[06:23] * alice (~a@host) Quit (Quit: bye)", "leave alice: Quit: bye"),
        ("[06:23] * alice has quit IRC (Read error (104))", "leave alice: Read error (104)"),
        ("[06:23] * Quits: alice (~a@host) (bye)", "leave alice: bye"),
        ("[06:23] * alice is now known as bob", "rename alice: bob"),
        ("[06:23] *** alice is now known as bob", "rename alice: bob"),
        ("[06:23] * alice was kicked by bob (loud)", "kick bob: alice: loud"),
        ("[06:23] * alice sets mode: +o bob", "mode alice: +o bob"),
        ("[06:23] * alice changes topic to 'all about it'", "topic alice: all about it"),
        ("[06:23] * alice (~a@host) invites you to join #other", "invite alice: #other"),
        ("[06:23] * Now talking in #example", "system: Now talking in #example"),
        ("[06:23] * Topic is 'words'", "system: Topic is 'words'"),
        ("[06:23] * Set by alice on Sat Nov 21 06:00:00", "system: Set by alice on Sat Nov 21 06:00:00"),
        ("[06:23] * Disconnected", "system: Disconnected"), ("[06:23] *bob* hi", "system: *bob* hi"),
        ("[06:23] -> *bob* well - yes", "system: -> *bob* well - yes"),
        ("[06:23] Local host: example (10.0.0.1)", "system: Local host: example (10.0.0.1)"),
        ("\u{3}03[06:23] * alice has joined #example", "join alice"),
        ("03[06:23] * alice has joined #example", "join alice"),
        ("\u{3}02,01[06:23] * alice has joined #example", "join alice"),
        ("[06:23] \u{3}5* alice waves", "action alice: waves"),
        ("[06:23] <\u{3}04alice\u{3}> \u{3}04red\u{3} \u{2}bold\u{2}", "alice: \u{3}04red\u{3} \u{2}bold\u{2}"),
    ])
    func `each line has its kind, sender and text with colours`(line: String, told: String) throws {
        let read = try read("[06:23] <bob> first\n" + line)
        #expect(read.told.last == told)
        #expect(read.unreadable == [])
    }

    @Test(arguments: [
        "alice has left the building", "alice has joined the party", "alice (at work) has left #example",
        "alice is now known as the queen", "alice sets mode: happy", "alice was kicked by a horse",
        "alice changes topic to lunch", "alice has quit IRC", "alice Quit smoking",
    ])
    func `an action that resembles an event stays an action`(text: String) throws {
        #expect(try read("[06:23] * \(text)").messages.first?.kind == .action)
    }

    @Test(arguments: [
        "[06:23] <> hi", "[06:23] <alice hi", "[25:00] <alice> hi", "[13:04pm] <alice> hi", "words", "* ",
    ])
    func `a line that mIRC doesn't write is reported, and the next is read`(line: String) throws {
        let read = try read("[06:23] <alice> hi\n\(line)\n[06:24] <bob> ho")
        #expect(read.unreadable == ["not a valid mirc line"])
        #expect(read.told == ["alice: hi", "bob: ho"])
    }

    private static let sessions = """

        Session Start: Sat Nov 21 23:58:30 2026
        Session Ident: #example
        [23:58] * Now talking in #example
        [23:59] <alice> late
        Session Time: Sun Nov 22 00:00:00 2026
        [00:01] <bob> early
        -
        Session Close: Sun Nov 22 00:02:00 2026

        Session Start: Tue Nov 24 10:00:30 2026
        Session Ident: #example
        [10:00] <alice> later
        """

    @Test func `sessions give the days and the room`() throws {
        let read = try read(Self.sessions, path: "logs/example.log")
        #expect(read.times == ["21T23:58:00", "21T23:59:00", "22T00:01:00", "24T10:00:00"])
        #expect(Set(read.messages.map(\.room)) == ["#example"])
        #expect(read.messages.allSatisfy { !$0.isDirect && $0.resolution == .minute })
        #expect(read.unreadable == [] && read.assumptions == [])
    }

    @Test func `a file of several windows has several rooms, unless one is given`() throws {
        let text = """
            Session Start: Sat Nov 21 06:23:11 2026
            Session Ident: #example
            [06:23] <alice> hi
            Session Ident: bob (~bob@host)
            [06:24] <bob> psst
            Session Ident: =carol
            [06:25] <carol> direct
            Session Ident: Status
            [06:26] -server- notice
            """
        let rooms = try read(text, path: "all.log").messages.map { ($0.room, $0.isDirect) }
        #expect(rooms.map(\.0) == ["#example", "bob", "carol", "Status"])
        #expect(rooms.map(\.1) == [false, true, true, false])
        #expect(try Set(read(text, path: "all.log", room: "#all").messages.map(\.room)) == ["#all"])
    }

    @Test func `lines without times get the session's or the last line's, with a note`() throws {
        let read = try read(
            "Session Start: Sat Nov 21 06:23:11 2026\nSession Ident: #example\n<alice> hi\n* bob waves\n[06:30] <a> x\n<b> y\n",
            path: "example.log")
        #expect(read.times == ["21T06:23:00", "21T06:23:00", "21T06:30:00", "21T06:30:00"])
        #expect(
            read.assumptions == [
                "lines without a time, which get the time of the line before them: 3, the first is line 3"
            ])
    }

    @Test func `a session with an unreadable date is reported with its lines`() throws {
        let read = try read(
            "Session Start: Sat Nov 21 06:23:11 2026\nSession Ident: #a\nSession Start: sam. nov. 21\n[06:23] <a> x\n",
            path: "a.log")
        #expect(read.unreadable == ["can't read its date", "no earlier line gives its date"])
    }

    @Test(arguments: [
        ("#example.log", "[06:23] * alice has joined #example"), ("example.log", "Session Ident: #example"),
    ])
    func `a log without a date is an error`(path: String, text: String) {
        #expect(throws: LogSourceError.noDate) { try read(text, path: path) }
    }

    @Test func `the room is given, else from the session, the name or the joined channel`() throws {
        let session = "Session Start: Sat Nov 21 06:23:11 2026\n"
        let ident = "Session Ident: #Ident\n"
        let said = "[06:23] <alice> hi"
        let joined = "[06:23] * Now talking in #other\n"
        #expect(try read(session + ident + said, path: "#name.log", room: "#given").messages.first?.room == "#given")
        #expect(try read(session + ident + said, path: "#name.net.log").messages.first?.room == "#Ident")
        #expect(try read(session + said, path: "#name.20261121.log").messages.first?.room == "#name")
        #expect(try read(session + joined, path: "x.log").messages.first?.room == "#other")
        #expect(throws: LogSourceError.noRoom) { try read(session + said, path: "x.log") }
    }

    @Test(arguments: [
        ("logs/Libera/#example.20261121.log", "Libera"), ("logs/#example.Libera.20261121.log", "Libera"),
        ("logs/#example.log", nil), ("#example.20261121.log", nil),
    ])
    func `the network is in the folder's or the file's name`(path: String, network: String?) {
        let source = LogReading.source(Array("Session Ident: #example\n".utf8), path: path)
        #expect(MIRCFormat.accountName(in: source) == network)
    }

    @Test(arguments: [
        ("[10:23pm]", "21T22:23:00"), ("[10:23 PM]", "21T22:23:00"), ("(22:23)", "21T22:23:00"),
        ("[21/11/2026 22:23:11]", "21T22:23:11"), ("[11/21/26 22:23]", "21T22:23:00"),
        ("[Sat 21 Nov 22:23]", "21T22:23:00"),
    ])
    func `a time in another form belongs to the session's day`(stamp: String, time: String) throws {
        let read = try read(
            "Session Start: Sat Nov 21 22:00:00 2026\nSession Ident: #example\n\(stamp) <alice> hi\n"
                + "\(stamp) * bob (~bob@host) has joined #example\nSession Close (#example): Sat Nov 21 23:00:00 2026\n"
        )
        #expect(read.told == ["alice: hi", "join bob"])
        #expect(read.times == [time, time])
        #expect(read.unreadable == [])
    }

    @Test(arguments: ["#example.Libera.20261121.log", "#example.Libera.202611.log", "#example.log"])
    func `the room named by lines has no network from the file's name`(name: String) throws {
        let text =
            "Session Start: Sat Nov 21 22:00:00 2026\n[22:01] <bob> I joined #other\n"
            + "[22:02] * bob (~bob@host) has joined #example\n"
        #expect(try Set(read(text, path: name).messages.map(\.room)) == ["#example"])
    }
}
