import ChatModel
import Foundation
import TestSupport
import Testing

/// `scrollback import`, beside listeners and across kills.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ImportEndToEndTests {
    func rows(_ scrollback: Program) throws -> [String] {
        try AccountRows(scrollback, account: "old").all
    }

    private func rowsApartFromTransactions(_ scrollback: Program) throws -> [String] {
        try AccountRows(scrollback, account: "old").apartFromTransactions
    }

    /// A day's log with so many lines, many of them alike and many in one minute.
    func log(lines: Int) -> String {
        (0..<lines).map { index in
            let minute = index / 40 % 1440
            let time = String(format: "%02d:%02d", minute / 60, minute % 60)
            return index % 7 == 0 ? "[\(time)] <alice> again" : "[\(time)] <bob\(index % 50)> line \(index)"
        }.joined(separator: "\n") + "\n"
    }

    func summary(_ result: Run.Result) -> String {
        result.errors.split(separator: "\n").last { $0.hasPrefix("read ") }.map(String.init) ?? result.errors
    }

    @Test func `a text that is too long is cut, and the import says so`() async throws {
        let scrollback = try Program()
        let long = String(repeating: String(repeating: "가", count: 400) + "\n", count: 100)
        let name = "WhatsApp Chat with alice.txt"
        try scrollback.write("21/11/2026, 06:23 - alice: \(long)21/11/2026, 06:24 - alice: end\n", to: name)
        let run = try await scrollback("import", name, "-a", "old")
        let warning = "warning: the archive has only the beginning of 1 long text: \(name):"
        #expect(run.errors.contains(warning), "\(run.errors)")
        let again = try await scrollback("export", "-a", "old", "-o", "copy")
        #expect(again.status == 0)
        let copied = try await scrollback("import", "copy", "-a", "new")
        #expect(copied.status == 0 && !copied.errors.contains("warning"), "\(copied.errors)")
    }

    @Test func `a client's text logs add nothing to its database, in one command or in two`() async throws {
        let scrollback = try Program()
        let (texts, base) = ("p/chatlogs/me_at_example.net/rooms/room_at_example.net", "p/database/me_at_example.net")
        for folder in [texts, base] {
            try FileManager.default.createDirectory(
                atPath: scrollback.home + "/" + folder, withIntermediateDirectories: true)
        }
        _ = try SQLiteFixture("\(scrollback.home)/\(base)/chatlog.db", ClientDatabase.profanity)
        // profanity 0.13.1 takes the time again for the text.
        try scrollback.write(
            """
            2026-11-21T06:23:11.123464+00:00 - alice: hi
            2026-11-21T06:23:12.123733+00:00 - 민수: 안녕

            """, to: texts + "/2026_11_21.log")
        for (account, paths) in [("new", ["p"]), ("new", ["p"]), ("old", ["p/database"]), ("old", ["p/chatlogs"])] {
            let run = try await scrollback.start(arguments: ["import"] + paths + ["-a", account]).result()
            #expect(run.status == 0, "\(run.errors)")
        }
        for account in ["new", "old"] {
            let messages = try await scrollback.messages(in: "\(account)/room@example.net")
            #expect(messages.map(\.body) == ["hi", "안녕"])
        }
    }

    @Test func `a folder of logs is imported in order, and repeating it adds nothing`() async throws {
        let scrollback = try Program()
        try FileManager.default.createDirectory(atPath: scrollback.home + "/logs", withIntermediateDirectories: false)
        try scrollback.write(
            "[11:59] <alice> one\n[00:00] <bob> two\nnonsense\n\n=== bob is now known as eve\n",
            to: "logs/#example_2026-11-20.log")
        try scrollback.write(
            "\u{FEFF}[03:41] <alice> three\r\n[03:41] * alice waves\r\n", to: "logs/#example_2026-11-21.log")
        let arguments = ["import", "energymech", "logs", "-a", "old", "--timezone", "+01:00"]
        let planned = try await scrollback.start(arguments: arguments + ["--dry-run"]).result()
        #expect(planned.status == 0)
        #expect(
            summary(planned) == "read 7 lines: 5 new messages, 0 already stored, 1 invalid; dry run, nothing stored")
        #expect(!FileManager.default.fileExists(atPath: scrollback.data))
        let first = try await scrollback.start(arguments: arguments).result()
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.output.isEmpty)
        #expect(summary(first) == "read 7 lines: 5 new messages, 0 already stored, 1 invalid")
        #expect(
            first.errors.contains("  1 line invalid (not a valid energymech line): logs/#example_2026-11-20.log:3\n"))
        let messages = try await scrollback.messages(in: "old/#example")
        #expect(messages.map(\.body) == ["one", "two", "eve", "three", "waves"])
        #expect(
            messages.map(\.id) == [
                "2026-11-20T10:59:00.000000Z", "2026-11-20T11:00:00.000000Z", "2026-11-20T11:00:00.000001Z",
                "2026-11-21T02:41:00.000000Z", "2026-11-21T02:41:00.000001Z",
            ])
        let rows = try rows(scrollback).filter { !$0.hasPrefix("failure") }
        let second = try await scrollback.start(arguments: arguments).result()
        #expect(summary(second) == "read 7 lines: 0 new messages, 5 already stored, 1 invalid")
        #expect(try self.rows(scrollback).filter { !$0.hasPrefix("failure") } == rows)
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test(arguments: [SIGKILL, SIGINT])
    func `an interrupted import continues with the same command, and stores every line once`(signal: Int32) async throws
    {
        let (scrollback, whole) = (try Program(), try Program())
        let (name, text) = ("#example_2026-11-20.log", log(lines: 5000))
        // A pipe that stays open: the middle lasts for as long as it takes.
        let path = scrollback.home + "/" + name
        try #require(mkfifo(path, 0o600) == 0)
        let pipe = open(path, O_RDWR | O_CLOEXEC)
        defer { close(pipe) }
        // F_SETPIPE_SZ (fcntl(2)), a macro that Swift does not see: all of it fits in, so that writing waits for nobody.
        let capacity = fcntl(pipe, 1031, Int32(1 << 20))
        try #require(Int(capacity) >= text.utf8.count)
        let arguments = ["import", "energymech", name, "-a", "old"]
        let run = try scrollback.start(arguments: arguments)
        try FileHandle(fileDescriptor: pipe).write(contentsOf: Data(text.utf8.dropLast(1000)))
        try await eventually("some is stored", state: { run.errors }) { () -> Bool? in
            ((try? rows(scrollback).count) ?? 0) > 1000 ? true : nil
        }
        let ended = try await run.stop(signal)
        #expect(ended.status == 128 + signal)
        if signal == SIGINT {
            #expect(ended.errors.contains("stopped after #example_2026-11-20.log:"))
            #expect(ended.errors.contains("; the same command continues\n"))
        }
        try FileManager.default.removeItem(atPath: path)
        for program in [scrollback, whole] { try program.write(text, to: name) }
        let again = try await scrollback.start(arguments: arguments).result()
        #expect(again.status == 0, "\(again.errors)")
        #expect(!summary(again).contains(" 0 already stored"))
        #expect(try await whole.start(arguments: arguments).result().status == 0)
        let (continued, atOnce) = try (rowsApartFromTransactions(scrollback), rowsApartFromTransactions(whole))
        #expect(continued == atOnce)
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test func `an import into a listener's account goes through the running listener`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        try scrollback.write(log(lines: 3000), to: "2026-11-20.log")
        let arguments = ["import", "energymech", "2026-11-20.log", "-a", "a1", "--room", "lobby"]
        async let imported = scrollback.start(arguments: arguments).result()
        try await alice.say("meanwhile", as: "alice")
        let result = try await imported
        #expect(result.status == 0, "\(result.errors)")
        #expect(summary(result) == "read 3,000 lines: 3,000 new messages, 0 already stored, 0 invalid")
        try await eventually("what is said is stored") { scrollback.acknowledged.isEmpty ? nil : true }
        #expect(
            summary(try await scrollback.start(arguments: arguments).result()).contains(
                " 0 new messages, 3,000 already stored"))
        let said = try await scrollback.said(in: "a1/lobby")
        #expect(said.count == 3001)
        #expect(said.last == "alice: meanwhile")
        #expect(try await scrollback("rooms", "--format", "jsonl").output.split(separator: "\n").count == 1)
        #expect(try await listener.stop().status == 0)
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test func `a listener that starts during an import takes over the account and the import`()
        async throws
    {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let first = try await scrollback.startListener()
        _ = try await first.stop()
        try scrollback.write(log(lines: 15_000), to: "2026-11-20.log")
        let run = try scrollback.start(
            arguments: ["import", "energymech", "2026-11-20.log", "-a", "a1", "--room", "lobby"])
        let listener = try await scrollback.startListener()
        let result = try await run.result()
        #expect(result.status == 0, "\(result.errors)")
        #expect(try await listener.stop().status == 0)
        #expect(try await scrollback.said(in: "a1/lobby").count == 15_000)
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test func `jsonl from history gives the same history in another account`() async throws {
        let scrollback = try Program()
        try await StoredRoom.store(
            [
                .init(name: "alice", text: "hi"), .init(name: "bob", kind: .join),
                .init(name: "alice", text: "안녕\n\u{1B}[1m"),
                .init(name: "alice", text: "hi"), .init(name: "bob", text: "waves", kind: .action),
            ], for: scrollback)
        try scrollback.write("[03:41] <bob> one\n[03:41] <bob> one\n[03:42] <alice> two\n", to: "2026-11-20.log")
        _ = try await scrollback("import", "energymech", "2026-11-20.log", "-a", "demo", "--room", "lobby")
        let export = try await scrollback("history", "demo/lobby", "--format", "jsonl").output
        #expect(export.split(separator: "\n").count == 8)
        try scrollback.write(export, to: "export.jsonl")
        let same = try await scrollback("import", "jsonl", "export.jsonl", "-a", "demo")
        #expect(summary(same) == "read 8 lines: 0 new messages, 8 already stored, 0 invalid")
        for path in ["export.jsonl", "-"] {
            let run = try scrollback.start(
                arguments: ["import", "jsonl", path, "-a", "copy"], shell: #"exec "$@" < export.jsonl"#)
            let result = try await run.result()
            #expect(result.status == 0, "\(result.errors)")
            #expect(
                summary(result).contains(
                    path == "-" ? " 0 new messages, 8 already stored" : " 8 new messages, 0 already stored"))
        }
        let copy = try await scrollback("history", "copy/lobby", "--format", "jsonl").output
        func withoutPlace(_ text: String) -> String {
            text.replacing(#/"account": "[a-z]+", "network": "[a-z]+"/#, with: "")
                .replacing(#/"id": [0-9]+, /#, with: "")
        }
        #expect(withoutPlace(copy) == withoutPlace(export))
    }

    @Test func `a person who reacts first gets their name from a later line or the list of people`()
        async throws
    {
        let scrollback = try Program()
        func message(_ id: Int, _ author: (id: Int, name: String), reactions: String = "") -> String {
            """
            {"id": "\(id)", "type": "Default", "timestamp": "2026-01-02T10:00:\(id)+00:00", "content": "안녕",
             "author": {"id": "\(author.id)", "name": "\(author.name)"}, "attachments": [], "embeds": [],
             "reactions": [\(reactions)]}
            """
        }
        let reaction = """
            {"emoji": {"id": "", "name": "👍", "code": "thumbsup"}, "count": 1, "users": [{"id": "78", "name": "bob"}]}
            """
        let messages = [message(10, (77, "alice"), reactions: reaction), message(20, (78, "bob"))]
        try scrollback.write(
            """
            {"guild": {"id": "1", "name": "Example"}, "channel": {"id": "20", "type": "GuildTextChat", "name": "일반"},
             "messages": [\(messages.joined(separator: ", "))]}
            """, to: "discord.json")
        _ = try await scrollback("import", "discord.json", "-a", "source")
        let lines = try await scrollback("export", "-a", "source", "--room", "일반", "-o", "-").output
        #expect(lines.split(separator: "\n").count == 2)
        try scrollback.write(lines, to: "room.jsonl")
        try scrollback.write(String(lines.prefix { $0 != "\n" }), to: "first.jsonl")
        _ = try await scrollback("export", "-a", "source", "-o", "whole")
        for (account, paths) in [("lines", ["room.jsonl"]), ("people", ["first.jsonl", "whole"])] {
            for path in paths {
                let result = try await scrollback("import", path, "-a", account)
                #expect(result.status == 0, "\(result.errors)")
            }
            let people = try await scrollback("users", "-a", account, "--format", "jsonl").output
            #expect(people.contains(#""name": "bob""#) && !people.contains(#""name": "78""#), "\(account): \(people)")
        }
    }

    @Test func `later edits and deletions in an export are imported, shown and found`() async throws {
        let scrollback = try Program()
        func line(_ body: String, second: Int, _ times: String = "") -> String {
            """
            {"id": "2026-11-21T06:23:0\(second).000000Z", "room": "#example", "kind": "message", \
            "sender": {"id": 1, "name": "alice"}, "body": "\(body)", "remote_id": "m\(second)"\(times)}\n
            """
        }
        func run(_ arguments: String...) async throws -> Run.Result {
            try await scrollback.start(arguments: arguments).result()
        }
        try scrollback.write(line("hallo", second: 1) + line("secret", second: 2), to: "old.jsonl")
        let edited = #", "edited_at": "2026-11-21T07:00:00.000000Z""#
        let deleted = #", "deleted_at": "2026-11-21T08:00:00.000000Z""#
        try scrollback.write(
            line("hello", second: 1, edited) + line("secret", second: 2, deleted) + line("new", second: 3, edited),
            to: "new.jsonl")
        #expect(
            summary(try await run("import", "jsonl", "old.jsonl", "-a", "old")).hasPrefix(
                "read 2 lines: 2 new messages"))
        let expected = "read 3 lines: 1 new message, 2 changed, 0 already stored, 0 invalid"
        let planned = try await run("import", "jsonl", "new.jsonl", "-a", "old", "--dry-run")
        #expect(summary(planned) == expected + "; dry run, nothing stored")
        #expect(summary(try await run("import", "jsonl", "new.jsonl", "-a", "old")) == expected)
        let rows = try rows(scrollback)
        #expect(
            summary(try await run("import", "jsonl", "new.jsonl", "-a", "old")).contains(
                "0 new messages, 3 already stored"))
        #expect(try self.rows(scrollback) == rows)
        let history = try await run("history", "#example", "--utc").output
        #expect(history.contains("alice  hello (edited)\n") && history.contains("alice  secret (deleted)\n"))
        #expect(try await run("search", "is:edited", "hello", "--utc").output.contains("hello (edited)"))
        #expect(try await run("search", "hallo").output.isEmpty)
        let shown = try await run("show", "2026-11-21T06:23:01.000000Z", "--utc").output
        #expect(shown.contains("hallo") && shown.contains("hello") && shown.contains("version 2"))
        let export = try await run("history", "#example", "--format", "jsonl").output
        try scrollback.write(export, to: "export.jsonl")
        #expect(
            summary(try await run("import", "jsonl", "export.jsonl", "-a", "old")).contains(
                "0 new messages, 3 already stored"))
        #expect(summary(try await run("import", "jsonl", "export.jsonl", "-a", "copy")).contains("3 new"))
        #expect(try await run("history", "copy/#example", "--utc").output.contains("secret (deleted)"))
        #expect(try await run("archive", "check").status == 0)
    }
}
