import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct LiveArchivingTests {
    @Test func `a room is archived while people talk, and is readable in every format`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        let minsu = try await ChatSocket.joined("민수", port: server.port)
        try await alice.say("a::b, \"quoted\"", as: "alice")
        try await minsu.say("안녕 👋", as: "민수")
        try minsu.send("LEAVE::::END")
        try await alice.waitFor("민수 has left")
        try await eventually("all is stored", state: { listener.errors }) {
            scrollback.acknowledged.count == 5 ? true : nil
        }

        let text = try await scrollback("history", "lobby")
        #expect(text.status == 0)
        let lines = text.output.split(separator: "\n").map { $0.dropFirst(21) }
        #expect(
            lines == [
                "--> 민수 has joined", "민수  here", "alice  a::b, \"quoted\"", "민수  안녕 👋", "<-- 민수 has left",
            ])
        let page = try await scrollback("history", "lobby", "--no-oneline").output
        #expect(
            page.split(separator: "\n").dropFirst().map { $0.dropFirst(7) } == [
                "       --> 민수 has joined", " 민수  here",
                "alice  a::b, \"quoted\"", " 민수  안녕 👋", "       <-- 민수 has left",
            ])
        let messages = try await scrollback.messages(in: "a1/lobby")
        #expect(messages.map(\.kind) == ["join", "message", "message", "message", "leave"])
        #expect(messages.map(\.id) == scrollback.acknowledged)
        let jsonl = try await scrollback("history", "lobby", "--format", "jsonl", "--hide", "joins")
        #expect(jsonl.output.split(separator: "\n").count == 3)
        #expect(jsonl.output.contains(#""body": "안녕 👋""#))
        let csv = try await scrollback("history", "lobby", "--format", "csv")
        #expect(csv.output.split(separator: "\r\n").count == 6)
        #expect(csv.output.contains(#""a::b, ""quoted""""#))
        let rooms = try await scrollback("rooms")
        #expect(rooms.output.contains("a1/lobby"))
        #expect(try await listener.stop().status == 0)
    }

    @Test func `following the printed cursors shows every message once, in both directions`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        for number in 1...23 { try alice.send("MSG::word \(number)::END") }
        try await eventually("all is stored") { scrollback.acknowledged.count == 23 ? true : nil }
        _ = try await listener.stop()

        let all = try await scrollback.messages(in: "lobby").map(\.id)
        #expect(all.count == 23)
        let backward = try await walk(scrollback, from: "history lobby -n 4 --format csv", "older: ")
        #expect(backward.reversed().flatMap(\.self) == all)
        let forward = try await walk(scrollback, from: "history lobby --oldest -n 4 --format csv", "newer: ")
        #expect(forward.flatMap(\.self) == all)
    }

    /// Types a command, then whatever it says to type next; the ids of each page.
    private func walk(_ scrollback: Program, from first: String, _ hint: String) async throws -> [[String]] {
        var pages: [[String]] = []
        var next: String? = first
        while let command = next {
            let result = try await scrollback.start(arguments: command.split(separator: " ").map(String.init)).result()
            #expect(result.status == 0, "\(result.errors)")
            pages.append(result.output.split(separator: "\r\n").dropFirst().map { String($0.prefix { $0 != "," }) })
            next = result.errors.split(separator: "\n").first { $0.hasPrefix(hint) }
                .map { String($0.dropFirst(hint.count + "scrollback ".count)) }
        }
        return pages
    }

    @Test func `followers in other processes get stored messages`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        for word in ["one", "two", "before"] { try await alice.say(word, as: "alice") }
        try await eventually("it is stored") { scrollback.acknowledged.count == 3 ? true : nil }
        let start = try #require(scrollback.acknowledged.first)
        let tail = try scrollback.start("tail", "lobby", "-f", "-n", "1", "--format", "jsonl")
        let history = try scrollback.start(
            "history", "lobby", "--after", start, "-f", "-n", "1", "--format", "jsonl")
        for (run, first) in [(tail, "before"), (history, "two")] {
            try await eventually("what was there", state: { run.errors }) { run.output.contains(first) ? true : nil }
        }
        try await alice.say("after", as: "alice")
        for run in [tail, history] {
            try await eventually("what came") { run.output.contains("after") ? true : nil }
        }
        #expect(bodies(tail) == ["before", "after"])
        #expect(bodies(history) == ["two", "before", "after"])
        for run in [tail, history] { #expect(try await run.stop(SIGINT).status == 128 + SIGINT) }
        _ = try await listener.stop()
    }

    private func bodies(_ run: Run) -> [Substring] {
        run.output.matches(of: /"body": "(\w+)"/).map(\.1)
    }

    @Test func `accounts are archived in parallel, and an unreachable one doesn't delay another`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        let closed = try RawServer().port
        try scrollback.configure(ports: closed, server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try scrollback.start("listen")
        try await alice.waitFor("archiver has joined")
        try await alice.say("hi", as: "alice")
        let statuses = try await eventually("the second account is connected", state: { listener.errors }) {
            let output = try await scrollback("status", "--format", "jsonl").output
            return output.contains(#""connected""#) && output.contains("refused") ? output.split(separator: "\n") : nil
        }
        #expect(statuses.count == 2)
        #expect(statuses[0].contains(#""account": "a1""#) && !statuses[0].contains(#""connected""#))
        try await eventually("it is stored") {
            try await scrollback.said(in: "a2/lobby").last == "alice: hi" ? true : nil
        }
        let result = try await listener.stop()
        #expect(result.status == 0)
    }

    @Test func `an unknown room is an error with the nearest name and the folder`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let listener = try await scrollback.startListener()
        let result = try await scrollback("history", "loby")
        #expect(result.status == 2)
        #expect(result.errors.contains("lobby") && result.errors.contains(scrollback.data))
        _ = try await listener.stop()
    }

    @Test func `no received text reaches a terminal as a control sequence`() async throws {
        let hostile = "\u{1B}]0;title\u{7}\u{1B}[2J\u{9B}31m\u{202E}dlrow\u{2066}\r\u{8}\t=1+1"
        let name = "e\u{1B}[1m\u{202E}ve"
        let scrollback = try Program()
        let server = try RawServer()
        try scrollback.configure(ports: server.port)
        let listener = try await scrollback.startListener("--log-level", "trace")
        let connection = try await server.accept()
        try connection.send("\(name) has joined\0\(name)::\(hostile)\0\(name)::=1+1\0\(hostile)\0")
        try connection.send(Array("\(name)::".utf8) + [0xFF, 0x1B, 0xC0, 0])
        try await eventually("it is stored", state: { listener.errors }) {
            scrollback.acknowledged.count == 5 ? true : nil
        }
        for arguments in [["history", "lobby"], ["tail"], ["rooms"], ["status"], ["gaps"]] {
            for format in ["text", "csv"] {
                let result = try await scrollback.start(arguments: arguments + ["--format", format]).result()
                #expect(result.status == 0)
                #expect(isPlain(result.output) && isPlain(result.errors), "\(arguments) \(format): \(result.output)")
            }
        }
        let text = try await scrollback("history", "lobby")
        #expect(text.output.contains(#"\u{1B}]0;title"#))
        #expect(try await scrollback.said(in: "lobby").first == "\(name): \(hostile)")
        #expect(isPlain(try await listener.stop().errors))
    }

    private func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control: ["\n", "\r", "\t"].contains(scalar)
            case .format: false
            default: true
            }
        }
    }

    @Test func `closing the output early is not an error`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        // More than a pipe holds.
        for _ in 1...400 { try alice.send("MSG::\(String(repeating: "가", count: 100))::END") }
        try await eventually("all is stored") { scrollback.acknowledged.count == 400 ? true : nil }
        let result = try await scrollback.start(
            arguments: ["history", "lobby", "-n", "1000"], shell: #""$@" | head -1; exit ${PIPESTATUS[0]}"#
        ).result()
        #expect(result.status == 0)
        #expect(result.output.split(separator: "\n").count == 1)
        #expect(result.errors.isEmpty)
        _ = try await listener.stop()
    }
}
