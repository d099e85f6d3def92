import Foundation
import TestSupport
import Testing

/// The program, and what a real server passes on of IRCv3's tags.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct IRCTagEndToEndTests {
    @Test(.enabled(if: IRCServer.Kind.inspircd.isAvailable, "needs inspircd, which .ci/fetch-tools fetches"))
    func `a reply and a reaction are shown with their message`() async throws {
        let server = try await IRCServer.start(.inspircd)
        let scrollback = try Program()
        try scrollback.write(
            """
            [[account]]
            name = "libera"
            network = "irc"
            server = "irc://127.0.0.1:\(server.port)"
            nick = "archiver"
            rooms = ["#room"]
            sign_of_life_seconds = 1

            """, to: "scrollback.toml")
        let listener = try await scrollback.startListener()
        let alice = try await IRCTalker("alice", port: server.port, channels: "#room")
        let bob = try await IRCTalker("bob", port: server.port, channels: "#room")
        try bob.send("CAP REQ :message-tags")
        try await bob.waitFor("CAP bob ACK")
        try alice.say("밥 먹었어?", to: "#room")
        let asked = try await stored("밥 먹었어?", scrollback)
        let id = try #require(asked.remote_id)
        try bob.send("@+draft/reply=\(id);+draft/react=👍 TAGMSG #room")
        try bob.send("@+typing=active TAGMSG #room")
        try bob.send("@+draft/reply=\(id) PRIVMSG #room :아직")
        #expect(try await stored("아직", scrollback).reply_to == asked.id)
        let history = try await scrollback("history", "#room").output
        #expect(history.contains("밥 먹었어? [👍 1]") && history.contains("↪ alice: 밥 먹었어?"), "\(history)")
        let shown = try await scrollback("show", asked.id).output
        #expect(shown.contains("👍 1: bob"), "\(shown)")
        #expect(try await listener.stop().status == 0)
        #expect(try await scrollback("archive", "check").status == 0)
    }

    private struct Line: Decodable {
        var id: String
        var body: String?
        var remote_id: String?
        var reply_to: String?
    }

    private func stored(_ body: String, _ scrollback: Program) async throws -> Line {
        try await eventually("\(body) is stored") {
            let lines = try await scrollback("history", "#room", "-n", "100", "--format", "jsonl").output
            return try lines.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
                .first { $0.body == body }
        }
    }
}
