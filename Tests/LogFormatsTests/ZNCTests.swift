import ChatModel
import Testing

@testable import LogFormats

struct ZNCTests {
    private static let text = """
        [06:23:11] <alice> hi
        [06:23:11] * alice waves
        [06:23:12] *** Joins: bob (~bob@host)
        [06:23:13] *** Parts: bob (~bob@host) (bye (for now))
        [06:23:14] *** Quits: eve (~eve@host) (Quit: [x])
        [06:23:15] *** bob was kicked by alice (why)
        [06:23:16] *** alice is now known as 민수
        [06:23:17] *** 민수 sets mode: +o bob
        [06:23:17] *** Server sets mode: +nt\u{20}
        [06:23:18] *** 민수 changes topic to 'it's "new"'
        [06:23:19] -bob- psst
        [06:23:20] Disconnected from IRC (irc.example.net +6697)

        """

    private static let told = [
        "alice: hi", "action alice: waves", "join bob", "leave bob: bye (for now)", "leave eve: Quit: [x]",
        "kick alice: bob: why", "rename alice: 민수", "mode 민수: +o bob", "mode Server: +nt",
        "topic 민수: it's \"new\"", "notice bob: psst", "system: Disconnected from IRC (irc.example.net +6697)",
    ]

    @Test func `each ZNC line has its kind, sender and text, to the second`() throws {
        let read = try LogReading(ZNCFormat.self, Self.text, path: "log/libera/#example/2026-11-21.log")
        #expect(read.told == Self.told)
        #expect(read.messages.allSatisfy { $0.room == "#example" && !$0.isDirect && $0.resolution == .second })
        #expect(read.times.first == "21T06:23:11")
        #expect(read.assumptions == [])
    }

    @Test func `energymech gives the same messages where it fits`() throws {
        let path = "log/libera/#example/2026-11-21.log"
        let (znc, energymech) = (
            try LogReading(ZNCFormat.self, Self.text, path: path),
            try LogReading(EnergymechFormat.self, Self.text, path: path)
        )
        #expect(znc.parsed == energymech.parsed)
    }

    @Test func `ZNC's lines without a mark are the bouncer's messages`() throws {
        let read = try LogReading(
            ZNCFormat.self, "[06:23:11] bob leaves: bye", path: "log/libera/#example/2026-11-21.log")
        #expect(read.told == ["system: bob leaves: bye"])
    }

    @Test(arguments: [
        ("/home/alice/.znc/users/alice/networks/libera/moddata/log/#example/2026-11-21.log", "#example", false),
        ("log/libera/bob/2026-11-21.log", "bob", true), ("log/libera/status/2026-11-21.log", "status", false),
        ("moddata/log/#example_20261121.log", "#example", false),
        ("moddata/log/alice_libera_#party2026_20261121.log", "#party2026", false),
        ("moddata/log/alice_libera_bob_1_20261121.log", "bob_1", true),
        ("users/alice/moddata/log/libera_bob_20261121.log", "bob", true),
        ("users/alice/networks/libera/moddata/log/bob_1_20261121.log", "bob_1", true),
    ])
    func `the path gives the room and the day`(path: String, room: String, isDirect: Bool) throws {
        let read = try LogReading(ZNCFormat.self, "[06:23:11] <alice> hi", path: path)
        #expect(read.messages.map(\.room) == [room])
        #expect(read.messages.map(\.isDirect) == [isDirect])
        #expect(read.times == ["21T06:23:11"])
        #expect(try LogReading(ZNCFormat.self, "[06:23:11] <a> b", path: path, room: "#x").messages.first?.room == "#x")
    }

    @Test func `ZNC's status window is recognised, and its lines are the system's`()
        throws
    {
        let (text, path) = ("[06:23:11] Connected to IRC (127.0.0.1 6667)\n", "log/libera/status/2026-11-21.log")
        #expect(Export.recognising(text, path: path) == ["znc"])
        #expect(Export.recognising(text, path: "log/libera/bob/2026-11-21.log") == [])
        #expect(try LogReading(ZNCFormat.self, text, path: path).told == ["system: Connected to IRC (127.0.0.1 6667)"])
    }

    @Test func `each time or the path gives the date`() throws {
        let text = "[2026-11-21 06:23:11] <alice> hi\n[2026-11-20 06:23:11] <alice> hi"
        let read = try LogReading(ZNCFormat.self, text, path: "#example/all.log")
        #expect(read.times == ["21T06:23:11", "20T06:23:11 after 21T06:23:11"])
        #expect(throws: LogSourceError.noDate) {
            try LogReading(ZNCFormat.self, "[06:23:11] <alice> hi", path: "#example/all.log")
        }
        #expect(throws: LogSourceError.noRoom) {
            try LogReading(ZNCFormat.self, "[06:23:11] <alice> hi", path: "2026-11-21.log")
        }
    }

    @Test(arguments: [
        ("carol (~carol@host) joined the channel", "join carol"), ("<@alice> hi", "alice: hi"),
        ("• bob: waves: slowly", "action bob: waves: slowly"),
        ("bob (~bob@host) left the channel (bye (now))", "leave bob: bye (now)"),
        ("bob (~bob@host) left the channel", "leave bob"),
        ("bob (~bob@host) left IRC (Quit: bye)", "leave bob: Quit: bye"),
        ("alice sets mode +o bob", "mode alice: +o bob"),
        ("alice changed the topic to all about", "topic alice: all about"),
        ("alice kicked bob from the channel (loud)", "kick alice: bob: loud"),
        ("bob is now known as bob2", "rename bob: bob2"),
        ("------------- Begin Session -------------", "system: ------------- Begin Session -------------"),
        ("Topic is words", "system: Topic is words"), ("-ChanServ- psst", "notice ChanServ: psst"),
        ("<bob> • alice: waves", "bob: • alice: waves"),
    ])
    func `Textual's lines are read`(line: String, told: String) throws {
        let path = "Textual/libera (A1B2C)/Channels/#example/2026-11-21.txt"
        let text = "[2026-11-21T10:00:00+0100] <alice> hi\n[2026-11-21T10:00:01+0100] \(line)"
        #expect(Export.recognising(text, path: path) == ["znc"])
        let read = try LogReading(ZNCFormat.self, text, path: path)
        #expect(read.told == ["alice: hi", told])
        #expect(read.messages.map(\.room) == ["#example", "#example"])
        #expect(read.times == ["21T09:00:00", "21T09:00:01"])
        #expect(ZNCFormat.accountName(in: LogReading.source([], path: path)) == "libera")
    }

    @Test func `an IRCCloud line written like an action has no sender`() throws {
        let lines = [
            "→ bob joined (~bob@host)", "* Channel mode is +nt", "* bob was kicked by alice (loud)",
            "* alice set +o bob",
            "* alice set the topic to: words", "* alice waves", "<alice> * bob was kicked by carol (loud)",
        ]
        let read = try LogReading(
            ZNCFormat.self, lines.map { "[2026-11-21 06:23:11] \($0)\n" }.joined(), path: "#example.txt")
        #expect(read.messages.map(\.kind) == [.join, .system, .system, .system, .system, .action, .message])
        #expect(read.messages.compactMap(\.sender) == ["bob", "alice", "alice"])
        #expect(read.told[1] == "system: Channel mode is +nt")
    }

    @Test(arguments: [("Queries/bob", "bob", true), ("Console", "Console", false)])
    func `Textual's folder gives the window`(folder: String, room: String, isDirect: Bool) throws {
        let read = try LogReading(
            ZNCFormat.self, "[2026-11-21T10:00:00+0100] <bob> hi", path: "libera (A1B2C)/\(folder)/2026-11-21.txt")
        #expect(read.messages.map(\.room) == [room])
        #expect(read.messages.map(\.isDirect) == [isDirect])
    }

    @Test(arguments: [
        ("*** alice (~alice@host) joined", "join alice"), ("*** alice joined", "join alice"),
        ("*** alice (~alice@host) left (bye (now))", "leave alice: bye (now)"), ("*** alice left", "leave alice"),
        ("*** alice (~alice@host) quit (Ping timeout)", "leave alice: Ping timeout"),
        ("*** alice changed nick to bob", "rename alice: bob"), ("*** alice set mode +o bob", "mode alice: +o bob"),
        ("*** alice sets channel #example mode +v bob", "mode alice: +v bob"),
        ("*** bob was kicked by alice (why)", "kick alice: bob: why"),
        ("*** alice changed topic to 'it's new'", "topic alice: it's new"),
        ("*** alice changed topic to new words", "topic alice: new words"),
        ("*** alice changed host to 'a@b'", "system: alice changed host to 'a@b'"),
        ("* @alice waves", "action alice: waves"),
        ("*** alice left the building", "system: alice left the building"), ("* alice joined", "action alice: joined"),
        // ChatZilla.
        ("-->| bob (~bob@host) has joined #example", "join bob"),
        ("-->|\tYOU (bob) have joined #example", "join bob"), ("<--| bob has left #example (bye)", "leave bob: bye"),
        ("|<-- bob has left irc.example.net (Quit: bye)", "leave bob: Quit: bye"),
        ("=-= bob is now known as bob2", "rename bob: bob2"),
        ("=-= Mode #example +o bob by alice", "mode alice: +o bob"),
        ("=-= alice has changed the topic to ``new words''", "topic alice: new words"),
        ("=-= bob was booted from #example by alice (loud)", "kick alice: bob: loud"),
        ("=-= User mode for bob is now +i", "system: User mode for bob is now +i"),
        // IRCCloud.
        ("→ bob joined (~bob@host)", "join bob"), ("← bob left (~bob@host): bye", "leave bob: bye"),
        ("⇐ bob quit (~bob@host): Quit: bye", "leave bob: Quit: bye"), ("⇐ bob quit (~bob@host) bye", "leave bob: bye"),
        ("→ Joined channel #example", "system: Joined channel #example"),
        ("<bob> → alice joined (~a@host)", "bob: → alice joined (~a@host)"),
    ])
    func `other clients' dated lines are read without a day in the name`(line: String, told: String) throws {
        let text = "[2026-11-21 10:00:00] \(line)\n[2026-11-21T10:00:01.123Z] <alice> hi"
        for path in ["logs/me/libera-0123/#example.log", "libera/#example.txt", "#example.2026-11-21.log"] {
            #expect(Export.recognising(text, path: path) == ["znc"])
        }
        let read = try LogReading(ZNCFormat.self, text, path: "logs/me/libera-0123/#example.log")
        #expect(read.told == [told, "alice: hi"])
        #expect(Export.recognising(text, path: "logs/me/libera-0123/alice.log") == ["znc"])
        #expect(Export.recognising(text, path: "notes.log") == [])
    }
}
