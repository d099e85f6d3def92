import Foundation
import TestSupport
import Testing

/// SIGHUP, and what a listener does then.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ReloadEndToEndTests {
    private static let hasServer = IRCServer.Kind.ngircd.isAvailable

    private func account(_ name: String = "libera", nick: String = "archiver", port: Int, rooms: String...) -> String {
        """
        [[account]]
        name = "\(name)"
        network = "irc"
        server = "irc://127.0.0.1:\(port)"
        nick = "\(nick)"
        rooms = [\(rooms.map { "\"\($0)\"" }.joined(separator: ", "))]
        sign_of_life_seconds = 1


        """
    }

    /// Writes another configuration, and has it read.
    private func reload(_ listener: Run, _ scrollback: Program, _ text: String) async throws {
        let before = count("configuration reloaded", listener)
        try scrollback.write(text, to: "scrollback.toml")
        listener.signal(SIGHUP)
        try await eventually("it is read", state: { listener.errors }) {
            count("configuration reloaded", listener) > before ? true : nil
        }
    }

    private func count(_ words: String, _ listener: Run) -> Int {
        listener.errors.components(separatedBy: words).count - 1
    }

    private func holds(_ words: String, in room: String, _ scrollback: Program) async throws {
        var text = ""
        try await eventually("\(words) is stored", state: { text }) {
            text = try await scrollback("history", room, "-n", "1000").output
            return text.contains(words) ? true : nil
        }
    }

    private func accounts(_ scrollback: Program) async throws -> [String] {
        try await scrollback("status", "--format", "jsonl").output.split(separator: "\n").compactMap {
            $0.firstMatch(of: /"account": "([^"]*)"/).map { String($0.1) }
        }
    }

    @Test(.enabled(if: hasServer, "needs ngircd, which .ci/fetch-tools fetches"))
    func `a reload adds and removes rooms while the connection stays`() async throws {
        let (scrollback, server) = (try Program(), try await IRCServer.start(.ngircd))
        try scrollback.write(account(port: server.port, rooms: "#one", "#two"), to: "scrollback.toml")
        let listener = try await scrollback.startListener()
        let alice = try await IRCTalker("alice", port: server.port, channels: "#one", "#two", "#three")
        try await alice.waitFor("archiver")
        try await reload(listener, scrollback, account(port: server.port, rooms: "#two", "#three"))
        try await alice.waitFor("PART #one")
        try await alice.waitFor("JOIN :#three")
        try alice.say("셋", to: "#three")
        try alice.say("둘", to: "#two")
        try await holds("셋", in: "#three", scrollback)
        try await holds("둘", in: "#two", scrollback)
        #expect(count(" connected ", listener) == 1, "\(listener.errors)")
        #expect(count("account changed", listener) == 1 && count("keys=rooms", listener) == 1, "\(listener.errors)")
        let gaps = try await scrollback("gaps", "--format", "jsonl").output.split(separator: "\n")
        #expect(gaps.count == 1 && gaps[0].contains(##""room": "#one""##) && gaps[0].contains("\"ended\""), "\(gaps)")
        #expect(try await listener.stop().status == 0)
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test func `a listener without accounts explains how to add one, and a reload adds it`() async throws {
        let scrollback = try Program()
        let rules = "[retention]\nmax_age = \"365d\"\n\n"
        try scrollback.write(rules, to: "scrollback.toml")
        let listener = try scrollback.start("listen")
        try await listener.says("no account is configured, so no messages are received; add one")
        try await listener.says("process=\(listener.id)")
        try await reload(listener, scrollback, rules + account(port: 1, rooms: "#one"))
        #expect(try await accounts(scrollback) == ["libera"])
        try await reload(listener, scrollback, rules)
        try await eventually("it says it again", state: { listener.errors }) {
            count("no account is configured", listener) == 2 ? true : nil
        }
        #expect(try await listener.stop().status == 0)
    }

    @Test(.enabled(if: hasServer, "needs ngircd, which .ci/fetch-tools fetches"))
    func `a configuration with mistakes changes nothing, and all mistakes are logged`() async throws {
        let (scrollback, server) = (try Program(), try await IRCServer.start(.ngircd))
        try scrollback.write(account(port: server.port, rooms: "#one"), to: "scrollback.toml")
        let listener = try await scrollback.startListener()
        let alice = try await IRCTalker("alice", port: server.port, channels: "#one")
        try await alice.waitFor("archiver")
        try scrollback.write("[[account]]\nname = \"libera\"\nnetwork = \"irc\"\nrooms = 5\n", to: "scrollback.toml")
        listener.signal(SIGHUP)
        for mistake in [
            "3 mistakes", #"missing key \"server\""#, #"missing key \"nick\""#, "rooms: expected a list of strings",
        ] {
            try await listener.says(mistake)
        }
        try FileManager.default.removeItem(atPath: scrollback.home + "/scrollback.toml")
        listener.signal(SIGHUP)
        try await listener.says("can't be read")
        try alice.say("still here", to: "#one")
        try await holds("still here", in: "libera/#one", scrollback)
        #expect(count(" connected ", listener) == 1 && count("configuration reloaded", listener) == 0)
        try await reload(listener, scrollback, account(port: server.port, rooms: "#one", "#two"))
        #expect(try await listener.stop().status == 0)
    }

    @Test(.enabled(if: hasServer, "needs ngircd, which .ci/fetch-tools fetches"))
    func `a reload adds, removes and reconnects only changed accounts`() async throws {
        let (scrollback, server) = (try Program(), try await IRCServer.start(.ngircd))
        let first = account("first", nick: "one", port: server.port, rooms: "#room")
        let second = account("second", nick: "two", port: server.port, rooms: "#room")
        let third = account("third", nick: "three", port: server.port, rooms: "#room")
        try scrollback.write(first + second, to: "scrollback.toml")
        let listener = try await scrollback.startListener()
        let alice = try await IRCTalker("alice", port: server.port, channels: "#room")
        try await reload(listener, scrollback, third + first)
        try await alice.waitFor(":two!~two@")
        try await scrollback.connected(listener)
        #expect(try await accounts(scrollback) == ["third", "first", "second"], "the last has no listener any more")
        try alice.say("both hear it", to: "#room")
        for name in ["first", "third"] { try await holds("both hear it", in: name + "/#room", scrollback) }
        #expect(try await !scrollback("history", "second/#room").output.contains("both hear it"))
        #expect(try await scrollback("accounts").output.contains("second"))
        let changed = first.replacing("\"one\"", with: "\"uno\"")
        try await reload(listener, scrollback, changed + third)
        try await alice.waitFor(":uno!~uno@")
        try await scrollback.connected(listener)
        #expect(try await accounts(scrollback) == ["first", "third", "second"])
        // Asked of the listener, which has the account's file by its new name as by its old one.
        #expect(try await scrollback("mark-read", "first/#room").status == 0)
        #expect(count(" connected ", listener) == 4, "\(listener.errors)")
        #expect(listener.errors.contains("account changed; reconnecting"), "\(listener.errors)")
        #expect(try await listener.stop().status == 0)
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test func `systemd is notified when a reload begins and ends`() async throws {
        var program = try Program()
        let server = try await program.startServer()
        try program.configure(ports: server.port)
        let systemd = try DatagramSocket(program.temporary + "/n")
        program.environment["NOTIFY_SOCKET"] = program.temporary + "/n"
        let listener = try program.start("listen")
        func tells(_ count: Int) async throws {
            try await eventually("READY=1", state: { "\(systemd.messages)" }) {
                systemd.messages.count { $0 == "READY=1" } == count ? true : nil
            }
        }
        try await tells(1)
        listener.signal(SIGHUP)
        try await tells(2)
        let reloading = try #require(systemd.messages.first { $0.hasPrefix("RELOADING=1") })
        #expect(reloading.wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=[1-9][0-9]*/) != nil)
        try program.write("nonsense = 1", to: "scrollback.toml")
        listener.signal(SIGHUP)
        try await tells(3)
        try program.write("open_connections = 9\n" + account(port: 1, rooms: "#room"), to: "scrollback.toml")
        listener.signal(SIGHUP)
        try await tells(4)
        #expect(listener.errors.contains("takes effect when the listener restarts"), "\(listener.errors)")
        #expect(try await listener.stop().status == 0)
    }

    @Test func `the configuration that was written last applies in the end`() async throws {
        let program = try Program()
        let server = try await program.startServer()
        try program.configure(ports: server.port)
        let listener = try await program.startListener()
        for count in 1...5 {
            let others = (1...count).map { account("other\($0)", port: 1, rooms: "#room") }.joined()
            try program.write(others, to: "scrollback.toml")
            listener.signal(SIGHUP)
        }
        var found: [String] = []
        try await eventually("five accounts", state: { "\(found) \(listener.errors)" }) {
            found = try await accounts(program)
            return found == (1...5).map { "other\($0)" } + ["a1"] ? true : nil
        }
        #expect(try await listener.stop().status == 0)
    }

    @Test func `a stop during a reload ends the listener`() async throws {
        let program = try Program()
        let server = try await program.startServer()
        try program.configure(ports: server.port)
        let listener = try await program.startListener()
        for _ in 1...20 { listener.signal(SIGHUP) }
        #expect(try await listener.stop().status == 0)
    }

    @Test func `a hang-up of the terminal ends its listener in order`() async throws {
        let program = try Program()
        let server = try await program.startServer()
        try program.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let terminal = try program.startOnTerminal("listen", "--config", program.home + "/scrollback.toml")
        try await alice.waitFor("archiver has joined")
        terminal.hangUp()
        #expect(try await terminal.status() == 0)
        try await alice.waitFor("archiver has left")
        #expect(try await program("archive", "check").status == 0)
    }
}
