import Foundation
import TestSupport
import Testing

/// The program, and real IRC servers that want TLS and passwords.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct IRCServicesTests {
    private func configure(_ scrollback: Program, server: String, _ more: String = "") throws {
        try scrollback.write(
            """
            [[account]]
            name = "libera"
            network = "irc"
            server = "\(server)"
            nick = "archiver"
            rooms = ["#room"]
            sign_of_life_seconds = 1
            \(more)

            """, to: "scrollback.toml")
    }

    private func write(password: String, _ scrollback: Program) throws {
        try scrollback.write(password + "\n", to: "password")
        chmod(scrollback.home + "/password", 0o600)
    }

    /// Waits until `status` says all of these.
    private func status(_ scrollback: Program, says words: String...) async throws {
        var status = ""
        try await eventually("status says \(words)", state: { status }) {
            status = try await scrollback("status", "--format", "jsonl").output
            return words.allSatisfy(status.contains) ? true : nil
        }
    }

    private func hears(_ scrollback: Program, _ alice: IRCTalker) async throws {
        try await alice.waitFor(":archiver!")
        try alice.say("안녕", to: "#room")
        try await eventually("it is stored") {
            // The room is not stored yet when alice hears of the join.
            (try? await scrollback.said(in: "#room")) == ["alice: 안녕"] ? true : nil
        }
    }

    @Test(
        .enabled(if: IRCNetwork.hasTLS, "needs inspircd, which .ci/fetch-tools fetches, and openssl"),
        arguments: ["ca_file", "fingerprint"])
    func `a server with a trusted authority or a pinned certificate is accepted`(trust: String) async throws {
        let network = try await IRCNetwork.start()
        let alice = try await IRCTalker("alice", port: network.server.port, channels: "#room")
        let scrollback = try Program()
        let value = trust == "ca_file" ? network.certificate.file : network.certificate.fingerprint
        try configure(scrollback, server: "ircs://localhost:\(network.securePort)", "\(trust) = \"\(value)\"")
        let listener = try await scrollback.startListener()
        try await hears(scrollback, alice)
        try alice.send("WHOIS archiver")
        try await alice.waitFor(" 671 alice archiver ")
        #expect(try await listener.stop().status == 0)
    }

    @Test(
        .enabled(if: IRCNetwork.hasTLS, "needs inspircd, which .ci/fetch-tools fetches, and openssl"),
        arguments: [
            ("nothing", "not signed by an authority that this machine trusts"),
            ("another's fingerprint", "does not match fingerprint"),
            ("another's ca_file", "not signed by an authority that this machine trusts"),
            ("another's name", "is for another name"),
        ])
    func `a server with another certificate is refused, and status gives the reason`(trust: String, reason: String)
        async throws
    {
        let network = try await IRCNetwork.start(host: trust == "another's name" ? "irc.example" : "localhost")
        let other = try await Certificate()
        let key =
            switch trust {
            case "another's fingerprint": "fingerprint = \"\(other.fingerprint)\""
            case "another's ca_file": "ca_file = \"\(other.file)\""
            case "another's name": "ca_file = \"\(network.certificate.file)\""
            default: ""
            }
        let scrollback = try Program()
        try configure(scrollback, server: "ircs://localhost:\(network.securePort)", key)
        let listener = try scrollback.start("listen")
        try await status(scrollback, says: "\"state\": \"waiting\"", reason)
        #expect(try await listener.stop().status == 0)
        #expect(try await scrollback("rooms", "--format", "jsonl").output.isEmpty)
    }

    @Test func `a server without TLS on its port is reported`() async throws {
        let (server, scrollback) = (try RawServer(), try Program())
        try configure(scrollback, server: "ircs://127.0.0.1:\(server.port)")
        let listener = try scrollback.start("listen")
        let connection = try await server.accept()
        try connection.send(":irc.example NOTICE * :*** Looking up your hostname\r\n")
        try await status(scrollback, says: "this port does not speak TLS")
        #expect(try await listener.stop().status == 0)
    }

    @Test(
        .enabled(
            if: IRCNetwork.hasServices,
            "needs inspircd and atheme-services, which .ci/fetch-tools fetches, and openssl"))
    func `services accept the right password, and no room is joined until it is corrected`() async throws {
        let network = try await IRCNetwork.start(hasServices: true)
        try await network.register("minsu", password: "비밀번호")
        let alice = try await IRCTalker("alice", port: network.server.port, channels: "#room")
        let scrollback = try Program()
        try write(password: "wrong", scrollback)
        try configure(
            scrollback, server: "irc://127.0.0.1:\(network.server.port)",
            "sasl = \"plain\"\nsasl_user = \"minsu\"\npassword_file = \"password\"")
        let listener = try scrollback.start("listen")
        try await status(scrollback, says: "\"state\": \"waiting\"", "904")
        try alice.send("NAMES #room")
        try await alice.waitFor(" 353 alice = #room :@alice\r\n")
        try write(password: "비밀번호", scrollback)
        try await hears(scrollback, alice)
        try alice.send("WHOIS archiver")
        try await alice.waitFor(" 330 alice archiver minsu ")
        #expect(try await listener.stop().status == 0)
    }

    @Test(
        .enabled(
            if: IRCNetwork.hasServices,
            "needs inspircd and atheme-services, which .ci/fetch-tools fetches, and openssl"),
        arguments: [true, false])
    func `services accept a known client certificate and refuse an unknown one`(isKnown: Bool) async throws {
        let network = try await IRCNetwork.start(hasServices: true)
        let (own, other) = (try await Certificate("archiver"), try await Certificate("archiver"))
        try await network.register("minsu", password: "비밀번호", certificate: isKnown ? own : other)
        let alice = try await IRCTalker("alice", port: network.server.port, channels: "#room")
        let scrollback = try Program()
        try configure(
            scrollback, server: "ircs://localhost:\(network.securePort)",
            """
            sasl = "external"
            certificate_file = "\(own.file)"
            key_file = "\(own.keyFile)"
            fingerprint = "\(network.certificate.fingerprint)"
            """)
        let listener = try scrollback.start("listen")
        if isKnown {
            try await hears(scrollback, alice)
            try alice.send("WHOIS archiver")
            try await alice.waitFor(" 330 alice archiver minsu ")
        } else {
            try await status(scrollback, says: "\"state\": \"waiting\"", "904")
        }
        #expect(try await listener.stop().status == 0)
    }

    @Test(
        .enabled(
            if: IRCBouncer.isAvailable && IRCServer.Kind.ngircd.isAvailable,
            "needs znc and ngircd, which .ci/fetch-tools fetches"),
        .enabled(if: IRCBouncer.maySwitchUser, "needs unshare --user, or a user other than root"))
    func `a bouncer's rooms are archived without being named`() async throws {
        let server = try await IRCServer.start(.ngircd)
        let bouncer = try await IRCBouncer.start(server: server.port, playsAll: true)
        let alice = try await IRCTalker("alice", port: server.port, channels: "#room")
        try await alice.waitFor("minsu")
        let scrollback = try Program()
        try write(password: IRCBouncer.password, scrollback)
        try scrollback.write(
            """
            [[account]]
            name = "bouncer"
            network = "irc"
            server = "irc://127.0.0.1:\(bouncer.port)"
            nick = "minsu"
            join = "*"
            server_password_file = "password"

            """, to: "scrollback.toml")
        try alice.say("before", to: "#room")
        for round in 1...2 {
            let listener = try await scrollback.startListener()
            try await eventually("what was said before is stored") {
                try await scrollback("history", "#room").output.contains("before") ? true : nil
            }
            try alice.say("live \(round)", to: "#room")
            try await eventually("what is said is stored") {
                try await scrollback("history", "#room").output.contains("live \(round)") ? true : nil
            }
            #expect(try await listener.stop().status == 0)
        }
        #expect(try await scrollback.said(in: "#room") == ["alice: before", "alice: live 1", "alice: live 2"])
        #expect(try await scrollback("archive", "check").status == 0)
    }
}
