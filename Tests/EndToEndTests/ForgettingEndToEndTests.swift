import Archive
import ChatModel
import Foundation
import TestSupport
import Testing

/// `scrollback retention forget`.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ForgettingEndToEndTests {
    private static let canary = "canarywort"

    private func program() async throws -> Program {
        let program = try Program()
        try await StoredRoom.store(
            (0..<300).map { number in
                number % 20 == 7
                    ? StoredRoom.Said(name: "mallory", text: "\(Self.canary) \(number) 카나리아")
                    : StoredRoom.Said(name: "민수", text: "말 \(number)")
            }, for: program)
        return program
    }

    /// The files of the data folder with the canary, its end, its pairs of letters, or its author's name.
    private func traces(_ program: Program) throws -> [String] {
        let needles = [Self.canary, String(Self.canary.suffix(6)), "카나", "아리", "mallory"].map { Data($0.utf8) }
        let names = try FileManager.default.subpathsOfDirectory(atPath: program.data)
        return names.filter { name in
            let bytes = FileManager.default.contents(atPath: program.data + "/" + name) ?? Data()
            return needles.contains { bytes.range(of: $0) != nil }
        }
    }

    private static let command = ["retention", "forget", "--user", "mallory", "--delete", "--execute"]

    @Test func `without --execute, nothing changes, and the plan is shown`() async throws {
        let scrollback = try await program()
        let listed = try await scrollback("retention", "forget", "--user", "mallory")
        #expect(listed.status == 0)
        #expect(
            listed.errors.hasPrefix("demo: 15 messages of mallory (2026-11-21)\nnothing was changed"),
            "\(listed.errors)")
        #expect(listed.errors.contains("not reached: backups"))
        #expect(try await scrollback("history", "lobby", "-n", "all", "--format", "jsonl").output.contains(Self.canary))
    }

    @Test func `a person is forgotten in every file, and the ledger has the counts`() async throws {
        let scrollback = try await program()
        #expect(try !traces(scrollback).isEmpty)
        let run = try await scrollback.start(arguments: Self.command).result()
        #expect(run.status == 0 && run.errors.contains("demo: forgot 15 messages\n"), "\(run.errors)")
        #expect(try traces(scrollback) == [])
        let page = try await scrollback("history", "lobby", "--oldest", "--utc")
        #expect(
            page.output.contains("15 messages of 2026-11-21 00:00:08 to 00:04:48 were removed on "), "\(page.output)")
        let log = try await scrollback("retention", "log", "--format", "jsonl")
        #expect(log.output.contains("\"rule\": \"forget\"") && log.output.contains("\"count\": 15"), "\(log.output)")
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test func `one message is forgotten by its id`() async throws {
        let scrollback = try await program()
        let run = try await scrollback(
            "retention", "forget", "--message", "2026-11-21T00:00:08.000000Z", "--redact", "--execute")
        #expect(run.status == 0 && run.errors.contains("demo: forgot 1 message\n"), "\(run.errors)")
        let show = try await scrollback("show", "2026-11-21T00:00:08.000000Z")
        #expect(show.status == 0 && !show.output.contains(Self.canary), "\(show.output)")
    }

    @Test(arguments: [
        (["--user", "malory", "--delete"], "did you mean \"mallory\"?", Int32(1)),
        (["--delete"], "name a --user or a --message", 64),
        (["--user", "mallory", "--redact", "--delete"], "choose --redact or --delete", 64),
        (["--user", "mallory", "--execute"], "--execute needs --redact or --delete", 64),
        (["--message", "x"], "is not a message id", 64),
        (["--message", "2026-01-01T00:00:00.000000Z"], "[unknown-message]", 1),
    ])
    func `a mistake is reported, and nothing changes`(arguments: [String], says: String, status: Int32) async throws {
        let scrollback = try await program()
        let run = try await scrollback.start(arguments: ["retention", "forget"] + arguments).result()
        #expect(run.status == status && run.errors.contains(says), "\(run.errors)")
        #expect(try !traces(scrollback).isEmpty)
    }

    @Test func `a name that is also another person's id needs the form id:`() async throws {
        let scrollback = try Program()
        try await StoredRoom.store(["3", "1", "2"].map { StoredRoom.Said(name: $0, text: "hi") }, for: scrollback)
        let run = try await scrollback("retention", "forget", "--user", "1", "--delete", "--execute")
        #expect(run.status == 1 && run.errors.contains("2 people have the name or the id \"1\" in account demo: "))
        #expect(run.errors.contains("name one by id: --user id:"), "\(run.errors)")
        let plan = try await scrollback("retention", "forget", "--user", "id:1")
        #expect(plan.status == 0 && plan.errors.hasPrefix("demo: 1 message of 3 ("), "\(plan.errors)")
        #expect(
            try await scrollback("history", "lobby", "--format", "jsonl").output.matches(of: /"body": "hi"/).count == 3)
    }

    @Test func `an id needs an account, because each account has its own`() async throws {
        let scrollback = try await program()
        try scrollback.write("[03:41] <eve> hi\n", to: "#example_2026-11-21.log")
        #expect(try await scrollback("import", "#example_2026-11-21.log", "-a", "old", "--timezone", "UTC").status == 0)
        let run = try await scrollback("retention", "forget", "--user", "id:1", "--delete", "--execute")
        #expect(run.status == 1 && run.errors.contains("for an id, name the account with -a; "), "\(run.errors)")
        #expect(try !traces(scrollback).isEmpty)
    }

    @Test func `forgetting covers a compressed account`() async throws {
        let scrollback = try await program()
        #expect(try await scrollback("archive", "compress", "demo").status == 0)
        let run = try await scrollback.start(arguments: Self.command).result()
        #expect(run.status == 0 && run.errors.contains("demo: forgot 15 messages\n"), "\(run.errors)")
        #expect(try traces(scrollback) == [])
        #expect(try await scrollback("archive", "compress", "demo").status == 0)
        #expect(try await scrollback("archive", "restore", "demo").status == 0)
        #expect(try traces(scrollback) == [])
    }

    @Test func `forgetting works while a listener runs`() async throws {
        let scrollback = try await program()
        try scrollback.write(
            """
            [[account]]
            name = "demo"
            network = "streamchat"
            server = "tcp://127.0.0.1:1"
            nick = "archiver"
            """, to: "scrollback.toml")
        let listener = try scrollback.start(arguments: ["listen"])
        try await eventually("it listens", state: { listener.errors }) {
            try await scrollback("status").status == 0 ? true : nil
        }
        #expect(try await scrollback.start(arguments: Self.command).result().status == 0)
        #expect(try traces(scrollback) == [])
        #expect(try await listener.stop().status == 0)
        #expect(try traces(scrollback) == [])
    }

    @Test func `a restored backup forgets it again`() async throws {
        let scrollback = try await program()
        #expect(try await scrollback("backup", "create", "--all", "backup").status == 0)
        #expect(try await scrollback.start(arguments: Self.command).result().status == 0)
        #expect(try await scrollback("archive", "erase", "demo", "--execute").status == 0)
        #expect(try await scrollback("backup", "restore", "backup").status == 0)
        let read = try await scrollback("history", "lobby", "-n", "all", "--format", "jsonl")
        #expect(read.output.split(separator: "\n").count == 285 && !read.output.contains(Self.canary))
        #expect(try traces(scrollback) == [])
    }
}
