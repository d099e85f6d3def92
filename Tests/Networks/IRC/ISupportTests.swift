import Testing

@testable import IRCWire

struct ISupportTests {
    private func support(_ lines: String...) -> ISupport {
        var support = ISupport()
        for line in lines {
            let isTaken = support.receive(IRCMessage(":s 005 me \(line) :are supported by this server"))
            #expect(isTaken)
        }
        return support
    }

    @Test func `a server without tokens follows RFC 1459`() {
        let support = ISupport()
        #expect(support.caseMapping == .rfc1459 && support.channelTypes == Array("#&"))
        #expect(support.prefixes.map(\.mark) == Array("@+") && support.statusMarks == Array("@+"))
        #expect(support.lineLength == 512 && support.nickLength == nil && support.historyLimit == nil)
        #expect(support.referenceTypes == [.timestamp] && !support.isUTF8Only && support.network == nil)
    }

    @Test func `tokens of several lines combine, and the last of a key counts`() {
        let support = support(
            "CASEMAPPING=ascii CHANTYPES=# PREFIX=(qaohv)~&@%+ STATUSMSG=@+ NICKLEN=32 LINELEN=2048",
            "CHATHISTORY=100 MSGREFTYPES=timestamp,msgid UTF8ONLY NETWORK=Example\\x20Net NICKLEN=30 TARGMAX=KICK:1,JOIN:4"
        )
        #expect(support.caseMapping == .ascii && support.channelTypes == Array("#"))
        #expect(support.prefixes.map(\.mark) == Array("~&@%+") && support.prefixes.map(\.mode) == Array("qaohv"))
        #expect(support.statusMarks == Array("@+") && support.nickLength == 30 && support.lineLength == 2048)
        #expect(support.historyLimit == 100 && support.referenceTypes == [.msgid, .timestamp])
        #expect(support.isUTF8Only && support.network == Array("Example Net") && support.joinTargets == 4)
    }

    @Test func `a token with a dash is removed`() {
        #expect(support("CASEMAPPING=ascii UTF8ONLY", "-CASEMAPPING -UTF8ONLY -NEVER") == ISupport())
    }

    @Test(arguments: [("\\x20", " "), ("a\\x5Cx20", "a\\x20"), ("\\x2", "\\x2"), ("\\xZZ", "\\xZZ"), ("a\\", "a\\")])
    func `escapes are bytes, and an invalid one is text`(value: String, expected: String) {
        #expect(support("NETWORK=\(value)").network == Array(expected))
    }

    @Test(arguments: ["PREFIX=", "PREFIX=(ov", "PREFIX=ov)@+", "PREFIX=()"])
    func `an invalid PREFIX means no marks`(token: String) {
        #expect(support(token).prefixes.isEmpty)
    }

    @Test(arguments: ["LINELEN=1", "LINELEN=-5", "LINELEN=x", "LINELEN="])
    func `a line has at least 512 bytes`(token: String) {
        #expect(support(token).lineLength == 512)
    }

    @Test func `numbers that overflow are ignored`() {
        let many = String(repeating: "9", count: 400)
        let support = support("NICKLEN=\(many) CHATHISTORY=\(many) LINELEN=\(many)")
        #expect(support.nickLength == nil && support.historyLimit == 0 && support.lineLength == 512)
    }

    @Test func `CHANMODES lists the modes with parameters`() {
        let modes = support("CHANMODES=beI,k,lf,imnst").channelModes
        #expect(modes.always == Set(Array("beIk")) && modes.whenSet == Set(Array("lf")))
        #expect(support("CHANMODES=").channelModes.always.isEmpty)
    }

    @Test func `the number of kept tokens is limited`() {
        var support = ISupport()
        for index in 0..<2000 { _ = support.receive(IRCMessage(":s 005 me K\(index)=v :x")) }
        #expect(support.values.count == ISupport.maximumTokens)
    }

    @Test(arguments: [
        ("#chan", MessageTarget.channel(Array("#chan"), mark: nil)), ("&local", .channel(Array("&local"), mark: nil)),
        ("@#chan", .channel(Array("#chan"), mark: 0x40)), ("@+#chan", .channel(Array("#chan"), mark: 0x40)),
        ("alice", .direct(Array("alice"))), ("@alice", .direct(Array("@alice"))), ("*", .server), ("", .server),
        ("$$*.example", .server), ("+x", .direct(Array("+x"))),
    ])
    func `a target is a channel, a conversation or the server`(name: String, target: MessageTarget) {
        #expect(ISupport().target(Array(name)) == target)
    }

    private static let marks = "PREFIX=(qaohv)~&@%+ CHANTYPES=#&+"

    @Test(arguments: [
        ("CHANTYPES=#+ STATUSMSG=@+", "", "+#chan", "#chan"), ("CHANTYPES=#+ STATUSMSG=@+", "", "+chan", "+chan"),
        ("CHANTYPES=#&+ STATUSMSG=@+", "", "@+#chan", "#chan"), ("CHANTYPES=#&+ STATUSMSG=@", "", "+#chan", "+#chan"),
        ("CHANTYPES=#&+ STATUSMSG=@", "#chan", "+#chan", "#chan"), ("CHANTYPES=# STATUSMSG=@", "", "+#chan", "#chan"),
        ("CHANTYPES=#&+ STATUSMSG=@+", "", "@&local", "&local"),
        ("CHANTYPES=#&+ STATUSMSG=@+", "", "+&local", "&local"),
        ("\(marks) STATUSMSG=~&@%+", "", "&#chan", "#chan"), ("\(marks) STATUSMSG=~&@%+", "&#chan", "&#chan", "&#chan"),
        ("\(marks) STATUSMSG=~&@%+", "&#chan #chan", "&#chan", "&#chan"),
        ("\(marks) STATUSMSG=~&@%+", "&#chan #chan", "@&#chan", "&#chan"),
        ("\(marks) STATUSMSG=~&@%+", "", "&local", "&local"), ("\(marks) STATUSMSG=~&@%+", "", "@&local", "&local"),
        ("\(marks) STATUSMSG=~&@%+", "", "~&@%+#chan", "#chan"), ("\(marks) STATUSMSG=@", "", "&#chan", "&#chan"),
        (marks, "", "&#chan", "&#chan"), (marks, "#chan", "&#chan", "#chan"), (marks, "+#chan", "+#chan", "+#chan"),
        (marks, "", "@&local", "&local"), ("\(marks) STATUSMSG=@+", "#chan +chan", "+chan", "+chan"),
    ])
    func `a mark that is also a channel type belongs to a joined channel`(
        tokens: String, joined: String, name: String, channel: String
    ) {
        let rooms = joined.split(separator: " ").map { Array($0.utf8) }
        let target = support(tokens).target(Array(name), isJoined: rooms.contains)
        #expect(target == .channel(Array(channel), mark: channel == name ? nil : Array(name)[0]))
    }

    @Test(arguments: [
        (":alice!u@h PRIVMSG me :hi", MessageTarget.direct(Array("alice"))),
        (":ME!u@h PRIVMSG bob :hi", .direct(Array("bob"))),
        (":alice!u@h PRIVMSG @#a :hi", .channel(Array("#a"), mark: 0x40)),
        (":irc.example NOTICE me :hi", .server), ("NOTICE * :looking up", .server), ("NOTICE me :x", .server),
        (":irc.example NOTICE $$* :hi", .server), (":me!u@h PRIVMSG me :note", .direct(Array("me"))),
    ])
    func `a conversation is named after the other person, whoever speaks`(line: String, room: MessageTarget) {
        #expect(ISupport().room(of: IRCMessage(line), nick: Array("me")) == room)
    }
}
