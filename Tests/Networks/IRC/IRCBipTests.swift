import ChatModel
import IRC
import TestSupport
import Testing

/// A real bip, which plays the same lines again at each connection.
@Suite(
    .enabled(
        if: BipBouncer.isAvailable && IRCServer.Kind.ngircd.isAvailable,
        "needs bip and ngircd, which .ci/fetch-tools fetches"),
    .timeLimit(.minutes(MachineSpeed.minutes(5))))
struct IRCBipTests {
    @Test(arguments: ["none", "time", "datetime"])
    func `bip's backlog is stored once`(timestamp: String) async throws {
        let server = try await IRCServer.start(.ngircd)
        let bouncer = try await BipBouncer.start(server: server.port, timestamp: timestamp)
        let alice = try await IRCTalker("alice", port: server.port, channels: "#room")
        try await alice.waitFor("minsu")
        let all = try IRCArchiving()
        var expected: [String] = []
        func say(_ texts: String...) throws {
            for text in texts {
                try alice.say(text, to: "#room")
                try alice.say(text, to: "minsu")
                expected += ["#room alice: \(text)", "alice alice: \(text)"]
            }
        }
        try say("missed 0", "ㅋㅋ 0")
        for round in 1...3 {
            try await all.listening(port: bouncer.port, rooms: []) {
                $0.secrets.serverPassword = BipBouncer.password
                $0.staysInAllRooms = true
            } _: {
                // The backlog of both comes before that.
                try await all.holds("#room alice: ㅋㅋ \(round - 1)")
                try await all.holds("alice alice: ㅋㅋ \(round - 1)")
                try say("live \(round)", "하하 \(round)")
                try await all.holds("alice alice: 하하 \(round)")
            }
            try say("missed \(round)", "ㅋㅋ \(round)")
        }
        let stored = try await all.said().filter { $0.contains(" alice: ") }
        #expect(
            stored.sorted()
                == expected.filter { !$0.hasSuffix(" 3") || $0.hasSuffix("live 3") || $0.hasSuffix("하하 3") }.sorted())
        #expect(try await all.gapReasons(in: "#room") == Array(repeating: "stopped", count: 3))
    }
}
