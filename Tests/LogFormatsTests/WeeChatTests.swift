import ChatModel
import Testing

@testable import LogFormats

struct WeeChatTests {
    private func read(_ text: String, path: String = "irc.libera.#example.weechatlog", zone: String = "GMT") throws
        -> LogReading
    {
        try LogReading(WeeChatFormat.self, text, path: path, zone: zone)
    }

    @Test(arguments: [
        ("@alice\thi\tthere ", "alice: hi\tthere "), ("민수\t안녕", "민수: 안녕"), ("alice\t", "alice: "),
        (" *\talice waves", "action alice: waves"), ("-->\talice (~alice@host) has joined #example", "join alice"),
        ("-->\talice [account] (Alice (A.)) (~alice@host) has joined #example", "join alice"),
        ("<--\talice (~alice@host) has left #example (\"bye\")", "leave alice: bye"),
        ("<--\talice (~alice@host) has left #example", "leave alice"),
        ("<--\talice (~alice@host) has quit (Quit: bye (really))", "leave alice: Quit: bye (really)"),
        ("<--\tbob has kicked alice (loud)", "kick bob: alice: loud"), ("<--\tbob has kicked alice", "kick bob: alice"),
        ("--\talice is now known as bob", "rename alice: bob"),
        ("--\tYou are now known as bob", "system: You are now known as bob"),
        ("--\tMode #example [+o bob] by alice", "mode alice: +o bob"),
        ("--\talice has changed topic for #example from \"old\" to \"the \"new\"\"", "topic alice: the \"new\""),
        ("--\talice has changed topic for #example to \"new\"", "topic alice: new"),
        ("--\talice has unset topic for #example (old topic: \"old\")", "topic alice: "),
        ("--\tTopic for #example is \"new\"", "system: Topic for #example is \"new\""),
        ("--\tNotice(alice) -> #example: a: b", "notice alice: a: b"),
        ("--\tNotice(alice): psst", "notice alice: psst"),
        ("--\talice has invited bob to #example", "invite alice: bob"),
        ("--\tirc: disconnected from server", "system: irc: disconnected from server"),
        ("=!=\tirc: error", "system: irc: error"), ("\twords", "system: words"), ("words", "system: words"),
    ])
    func `each line has its kind, sender and text`(line: String, told: String) throws {
        let read = try read("2026-11-21 06:23:11\t\(line)\n")
        #expect(read.told == [told])
        #expect(read.times == ["21T06:23:11"])
        #expect(read.messages.map(\.resolution) == [.second])
        #expect(read.messages.map(\.room) == ["#example"])
    }

    @Test func `a line without a time continues the previous message`() throws {
        let read = try read(
            """
            stray
            2026-11-21 06:23:11\t****  Beginning of log  ****
            2026-11-21 06:23:11\talice\tone

            two
            2026-11-21 06:23:12\tbob\tthree

            """)
        #expect(read.told == ["alice: one\n\ntwo", "bob: three"])
        #expect(read.unreadable.count == 1)
    }

    @Test func `a time can have microseconds and a zone, and an earlier one keeps its place`() throws {
        let read = try read(
            """
            2026-11-21 06:23:11.123456Z\talice\tone
            2026-11-21T15:23:11.5+0900\talice\ttwo
            2026-11-21 06:23:10\talice\tthree
            2026-02-31 06:23:10\talice\tfour
            """)
        #expect(
            read.messages.map(\.time.description).prefix(2) == [
                "2026-11-21T06:23:11.123456Z", "2026-11-21T06:23:11.500000Z",
            ])
        #expect(read.times.last == "21T06:23:10 after 21T06:23:11")
        #expect(read.messages.map(\.resolution) == [.microsecond, .microsecond, .second])
        #expect(read.unreadable == ["its date does not exist"])
        #expect(read.assumptions.count == 1)
    }

    @Test(arguments: [
        ("irc.libera.#example.weechatlog", "#example", false), ("irc.libera.#a.b.weechatlog", "#a.b", false),
        ("2026/irc/libera/#example-2026-11-21.weechatlog", "#example", false),
        ("irc.libera.bob.weechatlog", "bob", true),
        ("irc.libera.#example/2026-11-21.weechatlog", "#example", false),
        ("irc.libera.bob/2026-11-21.weechatlog", "bob", true), ("irc/libera/bob/2026-11-21.weechatlog", "bob", true),
        ("irc/libera/bob/2026/11/21.weechatlog", "bob", true),
        ("libera/bob.weechatlog", "bob", true), ("libera/libera.weechatlog", "libera", false),
        ("2026/libera/bob.11-21.weechatlog", "bob", true), ("bob.weechatlog", "bob", false),
        ("#example/2026-11-21.log", "#example", false), ("irc.server.libera.weechatlog", "libera", false),
        ("core.weechat.weechatlog", "core.weechat", false),
    ])
    func `the path gives the room`(path: String, room: String, isDirect: Bool) throws {
        let read = try read("2026-11-21 06:23:11\talice\thi", path: path)
        #expect(read.messages.map(\.room) == [room])
        #expect(read.messages.map(\.isDirect) == [isDirect])
    }

    @Test func `a very long message is cut and flagged`() throws {
        let more = String(repeating: String(repeating: "민", count: 5000) + "\n", count: 5)
        let read = try read("2026-11-21 06:23:11\talice\tx\n" + more + "2026-11-21 06:23:12\talice\ty")
        #expect(read.messages.map(\.flags) == [.oversize, []])
        let size = read.messages.first?.body?.utf8.count ?? 0
        #expect(size > HeldText.maximumSize - 4 && size <= HeldText.maximumSize)
    }

    @Test(arguments: [
        ("#mix_ed.11-27.weechatlog", "#Mix/ed"), ("irc.libera.#mix_ed.weechatlog", "#Mix/ed"),
        ("#mix_ed.weechatlog.1", "#Mix/ed"),
    ])
    func `the room's name has its spelling from joins, without the date`(name: String, room: String) throws {
        let text = "2026-11-27 06:23:11\t-->\tbob (~b@host) has joined #Mix/ed\n2026-11-27 06:23:12\t@alice\thi"
        let read = try read(text, path: name)
        #expect(Set(read.messages.map(\.room)) == [room])
        #expect(read.roomBeforeDate == (name.contains("11-27") ? room : nil))
    }

    @Test func `a date in the file's name can be a day off, because times are in UTC`() throws {
        let text = "2026-11-28 03:23:11.123456Z\talice\thi"
        #expect(try read(text, path: "#example.11-27.weechatlog").messages.map(\.room) == ["#example"])
        #expect(try read(text, path: "#example.11-26.weechatlog").messages.map(\.room) == ["#example.11-26"])
    }

    @Test(arguments: [
        ("irc.libera.#example/2026-11-21.weechatlog", "libera"), ("irc.libera.#example.weechatlog", "libera"),
        ("irc/libera/#example.weechatlog", "libera"), ("#example.weechatlog", nil),
    ])
    func `the path gives the network`(path: String, network: String?) {
        #expect(WeeChatFormat.accountName(in: LogReading.source([], path: path)) == network)
    }

    @Test func `marks that a user chose are learned from the lines with them`() throws {
        let lines = [
            "→\tbob (~bob@host) has joined #example", "alice\thi", "←\tbob (~bob@host) has quit (bye)",
            "⚡\talice waves", "ℹ \tMode #example [+o bob] by alice", "⚠\tirc: error",
            "▬▬▶\tcarol (~c@host) has joined #example",
            ">>\tdave (~d@host) has joined #example", "<@bob>\tho", "|\twords", "🦊\thi",
        ]
        let read = try read(lines.map { "2026-11-21 06:23:11\t\($0)\n" }.joined())
        #expect(
            read.told == [
                "join bob", "alice: hi", "leave bob: bye", "action alice: waves", "mode alice: +o bob",
                "system: irc: error", "join carol", "join dave", "bob: ho", "|: words", "🦊: hi",
            ])
    }

    @Test func `only WeeChat claims a log with a user's marks or brackets`() throws {
        for time in ["2026-11-21 06:23:11", "[2026-11-21 06:23:11]", "2026-11-21T06:23:11+0000"] {
            let text = "\(time)\t→\tbob (~bob@host) has joined #example\n\(time)\talice\thi\n[06:24] more\n"
            #expect(Export.recognising(text, path: "irc.libera.#example.weechatlog") == ["weechat"])
            let read = try read(text)
            #expect(read.told == ["join bob", "alice: hi\n[06:24] more"])
            #expect(read.times == ["21T06:23:11", "21T06:23:11"])
        }
    }

    @Test(arguments: [
        ("-->\tbob (~bob@host) venis al #example", "join bob"),
        ("-->\tbob [konto] (Bob B.) (~bob@host) venis al #example", "join bob"),
        ("<--\tbob (~bob@host) foriris de #example", "leave bob"),
        ("<--\tbob (~bob@host) foriris (bye (all))", "leave bob: bye (all)"),
        ("<--\tbob (~bob@host) foriris de #example (\"bye\")", "leave bob: bye"),
        ("--\tModo #example [+o bob] de alice", "mode alice: +o bob"),
        ("--\tModo #example [+nt]", "system: Modo #example [+nt]"),
        ("<--\talice forigis bob (loud)", "system: alice forigis bob (loud)"),
        ("--\talice nun estas bob", "system: alice nun estas bob"),
        ("alice\tbob (~bob@host) venis", "alice: bob (~bob@host) venis"),
    ])
    func `a mark shows a join, a leave or a mode in any language`(line: String, told: String) throws {
        #expect(try read("2026-11-21 06:23:11\t\(line)\n").told == [told])
    }
}
