import IRCWire
import Testing

/// What bouncers say of their connection to a network, and of networks that they don't have.
struct BouncerTests {
    private func mark(_ line: String, netID: String? = nil) throws -> BouncerMark? {
        var support = ISupport()
        if let netID { _ = support.receive(try message(":b 005 me BOUNCER_NETID=\(netID) :are supported")) }
        return BouncerMark(try message(line), support: support)
    }

    private func message(_ line: String) throws -> IRCMessage { try IRCMessage(line: Array(line.utf8)) }

    @Test(arguments: [
        (":irc.example 001 me :Welcome", BouncerMark.connected),
        (":BouncerServ!BouncerServ@BouncerServ NOTICE me :disconnected from libera: EOF", .lost),
        (":BouncerServ!BouncerServ@BouncerServ NOTICE me :disconnected from libera", .lost),
        (":BouncerServ!BouncerServ@BouncerServ NOTICE me :connected to libera", .connected),
        (":BouncerServ!BouncerServ@BouncerServ NOTICE me :failed connecting/registering to libera: EOF", nil),
        (":BouncerServ!u@host.example NOTICE me :disconnected from libera", nil),
        (":*status!znc@znc.in PRIVMSG me :Disconnected from IRC. Reconnecting...", .lost),
        (":*status!znc@znc.in PRIVMSG me :Disconnected from IRC (Connection reset by peer). Reconnecting...", .lost),
        (":*status!znc@znc.in PRIVMSG me :IRC connection timed out.  Reconnecting...", .lost),
        (":*status!znc@znc.in PRIVMSG me :Connected!", nil),
        (":status!u@h PRIVMSG me :Disconnected from IRC. Reconnecting...", nil),
        (":b BOUNCER NETWORK 1 name=libera;state=disconnected", .lost),
        (":b BOUNCER NETWORK 1 state=connected;error=", .connected),
        (":b BOUNCER NETWORK 2 state=disconnected", nil), (":b BOUNCER NETWORK 1 nickname=me", nil),
        (":alice!a@h PRIVMSG #example :disconnected from libera", nil),
        (":-bip!bip@b.i.p KICK #room me :Server disconnected, reconnecting", .lost),
        (":alice!bip@host KICK #room me :Server disconnected, reconnecting", nil),
    ])
    func `a bouncer's notices show when it loses and regains its network`(
        line: String, expected: BouncerMark?
    ) throws {
        #expect(try mark(line, netID: "1") == expected)
    }

    @Test func `a notice about any network counts if the bouncer does not name ours`() throws {
        #expect(try mark(":b BOUNCER NETWORK 2 state=disconnected") == .lost)
    }

    private func registered(_ lines: String...) throws -> [Registration.Action] {
        var registration = Registration(Registration.Identity(nick: "me", user: "me", realName: "me"))
        _ = registration.start()
        return try lines.map { try message($0) }.flatMap { registration.receive($0) }
    }

    private func unknown(_ actions: [Registration.Action]) -> [String] {
        actions.compactMap { action in
            if case .ended(.networkUnknown(let text)) = action { text ?? "" } else { nil }
        }
    }

    @Test func `a bouncer without the requested network is reported, not as a wrong password`() throws {
        let soju = try registered(
            ":b CAP * LS :", ":b 464 me :Failed to connect to \"nowhere\"")
        #expect(unknown(soju) == ["Failed to connect to \"nowhere\""])
        let znc = try registered(
            ":irc.znc.in CAP * LS :", ":*status!znc@znc.in PRIVMSG me :Network nowhere doesn't exist.")
        #expect(unknown(znc) == ["Network nowhere doesn't exist."])
        let password = try registered(":b 464 me :Invalid username or password")
        #expect(password == [.ended(.passwordRefused(text: "Invalid username or password"))])
    }

    @Test(arguments: [true, false])
    func `soju without a network is refused`(hasNetwork: Bool) throws {
        let actions = try registered(
            ":b CAP * LS :", ":b 001 me :Welcome to soju, me",
            ":b 004 me bouncer.example soju aiwroO OovaimnqpsrtklbeI",
            ":b 005 me \(hasNetwork ? "BOUNCER_NETID=3" : "CHANTYPES=") :are supported", ":b 422 me :No MOTD")
        #expect(unknown(actions).count == (hasNetwork ? 0 : 1))
        #expect(actions.contains(.ready) == hasNetwork)
    }
}
