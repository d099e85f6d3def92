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
    func `a line says who does what`(line: String, told: String) throws {
        let read = try read(Self.begin + "Nov 21 06:23:11 " + line)
        #expect(read.told == [told])
        #expect(read.unreadable == [])
        #expect(read.times == ["21T06:23:11"])
    }

    @Test(arguments: [
        "alice has left the building", "alice (at work) has left", "alice has joined in", "alice has quit smoking",
        "alice sets modes", "alice gives voice to", "alice is now known as the queen",
    ])
    func `an action that only resembles an event stays an action`(text: String) throws {
        #expect(try read(Self.begin + "Nov 21 06:23:11 *\t\(text)").messages.map(\.kind) == [.action])
    }

    @Test func `the year is that of the logging's beginning, and changes with January`() throws {
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
    func `months are read in the languages that the C library has`(word: String, month: Int) throws {
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

    @Test func `what is no line of HexChat's is told, and the next is read`() throws {
        let read = try read(
            "Nov 21 06:23:11 <a>\tx\n\(Self.begin)words\nNox 21 06:23:11 <a>\tx\nNov 21 06:23:11 \nNov 21 06:23:12 <b>\ty\n"
        )
        #expect(
            read.unreadable
                == ["no earlier line gives its year"] + Array(repeating: "not a valid hexchat line", count: 3))
        #expect(read.told == ["b: y"])
    }

    @Test func `the room is given, else a channel, else who or what the file is named after in a network's folder`()
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
    func `the network is the folder's or stands before the channel`(path: String, network: String?) {
        #expect(HexChatFormat.accountName(in: LogReading.source([], path: path)) == network)
    }
}
