import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct AccessTests {
    private let archive: ServedArchive
    private var scrollback: Program { archive.scrollback }

    init() throws {
        archive = try ServedArchive()
    }

    @Test func `only the printed address opens the archive, and a cookie replaces it`() async throws {
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
    func `only a named proxy can declare that the browser uses TLS`(proxies: [String], isSecure: Bool) async throws {
        try archive.scrollback.write("[serve]\nproxies = \(proxies)\n", to: "scrollback.toml")
        let served = try await scrollback.serve()
        let entry = try await WebClient(server: served.server).get(
            "/?key=\(served.key)", ["X-Forwarded-Proto": "https"])
        #expect(entry.header("Set-Cookie")?.contains("; Secure") == isSecure)
    }

    @Test func `the key is accessible to its owner only, and survives a restart`() async throws {
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

    @Test func `a listener's status is visible only to readers of the whole account`() async throws {
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

    @Test func `an error does not reveal where the archive is`() async throws {
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
    func `behind a proxy's path, every address of a page has the path`(kept: String) async throws {
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
    func `only a named proxy can set the path, or one on this machine if none is named`(
        proxy: String, header: String, location: String
    ) async throws {
        if !proxy.isEmpty { try scrollback.write("[serve]\nproxies = [\"\(proxy)\"]\n", to: "scrollback.toml") }
        let served = try await scrollback.serve()
        let entry = try await WebClient(server: served.server).get(
            "/?key=\(served.key)", ["X-Forwarded-Prefix": header])
        #expect(entry.header("Location") == location)
    }

    @Test func `an address with a room's name redirects to the room and keeps the rest`() async throws {
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

    @Test func `an archive that can't be opened is unhealthy`() async throws {
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
}
