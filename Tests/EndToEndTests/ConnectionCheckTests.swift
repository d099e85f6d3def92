import Foundation
import TestSupport
import Testing

/// `scrollback config check --connect`.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(2))))
struct ConnectionCheckTests {
    @Test func `a server that can't be reached is an error, and other networks are not tried`() async throws {
        let scrollback = try Program()
        try scrollback.write("secret\n", to: "secret")
        chmod(scrollback.home + "/secret", 0o600)
        try scrollback.write(
            """
            [[account]]
            name = "jabber"
            network = "xmpp"
            jid = "alice@example.net"
            server = "tcp://127.0.0.1:1"
            password_file = "secret"
            rooms = ["room@conference.example.net"]

            [[account]]
            name = "libera"
            network = "irc"
            server = "irc://127.0.0.1:1"
            nick = "archiver"
            rooms = ["#example"]

            """, to: "scrollback.toml")
        let alone = try await scrollback("config", "check")
        #expect(alone.status == 0 && !alone.errors.contains("jabber"), "\(alone)")
        let tried = try await scrollback("config", "check", "--connect")
        #expect(tried.status == 1 && tried.output.isEmpty)
        #expect(tried.errors.contains("account \"libera\": not tried: the network is irc\n"), "\(tried)")
        #expect(tried.errors.contains("scrollback: account \"jabber\": ") && tried.errors.contains("[connection]"))
        let json = try await scrollback("config", "check", "--connect", "--format", "json")
        #expect(json.status == 1 && json.output.contains("\"warning\""), "\(json)")
    }
}
