import Foundation
import TestSupport
import Testing

/// The program and real IRC servers.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct IRCEndToEndTests {
    private func configure(
        _ scrollback: Program, port: Int, rooms: String = "\"#한국\"", besides lines: String = ""
    ) throws {
        try scrollback.write(
            """
            [[account]]
            name = "libera"
            network = "irc"
            server = "irc://127.0.0.1:\(port)"
            nick = "archiver"
            rooms = [\(rooms)]
            sign_of_life_seconds = 1
            \(lines)

            """, to: "scrollback.toml")
    }

    private func holds(_ words: String, _ scrollback: Program, in room: String = "#한국") async throws {
        var text = ""
        try await eventually("\(words) is stored", state: { text }) {
            text = try await scrollback("history", room, "-n", "1000").output
            return text.contains(words) ? true : nil
        }
    }

    @Test(.enabled(if: IRCServer.Kind.ngircd.isAvailable, "needs ngircd, which .ci/fetch-tools fetches"))
    func `a killed server leaves a gap, and no message before or after it is missing`() async throws {
        let scrollback = try Program()
        let first = try await IRCServer.start(.ngircd)
        try configure(scrollback, port: first.port)
        let listener = try await scrollback.startListener()
        let alice = try await IRCTalker("alice", port: first.port, channels: "#한국")
        let bob = try await IRCTalker("bob", port: first.port, channels: "#한국")
        try await alice.waitFor("archiver")
        for number in 1...50 {
            try alice.say("안녕 \(number) 🌳", to: "#한국")
            try bob.say("응 \(number)", to: "#한국")
        }
        try alice.say("둘이서만", to: "archiver")
        try bob.send(bytes: Array("PRIVMSG #한국 :caf".utf8) + [0xE9])
        try alice.send("NICK 앨리스\r\nNICK alice2")
        try bob.send("QUIT :bye")
        try await holds("안녕 50 🌳", scrollback)
        try await holds("응 50", scrollback)
        try await holds("café", scrollback)
        try await holds("bob", scrollback)
        try await holds("둘이서만", scrollback, in: "alice")
        first.run.signal(SIGKILL)
        _ = try await first.run.result()
        try await eventually("the listener is told") {
            try await scrollback("status").output.contains("waiting") ? true : nil
        }
        let second = try await IRCServer.start(.ngircd, port: first.port)
        try await scrollback.connected(listener)
        let carol = try await IRCTalker("carol", port: second.port, channels: "#한국")
        try await carol.waitFor("archiver")
        try carol.say("돌아왔다", to: "#한국")
        try await holds("돌아왔다", scrollback)

        let said = try await scrollback.said(in: "#한국")
        #expect(said.filter { $0.hasPrefix("alice: 안녕") } == (1...50).map { "alice: 안녕 \($0) 🌳" })
        #expect(said.filter { $0.hasPrefix("bob: 응") } == (1...50).map { "bob: 응 \($0)" })
        #expect(said.suffix(1) == ["carol: 돌아왔다"] && said.contains("bob: café"))
        let gaps = try await scrollback("gaps", "--format", "jsonl").output.split(separator: "\n")
        let ofRoom = gaps.filter { $0.contains(##""room": "#한국""##) }
        #expect(ofRoom.count == 1 && (ofRoom[0].contains("\"lost\"") || ofRoom[0].contains("\"closed\"")), "\(gaps)")
        #expect(gaps.contains { $0.contains(#""room": "alice""#) }, "\(gaps)")
        #expect(try await scrollback("search", "돌아왔다").output.contains("carol"))
        #expect(try await listener.stop().status == 0)
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test(.enabled(if: IRCServer.Kind.inspircd.isAvailable, "needs inspircd, which .ci/fetch-tools fetches"))
    func `messages that a server replays at a join are merged by their ids`() async throws {
        let server = try await IRCServer.start(.inspircd)
        let alice = try await IRCTalker("alice", port: server.port, channels: "#room")
        try alice.send("MODE #room +H 20:1h")
        try await alice.waitFor("+H")
        try alice.say("before, 안녕", to: "#room")
        let scrollback = try Program()
        try configure(scrollback, port: server.port, rooms: "\"#room\"")
        for round in 1...2 {
            let listener = try await scrollback.startListener()
            try alice.say("live \(round)", to: "#room")
            try await holds("live \(round)", scrollback, in: "#room")
            let counted = try await scrollback.counted()
            #expect(counted.received["message", default: 0] >= 2, "one was replayed")
            #expect(counted.receivedBytes > 0 && counted.lastByte != nil)
            #expect(counted.lastSignOfLife == counted.lastByte)
            #expect(counted.lastEvent.map { $0 <= counted.lastByte ?? "" } == true)
            #expect(try await listener.stop().status == 0)
            try await alice.waitFor("QUIT")
            try alice.say("between \(round)", to: "#room")
        }
        let said = try await scrollback.said(in: "#room")
        // Its replay has times cut to whole seconds, and so may stand before what was heard in that second.
        #expect(said.sorted() == ["alice: before, 안녕", "alice: between 1", "alice: live 1", "alice: live 2"])
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test(
        .enabled(if: !IRCServer.Kind.allCases.filter(\.isAvailable).isEmpty, "needs ngircd or inspircd"),
        arguments: IRCServer.Kind.allCases.filter(\.isAvailable))
    func `rooms that can't be joined give the reason, and are joined when possible`(kind: IRCServer.Kind) async throws {
        let server = try await IRCServer.start(kind)
        let alice = try await IRCTalker(
            "alice", port: server.port, channels: "#invite", "#ban", "#full", "#key", "#locked")
        try alice.send(
            "MODE #invite +i\r\nMODE #ban +b archiver!*@*\r\nMODE #full +l 1\r\nMODE #key +k sesame\r\n"
                + "MODE #locked +k open")
        try await alice.waitFor("MODE #locked +k")
        let scrollback = try Program()
        func write(keys: String) throws {
            try scrollback.write(keys, to: "libera.keys")
            chmod(scrollback.home + "/libera.keys", 0o600)
        }
        try write(keys: "#key sesame\n#locked shut\n")
        try configure(
            scrollback, port: server.port, rooms: ##""#invite", "#ban", "#full", "#key", "#locked""##,
            besides: #"channel_keys_file = "libera.keys""#)
        let listener = try await scrollback.startListener()
        func troubles() async throws -> [String] {
            try await scrollback("rooms", "--format", "jsonl").output.split(separator: "\n").compactMap { line in
                guard let trouble = line.firstMatch(of: /"name": "(#\w+)".*"trouble": "(\w+)", "trouble_detail": "./)
                else { return nil }
                return "\(trouble.1) \(trouble.2)"
            }.sorted()
        }
        var found: [String] = []
        try await eventually("each says why", state: { "\(found)" }) {
            found = try await troubles()
            return found == ["#ban banned", "#full full", "#invite invite_only", "#locked bad_key"] ? true : nil
        }
        let rooms = try await scrollback("rooms").output
        #expect(rooms.contains("libera/#invite") && rooms.contains("invite only: Cannot join channel"), "\(rooms)")
        #expect(rooms.contains("next try"))
        let status = try await scrollback("status").output
        #expect(status.contains("is not joined: Cannot join channel") && status.contains("and 3 more"), "\(status)")
        try alice.send("MODE #invite -i\r\nMODE #ban -b archiver!*@*\r\nMODE #full -l")
        try write(keys: "#key sesame\n#locked open\n")
        try await eventually("all are joined", state: { "\(found)" }) {
            found = try await troubles()
            return found.isEmpty ? true : nil
        }
        for room in ["#invite", "#ban", "#full", "#key", "#locked"] {
            try alice.say("여기는 \(room)", to: room)
            try await holds("여기는 \(room)", scrollback, in: room)
        }
        #expect(!(try await scrollback("status").output.contains("is not joined")))
        #expect(try await listener.stop().status == 0)
        #expect(!listener.errors.contains("sesame") && !listener.errors.contains("shut"))
        #expect(try await scrollback("archive", "check").status == 0)
    }
}
