import Foundation
import TestSupport
import Testing

/// Requests that the server refuses, and the traces that they leave.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct RefusedRequestTests {
    private let archive: ServedArchive
    private var scrollback: Program { archive.scrollback }

    init() throws {
        archive = try ServedArchive()
    }

    @Test func `a refused request is logged with its reason, peer and route, without its secrets`() async throws {
        try scrollback.write("[serve]\nproxies = [\"127.0.0.1\"]\n", to: "scrollback.toml")
        let served = try await scrollback.serve()
        let owner = try await served.owner()
        let stranger = WebClient(server: served.server, headers: ["X-Forwarded-For": "203.0.113.9"])
        #expect(try await stranger.get("/api/v1/search?q=SECRETWORD&key=SECRETKEY").status == 401)
        #expect(try await served.program("SECRETTOKEN").get("/room/demo/1?q=SECRETWORD").status == 401)
        #expect(try await owner.get("/help?SECRETWORD", ["Origin": "http://SECRETORIGIN.example"]).status == 403)
        #expect(try await owner.get("/SECRETWORD", ["Host": "SECRETHOST.example"]).status == 421)
        #expect(try await owner.get("/search?q=" + String(repeating: "SECRETWORD", count: 2000)).status == 414)
        try await served.run.says("refused=unauthorized route=/api/v1/search status=401")
        for reason in ["refused=origin route=/help", "refused=host", "refused=address route=/search"] {
            try await served.run.says(reason)
        }
        #expect(served.run.errors.contains("peer=203.0.113.9") && served.run.errors.contains("peer=127.0.0.1"))
        #expect(!served.run.errors.contains("SECRET"), "\(served.run.errors)")
        #expect(!served.run.errors.contains(served.key))
    }

    @Test func `a flood of refused requests does not fill the log`() async throws {
        let served = try await scrollback.serve()
        let stranger = WebClient(server: served.server)
        for _ in 0..<60 { _ = try await stranger.get("/api/v1/rooms") }
        _ = try await served.owner().get("/", ["Origin": "http://evil.example"])
        try await served.run.says("refused=origin")
        let lines = served.run.errors.split(separator: "\n").count { $0.contains("refused=unauthorized") }
        #expect(lines == 20, "\(served.run.errors)")
    }

    @Test func `an assistant's request from another site's page is refused, even with a token`() async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let client = served.program(try await scrollback.token("assistant"))
        let list = #"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#
        let type = ["Content-Type": "application/json"]
        for origin in ["http://evil.example", "null", "\(served.server).evil.example", "http://127.0.0.1:9"] {
            for path in ["/mcp", "/mcp/"] {
                let answer = try await client.post(path, list, type.merging(["Origin": origin]) { $1 })
                #expect(answer.status == 403 && answer.body.contains("\"origin\""), "\(path) \(origin): \(answer)")
            }
            let unknown = WebClient(server: served.server)
            #expect(try await unknown.post("/mcp", list, type.merging(["Origin": origin]) { $1 }).status == 403)
        }
        #expect(try await client.post("/mcp", list, type).status == 200)
        #expect(try await client.post("/mcp", list, type.merging(["Origin": served.server]) { $1 }).status == 200)
    }

    @Test func `no redirect leads to another site`() async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let browser = WebClient(server: served.server)
        for path in ["/%5cevil.example/", "/.//evil.example/", "/%09/evil.example/", "/a/%2e%2e/%5Cevil.example"] {
            let entry = try await browser.get("\(path)?key=\(served.key)")
            #expect(entry.status == 303 && entry.header("Location") == "/", "\(path): \(entry.headers)")
        }
        let owner = try await served.owner()
        for back in ["/%5Cevil.example", "//evil.example", "/%09/evil.example", "/%0d%0aX-Injected:%201"] {
            let mark = try await owner.post(
                "/api/v1/read-marks", "room=demo/%23example&back=\(back)",
                ["Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"])
            #expect(mark.status == 200 && mark.header("Location") == nil, "\(back): \(mark.headers)")
        }
        let mark = try await owner.post(
            "/api/v1/read-marks", "room=demo/%23example&back=/room/demo/1%23end",
            ["Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"])
        #expect(mark.status == 303 && mark.header("Location") == "/room/demo/1#end")
    }

    @Test func `a reader without rooms doesn't learn where the archive is`() async throws {
        let served = try await scrollback.serve()
        #expect(try await served.owner().get("/").body.contains(scrollback.data))
        let page = try await served.program(try await scrollback.token("all")).get("/")
        #expect(page.status == 200 && page.body.contains("There are no rooms for you"))
        #expect(!page.body.contains(scrollback.home), "\(page.body)")
    }
}

/// A server at a socket's path, behind a proxy.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))), .enabled(if: Tool.find("curl") != nil, "needs curl"))
struct SocketPathTests {
    private let scrollback: Program
    private let run: Run
    private let path: String

    init() async throws {
        let archive = try ServedArchive()
        try await archive.fill(5)
        scrollback = archive.scrollback
        try scrollback.write("[serve]\nnames = [\"chat.example.net\"]\n", to: "scrollback.toml")
        path = scrollback.home + "/http"
        run = try scrollback.start("serve", "--listen", "unix:\(path)")
        try await eventually("the socket", state: { [run] in run.errors }) { [run] in run.output.isEmpty ? nil : true }
    }

    private func headers(_ address: String, _ headers: String...) async throws -> String {
        let curl = try #require(Tool.find("curl"))
        let more = headers.flatMap { ["-H", $0] }
        return try await curl.run(["-s", "-i", "--unix-socket", path, address] + more).output
    }

    @Test func `the server answers only to its own names`() async throws {
        let token = "Authorization: Bearer \(try await scrollback.token("all"))"
        for name in ["localhost", "127.0.0.1:8042", "chat.example.net"] {
            let answer = try await headers("http://\(name)/api/v1/rooms", token)
            #expect(answer.hasPrefix("HTTP/1.1 200"), "\(name): \(answer)")
        }
        for name in ["evil.example", "evil.example:8042", "chat.example.net.evil.example"] {
            let answer = try await headers("http://\(name)/api/v1/rooms", token)
            #expect(answer.hasPrefix("HTTP/1.1 421"), "\(name): \(answer)")
        }
    }

    @Test func `the cookie requires TLS only if the proxy says so`() async throws {
        let key = try String(contentsOfFile: scrollback.data + "/serve.secret", encoding: .utf8)
            .trimmingCharacters(in: .newlines)
        let secure = try await headers("http://chat.example.net/?key=\(key)", "X-Forwarded-Proto: https")
        #expect(secure.contains("Set-Cookie: scrollback=\(key)") && secure.contains("; Secure"), "\(secure)")
        let plain = try await headers("http://chat.example.net/?key=\(key)")
        #expect(plain.contains("Set-Cookie: scrollback=\(key)") && !plain.contains("; Secure"), "\(plain)")
    }
}
