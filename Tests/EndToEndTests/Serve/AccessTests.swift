import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AccessTests {
    private let archive: ServedArchive
    private var scrollback: Program { archive.scrollback }

    init() throws {
        archive = try ServedArchive()
    }

    @Test func `only the printed address opens the archive, and a cookie takes its place`() async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let stranger = WebClient(server: served.server)
        for path in ["/", "/api/v1/rooms", "/?key=wrong", "/?key=", "/search?q=x", "/nowhere"] {
            #expect(try await stranger.get(path).status == 401, "\(path)")
        }
        let refusal = try await stranger.get("/").body
        #expect(refusal.contains("open the address that scrollback serve printed"))
        #expect(refusal.contains("If you do not run this server: ask the person who runs it for access."), "\(refusal)")
        #expect(!(try await stranger.get("/api/v1/rooms").body).contains("somebody else"))
        let entry = try await stranger.get("/search?q=a%20b&key=\(served.key)")
        #expect(entry.status == 303 && entry.header("Location") == "/search?q=a%20b")
        let cookie = try #require(entry.header("Set-Cookie"))
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && !cookie.contains("Secure"))
        let owner = try await served.owner()
        let page = try await owner.get("/")
        #expect(page.status == 200 && page.header("Content-Security-Policy")?.contains("default-src 'none'") == true)
        #expect(page.header("Referrer-Policy") == "no-referrer" && page.header("X-Content-Type-Options") == "nosniff")
        let port = served.server.split(separator: ":").last ?? ""
        #expect(
            try await WebClient(server: served.server, headers: ["Cookie": "scrollback-\(port)=x"]).get("/").status
                == 401)
    }

    @Test(arguments: [(["127.0.0.1"], true), (["192.0.2.1"], false), ([], false)])
    func `only a named proxy may say that the browser uses TLS`(proxies: [String], isSecure: Bool) async throws {
        try archive.scrollback.write("[serve]\nproxies = \(proxies)\n", to: "scrollback.toml")
        let served = try await scrollback.serve()
        let entry = try await WebClient(server: served.server).get(
            "/?key=\(served.key)", ["X-Forwarded-Proto": "https"])
        #expect(entry.header("Set-Cookie")?.contains("; Secure") == isSecure)
    }

    @Test func `the key is the owner's alone and stays after a restart`() async throws {
        try await archive.fill(5)
        let first = try await scrollback.serve()
        var status = stat()
        #expect(stat(scrollback.data + "/serve.secret", &status) == 0 && status.st_mode & 0o777 == 0o600)
        _ = try await first.run.stop()
        #expect(chmod(scrollback.data + "/serve.secret", 0o644) == 0)
        let second = try await scrollback.serve()
        #expect(second.key != first.key, "a key that others could read is replaced")
        _ = try await second.run.stop()
        #expect(try await scrollback.serve().key == second.key)
    }

    @Test func `a token for a room shows nothing of an account that was made again under the same name`() async throws {
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

    @Test func `the status of a listener's accounts is for those who may read the whole account`() async throws {
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let listener = try scrollback.start("listen")
        try await scrollback.connected(listener)
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let member = served.program(try await scrollback.token("members", "--account", "demo"))
        let status = try await member.get("/api/v1/status").body
        #expect(status.contains("demo") && !status.contains("a1"), "\(status)")
        _ = try await listener.stop()
    }

    @Test func `an error does not tell where the archive is`() async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let answer = try await served.owner().get("/api/v1/messages?room=nowhere")
        #expect(answer.status == 404 && answer.body.contains("in the archive"), "\(answer.body)")
        #expect(!answer.body.contains(scrollback.home))
    }

    @Test func `a link on another site opens a page, and nothing else`() async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let owner = try await served.owner()
        let link = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"]
        for page in ["/", "/room/demo/1", "/search?q=x", "/help", "/account/demo", "/merged"] {
            #expect(try await owner.get(page, link).status == 200, "\(page)")
        }
        #expect(try await WebClient(server: served.server).get("/?key=\(served.key)", link).status == 303)
        for path in [
            "/api/v1/rooms", "/api/v1/changes?account=demo", "/api/v1/files/\(String(repeating: "0", count: 64))",
        ] {
            #expect(try await owner.get(path, link).status == 403, "\(path)")
        }
        #expect(try await owner.post("/api/v1/read-marks", "all=1", link).status == 403)
        #expect(try await owner.post("/mcp", "{}", link).status != 200)
        for (name, value) in [("Sec-Fetch-Dest", "iframe"), ("Sec-Fetch-Dest", "image"), ("Sec-Fetch-Mode", "no-cors")]
        {
            let other = link.merging([name: value]) { $1 }
            #expect(try await owner.get("/room/demo/1", other).status == 403, "\(value)")
        }
    }

    @Test(arguments: ["", "/chat"])
    func `below a path of a proxy, every address of a page has it`(kept: String) async throws {
        try await archive.fill(5)
        try scrollback.write("[serve]\npath = \"/chat/\"\n", to: "scrollback.toml")
        let served = try await scrollback.serve()
        let entry = try await WebClient(server: served.server).get("\(kept)/?key=\(served.key)")
        #expect(entry.status == 303 && entry.header("Location") == "/chat/")
        #expect(entry.header("Set-Cookie")?.contains("; Path=/chat/;") == true)
        let owner = try await served.owner()
        for path in ["/", "/room/demo/1", "/room/demo/1/calendar", "/search?q=a", "/help", "/account/demo", "/nowhere"]
        {
            let page = try await owner.get(kept + path).body
            let addresses = page.matches(of: /(?:href|src|action|data-path|data-facets)="(\/[^"]*)"/).map {
                String($0.1)
            }
            #expect(addresses.count > 4 && addresses.allSatisfy { $0.hasPrefix("/chat/") }, "\(path): \(addresses)")
            #expect(page.contains("data-root=\"/chat\""))
            for asset in addresses where asset.contains("/assets/") {
                #expect(try await owner.get(asset).status == 200, "\(asset)")
            }
        }
        if !kept.isEmpty {
            #expect(try await owner.get("/chat?q=1").header("Location") == "/chat/?q=1")
            #expect(try await owner.get("/chat//room/demo/1").status == 400)
        }
        let links = try await owner.get(kept + "/api/v1/messages?limit=1").header("Link") ?? ""
        #expect(links.contains("</chat/api/v1/messages?"), "\(links)")
    }

    @Test(arguments: [
        ("", "/logs", "/logs/"), ("127.0.0.1", "/logs", "/logs/"), ("192.0.2.1", "/logs", "/"),
        ("127.0.0.1", "//evil.example", "/"),
    ])
    func `only a named proxy may say the path, or one on this machine if none is named`(
        proxy: String, header: String, location: String
    ) async throws {
        if !proxy.isEmpty { try scrollback.write("[serve]\nproxies = [\"\(proxy)\"]\n", to: "scrollback.toml") }
        let served = try await scrollback.serve()
        let entry = try await WebClient(server: served.server).get(
            "/?key=\(served.key)", ["X-Forwarded-Prefix": header])
        #expect(entry.header("Location") == location)
    }

    @Test func `an address with a room's name leads to the room, and keeps the rest`() async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let owner = try await served.owner()
        for (path, location) in [
            ("/room/demo/%23example?day=2026-11-22", "/room/demo/3?day=2026-11-22"),
            ("/room/demo/%23example/calendar", "/room/demo/3/calendar"),
        ] {
            let answer = try await owner.get(path)
            #expect(answer.status == 303 && answer.header("Location") == location, "\(answer.header("Location") ?? "")")
        }
        let member = served.program(try await scrollback.token("member", "--room", "demo/a/b"))
        #expect(try await member.get("/room/demo/%23example").status == 404)
        #expect(try await owner.get("/room/demo/%23exmple").status == 404)
    }

    @Test func `a reader who may not mark rooms does not see what is unread for the owner`() async throws {
        try await archive.fill(20)
        let first = try #require(
            try await scrollback("history", "demo/#example", "--oldest", "-n", "1", "--format", "jsonl").output
                .firstMatch(of: /"id": "([^"]*)"/)?.1)
        #expect(try await scrollback("mark-read", "demo/#example", "--to", String(first)).status == 0)
        let served = try await scrollback.serve()
        let pages = ["/", "/room/demo/1", "/room/demo/1?unread=1", "/account/demo"]
        let member = served.program(try await scrollback.token("member"))
        let writer = served.program(try await scrollback.token("writer", "--write"))
        for page in pages {
            let (seen, all) = (try await member.get(page).body, try await writer.get(page).body)
            #expect(!seen.contains("unread</span>") && !seen.contains("unread message"), "\(page)")
            #expect(all.contains("unread"), "\(page)")
        }
    }

    @Test func `a monitor needs no key, and learns only whether the archive opens`() async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let monitor = WebClient(server: served.server)
        let well = try await monitor.get("/healthz")
        #expect(well.status == 200 && well.body == "ok\n" && well.header("Cache-Control") == "no-store")
        #expect(try await monitor.get("/healthz/x").status == 401)
        #expect(try await monitor.get("/healthz", ["Host": "evil.example"]).status == 421)
        #expect(try await monitor.post("/healthz", "").status != 200)
    }

    @Test func `an archive that can't be opened is not well`() async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        for name in ["catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm"] {
            try? FileManager.default.removeItem(atPath: "\(scrollback.data)/\(name)")
        }
        try scrollback.write(String(repeating: "no database ", count: 400), to: "data/scrollback/catalog.sqlite")
        let answer = try await WebClient(server: served.server).get("/healthz")
        #expect(answer.status == 503 && !answer.body.contains(scrollback.home), "\(answer.body)")
    }

    @Test func `a page of another site gets nothing through the owner's browser`() async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let owner = try await served.owner()
        #expect(try await owner.get("/", ["Sec-Fetch-Site": "cross-site"]).status == 403)
        #expect(try await owner.get("/api/v1/rooms", ["Sec-Fetch-Site": "same-site"]).status == 403)
        #expect(try await owner.get("/api/v1/rooms", ["Origin": "http://evil.example"]).status == 403)
        #expect(try await owner.post("/api/v1/read-marks", "all=1", ["Origin": "null"]).status == 403)
        #expect(try await owner.get("/", ["Sec-Fetch-Site": "none"]).status == 200)
        #expect(
            try await owner.get("/api/v1/rooms", ["Origin": served.server, "Sec-Fetch-Site": "same-origin"]).status
                == 200)
        #expect(
            try await owner.get("/api/v1/rooms", ["Origin": "null", "Sec-Fetch-Site": "same-origin"]).status == 200)
        #expect(try await owner.get("/", ["Host": "evil.example"]).status == 421)
        let token = served.program(try await scrollback.token("t"))
        #expect(try await token.get("/api/v1/rooms", ["Host": "evil.example"]).status == 421)
        #expect(
            try await token.get("/api/v1/rooms", ["Sec-Fetch-Site": "cross-site"]).status == 200,
            "a token is never ambient")
    }

    @Test func `what a token may not read does not exist for it`() async throws {
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

    @Test func `a room of an account that is given whole is refused, because it would limit nothing`() async throws {
        try await archive.fill(5)
        let both = try await scrollback(
            "serve", "token", "add", "both", "--account", "demo", "--room", "demo/#example")
        #expect(both.status == 64 && both.errors.contains("leave --account out"), "\(both.errors)")
        #expect(try await scrollback("serve", "token", "list").output.isEmpty)
        _ = try await scrollback.token("two", "--account", "둘", "--room", "demo/#example")
    }

    @Test func `a token is shown once, ends when it is removed, and never has an end in the past`() async throws {
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

    @Test func `what a token may read is named, and can be changed, while the token stays`() async throws {
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

    @Test func `commands that change the tokens at the same time lose no change`() async throws {
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
    func `the tokens are the owner's alone, whatever the umask is`(mask: String) async throws {
        try FileManager.default.createDirectory(atPath: scrollback.data, withIntermediateDirectories: true)
        let run = try scrollback.start(
            arguments: ["serve", "token", "add", "phone", "--all"], shell: "umask \(mask); exec \"$@\"")
        #expect(try await run.result().status == 0, "\(run.errors)")
        var status = stat()
        #expect(stat(scrollback.data + "/serve.tokens", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func `servers that start at the same time have the same key`() async throws {
        let runs = try (0..<4).map { _ in try scrollback.start("serve", "--listen", "127.0.0.1:0") }
        var keys: Set<String> = []
        for run in runs {
            let address = try await eventually("the address", state: { run.errors }) {
                run.output.isEmpty ? nil : run.output
            }
            keys.insert(address.components(separatedBy: "/?key=").last ?? "")
        }
        let stored = try String(contentsOfFile: scrollback.data + "/serve.secret", encoding: .utf8)
        #expect(keys == [stored])
    }

    @Test func `a token that asks too often waits`() async throws {
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
