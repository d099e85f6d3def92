import Foundation
import TestSupport
import Testing

/// Commands and the server with a shared archive, on a real PostgreSQL server.
@Suite(
    .timeLimit(.minutes(MachineSpeed.minutes(10))),
    .enabled(if: PostgreSQLServer.isAvailable, "needs PostgreSQL, which .ci/fetch-tools fetches"))
struct SharedArchiveTests {
    private let archive: ServedArchive
    private let address: String
    private var scrollback: Program { archive.scrollback }

    /// The reading commands, each with the address at which the server gives the same answer.
    private static let questions: [(command: [String], path: String)] = [
        (["history", "--all", "-n", "70"], "messages?limit=70"),
        (["history", "demo/가족"], "messages?account=demo&room=%EA%B0%80%EC%A1%B1"),
        (["search", "안녕"], "search?q=%EC%95%88%EB%85%95"),
        (["search", "from:민수 deploy", "-a", "demo"], "search?q=from:%EB%AF%BC%EC%88%98%20deploy&account=demo"),
        (["search", "\"안녕 東京\""], "search?q=%22%EC%95%88%EB%85%95%20%E6%9D%B1%E4%BA%AC%22"),
        (["rooms"], "rooms"), (["users"], "users"), (["unread"], "unread"), (["gaps"], "gaps"),
        (["attachments"], "attachments"), (["stats", "-a", "demo"], "days?account=demo"),
    ]

    init() async throws {
        archive = try ServedArchive()
        address = try await PostgreSQLServer.newDatabase()
        try await archive.fill(120)
        try await run("replicate", "--init", address)
        try await run("replicate", "--once", address)
    }

    @discardableResult
    private func run(_ arguments: String...) async throws -> String {
        let result = try await scrollback.start(arguments: arguments).result()
        guard result.status == 0 else { throw WaitedInVain(description: "\(arguments): \(result.errors)") }
        return result.output
    }

    private func json(_ command: [String], _ more: [String] = []) async throws -> (output: String, errors: String) {
        let result = try await scrollback.start(arguments: command + ["--format", "json"] + more).result()
        return (result.output, result.errors)
    }

    @Test func `every reading command gives the same from a shared archive, with its age`() async throws {
        for (command, _) in Self.questions {
            let (files, shared) = (try await json(command), try await json(command, ["--archive", address]))
            #expect(files.output == shared.output, "\(command)")
            #expect(!files.output.isEmpty, "\(command)")
            #expect(shared.errors.contains("the oldest copy in the shared archive, of account"), "\(shared.errors)")
        }
        let accounts = try await json(["accounts"], ["--archive", address]).output
        #expect(accounts.contains("\"state\": \"shared\"") && accounts.contains("\"messages\": 120"), "\(accounts)")
    }

    @Test(.enabled(if: Screen.isAvailable && CursesLibrary.isAvailable, "needs tmux and libncursesw6"))
    func `a shared archive is read on a full screen, and can't be marked as read`() async throws {
        let command = "\"$scrollback\" read demo/가족 --archive '\(address)'"
        let screen = try await Screen(command, for: scrollback, columns: 100, rows: 24)
        try await screen.shows("not watched ○")
        try await screen.type("m")
        try await screen.shows("a shared archive has no marks")
        try await screen.type("q")
        #expect(try await screen.ended() == 0)
    }

    @Test(arguments: ["jsonl", "html", "text", "markdown", "csv"])
    func `an export from a shared archive is the same`(format: String) async throws {
        let home = scrollback.home
        try await run("export", "-a", "demo", "--format", format, "-o", home + "/files")
        try await run("export", "-a", "demo", "--format", format, "-o", home + "/shared", "--archive", address)
        let names = try FileManager.default.subpathsOfDirectory(atPath: home + "/files").sorted()
        #expect(names == (try FileManager.default.subpathsOfDirectory(atPath: home + "/shared").sorted()))
        for name in names where !name.contains("manifest") {
            #expect(
                FileManager.default.contentsEqual(atPath: "\(home)/files/\(name)", andPath: "\(home)/shared/\(name)"),
                "\(name)")
        }
    }

    @Test func `the server answers the same from a shared archive as from files`() async throws {
        let served = try await scrollback.serve("--archive", address, "--data", scrollback.home + "/keys")
        let owner = try await served.owner()
        for (command, path) in Self.questions {
            let answer = try await owner.get("/api/v1/\(path)")
            #expect(answer.status == 200, "\(path): \(answer.body)")
            let said = try await json(command).output
            #expect(answer.body == said, "\(path)")
        }
        let rooms = try await owner.get("/")
        #expect(rooms.body.contains("The oldest copy in the shared archive, of account"), "\(rooms.body)")
        let room = try #require(rooms.body.firstMatch(of: /href="(\/room\/demo\/[0-9]+)#end"/)?.1)
        let page = try await owner.get(String(room))
        #expect(page.status == 200 && !page.body.contains("Mark as read"))
        let mark = try await owner.post("/api/v1/read-marks", "account=demo&room=1")
        #expect(mark.status == 409 && mark.body.contains("shared-archive"), "\(mark.body)")
        let token = try await scrollback.token(
            "phone", "--account", "demo", "--archive", address, "--data", scrollback.home + "/keys")
        let program = served.program(token)
        #expect(try await program.get("/api/v1/rooms").body == (try await json(["rooms", "-a", "demo"]).output))
        #expect(try await program.get("/api/v1/messages?account=%EB%91%98").status == 404)
    }

    @Test func `no answer has the database's address, even when the database is unreadable`() async throws {
        let served = try await scrollback.serve("--archive", address, "--data", scrollback.home + "/keys")
        let token = try await scrollback.token("phone", "--data", scrollback.home + "/keys")
        let (owner, program) = (try await served.owner(), served.program(token))
        let call =
            #"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_messages", "#
            + #""arguments": {"account": "nobody"}}}"#
        func answers() async throws -> [WebClient.Answer] {
            var answers: [WebClient.Answer] = []
            for client in [owner, program] {
                for path in [
                    "/api/v1/messages?room=nowhere", "/api/v1/messages?account=nobody", "/account/nobody", "/",
                ] {
                    answers.append(try await client.get(path))
                }
            }
            return answers + [try await program.post("/mcp", call, ["Content-Type": "application/json"])]
        }
        let database = try #require(address.firstMatch(of: /\/([a-z0-9]+)\?/)?.1)
        func hasAddress(_ text: String) -> Bool {
            [database, "postgres", "socket", "port "].contains {
                text.replacing("\"postgresql\"", with: "").contains($0)
            }
        }
        let known = try await answers()
        #expect(known.contains { $0.status == 404 && $0.body.contains("in the archive") })
        for answer in known { #expect(!hasAddress(answer.body), "\(answer.body)") }
        try await PostgreSQLServer.execute(
            "DROP DATABASE \(database) WITH (FORCE)", at: address.replacing(database, with: "postgres"))
        let unknown = try await answers()
        #expect(unknown.contains { $0.status == 503 })
        for answer in unknown { #expect(!hasAddress(answer.body), "\(answer.body)") }
        try await served.run.says("a request failed")
        #expect(served.run.errors.contains("does not exist"), "the log has the server's words: \(served.run.errors)")
    }

    @Test func `an assistant gets the same answers from a shared archive`() async throws {
        let calls = [
            #""name": "list_rooms""#, #""name": "get_messages", "arguments": {"account": "demo", "limit": 20}"#,
            #""name": "search", "arguments": {"q": "안녕", "limit": 20}"#, #""name": "stats""#,
        ]
        let lines = calls.enumerated().map { number, call in
            #"{"jsonrpc": "2.0", "id": \#(number), "method": "tools/call", "params": {\#(call)}}"# + "\n"
        }
        try scrollback.write(lines.joined(), to: "calls.jsonl")
        func answers(_ more: [String]) async throws -> [Substring] {
            let run = try scrollback.start(arguments: ["mcp"] + more, shell: #""$@" < calls.jsonl"#)
            return try await run.result().output.split(separator: "\n").sorted()
        }
        let files = try await answers([])
        #expect(files.count == calls.count && files.allSatisfy { $0.contains(#""isError": false"#) }, "\(files)")
        #expect(try await answers(["--archive", address]) == files)
    }

    @Test func `a stream of changes continues when the shared archive grows`() async throws {
        let served = try await scrollback.serve("--archive", address, "--data", scrollback.home + "/keys")
        var events = EventReader(
            try await served.owner().start("/api/v1/changes?account=demo", ["Accept": "text/event-stream"]))
        // The position, after which the server listens.
        _ = try await events.next()
        try scrollback.write(
            "{\"id\": \"2026-02-03T04:05:06.000000Z\", \"room\": \"가족\", \"kind\": \"message\", \"sender\": {\"name\": \"민수\"}, \"body\": \"새 글\"}\n",
            to: "new.jsonl")
        try await run("import", "jsonl", "new.jsonl", "-a", "demo")
        try await run("replicate", "--once", address)
        while let event = try await events.nextEvent() {
            if event.data?.contains("새 글") ?? false { return }
        }
        Issue.record("the stream ended")
    }

    @Test func `a copy waits for a process that was killed in a transaction until the server notices`() async throws {
        async let holding = PostgreSQLServer.execute(
            "BEGIN; SELECT FROM scrollback.feed_position FOR UPDATE; SELECT pg_sleep(50)", at: address)
        let holder = "FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()"
        try await eventually("held") {
            try await PostgreSQLServer.execute("SELECT 1 \(holder)", at: address).isEmpty ? nil : true
        }
        let copying = try scrollback.start("replicate", "--once", address)
        try await eventually("waiting", state: { copying.errors }) {
            copying.errors.contains("demo: waiting up to 10 s, because another process copies it now") ? true : nil
        }
        try await PostgreSQLServer.execute("SELECT pg_terminate_backend(pid) \(holder)", at: address)
        let result = try await copying.result()
        #expect(result.status == 0, "\(result.errors)")
        _ = try? await holding
    }

    @Test(arguments: ["--once", "--status", "--verify"])
    func `an unreadable account gives status 1, and the others are processed`(option: String)
        async throws
    {
        try scrollback.write("2026-11-21 10:00:00\talice\thi\n", to: "log")
        try await run("import", "weechat", "log", "-a", "broken", "--room", "#a")
        let folders = try FileManager.default.contentsOfDirectory(atPath: scrollback.data + "/accounts")
        let broken = try #require(folders.first { $0.hasPrefix("broken-") })
        let file = try #require(FileHandle(forWritingAtPath: scrollback.data + "/accounts/\(broken)/1.sqlite"))
        try file.write(contentsOf: Data(repeating: 7, count: 100))
        try file.close()
        let result = try await scrollback("replicate", option, address)
        #expect(result.status == 1, "\(result.output) \(result.errors)")
        #expect(result.errors.contains("skipped 'broken': ") && (result.output + result.errors).contains("demo: "))
    }

    @Test func `a reader of one account gets no row of another by any command`() async throws {
        try await run("replicate", "--init", "--with-roles", address)
        let role = "r" + UUID().uuidString.prefix(8).lowercased()
        try await PostgreSQLServer.execute("CREATE ROLE \(role) LOGIN", at: address)
        let reader = address.replacing(/user=[a-z]+/, with: "user=\(role)")
        let before = try await scrollback("rooms", "--archive", reader)
        #expect(before.status == 1 && before.errors.contains("permission denied"), "\(before.errors)")
        try await run("replicate", "--grant", role, "-a", "demo", address)

        for (command, _) in Self.questions {
            let isNarrow = command.contains("-a") || command.contains("demo/가족")
            let own = command.filter { $0 != "--all" } + (isNarrow ? [] : ["-a", "demo"])
            let expected = try await json(own).output
            let isOfAll = command.contains("--all") || !isNarrow
            #expect(try await json(own, ["--archive", reader]).output == expected, "\(own)")
            if isOfAll { #expect(try await json(command, ["--archive", reader]).output == expected, "\(command)") }
            let other = command.filter { !["--all", "demo", "-a", "demo/가족"].contains($0) } + ["-a", "둘"]
            let refused = try await scrollback.start(arguments: other + ["--archive", reader]).result()
            #expect(refused.status != 0 && refused.errors.contains("unknown-account"), "\(other): \(refused.errors)")
        }
        #expect(try await json(["accounts"], ["--archive", reader]).output.contains("둘") == false)

        // By SQL too: in every table, by the search's function, and in the parts of a table.
        let tables = try await PostgreSQLServer.execute(
            """
            SELECT relname FROM pg_class WHERE relnamespace = 'scrollback'::regnamespace AND relkind IN ('r', 'p')
              AND NOT relispartition AND relname NOT IN ('version', 'permission', 'account')
            """, at: address)
        let hidden = try await PostgreSQLServer.execute(
            "SELECT id FROM scrollback.account WHERE name = '둘'", at: address)
        for table in tables.split(separator: "\n") {
            let rows = try await PostgreSQLServer.execute(
                "SELECT count(*) FROM scrollback.\(table) WHERE account_id = \(hidden)", at: reader)
            #expect(rows == "0\n", "\(table)")
        }
        let hits =
            "SELECT count(*) FROM scrollback.hits(\(hidden.trimmingCharacters(in: .whitespacesAndNewlines)), '''hello''', 0, 9000000000000000000, 10, true)"
        #expect(try await PostgreSQLServer.execute(hits, at: reader) == "0\n")
        #expect(try await PostgreSQLServer.execute(hits, at: address) != "0\n")
        for forbidden in [
            "SELECT * FROM scrollback.message_2023", "SELECT * FROM scrollback.permission",
            "DELETE FROM scrollback.message", "SELECT scrollback.make_messages_of(2040)", "SET ROLE scrollback_writer",
        ] {
            await #expect(throws: (any Error).self, "\(forbidden)") {
                try await PostgreSQLServer.execute(forbidden, at: reader)
            }
        }
        // The rights of SET ROLE count, so that a pooler or a web server may log in once for all its readers.
        let asReader = "SET ROLE \(role); SELECT count(DISTINCT account_id) FROM scrollback.message; \(hits)"
        #expect(try await PostgreSQLServer.execute(asReader, at: address) == "1\n0\n")

        try await run("replicate", "--revoke", role, "-a", "demo", address)
        #expect(try await json(["rooms"], ["--archive", reader]).output.contains("demo") == false)
        try await run("replicate", "--grant", role, address)
        #expect(try await json(["rooms"], ["--archive", reader]).output == (try await json(["rooms"]).output))
    }

    @Test(arguments: ["--once", "--verify", "--status"])
    func `a compressed account is named because it is not copied`(option: String) async throws {
        try await run("archive", "compress", "둘")
        let result = try await scrollback("replicate", option, address)
        #expect(result.status == 0 && result.errors.contains("둘") && result.errors.contains("compressed"), "\(result)")
    }

    @Test func `a writer's role replicates without owning the tables`() async throws {
        try await run("replicate", "--init", "--with-roles", address)
        let role = "w" + UUID().uuidString.prefix(8).lowercased()
        try await PostgreSQLServer.execute("CREATE ROLE \(role) LOGIN IN ROLE scrollback_writer", at: address)
        let writer = address.replacing(/user=[a-z]+/, with: "user=\(role)")
        try scrollback.write(
            "{\"id\": \"2021-02-03T04:05:06.000000Z\", \"room\": \"x\", \"kind\": \"message\", \"body\": \"later\"}\n",
            to: "late.jsonl")
        try await run("import", "jsonl", "late.jsonl", "-a", "third")
        try await run("replicate", "--once", writer)
        #expect(try await run("replicate", "--verify", writer).isEmpty)
        let found = try await json(["search", "later"]).output
        #expect(found.contains("2021-02-03"))
        #expect(try await json(["search", "later"], ["--archive", writer]).output == found)
    }

    @Test func `a lost machine's accounts are restored from the shared archive`() async throws {
        let data = scrollback.home + "/second"
        let restored = try await scrollback("backup", "restore", address, "--data", data).errors
        #expect(restored.contains("demo: 120 messages") && restored.contains("둘: 120 messages"), "\(restored)")
        for (command, _) in Self.questions {
            #expect(try await json(command).output == (try await json(command, ["--data", data]).output), "\(command)")
        }
        try await run("archive", "check", "--data", data)
        let again = try await scrollback("backup", "restore", address, "demo", "--data", data)
        #expect(again.status == 1 && again.errors.contains("already has account"), "\(again)")
    }
}
