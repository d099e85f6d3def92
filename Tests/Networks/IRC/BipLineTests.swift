import Testing

@testable import IRCWire

/// Lines of bip 0.9.3's backlog, as Debian's sends them.
struct BipLineTests {
    private func line(_ line: String, isConversation: Bool = false) throws -> BipLine? {
        BipLine(try IRCMessage(line: Array(line.utf8)), isConversation: isConversation)
    }

    private func shown(_ line: BipLine?) -> String {
        func shown(_ time: BipTime) -> String { "\(time.day.map { "\($0) " } ?? "")\(time.second)" }
        switch line {
        case .message(let message):
            let (time, text) = message.timed.map { (shown($0.time), $0.text) } ?? ("-", message.text)
            let kind = (message.isOwn ? "own " : "") + (message.isAction ? "action " : "")
            return "\(kind)[\(time)] \(String(decoding: text, as: UTF8.self))"
        case .event(let time): return "event [\(shown(time))]"
        case .end: return "end"
        case nil: return "none"
        }
    }

    @Test(arguments: [
        (":alice!bip@b.i.p PRIVMSG #room :08:47:45> line", "[31665] line"),
        (":alice!bip@b.i.p PRIVMSG #room :29-11-2026 08:48:40>   two", "[20786 31720]   two"),
        (":alice!bip@b.i.p PRIVMSG #room :plain", "[-] plain"),
        (":alice!bip@b.i.p PRIVMSG #room :29-13-2026 08:48:40> x", "[-] 29-13-2026 08:48:40> x"),
        (":alice!bip@b.i.p PRIVMSG #room :25:00:00> x", "[-] 25:00:00> x"),
        (":alice!bip@b.i.p PRIVMSG #room :08:47:45>x", "[-] 08:47:45>x"),
        (":alice!bip@b.i.p PRIVMSG #room :-> plain", "[-] -> plain"),
        (":alice!bip@b.i.p PRIVMSG #room :\u{1}ACTION 08:47:46> waves\u{1}", "action [31666] waves"),
        (":-bip!bip@b.i.p PRIVMSG #room :29-11-2026 08:47:45 -!- dave!d@h has left #room [bye]", "event [20786 31665]"),
        (":-bip!bip@b.i.p PRIVMSG #room :End of backlog", "end"), (":alice!bip@b.i.p PRIVMSG #room :", "[-] "),
        (":-bip!bip@b.i.p PRIVMSG me :Server disconnected, reconnecting", "none"),
        (":alice!a@host PRIVMSG #room :08:47:45> line", "none"), (":alice!bip@b.i.p NOTICE #room :x", "none"),
        (":alice!a@host PRIVMSG #room :End of backlog", "none"), (":irc.example PRIVMSG #r :End of backlog", "none"),
    ])
    func `bip's backlog is recognised by its source, with the times in its texts`(text: String, expected: String) throws
    {
        #expect(shown(try line(text)) == expected)
    }

    @Test(arguments: [
        (":alice!bip@b.i.p PRIVMSG me :->08:49:06> hi", "own [31746] hi"),
        (":alice!bip@b.i.p PRIVMSG me :08:49:06> ->hi", "[31746] ->hi"),
        (
            ":alice!bip@b.i.p PRIVMSG me :\u{1}ACTION ->29-11-2026 08:48:41> waves\u{1}",
            "own action [20786 31721] waves"
        ),
        (":alice!bip@b.i.p PRIVMSG me :->hi", "own [-] hi"), (":alice PRIVMSG me :End of backlog", "end"),
    ])
    func `an arrow marks the account's own message in a conversation`(text: String, expected: String) throws {
        #expect(shown(try line(text, isConversation: true)) == expected)
    }
}
