import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct TokenTests {
    private let archive: ServedArchive
    private var scrollback: Program { archive.scrollback }

    init() throws {
        archive = try ServedArchive()
    }

    @Test func `a token for a room shows nothing of a recreated account with the same name`() async throws {
        func importRoom(_ room: String, _ text: String) async throws {
            try scrollback.write(
                "{\"id\": \"2024-01-02T03:04:05.000000Z\", \"room\": \"\(room)\", \"kind\": \"message\", \"body\": \"\(text)\"}\n",
                to: "room.jsonl")
            let result = try await scrollback("import", "jsonl", "room.jsonl", "-a", "club")
            #expect(result.status == 0, "\(result.errors)")
        }
        try await importRoom("trip", "hello")
        let served = try await scrollback.serve()
        let member = served.program(try await scrollback.token("members", "--room", "club/trip"))
        #expect(try await member.get("/api/v1/messages?account=club&room=1").body.contains("hello"))
        #expect(try await scrollback("backup", "club", "copies").status == 0)
        try await erase("club")
        // The first room has the number that the trip had.
        try await importRoom("committee", "secret")
        try await importRoom("trip", "again")
        for path in [
            "messages?account=club&room=1", "messages", "search?q=secret", "rooms", "users", "unread", "gaps",
            "attachments", "days",
        ] {
            let answer = try await member.get("/api/v1/" + path)
            #expect(!answer.body.contains("secret") && !answer.body.contains("committee"), "\(path): \(answer.body)")
        }
        #expect(try await member.get("/room/club/1").status == 404)

        try await erase("club")
        #expect(try await scrollback("backup", "restore", "copies").status == 0)
        #expect(try await member.get("/api/v1/messages?account=club&room=1").body.contains("hello"))
    }

    private func erase(_ account: String) async throws {
        // The server may have the account open for two seconds.
        try await eventually("\(account) is erased") {
            try await scrollback("archive", "erase", account, "--execute").status == 0 ? true : nil
        }
    }

    @Test func `whatever a token may not read doesn't exist for it`() async throws {
        try await archive.fill()
        let served = try await scrollback.serve()
        let all = served.program(try await scrollback.token("all"))
        let one = served.program(try await scrollback.token("one", "--account", "demo"))
        let room = served.program(try await scrollback.token("room", "--room", "demo/#example"))
        let rooms = try await one.get("/api/v1/rooms").body
        #expect(rooms == (try await scrollback("rooms", "-a", "demo", "--format", "json").output))
        func same(_ client: WebClient, _ hidden: String, _ missing: String) async throws {
            let (a, b) = (try await client.get("/api/v1/" + hidden), try await client.get("/api/v1/" + missing))
            #expect(a.status == 404 && b.status == 404, "\(hidden): \(a.status) \(a.body)")
        }
        try await same(one, "messages?account=%EB%91%98", "messages?account=nobody")
        try await same(one, "messages?room=%EB%91%98/a/b", "messages?room=nobody/a/b")
        try await same(one, "changes?account=%EB%91%98", "changes?account=nobody")
        try await same(room, "messages?room=demo/a/b", "messages?room=demo/nowhere")
        try await same(room, "changes?account=demo", "changes?account=nobody")
        #expect(try await room.get("/api/v1/accounts").body == "{\"accounts\": [], \"left_out\": []}\n")
        let found = try await room.get("/api/v1/search?by=room").body
        #expect(
            found == (try await scrollback("search", "in:demo/#example", "--by", "room", "--format", "json").output))
        let messages = try await room.get("/api/v1/messages?limit=1000").body
        #expect(messages == (try await scrollback("history", "demo/#example", "-n", "1000", "--format", "json").output))
        let other = try #require(
            try await all.get("/api/v1/messages?room=demo/a/b&limit=1").body.firstMatch(of: /"id": "([^"]*)"/)?.1)
        #expect(try await room.get("/api/v1/messages/demo/\(other)").status == 404)
        #expect(try await room.get("/api/v1/messages/demo/\(other)/thread").status == 404)
        #expect(try await one.get("/api/v1/messages/demo/\(other)").status == 200)
    }

    @Test func `a token for an account and one of its rooms is refused, because the room limits nothing`() async throws
    {
        try await archive.fill(5)
        let both = try await scrollback(
            "serve", "token", "add", "both", "--account", "demo", "--room", "demo/#example")
        #expect(both.status == 64 && both.errors.contains("leave --account out"), "\(both.errors)")
        #expect(try await scrollback("serve", "token", "list").output.isEmpty)
        _ = try await scrollback.token("two", "--account", "둘", "--room", "demo/#example")
    }

    @Test func `a token is shown once, ends when it is removed, and can't expire in the past`() async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let token = try await scrollback.token("phone")
        let stored = try String(contentsOfFile: scrollback.data + "/serve.tokens", encoding: .utf8)
        #expect(!stored.contains(token) && stored.contains("phone"))
        let client = served.program(token)
        #expect(try await client.get("/api/v1/rooms").status == 200)
        let twice = try await scrollback("serve", "token", "add", "phone", "--all")
        #expect(twice.status == 64 && twice.errors.contains("there is a token \"phone\""), "\(twice.errors)")
        #expect(try await scrollback("serve", "token", "list").output.contains("phone"))
        #expect(try await scrollback("serve", "token", "remove", "phne").errors.contains("did you mean \"phone\"?"))
        #expect(try await scrollback("serve", "token", "remove", "phone").status == 0)
        #expect(try await client.get("/api/v1/rooms").status == 401)
        let past = try await scrollback("serve", "token", "add", "old", "--all", "--expires", "2020-01-01")
        #expect(past.status == 64 && past.errors.contains("takes a time in the future"), "\(past.errors)")
        #expect(!(try await scrollback("serve", "token", "list").output.contains("old")))
        #expect(try await served.program("x").get("/api/v1/rooms").status == 401)
        #expect(chmod(scrollback.data + "/serve.tokens", 0o644) == 0)
        let open = try await scrollback("serve", "token", "list")
        #expect(open.status == 1 && open.errors.contains("can be read by other users"), "\(open.errors)")
    }

    @Test func `a token's rights are named and can be changed, and the token stays valid`() async throws {
        try await archive.fill(5)
        let none = try await scrollback("serve", "token", "add", "phone")
        #expect(none.status == 64 && none.errors.contains("--all gives everything"), "\(none.errors)")
        let both = try await scrollback("serve", "token", "add", "phone", "--all", "--account", "demo")
        #expect(both.status == 64 && both.errors.contains("can't be combined"), "\(both.errors)")
        let served = try await scrollback.serve()
        let member = served.program(try await scrollback.token("phone", "--room", "demo/#example", "--write"))
        #expect(try await member.get("/api/v1/changes?account=demo").status == 404)
        #expect(try await scrollback("serve", "token", "change", "phone", "--account", "demo").status == 0)
        #expect(try await member.get("/api/v1/changes?account=demo").status == 200)
        #expect(try await member.post("/api/v1/read-marks", "all=1").status == 404)
        let events = ["Accept": "text/event-stream"]
        var stream = EventReader(try await member.start("/api/v1/changes?account=demo", events))
        _ = try await stream.next()
        #expect(try await scrollback("serve", "token", "change", "phone", "--account", "둘").status == 0)
        #expect(try await stream.nextEvent() == nil)
        #expect(try await member.get("/api/v1/changes?account=demo").status == 404)
        let list = try await scrollback("serve", "token", "list").output
        #expect(list.contains("둘") && !list.contains("demo"), "\(list)")
        let wrong = try await scrollback("serve", "token", "change", "phne", "--all")
        #expect(wrong.status == 64 && wrong.errors.contains("did you mean \"phone\"?"), "\(wrong.errors)")
    }

    @Test func `concurrent commands lose no change of the tokens`() async throws {
        try await archive.fill(5)
        for round in 1...3 {
            let names = (1...4).map { "t\(round)-\($0)" }
            for verb in ["add", "remove"] {
                let runs = try names.map {
                    try scrollback.start(arguments: ["serve", "token", verb, $0] + (verb == "add" ? ["--all"] : []))
                }
                for run in runs { #expect(try await run.result().status == 0, "\(run.errors)") }
                let list = try await scrollback("serve", "token", "list", "--format", "csv").output
                #expect(names.allSatisfy { list.contains("\($0),") == (verb == "add") }, "\(list)")
            }
        }
    }

    @Test(arguments: ["0", "022", "777"])
    func `the tokens are accessible to their owner only, whatever the umask`(mask: String) async throws {
        try FileManager.default.createDirectory(atPath: scrollback.data, withIntermediateDirectories: true)
        let run = try scrollback.start(
            arguments: ["serve", "token", "add", "phone", "--all"], shell: "umask \(mask); exec \"$@\"")
        #expect(try await run.result().status == 0, "\(run.errors)")
        var status = stat()
        #expect(stat(scrollback.data + "/serve.tokens", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func `a token with too many requests waits`() async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let client = served.program(try await scrollback.token("busy"))
        // A token may ask 500 times at once, and 100 times a second: a slow machine needs more requests to exceed that.
        var statuses: [Int: Int] = [:]
        for _ in 0..<10 where statuses[429] == nil {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<900 { group.addTask { try await client.get("/api/v1/openapi.json").status } }
                for try await status in group { statuses[status, default: 0] += 1 }
            }
        }
        #expect(statuses[200, default: 0] >= 500 && statuses[429, default: 0] > 0, "\(statuses)")
        #expect(try await served.owner().get("/api/v1/rooms").status == 200)
    }
}
