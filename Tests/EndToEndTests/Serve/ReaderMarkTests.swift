import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ReaderMarkTests {
    private let archive: ServedArchive
    private var scrollback: Program { archive.scrollback }

    init() throws {
        archive = try ServedArchive()
    }

    /// Imports messages that were said now.
    private func say(_ count: Int, in room: String = "#new", as name: String = "say.jsonl") async throws {
        let now = Date.now.timeIntervalSince1970
        let lines = (0..<count).map { number in
            let time = Date(timeIntervalSince1970: now + 1 + Double(number)).formatted(.iso8601).dropLast()
            return """
                {"id": "\(time).000000Z", "room": "\(room)", "kind": "message", "sender": {"name": "alice"}, "body": "안녕 \(name) \(number)"}
                """
        }
        try scrollback.write(lines.joined(separator: "\n") + "\n", to: name)
        let result = try await scrollback("import", "jsonl", name, "-a", "demo", "--unread")
        #expect(result.status == 0, "\(result.errors)")
    }

    private func unread(_ client: WebClient, _ room: String = "demo/%23new") async throws -> String {
        let body = try await client.get("/api/v1/unread?room=\(room)").body
        return body.firstMatch(of: /"unread": ([0-9]+)/).map { String($0.1) } ?? body
    }

    @Test func `a reader's own marks change nothing for the owner or another reader`() async throws {
        try await archive.fill(20)
        let served = try await scrollback.serve()
        let alice = served.program(try await scrollback.token("alice", "--room", "demo/#example"))
        #expect(try await unread(alice, "demo/%23example") == "0", "what was said before the reader came is read")
        let bob = served.program(try await scrollback.token("bob", "--account", "demo", "--own-marks"))
        try await say(3)
        try await say(2, in: "#example", as: "example.jsonl")
        #expect(try await unread(bob) == "3")
        #expect(try await unread(alice, "demo/%23example") == "2")
        let page = try await alice.get("/room/demo/%23example")
        let address = try #require(page.header("Location"))
        #expect(try await alice.get(address).body.contains("2 unread messages"))
        let owners = try await scrollback("unread", "--all", "--format", "json").output
        let marked = try await alice.post("/api/v1/read-marks", "room=demo%2F%23example")
        #expect(marked.status == 200 && marked.body.contains("\"unread\": 0"), "\(marked.body)")
        #expect(try await unread(alice, "demo/%23example") == "0")
        #expect(!(try await alice.get(address).body.contains("unread message")))
        #expect(try await unread(bob, "demo/%23example") == "2")
        #expect(try await unread(bob) == "3")
        #expect(try await scrollback("unread", "--all", "--format", "json").output == owners)
        let list = try await bob.get("/")
        #expect(list.body.contains("3<span class=\"v\"> unread</span>"), "\(list.body)")
        #expect(try await alice.post("/api/v1/read-marks", "room=demo%2Fa%2Fb").status == 404, "a hidden room")
        #expect(try await alice.post("/api/v1/read-marks", "all=1").status == 200)
    }

    @Test func `a reader's marks survive a restart and end with the token`() async throws {
        try await archive.fill(5)
        let first = try await scrollback.serve()
        let text = try await scrollback.token("alice", "--account", "demo", "--own-marks")
        try await say(4)
        let alice = first.program(text)
        let last = try #require(
            try await alice.get("/api/v1/messages?room=demo/%23new&oldest=1&limit=3").body
                .matches(of: /"id": "([^"]*)"/).last?.1)
        #expect(try await alice.post("/api/v1/read-marks", "room=demo%2F%23new&to=\(last)").status == 200)
        _ = try await first.run.stop()
        let second = try await scrollback.serve()
        #expect(try await unread(second.program(text)) == "1")
        func files() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: scrollback.data).filter { $0.hasPrefix("serve.marks") }
        }
        let file = try #require(try files().first)
        var status = stat()
        #expect(stat(scrollback.data + "/" + file, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try await scrollback("serve", "token", "change", "alice", "--room", "demo/#new").status == 0)
        #expect(try await unread(second.program(text)) == "1", "a changed token keeps its marks")
        #expect(try await scrollback("serve", "token", "remove", "alice").status == 0)
        #expect(try files().isEmpty)
    }

    @Test(arguments: [["--account", "demo", "--own-marks"], ["--all", "--write"]])
    func `concurrent marks are all stored`(rights: [String]) async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let run = try await scrollback.start(arguments: ["serve", "token", "add", "alice"] + rights).result()
        let alice = served.program(run.output.trimmingCharacters(in: .whitespacesAndNewlines))
        try await say(4)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<60 {
                group.addTask { try await alice.post("/api/v1/read-marks", "room=demo%2F%23new").status }
            }
            return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [200: 60])
        #expect(try await unread(alice) == "0")
    }

    @Test func `unreadable marks count as none and are not overwritten`() async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let alice = served.program(try await scrollback.token("alice", "--account", "demo", "--own-marks"))
        try await say(4)
        #expect(try await alice.post("/api/v1/read-marks", "all=1").status == 200)
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: scrollback.data)
                .first { $0.hasPrefix("serve.marks.") })
        try Data("[{".utf8).write(to: URL(fileURLWithPath: scrollback.data + "/" + name))
        #expect(try await unread(alice) == "4")
        let refused = try await alice.post("/api/v1/read-marks", "all=1")
        #expect(refused.status == 503 && !refused.body.contains("serve.marks"), "\(refused.body)")
        #expect(try String(contentsOfFile: scrollback.data + "/" + name, encoding: .utf8) == "[{")
    }

    @Test func `a page of another site can't mark rooms for a reader whose proxy sends the token`() async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let alice = served.program(try await scrollback.token("alice", "--room", "demo/#example"))
        for headers in [["Origin": "https://evil.example"], ["Sec-Fetch-Site": "cross-site"]] {
            #expect(try await alice.post("/api/v1/read-marks", "all=1", headers).status == 403)
        }
        #expect(try await alice.post("/api/v1/read-marks", "all=1", ["Sec-Fetch-Site": "same-origin"]).status == 200)
    }

    @Test func `a token with write uses the owner's marks`() async throws {
        try await archive.fill(20)
        let served = try await scrollback.serve()
        let writer = served.program(try await scrollback.token("writer", "--write"))
        let before = try await unread(writer, "demo/%23example")
        #expect(before != "0" && Int(before) != nil)
        #expect(try await writer.post("/api/v1/read-marks", "room=demo%2F%23example").status == 200)
        #expect(try await scrollback("unread", "demo/#example").output.contains(" 0 "))
    }

    @Test func `a reader who can't mark rooms does not see the owner's unread messages`() async throws {
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

    @Test func `a token can't use both its own marks and the owner's`() async throws {
        try await archive.fill(5)
        let both = try await scrollback("serve", "token", "add", "both", "--all", "--write", "--own-marks")
        #expect(both.status == 64 && both.errors.contains("--write uses your read marks"), "\(both.errors)")
        _ = try await scrollback.token("room", "--room", "demo/#example")
        _ = try await scrollback.token("writer", "--room", "demo/#example", "--write")
        let list = try await scrollback("serve", "token", "list", "--format", "json").output
        #expect(list.components(separatedBy: "\"own_marks\": true").count == 2, "\(list)")
    }
}
