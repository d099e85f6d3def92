import Foundation
import TestSupport
import Testing

/// `--hide` with the network's marks and the names in the configuration.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct HideOptionTests {
    private let scrollback: Program

    init() throws { scrollback = try Program() }

    private func line(_ time: String, _ kind: String, _ sender: String, _ body: String, _ flags: String = "") -> String
    {
        """
        {"id": "2026-11-21T\(time).000000Z", "room": "#example", "kind": "\(kind)", "sender": {"name": "\(sender)"}, \
        "body": "\(body)", "flags": [\(flags)]}
        """
    }

    private func fill() async throws {
        let lines = [
            line("06:00:00", "join", "alice", ""), line("06:00:01", "join", "lurker", ""),
            line("06:10:00", "message", "alice", "hello"), line("06:20:00", "message", "feed", "marked", "\"bot\""),
            line("06:21:00", "join", "Relay", ""), line("06:22:00", "message", "Relay", "listed"),
            line("06:45:00", "leave", "alice", ""), line("06:46:00", "leave", "lurker", ""),
        ]
        try scrollback.write(lines.joined(separator: "\n") + "\n", to: "demo.jsonl")
        #expect(try await scrollback("import", "jsonl", "demo.jsonl", "-a", "demo").status == 0)
        try scrollback.write(
            """
            [[account]]
            name = "demo"
            network = "irc"
            server = "irc://127.0.0.1:6667"
            nick = "archiver"
            rooms = ["#example"]
            bots = ["relay"]

            """, to: "scrollback.toml")
    }

    /// Returns the texts of the lines, without their times.
    private func texts(_ arguments: [String]) async throws -> [String] {
        let result = try await scrollback.start(arguments: arguments).result()
        return result.output.split(separator: "\n").map { String($0.dropFirst(21)) }.filter { !$0.hasPrefix("-- gap") }
    }

    @Test func `lurkers and bots are hidden in history, tail and search`() async throws {
        try await fill()
        #expect(
            try await texts(["history", "#example", "--hide", "lurkers"]) == [
                "--> alice has joined", "alice  hello", "feed  marked", "--> Relay has joined", "Relay  listed",
            ])
        #expect(
            try await texts(["tail", "#example", "--hide", "bots", "--hide", "lurkers"]) == [
                "--> alice has joined", "alice  hello",
            ])
        #expect(try await texts(["history", "#example", "--hide", "bots", "--hide", "joins"]) == ["alice  hello"])
        #expect(try await texts(["history", "#example", "--hide", "joins,bots"]) == ["alice  hello"])
        for wrong in ["people", "joins,people", "joins,", ""] {
            let refused = try await scrollback("history", "#example", "--hide", wrong)
            #expect(refused.errors.contains("use joins, lurkers, bots, or several with commas"), "\(refused.errors)")
        }
        let page = try await scrollback("history", "#example", "--hide", "bots", "-n", "2", "--format", "json")
        #expect(page.output.contains(#""newer": null"#) && page.output.contains("06:45:00"))
        let hits = try await scrollback("search", "marked OR listed", "--hide", "bots")
        #expect(hits.status == 1 && hits.output.isEmpty)
        #expect(try await scrollback("search", "marked OR listed").output.split(separator: "\n").count == 2)
        let json = try await scrollback("history", "#example", "--format", "jsonl").output
        #expect(json.contains(#""flags": ["bot"]"#))
    }

    @Test func `bots of imported accounts can be named in the configuration`() async throws {
        try await fill()
        for (bots, texts) in [
            ("", ["alice  hello", "Relay  listed"]), (#"bots = ["relay"]"#, ["alice  hello"]),
            (#"bots = ["demo/relay"]"#, ["alice  hello"]),
            (#"bots = ["other/relay"]"#, ["alice  hello", "Relay  listed"]),
        ] {
            try scrollback.write("keep_free = \"1kB\"\n" + bots + "\n", to: "scrollback.toml")
            #expect(
                try await self.texts(["history", "#example", "--hide", "bots", "--hide", "joins"]) == texts, "\(bots)")
        }
    }

    @Test func `the server and assistants hide the same messages`() async throws {
        try await fill()
        let served = try await scrollback.serve()
        let client = served.program(try await scrollback.token("all"))
        let answer = try await client.get("/api/v1/messages?room=demo/%23example&hide=bots&hide=lurkers")
        #expect(answer.body.contains("hello") && !answer.body.contains("marked") && !answer.body.contains("listed"))
        #expect(!answer.body.contains("lurker"))
        let comma = try await client.get("/api/v1/messages?room=demo/%23example&hide=bots,lurkers")
        #expect(comma.status == 200 && comma.body == answer.body)
        for wrong in ["people", "bots,people", "bots,"] {
            #expect(
                try await client.get("/api/v1/messages?room=demo/%23example&hide=\(wrong)").status == 400, "\(wrong)")
        }
        let call = #"""
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_messages", \#
            "arguments": {"room": "demo/#example", "hide": ["bots", "joins"]}}}
            """#
        for call in [call, call.replacing(#"["bots", "joins"]"#, with: #"["bots,joins"]"#)] {
            let found = try await client.post("/mcp", call, ["Content-Type": "application/json"]).body
            #expect(found.contains("hello") && !found.contains("marked") && !found.contains("listed"), "\(found)")
        }
    }
}
