import ChatModel
import Foundation
import IRCWire
import NIOPosix
import ScriptedSessions
import TestSupport
import Testing

@testable import IRC
@testable import Sessions

/// Servers that demand TLS (IRCv3 sts). The port for TLS is a second socket, whose connector stands for one with TLS.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct IRCTransportTests {
    private let folder: TemporaryFolder
    private let rule: IRCTransportRule

    init() throws {
        folder = try TemporaryFolder()
        rule = IRCTransportRule(path: folder.path + "/tls-rule", host: "127.0.0.1")
    }

    private var now: Timestamp { ClockReading.now().wall }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a server that demands TLS gets it, even after a restart, until its demand ends`() async throws {
        let (plain, secure, all) = (try RawServer(), try RawServer(), try IRCArchiving())
        let transport = IRCTransport.upgradable(
            to: TCPConnector(group: .singletonMultiThreadedEventLoopGroup), rule)
        try await all.listening(port: plain.port, transport: transport) {
            let first = try await plain.accept()
            try await first.waitFor("USER ")
            try first.line(":irc.example CAP * LS :server-time sts=port=\(secure.port),duration=1")
            do {
                let socket = try await secure.registered(demanding: "duration=600,port=1")
                try socket.line(":alice!a@h PRIVMSG #example :one")
                try await all.holds("#example alice: one")
            }
            #expect(!first.text.contains("CAP REQ") && !first.text.contains("CAP END"))
            let port = secure.port
            await all.reported { $0.lastError == "the server asks for TLS on port \(port); connecting by TLS" }
            let socket = try await secure.registered(demanding: "duration=600")
            try socket.line(":alice!a@h PRIVMSG #example :two")
            try await all.holds("#example alice: two")
            let end = now.advanced(by: .seconds(500))
            await all.reported { $0.state == .connected && $0.tlsUntil.map { $0 > end } == true }
        }
        #expect(rule.port(at: now) == secure.port)
        try await all.listening(port: plain.port, transport: transport) {
            let socket = try await secure.registered(demanding: "duration=0")
            try socket.line(":alice!a@h PRIVMSG #example :three")
            try await all.holds("#example alice: three")
        }
        #expect(rule.port(at: now) == nil && plain.acceptNow(waiting: .zero) == nil)
        try await all.listening(port: plain.port, transport: transport) {
            let socket = try await plain.registered()
            try socket.line(":alice!a@h PRIVMSG #example :four")
            try await all.holds("#example alice: four")
            await all.reported { $0.state == .connected && $0.tlsUntil == nil }
        }
    }

    @Test func `while the demand lasts, no TLS failure leads to a connection without TLS`() async throws {
        try await rule.note(StrictTransport("duration=600"), port: 6697, at: now)
        let (plain, secured, all) = (try RawServer(), ScriptedConnector(), try IRCArchiving())
        for _ in 0..<2 { secured.refuse() }
        try await all.listening(port: plain.port, transport: .upgradable(to: secured, rule)) {
            await secured.attempted(3)
            await all.reported {
                $0.lastError?.hasPrefix(
                    "the server asks for TLS on port 6697: refused; for certificates, set server = ") == true
            }
            #expect(plain.acceptNow(waiting: .zero) == nil)
        }
    }

    @Test func `a server on this machine can demand TLS without getting it`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            let socket = try await server.registered(demanding: "port=1,duration=600")
            try socket.line(":alice!a@h PRIVMSG #example :one")
            try await all.holds("#example alice: one")
        }
    }

    @Test func `an account with TLS keeps the demand for a later configuration without TLS`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port, transport: .secure(rule)) {
            let socket = try await server.registered(demanding: "port=1,duration=600")
            try socket.line(":alice!a@h PRIVMSG #example :one")
            try await all.holds("#example alice: one")
        }
        #expect(rule.port(at: now) == server.port)
    }

    @Test func `a demand ends at its time, and applies to one server`() async throws {
        #expect(rule.port(at: now) == nil)
        let start = now
        try await rule.note(StrictTransport("duration=10,port=1"), port: 6697, at: start)
        #expect(rule.port(at: start) == 6697)
        #expect(rule.port(at: start.advanced(byMicroseconds: 9_999_999)) == 6697)
        #expect(rule.port(at: start.advanced(by: .seconds(10))) == nil)
        #expect(IRCTransportRule(path: folder.path + "/tls-rule", host: "127.0.0.2").port(at: start) == nil)
        try await rule.note(StrictTransport("port=1"), port: 1, at: start)
        #expect(rule.port(at: start) == 6697)
        try await rule.note(StrictTransport("duration=0"), port: 6697, at: start)
        #expect(rule.port(at: start) == nil)
    }

    @Test(arguments: ["", "{", #"{"host":"127.0.0.1","port":0,"until":9000000000000000000}"#])
    func `a damaged file contains no demand`(text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: folder.path + "/tls-rule"))
        #expect(rule.port(at: now) == nil)
    }
}

extension RawServer {
    /// A connection that has joined #example, to a server with this value of the capability `sts`.
    fileprivate func registered(demanding value: String) async throws -> ChatSocket {
        let socket = try await accept()
        try await socket.waitFor("USER ")
        try socket.line(
            ":irc.example CAP * LS :sts=\(value)\r\n:irc.example 001 archiver :Welcome\r\n"
                + ":irc.example 376 archiver :End of MOTD")
        try await socket.waitFor("JOIN #example\r\n")
        try socket.line(":archiver!a@host JOIN #example\r\n:irc.example 366 archiver #example :End")
        return socket
    }
}
