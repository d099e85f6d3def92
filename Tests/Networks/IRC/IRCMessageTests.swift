import Testing

@testable import IRCWire

struct IRCMessageTests {
    @Test func `the bytes of names and text are kept unchanged`() throws {
        let line: [UInt8] =
            Array(":caf") + [0xE9] + Array("!u@h privmsg #") + [0xB0, 0xA1] + Array(" :") + [0xFF, 0x00]
        let message = try IRCMessage(line: line)
        #expect(message.source?.nick == Array("caf") + [0xE9])
        #expect(message.verb == "PRIVMSG")
        #expect(message.params == [Array("#") + [0xB0, 0xA1], [0xFF, 0x00]])
    }

    @Test(arguments: [("AUTHENTICATE :+", "AUTHENTICATE +"), ("JOIN :#u", "JOIN #u"), ("BATCH :-1", "BATCH -1")])
    func `a colon before the last parameter has no meaning`(with: String, without: String) {
        #expect(IRCMessage(with) == IRCMessage(without))
    }

    @Test(arguments: ["", "   ", ":alice", "@a=b", "@a=b :alice", "@a=b :alice  "])
    func `a line without a command is not a message`(line: String) {
        #expect(throws: IRCSyntaxError(code: .noVerb, detail: "the line has no command")) {
            try IRCMessage(line: Array(line))
        }
    }

    @Test func `a command is visible ASCII`() {
        #expect(throws: IRCSyntaxError.self) { try IRCMessage(line: [0xEA, 0xB0, 0x80]) }
        #expect(throws: IRCSyntaxError.self) { try IRCMessage(line: Array("PI\u{1}NG")) }
    }

    @Test func `a tag without a value, with an empty one or only an escape is empty`() {
        #expect(IRCMessage(#"@k;l=;m=\ PING"#).tags == [Array("k"): [], Array("l"): [], Array("m"): []])
    }

    @Test func `empty tags and tags without a key are ignored`() {
        #expect(IRCMessage("@;;=x;a=1; PING").tags == [Array("a"): Array("1")])
        #expect(IRCMessage("@ PING").tags.isEmpty)
    }

    @Test func `the last of two tags with one key counts, even without a value`() {
        #expect(IRCMessage("@a=1;a PING").tags == [Array("a"): []])
    }

    @Test(arguments: [
        ("no line end in a parameter", IRCMessage("PRIVMSG", "#a", "x\nQUIT")),
        ("no CR", IRCMessage("PRIVMSG", "#a", "x\rQUIT")), ("no NUL", IRCMessage("PRIVMSG", "#a", "x\0")),
        ("no space before the last", IRCMessage("JOIN", "#a b", "key")),
        ("no empty one before the last", IRCMessage("JOIN", "", "key")),
        ("no colon before the last", IRCMessage("JOIN", ":a", "key")),
        ("no command of two words", IRCMessage("JOIN #a", [])), ("no empty command", IRCMessage("", [])),
        ("no command that is tags", IRCMessage("@a", [])), ("no command that is a source", IRCMessage(":a", [])),
        ("no source with a space", IRCMessage(source: IRCSource(Array("a b")), "PING")),
        ("no empty source", IRCMessage(source: IRCSource([]), "PING")),
        ("no tag with a space", IRCMessage(tags: [Array("a b"): []], "PING")),
        ("no tag with a NUL", IRCMessage(tags: [Array("a"): [0]], "PING")),
        ("no tag without a name", IRCMessage(tags: [[]: Array("b")], "PING")),
    ])
    func `a message that would become another line or message is refused`(what: String, message: IRCMessage) {
        #expect(throws: IRCWriteError.self, "\(what)") { try message.encoded() }
    }

    @Test func `a refusal names the problem and the place`() {
        #expect(
            throws: IRCWriteError(code: .invalidParam, detail: "parameter 2 of PRIVMSG contains a NUL or a line end")
        ) {
            try IRCMessage("PRIVMSG", "#a", "x\n").encoded()
        }
    }

    @Test func `a line has 512 bytes with its end, and tags have 4094 more`() throws {
        let text = String(repeating: "x", count: 512 - "PRIVMSG #a \r\n".utf8.count)
        #expect(try IRCMessage("PRIVMSG", "#a", text).encoded().count == 512)
        #expect(throws: IRCWriteError.self) { try IRCMessage("PRIVMSG", "#a", text + "x").encoded() }
        func tagged(_ count: Int) -> IRCMessage {
            IRCMessage(tags: [Array("a"): Array(repeating: 0x78, count: count)], "PING")
        }
        #expect(try tagged(4092).encoded().count == 4096 + "PING\r\n".utf8.count)
        #expect(throws: IRCWriteError.self) { try tagged(4093).encoded() }
        #expect(try tagged(8187).encoded(limits: .server).count == 8191 + "PING\r\n".utf8.count)
    }

    @Test(arguments: ["", "+", ":", " ", ":x", "a b", "가나다", "\u{1}ACTION waves\u{1}"])
    func `a written message is read back unchanged`(text: String) throws {
        let message = IRCMessage(
            tags: [Array("+draft/reply"): Array("a;b \\c\r\n"), Array("k"): []],
            source: IRCSource(Array("alice!u@h")), "PRIVMSG", [Array("#a"), Array(text)])
        #expect(try IRCMessage(line: message.encoded().dropLast(2)) == message)
    }

    @Test func `PONG answers PING with its parameter`() {
        #expect(IRCMessage("PING :a b").pong?.line == "PONG :a b")
        #expect(IRCMessage("PONG a").pong == nil)
    }

    @Test func `messages with passwords are recognised`() {
        #expect(IRCMessage("PASS", "secret").isSecret && IRCMessage("AUTHENTICATE", "AAAA").isSecret)
        #expect(!IRCMessage("PRIVMSG", "#a", "b").isSecret)
    }

    @Test(arguments: [
        ("irc.example.net", true), ("alice", false), ("alice!u@h.example", false), ("alice@h.example", false),
    ])
    func `a source with a dot and without a user is a server`(source: String, isServer: Bool) {
        #expect(IRCSource(Array(source)).isServer == isServer)
    }
}
