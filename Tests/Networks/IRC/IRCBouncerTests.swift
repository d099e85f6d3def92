import Archive
import ChatModel
import IRC
import IRCWire
import Reading
import TestSupport
import Testing

/// A real bouncer, which plays again what was said.
@Suite(
    .enabled(
        if: IRCBouncer.isAvailable && IRCServer.Kind.ngircd.isAvailable,
        "needs znc and ngircd, which .ci/fetch-tools fetches"),
    .enabled(if: IRCBouncer.maySwitchUser, "needs unshare --user, or a user other than root"),
    .timeLimit(.minutes(MachineSpeed.minutes(5))))
struct IRCBouncerTests {
    private func listening(
        _ bouncer: IRCBouncer, _ all: IRCArchiving, without missing: Set<String> = [], _ body: () async throws -> Void
    ) async throws {
        try await all.listening(port: bouncer.port, rooms: []) {
            $0.secrets.serverPassword = IRCBouncer.password
            $0.capabilities.subtract(missing)
        } _: {
            try await body()
        }
    }

    /// How often each was said to somebody, or is stored.
    private func counts(_ lines: [String]) -> [String: Int] {
        Dictionary(lines.map { ($0, 1) }, uniquingKeysWith: +)
    }

    private func said(_ all: IRCArchiving) async throws -> [String] {
        try await all.messages().filter { $0.kind == .message }
            .map { "\($0.room) \($0.sender?.name ?? "*"): \($0.body ?? "")" }
    }

    @Test(arguments: [[], ["batch"]])
    func `a bouncer's repeated playback is stored once`(missing: Set<String>) async throws {
        let server = try await IRCServer.start(.ngircd)
        let bouncer = try await IRCBouncer.start(server: server.port, playsAll: true)
        let alice = try await IRCTalker("alice", port: server.port, channels: "#room")
        try await alice.waitFor("minsu")
        let all = try IRCArchiving()
        var (nick, expected): (String, [String]) = ("alice", [])
        func say(_ texts: String...) throws {
            for text in texts {
                try alice.say(text, to: "#room")
                try alice.say(text, to: "minsu")
                expected += ["#room \(nick): \(text)", "alice \(nick): \(text)"]
            }
        }
        try say("missed 0")
        for round in 1...3 {
            try await listening(bouncer, all, without: missing) {
                // Then it is there.
                try await all.holds("alice \(nick): missed \(round - 1)")
                try say("ㅋㅋ", "ㅋㅋ", "live \(round)")
                try await all.holds("alice \(nick): live \(round)")
            }
            try say("ㅋㅋ", "ㅋㅋ", "missed \(round)")
        }
        try await listening(bouncer, all, without: missing) {
            try await all.holds("alice \(nick): missed 3")
            // The conversation moves with her, so that it is not for `say`.
            try alice.send("NICK alicia")
            try alice.say("renamed", to: "#room")
            (nick, expected) = ("alicia", expected + ["#room alicia: renamed"])
            try await all.holds("#room alicia: renamed")
        }
        try await listening(bouncer, all, without: missing) {
            try alice.say("last", to: "#room")
            expected.append("#room alicia: last")
            try await all.holds("#room alicia: last")
        }
        let (stored, wanted) = (counts(try await said(all)), counts(expected))
        #expect(stored == wanted)
        #expect(try await all.gapReasons(in: "#room") == Array(repeating: "stopped", count: 5))
    }

    @Test func `messages that the account sends with another client are stored`() async throws {
        let server = try await IRCServer.start(.ngircd)
        let bouncer = try await IRCBouncer.start(server: server.port, playsAll: false)
        let alice = try await IRCTalker("alice", port: server.port, channels: "#room")
        try await alice.waitFor("minsu")
        let all = try IRCArchiving()
        try alice.say("missed", to: "#room")
        try await listening(bouncer, all) {
            try await all.holds("#room alice: missed")
            let other = try ChatSocket(port: bouncer.port)
            try other.send("PASS \(IRCBouncer.password)\r\nNICK minsu\r\nUSER minsu 0 * :minsu\r\n")
            try await other.waitFor(" 366 minsu #room ")
            try other.send("PRIVMSG #room :모두에게\r\nPRIVMSG alice :너만\r\n")
            try await alice.waitFor("너만")
            try await all.holds("#room minsu: 모두에게")
            try await all.holds("alice minsu: 너만")
        }
        #expect(try await said(all).count == 3)
    }

    @Test func `a room that the account left while we were away is left until it joins again`() async throws {
        let server = try await IRCServer.start(.ngircd)
        let bouncer = try await IRCBouncer.start(server: server.port, playsAll: false)
        let alice = try await IRCTalker("alice", port: server.port, channels: "#room")
        try await alice.waitFor("minsu")
        let all = try IRCArchiving()
        func archiving(_ body: () async throws -> Void) async throws {
            try await all.listening(port: bouncer.port, rooms: []) {
                $0.secrets.serverPassword = IRCBouncer.password
                $0.staysInAllRooms = true
            } _: {
                try await body()
            }
        }
        func isLeft(_ expected: Bool) async throws {
            try await eventually("the room is left: \(expected)") {
                let room = try all.archive.reading().rooms().first { $0.name == "#room" }
                return room.map { ($0.leftAt != nil) == expected } == true ? true : nil
            }
        }
        try await archiving {
            try alice.say("hi", to: "#room")
            try await all.holds("#room alice: hi")
        }
        let other = try ChatSocket(port: bouncer.port)
        try other.send("PASS \(IRCBouncer.password)\r\nNICK minsu\r\nUSER minsu 0 * :minsu\r\n")
        try await other.waitFor(" 366 minsu #room ")
        try other.send("PART #room\r\n")
        try await other.waitFor(" PART #room")
        try await archiving {
            try await isLeft(true)
            #expect(try await all.gapStates("#room").last == "ended")
            try other.send("JOIN #room\r\n")
            try await isLeft(false)
        }
        #expect(try await all.gapReasons(in: "#room") == ["stopped", "stopped"])
    }

    @Test func `a bouncer's lost network is a gap while we stay connected`() async throws {
        var server: IRCServer? = try await IRCServer.start(.ngircd)
        let port = try #require(server?.port)
        let bouncer = try await IRCBouncer.start(server: port, playsAll: false)
        let all = try IRCArchiving()
        let first = try await IRCTalker("alice", port: port, channels: "#room")
        try await first.waitFor("minsu")
        try await listening(bouncer, all) {
            for round in 1...2 {
                let alice = round == 1 ? first : try await IRCTalker("alice", port: port, channels: "#room")
                try await alice.waitFor("minsu")
                try alice.say("hi \(round)", to: "#room")
                try await all.holds("#room alice: hi \(round)")
                guard round == 1 else { break }
                server = nil
                try await eventually("the outage is noticed") {
                    try await all.gapReasons(in: "#room") == ["bouncer"] ? true : nil
                }
                server = try await IRCServer.start(.ngircd, port: port)
            }
            #expect(try await all.gapReasons(in: "#room") == ["bouncer"])
            #expect(try await all.gaps(in: "#room").allSatisfy { $0.to != nil }, "it is heard again")
        }
    }

    /// Bouncers of old; znc 1.8 to a client that asks for nothing.
    @Test func `a bouncer that writes times only in the text is stored as received`() async throws {
        let server = try await IRCServer.start(.ngircd)
        let bouncer = try await IRCBouncer.start(server: server.port, playsAll: false)
        let alice = try await IRCTalker("alice", port: server.port, channels: "#room")
        try await alice.waitFor("minsu")
        let all = try IRCArchiving()
        try alice.say("missed 0", to: "#room")
        // znc answers while it has no clients, so it has all that was said before.
        try alice.say("\u{1}PING heard\u{1}", to: "minsu")
        try await alice.waitFor("\u{1}PING heard\u{1}")
        for round in 1...2 {
            try await listening(bouncer, all, without: CapabilityNegotiation.archiverCapabilities) {
                try await eventually("what was missed is stored") {
                    try await said(all).contains { $0.hasSuffix("] missed \(round - 1)") } ? true : nil
                }
                try alice.say("live \(round)", to: "#room")
                try await all.holds("#room alice: live \(round)")
            }
            try alice.say("missed \(round)", to: "#room")
        }
        let bodies = try await all.messages().filter { $0.sender?.name == "alice" && $0.kind == .message }
            .compactMap { $0.body?.split(separator: "] ").last.map(String.init) }
        #expect(bodies == ["missed 0", "live 1", "missed 1", "live 2"])
    }
}
