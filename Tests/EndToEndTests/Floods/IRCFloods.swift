/// A line for each command and numeric that an IRC session looks at.
extension Flood {
    /// - Parameter count: Names of a round: more than a server can have us remember of most things.
    private static func irc(
        _ name: String, _ lines: String..., count: Int = 20_000, capabilities: String = ""
    ) -> Flood {
        let template = lines.map { $0 + "\r\n" }.joined()
        return Flood(
            network: .irc, name: name, capabilities: capabilities, content: { numbered(template, count) })
    }

    private static let history =
        "batch message-tags server-time draft/chathistory draft/event-playback draft/multiline labeled-response echo-message"

    static let ircFloods: [Flood] =
        [
            irc("PRIVMSG", ":u{}!u@h PRIVMSG #r0 :hello {}"),
            irc("PRIVMSG to us", ":q{}!q@h PRIVMSG archiver :hello"),
            irc("NOTICE of the server", ":s NOTICE archiver :hello {}"),
            irc("CTCP", ":u{}!u@h PRIVMSG #r0 :\u{1}ACTION waves {}\u{1}"),
            irc("WALLOPS", ":op!o@h WALLOPS :hello {}"),
            irc("TAGMSG", "@+draft/react=x;+draft/reply=m{} :u{}!u@h TAGMSG #r0"),
            irc("JOIN", ":u{}!u@h JOIN #r0"),
            irc("JOIN and PART", ":u{}!u@h JOIN #r0", ":u{}!u@h PART #r0 :bye"),
            irc("JOIN and QUIT", ":u{}!u@h JOIN #r0", ":u{}!u@h QUIT :bye"),
            irc("KICK", ":u{}!u@h JOIN #r0", ":op!o@h KICK #r0 u{} :out"),
            irc("own JOIN", ":archiver!a@h JOIN #own{}"),
            irc("own JOIN and PART", ":archiver!a@h JOIN #own{}", ":archiver!a@h PART #own{}"),
            irc("own KICK", ":op!o@h KICK #r0 archiver :out", ":archiver!a@h JOIN #r0"),
            irc("NICK", ":u{}!u@h NICK u{+}"),
            irc("own NICK", ":archiver!a@h NICK archiver1", ":archiver1!a@h NICK archiver"),
            irc("RENAME", ":s RENAME #r{} #r{+} :why", count: 50_000),
            irc("TOPIC", ":u{}!u@h TOPIC #r0 :topic {}"),
            irc("MODE", ":op!o@h MODE #r0 +o u{}"),
            irc("INVITE", ":op!o@h INVITE archiver #other{}"),
            irc("REDACT", ":op!o@h REDACT #r0 m{} :why"),
            irc("353 and 366", ":s 353 archiver = #r0 :n{} m{}", ":s 366 archiver #r0 :End"),
            irc("353 of many", ":s 353 archiver = #r0 :n{} m{} o{} p{} q{} r{} s{} t{}"),
            irc("own JOIN and 366", ":archiver!a@h JOIN #r0", ":s 353 archiver = #r0 :n{}", ":s 366 archiver #r0 :End"),
            irc(
                "005", ":s 005 archiver CASEMAPPING=rfc1459 T{}=x :are", ":s 005 archiver CASEMAPPING=ascii :are",
                count: 2000),
            irc("001", ":s 001 archiver :Welcome {}"), irc("004", ":s 004 archiver s v{} o o"),
            irc("PING", "PING :{}"), irc("PONG", "@time=2026-01-01T00:00:00.{}Z :s PONG s :{}", count: 900),
            irc("AWAY", ":u{}!u@h AWAY :gone"), irc("an unknown command", ":u{}!u@h FROBNICATE {}"),
            irc("BOUNCER", ":s BOUNCER NETWORK {} state=connected;name=n{}"),
            irc(
                "a bouncer's outage", ":BouncerServ!b@b NOTICE archiver :disconnected from net",
                ":BouncerServ!b@b NOTICE archiver :connected to net"),
            irc("ZNC", ":*m{}!m@znc PRIVMSG archiver :hello"),
            irc("CAP", ":s CAP archiver NEW :cap{}", ":s CAP archiver DEL :cap{}"),
            irc("AUTHENTICATE", "AUTHENTICATE +", ":s 903 archiver :ok"),
            irc("a batch without end", ":s BATCH +a{} netsplit a b", "@batch=a{} :u{}!u@h QUIT :a b"),
            irc("batches", ":s BATCH +a netsplit a b", "@batch=a :u{}!u@h QUIT :a b", ":s BATCH -a"),
            irc("a line that can't be read", ":s \u{1}{}"),
            irc("long lines", ":u{}!u@h PRIVMSG #r0 :" + String(repeating: "long ", count: 1500), count: 200),
            irc("long tags", "@a=" + String(repeating: "x", count: 8000) + " :u{}!u@h PRIVMSG #r0 :hi", count: 200),
            irc("messages of one past minute", "@time=2020-01-01T00:00:00.000Z :al!u@h PRIVMSG #r0 :old {}"),
            irc(
                "messages of the past", "@time=20{}-01-01T00:00:00.000Z :al!u@h PRIVMSG #r0 :old {}", count: 26),
            irc("messages with ids", "@msgid=m{} :u{}!u@h PRIVMSG #r0 :hi {}", capabilities: history),
            irc(
                "history that nobody asked for", ":s BATCH +h chathistory #r0",
                "@batch=h;time=2025-01-01T00:00:00.000Z;msgid=m{} :al!u@h PRIVMSG #r0 :old {}", ":s BATCH -h",
                capabilities: history),
            irc(
                "messages of several lines", ":al!u@h BATCH +m draft/multiline #r0", "@batch=m :al!u@h PRIVMSG #r0 :{}",
                "@batch=m :al!u@h PRIVMSG #r0 :more", "BATCH -m", capabilities: history),
            irc(
                "rooms with history", ":archiver!a@h JOIN #own{}",
                ":s FAIL CHATHISTORY MESSAGE_ERROR LATEST #own{} :no", capabilities: history),
            irc(
                "conversations with history", ":q{}!q@h PRIVMSG archiver :hello",
                ":s FAIL CHATHISTORY MESSAGE_ERROR LATEST q{} :no", capabilities: history),
            Flood(
                network: .irc, name: "a line without end",
                content: { [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20) }),
            Flood(network: .irc, name: "empty lines", content: { [UInt8](repeating: 10, count: 1 << 20) }),
        ]
        + ["403", "405", "437", "470", "471", "473", "474", "475", "476", "479", "433", "421", "465"].map {
            irc($0, ":s \($0) archiver #r0 :no {}")
        } + [
            irc("FAIL JOIN", ":s FAIL JOIN REFUSED #r0 :no {}"), irc("FAIL JOIN of others", ":s 473 archiver #x{} :no"),
        ]
}
