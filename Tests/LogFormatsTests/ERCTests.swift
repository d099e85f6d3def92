import ChatModel
import Testing

@testable import LogFormats

struct ERCTests {
    private static let path = "#example!me@irc.example.net:6667.txt"
    private static let stamp = "\t\t\t\t        [06:23]\n"

    @Test(arguments: [
        ("<alice> hi", "alice: hi"), ("<alice> <bob> pasted", "alice: <bob> pasted"),
        ("<alice>    three", "alice:    three"),
        ("* alice waves", "action alice: waves"), ("-alice- psst", "notice alice: psst"),
        ("*** bob (~bob@host) has joined channel #example", "join bob"),
        ("*** bob (~bob@host) has left channel #example: bye (now)", "leave bob: bye (now)"),
        ("*** bob (~bob@host) has left channel #example", "leave bob"),
        ("*** bob (~bob@host) has quit: \"why\"", "leave bob: \"why\""),
        ("*** bob (~bob@host) is now known as [bob]", "rename bob: [bob]"),
        ("*** alice (~alice@host) has kicked bob off channel #example: loud: really", "kick alice: bob: loud: really"),
        ("*** alice (~alice@host) has set the topic for #example: \"all: about\"", "topic alice: all: about"),
        ("*** alice (~alice@host) has set the topic for #example: \"\"", "topic alice: "),
        ("*** alice (~alice@host) has changed mode for #example to +oo bob carol", "mode alice: +oo bob carol"),
        ("*** You have joined channel #example", "join me"),
        ("*** You have left channel #example: bye", "leave me: bye"),
        ("*** You have kicked bob off channel #example: why", "kick me: bob: why"),
        ("*** You have been kicked by bob (~bob@host) off channel #example: why", "kick bob: me: why"),
        ("*** Your new nickname is me2", "rename me: me2"),
        ("*** Your new nickname is me", "system: Your new nickname is me"),
        ("*** #example modes: +nt", "system: #example modes: +nt"),
        ("Opening connection..", "system: Opening connection.."),
    ])
    func `ERC's lines are read`(line: String, told: String) throws {
        let read = try LogReading(ERCFormat.self, "\n[Sat Nov 21 2026]\n\(line)\(Self.stamp)", path: Self.path)
        #expect(read.told == [told])
        #expect(read.messages.map { "\($0.room) \($0.isDirect)" } == ["#example false"])
        #expect(read.times == ["21T06:23:00"])
        #expect(read.messages.allSatisfy { $0.resolution == .minute })
    }

    @Test func `lines have the last time, and that of a broken line stands at its end`() throws {
        let text = """

            [Sat Nov 21 2026]
            *** You have joined channel #example\t\t\t\t        [23:58]
            <alice> one
            *** alice (~alice@host) has changed mode for #example to +lk 80 secretkey
            \t\t\t\t\t\t\t\t        [23:59]
            <alice> two

            [Sun Nov 22 2026]
            <alice> three\t\t\t\t\t\t        [00:01]
            <alice> ends with [00:02]
            <alice> a long line that reaches beyond the place of the time      [00:03]

            """
        let read = try LogReading(ERCFormat.self, text, path: Self.path)
        #expect(
            read.told == [
                "join me", "alice: one", "mode alice: +lk 80 secretkey", "alice: two", "alice: three",
                "alice: ends with [00:02]", "alice: a long line that reaches beyond the place of the time",
            ])
        #expect(
            read.times == [
                "21T23:58:00", "21T23:58:00", "21T23:59:00", "21T23:59:00", "22T00:01:00", "22T00:01:00", "22T00:03:00",
            ])
    }

    @Test func `broken lines are joined, without a space between Chinese or Japanese characters`() throws {
        let text = """
            [Sat Nov 21 2026]
            <alice> one two
            \tthree four
            \tfive
            *** alice (~alice@host) has set the topic for #example: "Welcome: talk
                about tea"
            <bob> 日本語の
            \tテスト
            <bob> 가나다
            \t라마바

            """
        let read = try LogReading(ERCFormat.self, text, path: Self.path)
        #expect(
            read.told == [
                "alice: one two three four five", "topic alice: Welcome: talk about tea", "bob: 日本語のテスト",
                "bob: 가나다 라마바",
            ])
    }

    private func read(_ text: [UInt8]) throws -> LogReading {
        try LogReading(
            ERCFormat.self, Array("[Sat Nov 21 2026]\n<alice> ".utf8) + text + Array(Self.stamp.utf8), path: Self.path)
    }

    @Test func `Emacs's own encoding is decoded, and bytes that are in no encoding are kept`() throws {
        let decoded = try read([0x93, 0xC7, 0xD1, 0x93, 0xB1, 0xB9])
        #expect(decoded.told == ["alice: 한국"])
        #expect(decoded.messages.allSatisfy { $0.flags == [] && $0.raw == nil })
        let damaged = try read([0x68, 0x69, 0xFF])
        #expect(damaged.told == ["alice: hi\u{FFFD}"])
        #expect(damaged.messages.allSatisfy { $0.flags.contains(.invalidUTF8) && $0.raw?.contains(0xFF) ?? false })
    }

    @Test(arguments: [
        ("#mix!ed!me@irc.example.net:6667.txt", "#Mix/ed", false, "irc.example.net"),
        ("alice!me@irc.example.net:6667.txt", "alice", true, "irc.example.net"),
        ("irc.example.net:6667!me@irc.example.net:6667.txt", "irc.example.net:6667", false, "irc.example.net"),
        ("#example@libera.txt", "#example", false, "libera"), ("#example.txt", "#example", false, nil),
    ])
    func `the name has the room, and the lines its spelling`(
        path: String, room: String, isDirect: Bool, network: String?
    ) throws {
        let text = "[Sat Nov 21 2026]\n*** alice (~alice@host) has joined channel #Mix/ed\(Self.stamp)"
        let read = try LogReading(ERCFormat.self, text, path: path)
        #expect(read.messages.map { "\($0.room) \($0.isDirect)" } == ["\(room) \(isDirect)"])
        #expect(ERCFormat.accountName(in: LogReading.source([], path: path)) == network)
    }

    @Test func `a log without a day needs it in its name`() throws {
        let text = "*** Your new nickname is me2\n<me2> hi\n"
        #expect(Export.recognising(text, path: "#example!me2@irc.example.net:6667.txt") == ["erc"])
        #expect(throws: LogSourceError.noDate) {
            try LogReading(ERCFormat.self, text, path: "#example!me2@irc.example.net:6667.txt")
        }
        let read = try LogReading(ERCFormat.self, text, path: "#example!me2@irc.example.net_2026-11-21.txt")
        #expect(read.told == ["system: Your new nickname is me2", "me2: hi"])
        #expect(read.times == ["21T00:00:00", "21T00:00:00"])
    }
}
