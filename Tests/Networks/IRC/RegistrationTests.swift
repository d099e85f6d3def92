import Foundation
import Testing

@testable import IRCWire

final class RegistrationTests {
    private var identity = Registration.Identity(nick: "archiver", user: "arch", realName: "An Archiver")
    private lazy var registration = Registration(identity)

    private func lines(_ lines: String...) -> [String] {
        lines.flatMap { registration.receive(IRCMessage($0)) }.shown
    }

    @Test func `a bouncer changes the nick before the end of its MOTD`() {
        _ = lines(":s 001 archiver :Welcome", ":alice!a@h NICK other", ":archiver!a@h NICK :minsu", ":s 376 minsu :End")
        #expect(registration.nick == Array("minsu".utf8))
        _ = lines(":minsu!a@h NICK later")
        #expect(registration.nick == Array("minsu".utf8))
    }

    @Test func `all registration lines are sent at once`() {
        identity.serverPassword = "let me in"
        #expect(
            registration.start().shown == [
                "CAP LS 302", "PASS :let me in", "NICK archiver", "USER arch 0 * :An Archiver",
            ])
    }

    @Test func `a server with capabilities is ready after its MOTD`() {
        #expect(lines(":s NOTICE * :looking up", "PING :cookie") == [])
        #expect(lines(":s CAP * LS :batch server-time sasl=PLAIN tls") == ["CAP REQ :batch server-time"])
        #expect(lines(":s CAP * ACK :batch server-time") == ["CAP END"])
        #expect(lines(":s 001 archiver1 :Welcome", ":s 005 archiver1 CASEMAPPING=ascii NETWORK=Ex :are") == [])
        #expect(lines(":s 375 a :-", ":s 372 a :-", ":s 376 a :End") == ["ready"])
        #expect(registration.nick == Array("archiver1") && registration.support.caseMapping == .ascii)
        #expect(registration.capabilities == ["batch", "server-time"])
        #expect(lines(":s 376 a :End", ":s 422 a :no MOTD") == [])
    }

    @Test(arguments: [[":s 421 * CAP :Unknown command"], []])
    func `a server without capabilities is ready after its MOTD`(answers: [String]) {
        for answer in answers { #expect(lines(answer) == ["CAP END"]) }
        #expect(lines(":s 001 archiver :Welcome", ":s 422 archiver :no MOTD") == ["ready"])
    }

    @Test func `later capabilities and tokens are reported`() {
        _ = lines("CAP * LS :batch", "CAP * ACK :batch", "001 a :hi", "422 a :none")
        #expect(lines("CAP a NEW :server-time") == ["CAP REQ server-time"])
        #expect(lines("CAP a ACK :server-time", "CAP a DEL :batch") == ["capabilities", "capabilities"])
        #expect(lines("005 a CASEMAPPING=ascii :are supported") == ["support"])
    }

    @Test func `capabilities listed after the registration are reported`() {
        #expect(lines("001 a :hi", "422 a :none") == ["ready"])
        #expect(lines("CAP a LS :batch", "CAP a ACK :batch") == ["CAP REQ batch", "capabilities"])
    }

    @Test func `a configured account logs in before CAP END`() {
        identity.credentials = .plain(user: "alice", password: "secret")
        #expect(
            lines("CAP * LS :sasl=PLAIN,EXTERNAL batch", "CAP * ACK :batch sasl") == [
                "CAP REQ :batch sasl", "AUTHENTICATE PLAIN",
            ])
        let response = Data("\0alice\0secret".utf8).base64EncodedString()
        #expect(
            lines("AUTHENTICATE +", ":s 900 * a alice :logged in", ":s 903 * :ok") == [
                "AUTHENTICATE \(response)", "CAP END",
            ])
        #expect(lines("001 a :hi", "376 a :End") == ["ready"])
    }

    @Test(arguments: [
        ["CAP * LS :sasl=EXTERNAL", "CAP * ACK :sasl"],
        ["CAP * LS :sasl", "CAP * NAK :sasl"], ["421 * CAP :Unknown"],
        ["001 a :hi"], ["CAP * LS :sasl", "CAP * ACK :sasl", "001 a :hi"],
        ["CAP * LS :sasl", "CAP * ACK :sasl", "904 a :no"],
        ["CAP * LS :sasl", "CAP * ACK :sasl", "AUTHENTICATE +", "908 a EXTERNAL :are", "904 a :no"],
    ])
    func `a failed login ends the registration`(answers: [String]) {
        identity.credentials = .plain(user: "alice", password: "secret")
        let shown = answers.flatMap { lines($0) }
        #expect(shown.last?.hasPrefix("ended: ") == true && !shown.contains("CAP END"))
        #expect(lines("001 a :hi", "376 a :End") == [])
    }

    private static let response = "AUTHENTICATE " + Data("\0alice\0secret".utf8).base64EncodedString()

    @Test(arguments: ["", "batch"], [true, false])
    func `a login that is offered late comes before the registration is ready`(
        offer: String, isBeforeEnd: Bool
    ) {
        identity.credentials = .plain(user: "alice", password: "secret")
        let shown = lines("CAP * LS :\(offer)") + (offer.isEmpty ? [] : lines("CAP * ACK :\(offer)"))
        #expect(shown.last == "CAP END")
        #expect(lines(":s 001 archiver :hi") == [])
        if !isBeforeEnd { #expect(lines(":s 376 archiver :End", ":archiver!a@h NICK minsu") == ["login awaited"]) }
        #expect(lines("CAP archiver NEW :sasl=PLAIN") == ["CAP REQ sasl"])
        #expect(lines("CAP archiver ACK :sasl") == ["AUTHENTICATE PLAIN"])
        #expect(lines("AUTHENTICATE +") == [Self.response])
        #expect(lines(":s 903 archiver :ok") == (isBeforeEnd ? [] : ["ready"]))
        if isBeforeEnd { #expect(lines(":s 376 archiver :End") == ["ready"]) }
        #expect(registration.nick == Array(isBeforeEnd ? "archiver" : "minsu"))
        #expect(registration.capabilities.contains("sasl"))
    }

    @Test func `a login that is withdrawn is retried when it is offered again`() {
        identity.credentials = .plain(user: "alice", password: "secret")
        _ = lines("CAP * LS :sasl")
        #expect(lines("CAP * ACK :sasl", "CAP * DEL :sasl") == ["AUTHENTICATE PLAIN", "CAP END"])
        #expect(lines(":s 001 archiver :hi", ":s 376 archiver :End", ":s 904 archiver :late") == ["login awaited"])
        #expect(
            lines("CAP a NEW :sasl", "CAP a ACK :sasl", "CAP a DEL :sasl") == ["CAP REQ sasl", "AUTHENTICATE PLAIN"])
        #expect(lines("CAP a NEW :sasl", "CAP a ACK :sasl") == ["CAP REQ sasl", "AUTHENTICATE PLAIN"])
        #expect(lines("AUTHENTICATE +", ":s 903 a :ok", ":s 376 a :End") == [Self.response, "ready"])
    }

    @Test func `a late refusal ends the connection like an early one`() {
        identity.credentials = .plain(user: "alice", password: "secret")
        _ = lines("CAP * LS :", ":s 001 archiver :hi", ":s 376 archiver :End", "CAP a NEW :sasl", "CAP a ACK :sasl")
        #expect(
            lines("AUTHENTICATE +", ":s 904 a :no") == [
                Self.response, "ended: the server refused the account (904: no)",
            ])
    }

    @Test func `a mechanism that is also missing later ends the connection`() {
        identity.credentials = .plain(user: "alice", password: "secret")
        _ = lines("CAP * LS :", ":s 001 archiver :hi", ":s 376 archiver :End", "CAP a NEW :sasl=EXTERNAL")
        #expect(
            lines("CAP a ACK :sasl") == [
                "ended: can't log in: the server supports EXTERNAL, but not PLAIN"
            ])
    }

    @Test func `an account that is logged out logs in again when services return, without a time limit`() {
        identity.credentials = .plain(user: "alice", password: "secret")
        _ = lines("CAP * LS :sasl", "CAP * ACK :sasl", "AUTHENTICATE +", ":s 903 a :ok", ":s 001 a :hi")
        #expect(lines(":s 376 a :End") == ["ready"])
        #expect(lines("CAP a DEL :sasl") == ["capabilities"])
        #expect(lines("CAP a NEW :sasl", "CAP a ACK :sasl") == ["CAP REQ sasl", "capabilities"], "still logged in")
        #expect(lines("CAP a DEL :sasl", ":s 901 a a!b@h :You are now logged out") == ["capabilities"])
        #expect(
            lines("CAP a NEW :sasl", "CAP a ACK :sasl", "AUTHENTICATE +") == [
                "CAP REQ sasl", "capabilities", "AUTHENTICATE PLAIN", Self.response,
            ])
        #expect(lines(":s 904 a :not yet", "PRIVMSG #a :hi") == [])
        #expect(
            lines("CAP a DEL :sasl", "CAP a NEW :sasl", "CAP a ACK :sasl", "AUTHENTICATE +", ":s 903 a :ok") == [
                "capabilities", "CAP REQ sasl", "capabilities", "AUTHENTICATE PLAIN", Self.response,
            ])
    }

    @Test(arguments: ["433", "436", "437", "432"])
    func `an unavailable nick is followed by configured and generated ones`(code: String) {
        identity.alternatives = ["spare"]
        var tried: [String] = []
        for _ in 0..<12 { tried += lines(":s \(code) * archiver :in use") }
        #expect(
            tried == ["spare", "archiver_", "archiver__"].map { "NICK \($0)" } + (1...9).map { "NICK archiver\($0)" })
        #expect(
            lines(":s \(code) * archiver9 :in use") == [
                "ended: no nick is available (\(code): in use); configure another nick"
            ])
    }

    @Test func `a nick is replaced during login, and not after registration`() {
        identity.credentials = .external
        _ = lines("CAP * LS :sasl", "CAP * ACK :sasl")
        #expect(lines(":s 433 * archiver :in use") == ["NICK archiver_"])
        _ = lines("AUTHENTICATE +", "903 a :ok", "001 archiver_ :hi")
        #expect(lines(":s 437 archiver_ #a :unavailable", ":s 433 archiver_ archiver :in use") == [])
    }

    @Test func `a nick is never cut within a character`() {
        #expect(NickAlternatives.made(from: "가나다라") == ["가나다라_", "가나다라__"])
        #expect(NickAlternatives.made(from: "a").last == "a9")
    }

    @Test(arguments: [
        ("ERROR :Closing Link: [1.2.3.4] (Throttled: Reconnecting too fast)", "throttled"),
        ("ERROR :Trying to reconnect too fast.", "throttled"),
        ("ERROR :Closing Link: host (Killed (oper (not a bot)))", "killed"),
        (":irc.znc.in 464 * :Too many anonymous connections from your IP", "throttled"),
        (":irc.znc.in 464 * :Please try again later - reconnecting too fast", "throttled"),
        ("ERROR :Too many connections from your IP", "throttled"),
        (":s 465 * :You are banned from this server", "banned"), ("ERROR :Closing Link: (K-Lined)", "banned"),
        ("ERROR :Server shutting down", "closed"), ("ERROR", "closed"), (":s 464 * :Password incorrect", "password"),
    ])
    func `the reason for an end says what to do next`(line: String, kind: String) {
        guard case .ended(let failure)? = registration.receive(IRCMessage(line)).first else {
            Issue.record("not ended")
            return
        }
        let found =
            switch failure {
            case .throttled: "throttled"
            case .killed: "killed"
            case .banned: "banned"
            case .closed: "closed"
            case .passwordRefused: "password"
            default: failure.detail
            }
        #expect(found == kind)
        #expect(registration.receive(IRCMessage(line)) == [])
    }
}

extension [Registration.Action] {
    var shown: [String] {
        map { action in
            switch action {
            case .send(let message): message.line
            case .ready: "ready"
            case .loginAwaited: "login awaited"
            case .capabilitiesChanged: "capabilities"
            case .supportChanged: "support"
            case .ended(let failure): "ended: \(failure.detail)"
            }
        }
    }
}
