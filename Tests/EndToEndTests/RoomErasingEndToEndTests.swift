import Foundation
import TestSupport
import Testing

/// `scrollback archive erase ACCOUNT --room ROOM`, and the same in a browser.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct RoomErasingEndToEndTests {
    /// Two rooms of imported messages; `secret` has words and a person of its own.
    private func program() async throws -> Program {
        let program = try Program()
        let lines = (0..<60).map { number in
            let (room, sender, body) =
                number % 3 == 0
                ? ("secret", "mallory", "canarywort \(number) 카나리아") : ("open", "alice", "words \(number)")
            let minute = number < 10 ? "0\(number)" : "\(number)"
            return """
                {"id": "2026-11-21T06:\(minute):00.000000Z", "room": "\(room)", "kind": "message", \
                "sender": {"name": "\(sender)"}, "body": "\(body)"}
                """
        }
        try program.write(lines.joined(separator: "\n") + "\n", to: "chat.jsonl")
        let run = try await program("import", "jsonl", "chat.jsonl", "-a", "demo")
        guard run.status == 0 else { throw WaitedInVain(description: run.errors) }
        return program
    }

    private static let command = ["archive", "erase", "demo", "--room", "secret"]

    /// The files of the data folder with the room's words, or its person's name.
    private func traces(_ program: Program) throws -> [String] {
        let needles = ["canarywort", "narywort", "카나", "mallory"].map { Data($0.utf8) }
        return try FileManager.default.subpathsOfDirectory(atPath: program.data).filter { name in
            let bytes = FileManager.default.contents(atPath: program.data + "/" + name) ?? Data()
            return needles.contains { bytes.range(of: $0) != nil }
        }
    }

    @Test func `without --execute, the room is listed and nothing changes`() async throws {
        let scrollback = try await program()
        let listed = try await scrollback.start(arguments: Self.command).result()
        #expect(
            listed.status == 0
                && listed.errors.hasPrefix("this would erase demo/secret: 20 messages, 2026-11-21\n"),
            "\(listed.errors)")
        let json = try await scrollback.start(arguments: Self.command + ["--format", "json"]).result()
        #expect(json.output.contains(#""state": "planned""#) && json.output.contains(#""messages": 20"#))
        #expect(try !traces(scrollback).isEmpty)
    }

    @Test func `a room is erased from every file, and the other room stays`() async throws {
        let scrollback = try await program()
        let run = try await scrollback.start(arguments: Self.command + ["--execute"]).result()
        #expect(run.status == 0 && run.errors.contains("erased demo/secret: 20 messages\n"), "\(run.errors)")
        #expect(run.errors.contains("Earlier backups still contain it."))
        #expect(try traces(scrollback) == [])
        #expect(try await scrollback("history", "open", "-n", "all", "--format", "jsonl").output.contains("words 59"))
        #expect(try await scrollback("search", "canarywort").output.isEmpty)
        #expect(try await scrollback("archive", "check").status == 0)
        let again = try await scrollback.start(arguments: Self.command + ["--execute"]).result()
        #expect(again.status == 1 && again.errors.contains("[unknown-room]"), "\(again.errors)")
        #expect(try await scrollback("import", "jsonl", "chat.jsonl", "-a", "demo").status == 0)
        #expect(try await scrollback("search", "canarywort", "--count").output.contains("20"))
    }

    @Test func `a compressed account is expanded for erasing`() async throws {
        let scrollback = try await program()
        #expect(try await scrollback("archive", "compress", "demo").status == 0)
        let listed = try await scrollback.start(arguments: Self.command).result()
        #expect(listed.status == 0 && listed.errors.contains("20 messages"), "\(listed.errors)")
        let run = try await scrollback.start(arguments: Self.command + ["--execute"]).result()
        #expect(run.status == 0, "\(run.errors)")
        #expect(try traces(scrollback) == [])
    }

    @Test func `a running listener erases a joined room, and stores later messages`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        func stored(_ count: Int) async throws {
            try await eventually("\(count) stored", state: { listener.errors }) {
                scrollback.acknowledged.count == count ? true : nil
            }
        }
        try await alice.say("canarywort 카나리아", as: "alice")
        try await stored(1)
        #expect(try !traces(scrollback).isEmpty)
        // The listener has the account's file open, so the command reaches it by its socket alone.
        let run = try await scrollback("archive", "erase", "a1", "--room", "lobby", "--execute")
        #expect(run.status == 0 && run.errors.contains("erased a1/lobby: "), "\(run.errors)")
        #expect(listener.isRunning)
        #expect(try traces(scrollback) == [], "while the listener has the file open")
        try await alice.say("afterwards", as: "alice")
        try await stored(2)
        let page = try await scrollback("history", "a1/lobby", "--format", "jsonl")
        #expect(page.output.contains("afterwards") && !page.output.contains("canarywort"), "\(page.output)")
        #expect(try await listener.stop().status == 0)
        #expect(try traces(scrollback) == [])
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test func `updating an export removes an erased room`() async throws {
        let scrollback = try await program()
        #expect(try await scrollback("export", "-a", "demo", "-o", "out", "--format", "text").status == 0)
        let run = try await scrollback.start(arguments: Self.command + ["--execute"]).result()
        #expect(run.status == 0, "\(run.errors)")
        #expect(try await scrollback("export", "-a", "demo", "-o", "out", "--append").status == 0)
        let out = scrollback.home + "/out"
        let found = try FileManager.default.subpathsOfDirectory(atPath: out).filter { name in
            (FileManager.default.contents(atPath: out + "/" + name) ?? Data()).range(of: Data("canarywort".utf8)) != nil
        }
        #expect(found == [])
    }

    @Test(arguments: [
        (["demo", "--room", "secrt"], "did you mean \"secret\"?"), (["demo", "--room", "id:99"], "[unknown-room]"),
        (["demo", "--room", "demo/secrt"], "did you mean \"demo/secret\"?"),
        (["demo", "--room", "demo"], "is an account, not a room"),
        (["dmo", "--room", "secret"], "[unknown-account]"),
    ])
    func `a mistake is reported, and nothing changes`(words: [String], says: String) async throws {
        let scrollback = try await program()
        let run = try await scrollback.start(arguments: ["archive", "erase"] + words + ["--execute"]).result()
        #expect(run.status == 1 && run.errors.contains(says), "\(run.errors)")
        #expect(try await scrollback("search", "canarywort", "--count").output.contains("20"))
    }

    @Test(arguments: ["demo/secret", "SECRET", "secr", "id"])
    func `erase accepts the same room names as history`(name: String) async throws {
        let scrollback = try await program()
        let rooms = try await scrollback("rooms", "--format", "jsonl").output.split(separator: "\n")
        let line = try #require(rooms.first { $0.contains("\"secret\"") })
        let id = try #require(line.firstMatch(of: /"id": ([0-9]+)/)).1
        let words = ["archive", "erase", "demo", "--room", name == "id" ? String(id) : name]
        let run = try await scrollback.start(arguments: words).result()
        #expect(run.status == 0 && run.errors.contains("would erase demo/secret: 20 messages"), "\(run.errors)")
    }

    @Test func `a hold prevents erasing, and the error names it`() async throws {
        let scrollback = try await program()
        #expect(try await scrollback("retention", "hold", "case-17", "demo/secret").status == 0)
        let run = try await scrollback.start(arguments: Self.command + ["--execute"]).result()
        #expect(run.status == 1 && run.errors.contains("case-17") && run.errors.contains("[held]"), "\(run.errors)")
        #expect(try !traces(scrollback).isEmpty)
    }

    // MARK: In a browser

    private static let form = [
        "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin",
    ]

    private func address(_ owner: WebClient) async throws -> String {
        let page = try await owner.get("/room/demo/secret")
        return try #require(page.header("Location")) + "/erase"
    }

    @Test func `the owner erases a room from its page after a confirmation`() async throws {
        let scrollback = try await program()
        let served = try await scrollback.serve()
        let owner = try await served.owner()
        let address = try await address(owner)
        #expect(try await owner.get(String(address.dropLast("/erase".count))).body.contains("Erase the room"))
        let question = try await owner.get(address)
        #expect(question.status == 200 && question.body.contains("20 messages") && question.body.contains("secret"))
        #expect(question.body.contains("<form method=\"post\" action=\"\(address)\">"), "\(question.body)")
        #expect(try await owner.post(address, "", Self.form).status == 400, "the form confirms it")
        let erased = try await owner.post(address, "confirm=1", Self.form)
        #expect(erased.status == 303 && erased.header("Location") == "/", "\(erased.body)")
        #expect(try await owner.get(address).status == 404)
        #expect(try await !owner.get("/").body.contains("secret"))
    }

    @Test func `only the owner can erase a room, and only from the server's own pages`() async throws {
        let scrollback = try await program()
        let all = try await scrollback.token("all")
        let served = try await scrollback.serve()
        let owner = try await served.owner()
        let address = try await address(owner)
        for site in ["cross-site", "same-site"] {
            let headers = ["Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": site]
            #expect(try await owner.post(address, "confirm=1", headers).status == 403)
        }
        let reader = served.program(all)
        #expect(try await reader.get(address).status == 404)
        #expect(try await reader.post(address, "confirm=1", Self.form).status == 404)
        #expect(try await !reader.get(String(address.dropLast("/erase".count))).body.contains("/erase"))
        #expect(try await owner.get(address).status == 200)
    }
}
