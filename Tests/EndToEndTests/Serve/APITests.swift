import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct APITests {
    private let archive: ServedArchive
    private var scrollback: Program { archive.scrollback }

    init() throws {
        archive = try ServedArchive()
    }

    /// A question as an address and as a command line.
    private struct Question {
        var path: String
        var arguments: [String]
    }

    private static let questions: [Question] = [
        Question(path: "rooms", arguments: ["rooms"]),
        Question(path: "rooms?sort=last&account=demo", arguments: ["rooms", "--sort", "last", "-a", "demo"]),
        Question(path: "accounts", arguments: ["accounts"]),
        Question(path: "users?sort=messages", arguments: ["users", "--sort", "messages"]),
        Question(path: "users?room=demo/%23example", arguments: ["users", "demo/#example"]),
        Question(path: "unread", arguments: ["unread"]),
        Question(path: "unread?room=demo/%23example", arguments: ["unread", "demo/#example"]),
        Question(path: "gaps?imported=1", arguments: ["gaps", "--imported"]),
        Question(path: "status", arguments: ["status"]),
        Question(path: "attachments?limit=5", arguments: ["attachments", "-n", "5"]),
        Question(path: "days?room=demo/%23example&utc=1", arguments: ["stats", "demo/#example", "--utc"]),
        Question(path: "messages?account=demo&account=%EB%91%98", arguments: ["history", "-a", "demo", "-a", "둘"]),
        Question(
            path: "messages?room=demo/a/b&oldest=1&limit=7", arguments: ["history", "demo/a/b", "--oldest", "-n", "7"]),
        Question(
            path: "messages?room=demo/%23example&unread=1&hide=joins",
            arguments: ["history", "demo/#example", "--unread", "--hide", "joins"]),
        Question(
            path: "messages?room=demo/%23example&hide=lurkers&hide=bots",
            arguments: ["history", "demo/#example", "--hide", "lurkers", "--hide", "bots"]),
        Question(
            path: "search?q=server&hide=bots&context=1", arguments: ["search", "server", "--hide", "bots", "-C", "1"]),
        Question(
            path: "messages?account=demo&after=2023-11-16&before=2023-11-18&utc=1&limit=9",
            arguments: ["history", "-a", "demo", "--after", "2023-11-16", "--before", "2023-11-18", "--utc", "-n", "9"]),
        Question(
            path: "messages?account=demo&day=2023-11-16&utc=1",
            arguments: ["history", "-a", "demo", "--day", "2023-11-16", "--utc"]),
        Question(
            path: "messages?account=demo&between=2023-11-18&between=2023-11-16&names=now&utc=1",
            arguments: ["history", "-a", "demo", "--between", "2023-11-18", "2023-11-16", "--names", "now", "--utc"]),
        Question(path: "search?q=hello", arguments: ["search", "hello"]),
        Question(path: "search?q=&limit=7", arguments: ["search", "", "-n", "7"]),
        Question(path: "search?q=%EC%95%88+-server&context=2", arguments: ["search", "-C", "2", "--", "안", "-server"]),
        Question(path: "search?q=server&count=1", arguments: ["search", "server", "--count"]),
        Question(path: "search?q=server&by=room&limit=3", arguments: ["search", "server", "--by", "room", "-n", "3"]),
        Question(path: "search?q=server&sort=relevance", arguments: ["search", "server", "--sort", "relevance"]),
        Question(
            path: "search?q=deploy+in:%23example&regex=d.p",
            arguments: ["search", "deploy", "in:#example", "--regex", "d.p"]),
        Question(
            path: "search?q=%22hello%22&exact-letters=1", arguments: ["search", "\"hello\"", "--exact-letters"]),
        Question(
            path: "search?q=server&between=2023-11-18&between=2023-11-16&utc=1",
            arguments: ["search", "server", "--between", "2023-11-18", "2023-11-16", "--utc"]),
        Question(
            path: "search?q=server&between=2023-11-16&between=2023-11-18&utc=1&limit=3",
            arguments: ["search", "server", "--utc", "-n", "3", "--between", "2023-11-16", "2023-11-18"]),
        Question(
            path: "search?q=server&by=hour,user&utc=1&limit=3",
            arguments: ["search", "server", "--by", "hour,user", "--utc", "-n", "3"]),
        Question(path: "search?by=month&utc=1", arguments: ["search", "--by", "month", "--utc"]),
        Question(path: "changes?account=demo", arguments: ["tail", "--feed", "-a", "demo", "--format", "jsonl"]),
    ]

    @Test func `the server answers exactly as the command prints`() async throws {
        try await archive.fill()
        let served = try await scrollback.serve()
        let client = served.program(try await scrollback.token("all"))
        for question in Self.questions {
            let answer = try await client.get("/api/v1/" + question.path)
            let isLines = question.arguments.contains("jsonl")
            // A negated word ends the options.
            let format = isLines ? [] : ["--format", "json"]
            let place = question.arguments.firstIndex(of: "--") ?? question.arguments.endIndex
            let arguments = question.arguments[..<place] + format + question.arguments[place...]
            let command = try await scrollback.start(arguments: Array(arguments)).result()
            #expect(answer.status == 200 && answer.body == command.output && !answer.body.isEmpty, "\(question.path)")
        }
    }

    @Test func `pages in both directions are linked, and together they are the whole room`() async throws {
        try await archive.fill(300, seed: 3)
        let served = try await scrollback.serve()
        let client = served.program(try await scrollback.token("all"))
        var (path, ids): (String?, [String]) = ("/api/v1/messages?account=demo&oldest=1&limit=37", [])
        while let next = path {
            let answer = try await client.get(next)
            ids += answer.body.matches(of: /"id": "(2023[^"]*Z)", "account"/).map { String($0.1) }
            path = answer.header("Link")?.firstMatch(of: /<([^>]*)>; rel="next"/).map { String($0.1) }
        }
        #expect(ids.count == 300 && ids == ids.sorted())
        let last = try await client.get("/api/v1/messages?account=demo&limit=10")
        let older = try #require(last.header("Link")?.firstMatch(of: /<([^>]*)>; rel="prev"/)?.1)
        let before = try await client.get(String(older))
        #expect(
            before.body.contains(ids[ids.count - 11]) && !before.body.contains(ids[ids.count - 10] + "\", \"account"))
    }

    @Test(arguments: [
        ("after=2023-11-15&before=2023-11-17", "next", ["--after", "2023-11-15", "--before", "2023-11-17"]),
        ("between=2023-11-15&between=2023-11-17", "next", ["--between", "2023-11-15", "2023-11-17"]),
        ("between=2023-11-17&between=2023-11-15", "prev", ["--between", "2023-11-17", "2023-11-15"]),
    ])
    func `pages of a time range end where it ends`(part: String, relation: String, options: [String]) async throws {
        try await archive.fill(300, seed: 3)
        let served = try await scrollback.serve()
        let client = served.program(try await scrollback.token("all"))
        let command = ["history", "-a", "demo", "--utc"] + options
        let all = try await scrollback.start(arguments: command + ["-n", "all", "--ids"]).result().output
        let wanted = Set(all.matches(of: /2023[^ ]*Z/).map { String($0.0) })
        var (path, ids): (String?, Set<String>) = ("/api/v1/messages?account=demo&utc=1&limit=7&\(part)", [])
        while let next = path, ids.count <= wanted.count {
            let answer = try await client.get(next)
            ids.formUnion(answer.body.matches(of: /"id": "(2023[^"]*Z)", "account"/).map { String($0.1) })
            path = answer.header("Link")?.matches(of: /<([^>]*)>; rel="(\w+)"/).first { $0.2 == relation }
                .map { String($0.1) }
        }
        #expect(wanted.count > 7 && ids == wanted)
        let page = try await scrollback.start(arguments: command + ["-n", "7"]).result()
        let limit = relation == "next" ? /--after \S+Z --before 2023-11-17/ : /--between \S+Z 2023-11-15/
        #expect(page.errors.contains(limit), "\(page.errors)")
    }

    @Test(arguments: [
        ("between=2023-11-15&between=2023-11-17", "next", ["2023-11-15", "2023-11-17"]),
        ("between=2023-11-17&between=2023-11-15", "prev", ["2023-11-17", "2023-11-15"]),
    ])
    func `hits between two times are linked page by page`(part: String, relation: String, times: [String])
        async throws
    {
        try await archive.fill(300, seed: 3)
        let served = try await scrollback.serve()
        let client = served.program(try await scrollback.token("all"))
        let options = ["-a", "demo", "--utc", "-n", "all", "--format", "jsonl", "--between"]
        let all = try await scrollback.start(arguments: ["search"] + options + times + ["--", "-nowhere"]).result()
        let wanted = all.output.matches(of: /"id": "(2023[^"]*Z)", "account"/).map { String($0.1) }
        var (path, ids): (String?, [String]) = ("/api/v1/search?q=-nowhere&account=demo&utc=1&limit=7&\(part)", [])
        while let next = path, ids.count <= wanted.count {
            let answer = try await client.get(next)
            let page = answer.body.matches(of: /"id": "(2023[^"]*Z)", "account"/).map { String($0.1) }
            ids += relation == "next" ? page : page.reversed()
            path = answer.header("Link")?.matches(of: /<([^>]*)>; rel="(\w+)"/).first { $0.2 == relation }
                .map { String($0.1) }
        }
        #expect(wanted.count > 7 && ids == wanted)
    }

    @Test func `a repeated request includes the messages stored since then`() async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let client = served.program(try await scrollback.token("all"))
        for number in 0..<5 {
            for _ in 0..<3 {
                let before = try await client.get("/api/v1/messages?account=demo")
                #expect(before.status == 200 && !before.body.contains("stored \(number)"))
            }
            let line = """
                {"id": "2024-01-01T00:00:00.\(number)00000Z", "room": "a", "kind": "message", \
                "sender": {"name": "bob"}, "body": "stored \(number)"}
                """
            try scrollback.write(line + "\n", to: "more.jsonl")
            #expect(try await scrollback("import", "jsonl", "more.jsonl", "-a", "demo", "--unread").status == 0)
            #expect(try await client.get("/api/v1/messages?account=demo").body.contains("stored \(number)"))
            #expect(try await client.get("/api/v1/unread?account=demo").body.contains("\"a\""))
        }
        #expect(try await scrollback("mark-read", "demo/a").status == 0)
        #expect(!(try await client.get("/api/v1/unread?account=demo").body.contains("\"a\"")))
    }

    @Test func `a token never gets an answer that was cached for another`() async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let all = served.program(try await scrollback.token("all"))
        let one = served.program(try await scrollback.token("one", "--account", "둘"))
        for _ in 0..<3 {
            #expect(try await all.get("/api/v1/rooms").body.contains("demo"))
            #expect(!(try await one.get("/api/v1/rooms").body.contains("demo")))
        }
    }

    @Test func `a message and its thread have addresses`() async throws {
        try await archive.fill()
        let served = try await scrollback.serve()
        let client = served.program(try await scrollback.token("all"))
        let page = try await client.get("/api/v1/messages?account=demo&limit=1")
        let id = try #require(page.body.firstMatch(of: /"id": "([^"]*)"/).map { String($0.1) })
        let one = try await client.get("/api/v1/messages/demo/\(id)")
        #expect(one.body == (try await scrollback("show", id, "-a", "demo", "--format", "json").output))
        let thread = try await client.get("/api/v1/messages/demo/\(id)/thread")
        #expect(thread.body == (try await scrollback("show", id, "-a", "demo", "--thread", "--format", "json").output))
        let times = "after=2001-01-01T00:00:00.000000Z&before=2100-01-01T00:00:00.000000Z"
        let part = try await client.get("/api/v1/messages/demo/\(id)/thread?\(times)")
        #expect(part.status == 200 && part.body.contains(id), "\(part.body)")
        let none = try await client.get("/api/v1/messages/demo/2001-01-01T00:00:00.000000Z")
        #expect(none.status == 404 && none.body.contains("\"type\": \"unknown-message\""), "\(none.body)")
    }

    @Test(arguments: [
        ("rooms?sort=lst", 400, "usage"), ("rooms?srt=last", 400, "usage"), ("messages?limit=0", 400, "usage"),
        ("messages?limit=1001", 400, "usage"), ("messages?limit=x", 400, "usage"),
        ("messages?after=soon", 400, "bad-time"), ("messages?before=x", 400, "bad-time"),
        ("messages?room=demo/a/b&day=x", 400, "bad-time"), ("search?q=after:bogus", 400, "bad-time"),
        ("messages?after=1d&before=2d&oldest=1", 400, "usage"), ("messages?room=nowhere", 404, "unknown-room"),
        ("messages?account=nobody", 404, "unknown-account"), ("search", 400, "usage"), ("search?q=%3F!", 400, "usage"),
        ("search?q=a&regex=(", 400, "bad-regex"), ("search?q=a&exact-letters=1", 400, "usage"),
        ("search?regex=a&regex=b", 400, "usage"), ("messages?room=%00", 400, "usage"),
        ("messages/demo/notanid", 400, "usage"), ("nowhere", 404, "not-found"), ("files/abc", 404, "not-found"),
        ("messages?room=%23example", 409, "ambiguous"), ("changes?account=demo&after=x", 400, "usage"),
        ("changes?account=demo&after=e:5", 400, "usage"),
        ("messages?limit=1&limit=2", 400, "usage"), ("messages?oldest=yes", 400, "usage"),
    ]) func `an invalid request gets a problem with advice`(path: String, status: Int, code: String) async throws {
        try await archive.fill(5)
        let served = try await scrollback.serve()
        let answer = try await served.program(try await scrollback.token("all")).get("/api/v1/" + path)
        #expect(
            answer.status == status && answer.header("Content-Type") == "application/problem+json", "\(answer.body)")
        let problem = try JSONDecoder().decode(Problem.self, from: Data(answer.body.utf8))
        #expect(problem.type == code && problem.status == status && !problem.detail.isEmpty, "\(answer.body)")
        #expect(!problem.detail.contains("[\(code)]") && (problem.hint != nil || !code.hasPrefix("bad-")))
        let advice = (problem.detail + " " + (problem.hint ?? "")).replacing(/"[^"]*"/, with: "")
        #expect(!advice.contains("--") && !advice.contains("-a "), "parameters have no dashes: \(answer.body)")
    }

    private struct Problem: Decodable {
        var type: String
        var status: Int
        var detail: String
        var hint: String?
    }

    @Test func `a client with a current answer gets status 304, and others can get it compressed`() async throws {
        try await archive.fill()
        let served = try await scrollback.serve()
        let client = served.program(try await scrollback.token("all"))
        let plain = try await client.get("/api/v1/messages?account=demo")
        let packed = try await client.get("/api/v1/messages?account=demo", ["Accept-Encoding": "br, gzip;q=0.5"])
        #expect(packed.header("Content-Encoding") == "gzip" && packed.bytes.count * 2 < plain.bytes.count)
        #expect(
            try await client.get("/api/v1/messages?account=demo", ["Accept-Encoding": "gzip;q=0"]).body == plain.body)
        for answer in [plain, packed] {
            let tag = try #require(answer.header("ETag"))
            var headers = ["If-None-Match": "\"other\", W/\(tag)"]
            headers["Accept-Encoding"] = answer.header("Content-Encoding")
            let again = try await client.get("/api/v1/messages?account=demo", headers)
            #expect(again.status == 304 && again.bytes.isEmpty && again.header("ETag") == tag)
        }
        try scrollback.write(
            "{\"id\": \"2024-11-29T00:00:00.000000Z\", \"room\": \"#new\", \"kind\": \"message\", \"body\": \"x\"}\n",
            to: "new.jsonl")
        #expect(try await scrollback("import", "jsonl", "new.jsonl", "-a", "demo").status == 0)
        let new = try await client.get("/api/v1/messages?account=demo", ["If-None-Match": plain.header("ETag") ?? ""])
        #expect(new.status == 200)
        let head = try await client.send("HEAD", "/api/v1/messages?account=demo")
        #expect(head.status == 200 && head.bytes.isEmpty)
        let condition = try await client.get("/api/v1/search?q=has:cat")
        #expect(condition.status == 400 && condition.body.contains("unknown condition has:cat"))
        #expect(condition.body.contains("has:image"))
        let twice = try await client.get("/api/v1/search?q=server&by=hour,hour")
        #expect(twice.status == 400 && twice.body.contains("by \\\"hour,hour\\\": use room, user"), "\(twice.body)")
        let other = try await client.post("/api/v1/messages", "")
        #expect(other.status == 405 && other.header("Allow") == "GET, HEAD")
    }

    @Test func `marking as read accepts a form or JSON, and answers with the unread counts`() async throws {
        try await archive.fill()
        let served = try await scrollback.serve()
        let client = served.program(try await scrollback.token("all", "--write"))
        let form = try await client.post(
            "/api/v1/read-marks", "room=demo%2F%23example", ["Content-Type": "application/x-www-form-urlencoded"])
        #expect(form.status == 200 && form.body.contains("\"unread\": 0"), "\(form.body)")
        #expect(try await scrollback("unread", "demo/#example", "--format", "json").output == form.body)
        let json = try await client.post(
            "/api/v1/read-marks", #"{"account": ["둘"], "utc": true}"#, ["Content-Type": "application/json"])
        #expect(json.status == 200)
        #expect(try await scrollback("unread", "-a", "둘").output.isEmpty)
        let nothing = try await client.post("/api/v1/read-marks", "{}", ["Content-Type": "application/json"])
        #expect(nothing.status == 400 && nothing.body.contains("name a room, or give account ACCOUNT or all"))
        let soon = try await client.post("/api/v1/read-marks", "all=1&to=soon")
        #expect(soon.status == 400 && soon.body.contains("\"type\": \"bad-time\""), "\(soon.body)")
        let long = try await client.post("/api/v1/read-marks", String(repeating: "x", count: 100_000))
        #expect(long.status == 413, "\(long.status)")
        let reader = served.program(try await scrollback.token("reader"))
        #expect(try await reader.post("/api/v1/read-marks", "all=1").status == 404)
    }
}
