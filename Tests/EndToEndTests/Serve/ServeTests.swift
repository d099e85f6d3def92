import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ServeTests {
    private let archive: ServedArchive
    private var scrollback: Program { archive.scrollback }

    init() throws {
        archive = try ServedArchive()
    }

    @Test func `without a configuration or archive, serve prints one address and shows how to begin`() async throws {
        let served = try await scrollback.serve()
        #expect(served.run.output.split(separator: "\n").count == 1)
        let page = try await served.owner().get("/")
        #expect(page.status == 200)
        for command in ["scrollback import", "scrollback init", "scrollback demo"] {
            #expect(page.body.contains(command), "\(command)")
        }
        let stopped = try await served.run.stop(SIGINT)
        #expect(stopped.status == 0, "\(stopped.errors)")
    }

    @Test func `a mistyped data folder is not created`() async throws {
        let folder = scrollback.home + "/nonexist"
        let result = try await scrollback("serve", "--listen", "127.0.0.1:0", "--data", folder)
        #expect(result.status == 1 && result.errors.contains("--data: no folder \"\(folder)\""), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func `an address in use is an error`() async throws {
        let served = try await scrollback.serve()
        let port = served.server.split(separator: ":").last ?? ""
        let second = try await scrollback("serve", "--listen", "127.0.0.1:\(port)")
        #expect(second.status == 1 && second.errors.contains("[address]"), "\(second.errors)")
    }

    @Test(arguments: ["8042", "example.org:80", "127.0.0.1:99999", "unix:", "0.0.0.0:0"])
    func `an address that can't be served is refused`(address: String) async throws {
        let result = try await scrollback("serve", "--listen", address)
        #expect(result.status == 64, "\(result.errors)")
    }

    @Test func `an address for other machines is refused with advice to use a tunnel`() async throws {
        let refused = try await scrollback("serve", "--listen", "0.0.0.0:9000")
        #expect(refused.errors.contains("ssh -L 9000:127.0.0.1:9000 HOST"), "\(refused.errors)")
        #expect(
            refused.errors.contains("scrollback serve --listen 127.0.0.1:9000,") && !refused.errors.contains("8042"))
    }

    @Test(.enabled(if: Tool.find("curl") != nil, "needs curl"))
    func `the path of a socket is accessible to its owner only`() async throws {
        try await archive.fill(5)
        let path = scrollback.home + "/http"
        let run = try scrollback.start("serve", "--listen", "unix:\(path)")
        try await eventually("the socket", state: { run.errors }) { run.output.isEmpty ? nil : true }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let token = try await scrollback.token("all")
        let curl = try #require(Tool.find("curl"))
        let answer = try await curl.run(
            ["-s", "--unix-socket", path, "-H", "Authorization: Bearer \(token)", "http://localhost/api/v1/rooms"])
        #expect(answer.output == (try await scrollback("rooms", "--format", "json").output))
    }

    /// Starts a listener with an account and with a server at an address.
    private func listening(serving address: String) async throws -> (server: Program.Server, listener: Run) {
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let configuration = try String(contentsOfFile: scrollback.home + "/scrollback.toml", encoding: .utf8)
        try scrollback.write("[serve]\nlisten = \"\(address)\"\n\n" + configuration, to: "scrollback.toml")
        return (server, try scrollback.start("listen"))
    }

    @Test func `the listener serves pages if its configuration says so`() async throws {
        let (server, listener) = try await listening(serving: "127.0.0.1:0")
        defer { withExtendedLifetime(server) {} }
        try await listener.says("serving")
        let address = try #require(listener.errors.firstMatch(of: /address=(http:\/\/[0-9.:]+)/)?.1)
        #expect(!listener.errors.contains("key="), "the key is in no log")
        try await scrollback.connected(listener)
        let client = WebClient(
            server: String(address), headers: ["Authorization": "Bearer \(try await scrollback.token("all"))"])
        let status = try await client.get("/api/v1/status").body
        // The file alone would say "offline".
        #expect(status.contains("\"account\": \"a1\"") && !status.contains("offline"), "\(status)")
        let stopped = try await listener.stop()
        #expect(stopped.status == 0, "\(stopped.errors)")
    }

    @Test func `pages name the compressed accounts that they skip, until these are expanded`()
        async throws
    {
        try await archive.fill(5)
        #expect(try await scrollback("archive", "compress", "둘").status == 0)
        let served = try await scrollback.serve()
        let owner = try await served.owner()
        for path in ["/", "/search?q=hello", "/search?q=nothing-like-this", "/merged"] {
            let page = try await owner.get(path).body
            #expect(page.contains("Not included, because it is compressed: <bdi>둘</bdi>."), "\(path)")
        }
        #expect(try await owner.get("/api/v1/rooms").body.contains("\"left_out\": [{"))
        #expect(try await scrollback("archive", "restore", "둘").status == 0)
        try await eventually("nothing is left out") {
            try await owner.get("/api/v1/rooms").body.contains("\"left_out\": []") ? true : nil
        }
        #expect(!(try await owner.get("/").body).contains("Not included"))
    }

    @Test func `a listener without accounts serves imported ones`() async throws {
        try await archive.fill(5)
        try scrollback.write("[serve]\nlisten = \"127.0.0.1:0\"\n", to: "scrollback.toml")
        let listener = try scrollback.start("listen")
        try await listener.says("serving")
        #expect(try await listener.stop().status == 0)
    }

    @Test func `an address in use does not stop the listener from archiving`() async throws {
        try FileManager.default.createDirectory(
            atPath: scrollback.home + "/other", withIntermediateDirectories: false)
        let other = try await scrollback.serve("--data", scrollback.home + "/other")
        let port = other.server.split(separator: ":").last ?? ""
        let (server, listener) = try await listening(serving: "127.0.0.1:\(port)")
        defer { withExtendedLifetime(server) {} }
        try await listener.says("the archive is not served; retrying")
        #expect(listener.errors.contains("choose another address for"))
        try await scrollback.connected(listener)
        _ = try await other.run.stop()
        try await listener.says("serving")
        #expect(try await listener.stop().status == 0)
    }

    @Test(arguments: [
        "listen = \"8042\"", "listen = \"0.0.0.0:8042\"", "lsten = \"127.0.0.1:8042\"", "proxies = [\"nginx\"]",
        "names = 1",
    ]) func `a mistake in the table serve is reported`(line: String) async throws {
        try scrollback.write("[serve]\n\(line)\n", to: "scrollback.toml")
        let result = try await scrollback("config", "check")
        #expect(result.status == 1 && result.errors.contains("serve"), "\(result.errors)")
    }

    @Test func `files are served completely or in part, and only pictures and sounds in place`() async throws {
        let picture = [UInt8](0...255) + [UInt8](repeating: 7, count: 300_000)
        try FileManager.default.createDirectory(atPath: scrollback.home + "/chat", withIntermediateDirectories: true)
        for name in ["a.jpg", "b.svg", "c.html"] {
            try Data(picture + Array(name.utf8)).write(to: URL(filePath: scrollback.home + "/chat/" + name))
        }
        try scrollback.write(
            """
            21/11/2026, 06:23 - 민수: a.jpg (file attached)
            21/11/2026, 06:24 - alice: b.svg (file attached)
            21/11/2026, 06:25 - alice: c.html (file attached)\n
            """, to: "chat/WhatsApp Chat with 가족.txt")
        #expect(try await scrollback("import", "chat", "-a", "wa").status == 0)
        let served = try await scrollback.serve()
        let client = served.program(try await scrollback.token("all"))
        let listed = try await client.get("/api/v1/attachments").body
        let hashes = listed.matches(of: /"sha256": "([0-9a-f]{64})"/).map { String($0.1) }
        try #require(hashes.count == 3)
        let whole = try await client.get("/api/v1/files/" + hashes[0])
        #expect(whole.bytes == picture + Array("a.jpg".utf8) && whole.header("Content-Type") == "image/jpeg")
        #expect(whole.header("Content-Disposition")?.hasPrefix("inline") == true)
        #expect(whole.header("Content-Security-Policy")?.hasPrefix("sandbox") == true)
        #expect(whole.header("Cache-Control") == "private, max-age=86400")
        let end = try await client.get("/api/v1/files/" + hashes[0], ["Range": "bytes=-5"])
        #expect(end.status == 206 && end.body == "a.jpg")
        #expect(end.header("Content-Range") == "bytes 300256-300260/300261")
        let beyond = try await client.get("/api/v1/files/" + hashes[0], ["Range": "bytes=300261-"])
        #expect(beyond.status == 416 && beyond.header("Content-Range") == "bytes */300261")
        let stale = try await client.get("/api/v1/files/" + hashes[0], ["Range": "bytes=0-1", "If-Range": "\"x\""])
        #expect(stale.status == 200)
        for hash in hashes[1...] {
            let file = try await client.get("/api/v1/files/" + hash)
            #expect(file.header("Content-Disposition")?.hasPrefix("attachment") == true)
        }
        let stranger = served.program(try await scrollback.token("other", "--room", "wa/가족"))
        #expect(try await stranger.get("/api/v1/files/" + hashes[0]).status == 200)
        #expect(try await client.get("/api/v1/files/" + String(repeating: "0", count: 64)).status == 404)
    }

    @Test func `pages show who writes, and a reader of one room gets only its people's pictures`() async throws {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let files = scrollback.home + "/discord/faces"
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        for name in ["alice", "bob"] {
            try Data(png + Array(name.utf8)).write(to: URL(filePath: "\(files)/\(name).png"))
        }
        try Data("<svg/>".utf8).write(to: URL(filePath: files + "/carol.png"))
        func export(_ room: Int, _ people: [String], topic: String) throws {
            let messages = people.enumerated().map { index, name in
                #"{"id": "\#(room)\#(index)", "type": "Default", "timestamp": "2026-11-21T06:23:1\#(index)+00:00", "#
                    + #""content": "hi", "author": {"id": "\#(name)", "name": "\#(name)", "isBot": false, "#
                    + #""avatarUrl": "faces/\#(name).png"}}"#
            }
            try scrollback.write(
                """
                {"guild": {"id": "1", "name": "Example", "iconUrl": null}, "channel": {"id": "\(room)",
                "type": "GuildTextChat", "name": "room\(room)", "topic": "\(topic)"},
                "messages": [\(messages.joined(separator: ", "))]}
                """, to: "discord/\(room).json")
        }
        try export(1, ["alice", "carol"], topic: "plans & more")
        try export(2, ["bob"], topic: "secret")
        #expect(try await scrollback("import", "discord", "-a", "discord").status == 0)
        let served = try await scrollback.serve()
        let client = served.program(try await scrollback.token("all"))
        let users = try await client.get("/api/v1/users").body
        func hash(_ name: String) throws -> String {
            let pattern = try Regex(#""picture": "faces/\#(name).png", "picture_sha256": "([0-9a-f]{64})""#)
            return String(try #require(users.firstMatch(of: pattern)?.output[1].substring, "\(users)"))
        }
        let page = try await served.owner().get("/room/discord/1").body
        #expect(
            page.contains(#"<img class="face" src="/api/v1/files/\#(try hash("alice"))" alt="" width="20""#), "\(page)")
        #expect(!page.contains(try hash("carol")), "what is no picture is not shown")
        #expect(page.contains(#"<p class="facts"><bdi lang="">plans &amp; more</bdi></p>"#))
        let face = try await client.get("/api/v1/files/" + hash("alice"))
        #expect(face.bytes == png + Array("alice".utf8) && face.header("Content-Type") == "image/png")
        let other = try await client.get("/api/v1/files/" + hash("carol"))
        #expect(other.header("Content-Disposition")?.hasPrefix("attachment") == true)

        let reader = served.program(try await scrollback.token("one", "--room", "discord/room1"))
        #expect(try await reader.get("/api/v1/files/" + hash("alice")).status == 200)
        #expect(try await reader.get("/api/v1/files/" + hash("bob")).status == 404)
        let seen = try await reader.get("/api/v1/users").body
        #expect(seen.contains(try hash("alice")) && !seen.contains("bob"), "\(seen)")
        let message = try await reader.get("/api/v1/messages/discord/2026-11-21T06:23:10.000000Z").body
        #expect(
            message.contains(#""picture": {"path": "faces/alice.png", "sha256": "\#(try hash("alice"))""#), "\(message)"
        )
    }
}
