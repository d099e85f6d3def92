import TestSupport
import Testing

/// `archive bridge`, and what commands, the server and assistants show of it.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct BridgeEndToEndTests {
    private let scrollback: Program

    init() throws { scrollback = try Program() }

    private func line(_ second: Int, _ sender: String, _ body: String) -> String {
        """
        {"id": "2026-11-21T06:00:\(second).000000Z", "room": "#example", "kind": "message", "sender": {"name": "\(sender)"}, \
        "body": "\(body)"}
        """
    }

    private func store(_ lines: [String]) async throws {
        try scrollback.write(lines.joined(separator: "\n") + "\n", to: "demo.jsonl")
        let result = try await scrollback("import", "jsonl", "demo.jsonl", "-a", "demo")
        #expect(result.status == 0, "\(result.errors)")
    }

    private let bridge = ["archive", "bridge", "demo", "--bot", "relay", "--pattern", "<{nick}> {text}"]

    private func run(_ arguments: [String]) async throws -> Run.Result {
        try await scrollback.start(arguments: arguments).result()
    }

    private func texts() async throws -> [String] {
        try await scrollback("history", "#example").output.split(separator: "\n").map { String($0.dropFirst(21)) }
            .filter { !$0.hasPrefix("-- gap") }
    }

    @Test func `a bridge is previewed, created, followed by imports, and undone`() async throws {
        try await store([line(10, "relay", "<alice> hello"), line(20, "relay", "restarted"), line(30, "bob", "hi")])
        let preview = try await run(bridge)
        #expect(
            preview.status == 0 && preview.errors.contains("relay: 1 message of 1 person; 1 message of another form"))
        #expect(preview.output == "alice: 1 message\nexample: <alice> hello\nstays: restarted\n")
        #expect(preview.errors.contains("nothing was changed; to do it, add --execute"))
        #expect(try await texts() == ["relay  <alice> hello", "relay  restarted", "bob  hi"])

        let made = try await run(bridge + ["--execute"])
        #expect(made.status == 0 && made.errors.contains("bridged: 1 message\n"), "\(made.errors)")
        #expect(
            made.errors.contains(
                "to undo it: scrollback archive bridge demo --bot id:1 --pattern '<{nick}> {text}' --undo --execute"))
        try await store([line(40, "relay", "<민수> 안녕")])
        #expect(try await texts() == ["alice⇄  hello", "relay  restarted", "bob  hi", "민수⇄  안녕"])
        #expect(try await scrollback("search", "from:alice", "-c").output == "1\n")
        let json = try await scrollback("history", "#example", "--format", "jsonl").output
        #expect(json.contains(#""via": {"name": "relay", "prefix": "<alice> "}"#) && json.contains(#""body": "hello""#))
        #expect(
            try await scrollback("archive", "bridge", "demo").output.hasPrefix("relay (id:1) <{nick}> {text}, made "))
        let listed = try await scrollback("archive", "bridge", "demo", "--format", "csv").output
        #expect(
            listed.hasPrefix("account,bot_id,bot,pattern,state,at\r\ndemo,1,relay,<{nick}> {text},done,"), "\(listed)"
        )
        #expect(try await scrollback("users").output.contains("alice⇄"))
        let shown = try await scrollback("show", "2026-11-21T06:00:10.000000Z").output
        #expect(shown.contains("relay, who wrote <alice>"), "\(shown)")
        #expect(try await scrollback("archive", "check").status == 0)

        let undone = try await run(bridge + ["--undo", "--execute"])
        #expect(undone.status == 0 && undone.errors.contains("given back: 2 messages\n"), "\(undone.errors)")
        #expect(
            try await texts() == ["relay  <alice> hello", "relay  restarted", "bob  hi", "relay  <민수> 안녕"])
        #expect(try await run(bridge + ["--undo"]).errors.contains("no bridge of \"relay\" has that pattern"))
    }

    @Test func `undoing needs a bot and pattern only if there are several bridges`() async throws {
        try await store([line(10, "relay", "<alice> hello"), line(20, "relay", "[carol] hi")])
        let undo = ["archive", "bridge", "demo", "--undo"]
        let none = try await run(undo)
        #expect(none.status == 1 && none.errors.contains("no bridge exists in the account; "), "\(none.errors)")
        #expect(try await run(bridge + ["--execute"]).status == 0)
        #expect(try await run(undo).errors.contains("relay (id:1) <{nick}> {text}, made "))
        let other = ["archive", "bridge", "demo", "--bot", "relay", "--pattern", "[{nick}] {text}", "--execute"]
        #expect(try await run(other).status == 0)
        let several = try await run(undo + ["--bot", "relay", "--execute"])
        #expect(
            several.status == 1 && several.errors.contains("the account has 2 such bridges; choose one: scrollback"))
        #expect(try await texts() == ["alice⇄  hello", "carol⇄  hi"])
        #expect(try await run(undo + ["--pattern", "[{nick}] {text}", "--execute"]).status == 0)
        #expect(try await texts() == ["alice⇄  hello", "relay  [carol] hi"])
        let last = try await run(undo + ["--execute"])
        #expect(last.status == 0 && last.errors.contains("given back: 1 message\n"), "\(last.errors)")
        #expect(try await texts() == ["relay  <alice> hello", "relay  [carol] hi"])
    }

    @Test func `a search finds a bridged person by name and sign, and explains the bot`() async throws {
        try await store([line(10, "relay", "<alice> hello"), line(20, "alice", "hi"), line(30, "relay", "<carol> hey")])
        #expect(try await run(bridge + ["--execute"]).status == 0)
        #expect(try await scrollback("search", "from:alice", "-c").output == "2\n")
        let found = try await scrollback("search", "from:alice⇄").output
        #expect(found.contains("hello") && !found.contains("hi\n"), "\(found)")
        #expect(try await scrollback("search", "from:Carol⇄", "-c").output == "1\n")
        let near = try await run(["search", "from:carl⇄"])
        #expect(near.errors.contains("did you mean from:carol⇄?"), "\(near.errors)")
        let bot = try await run(["search", "from:relay"])
        #expect(bot.errors.contains("it is the bot of a bridge") && bot.errors.contains("from:alice⇄"), "\(bot.errors)")
    }

    @Test func `creating an existing bridge changes nothing`() async throws {
        try await store([line(10, "relay", "<alice> hello")])
        #expect(try await run(bridge + ["--execute"]).status == 0)
        let again = try await run(bridge + ["--execute"])
        #expect(again.status == 0 && again.errors.contains("this bridge exists already"), "\(again.errors)")
        #expect(!again.errors.contains("0 messages"))
        let json = try await run(bridge + ["--execute", "--format", "json"])
        #expect(json.output.contains(#""messages": 0"#) && json.errors.isEmpty, "\(json.output)")
    }

    @Test func `a bridge command answers in JSON with the plan, the result and the list`() async throws {
        try await store([line(10, "relay", "<alice> hello")])
        let json = ["--format", "json"]
        let planned = try await run(bridge + json)
        #expect(planned.status == 0 && planned.errors.isEmpty, "\(planned.errors)")
        #expect(planned.output.contains(#""state": "planned""#) && !planned.output.contains("example:"))
        let made = try await run(bridge + ["--execute"] + json)
        #expect(made.status == 0 && made.errors.isEmpty, "\(made.errors)")
        #expect(made.output.contains(#""state": "done""#) && made.output.contains(#""messages": 1"#))
        let listed = try await run(["archive", "bridge", "demo"] + json).output
        #expect(
            listed.contains(#""bot": "relay", "pattern": "<{nick}> {text}", "state": "done", "at": "20"#), "\(listed)")
    }

    @Test func `pages, the API and assistants show the author of a bridged message`() async throws {
        try await store([line(10, "relay", "<alice> hello")])
        #expect(try await run(bridge + ["--execute"]).status == 0)
        let served = try await scrollback.serve()
        let page = try await served.owner().get("/room/demo/1").body
        #expect(page.contains("via <bdi>relay</bdi>") && page.contains(">hello<") && !page.contains("&lt;alice&gt;"))
        let client = served.program(try await scrollback.token("all"))
        let answer = try await client.get("/api/v1/messages?room=demo/%23example").body
        #expect(answer.contains(#""via": {"name": "relay", "prefix": "<alice> "}"#))
        let call = #"""
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {"q": "from:alice"}}}
            """#
        let found = try await client.post("/mcp", call, ["Content-Type": "application/json"]).body
        #expect(found.contains("hello") && found.contains("relay"))
    }

    @Test(arguments: [
        (["--bot", "relay"], "a bridge has a --bot and a --pattern"), (["--execute"], "name a --bot and a --pattern"),
        (["--bot", "relay", "--pattern", "<nick> text"], "needs {nick} once and {text} at its end"),
        (["--bot", "nobody", "--pattern", "<{nick}> {text}"], "has no person \"nobody\""),
    ])
    func `an invalid bridge is refused with a reason`(arguments: [String], reason: String) async throws {
        try await store([line(10, "relay", "<alice> hello")])
        let result = try await run(["archive", "bridge", "demo"] + arguments)
        #expect(result.status != 0 && result.errors.contains(reason), "\(result.errors)")
    }
}
