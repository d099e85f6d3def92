import Foundation
import TestSupport
import Testing

/// What `scrollback import` finds by itself: folders, archives, pipes, and of what kind they are.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ImportSourcesEndToEndTests {
    private static let log = "[03:41] <alice> hi\n[03:42] <민수> 안녕\n"
    private static let export = """
        {"id": "2026-11-21T06:23:01.000000Z", "room": "#example", "kind": "message", "sender": {"id": 1, "name": "alice"}, \
        "body": "hello"}\n
        """

    private func program() throws -> Program {
        let scrollback = try Program()
        try FileManager.default.createDirectory(
            atPath: scrollback.home + "/logs/sub", withIntermediateDirectories: true)
        return scrollback
    }

    @Test func `a mixed folder is imported, and an archive of it adds nothing`() async throws {
        let scrollback = try program()
        try scrollback.write(Self.log, to: "logs/#example_2026-11-20.log")
        try scrollback.write(Self.export, to: "logs/sub/export.jsonl")
        try scrollback.write("some words\n", to: "logs/sub/notes.txt")
        try ZipFile([
            .init("#example_2026-11-20.log", Self.log), .init("sub/export.jsonl", Self.export),
        ]).write(to: scrollback.home + "/logs.zip")
        let first = try await scrollback("import", "logs", "-a", "old", "--timezone", "Asia/Seoul")
        #expect(first.status == 1, "a file is skipped")
        #expect(first.output.isEmpty)
        #expect(
            first.errors == """
                logs/sub/export.jsonl: jsonl
                logs/#example_2026-11-20.log: energymech
                read 3 lines: 3 new messages, 0 already stored, 0 invalid
                  into old/#example (new account), local times read in Asia/Seoul
                  energymech: 1 file, 2 lines
                  jsonl: 1 file, 1 line
                1 file skipped (unrecognised format): logs/sub/notes.txt\n
                """)
        let again = try await scrollback("import", "logs.zip", "-a", "old", "--timezone", "Asia/Seoul")
        #expect(again.errors.contains("logs.zip/sub/export.jsonl: jsonl\n"))
        #expect(
            again.errors.contains(
                """
                read 3 lines: 0 new messages, 3 already stored, 0 invalid
                  into old/#example, local times read in Asia/Seoul\n
                """), "\(again.errors)")
        #expect(try await scrollback.said(in: "old/#example") == ["alice: hi", "민수: 안녕", "alice: hello"])
    }

    @Test func `a day that looks like another program's log has its folder's format`() async throws {
        let scrollback = try program()
        try FileManager.default.createDirectory(
            atPath: scrollback.home + "/logs/#example", withIntermediateDirectories: true)
        for day in 24...26 {
            let lines = "[12:00:00] *** Joins: alice (a@example.com)\n[12:00:01] <alice> day \(day)\n"
            try scrollback.write(lines, to: "logs/#example/2026-11-\(day).log")
        }
        try scrollback.write("[12:00:00] * bob has joined #example\n", to: "logs/#example/2026-11-27.log")
        let imported = try await scrollback("import", "logs", "-a", "old", "--timezone", "UTC")
        #expect(imported.status == 0, "\(imported.errors)")
        #expect(imported.errors.hasPrefix("4 files: znc\n"), "\(imported.errors)")
        let last = try await scrollback("export", "-a", "old", "-o", "-", "--format", "jsonl")
        #expect(
            last.output.contains(
                #""kind": "action", "sender": {"id": 2, "name": "bob", "is_self": false}, "body": "has joined #example""#
            ),
            "\(last.output)")
    }

    @Test func `stdin is recognised, compressed or not, and an unneeded zone is reported`() async throws {
        let scrollback = try program()
        try scrollback.write(Self.export, to: "x")
        for shell in [#"exec "$@" < x"#, #"gzip < x | "$@""#, #"exec "$@" <(cat x)"#] {
            let result = try await scrollback.start(
                arguments: ["import", "-a", "old", "--timezone", "UTC"] + (shell.contains("<(") ? [] : ["-"]),
                shell: shell
            ).result()
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.errors.contains(": jsonl\n--timezone was not used"))
        }
        #expect(try await scrollback.said(in: "old/#example") == ["alice: hello"])
    }

    @Test func `an unrecognised file gives status 1, and the rest is imported`() async throws {
        let scrollback = try program()
        try scrollback.write("some words\n", to: "notes.txt")
        try scrollback.write(Self.export, to: "export.jsonl")
        var zip = ZipFile([.init("#example_2026-11-20.log", Self.log), .init("#example_2026-11-21.log", Self.log)])
        zip.entries[1].flags = 1
        try zip.write(to: scrollback.home + "/logs.zip")
        try Data(zip.bytes.dropLast(30)).write(to: URL(filePath: scrollback.home + "/broken.zip"))
        let result = try await scrollback("import", "notes.txt", "broken.zip", "logs.zip", "export.jsonl", "-a", "old")
        #expect(result.status == 1)
        #expect(result.errors.contains("scrollback: notes.txt: unrecognised format; to force one: "))
        #expect(result.errors.contains("scrollback: broken.zip: damaged or incomplete ZIP archive"))
        #expect(result.errors.contains("scrollback: logs.zip/#example_2026-11-21.log: encrypted; "))
        #expect(result.errors.contains("read 3 lines: 3 new messages, 0 already stored, 0 invalid\n"))
        #expect(result.errors.hasSuffix(" files or folders not imported; the first lines say why\n"))
        let nothing = try await scrollback("import", "notes.txt", "-a", "old")
        #expect(nothing.status == 1)
        #expect(!nothing.errors.contains("read "))
    }

    @Test func `an interrupted import reports its place in the archive, and the same command continues`() async throws {
        let scrollback = try program()
        // So many lines that the import still runs when a busy machine sees its first file.
        let days = (1...6).map { day in
            let lines = (0..<24_000).map { "[\($0 < 12_000 ? "03" : "04"):41] <alice> line \(day) \($0)\n" }.joined()
            return ZipFile.Entry("#example_2026-11-0\(day).log", lines)
        }
        try ZipFile(days).write(to: scrollback.home + "/logs.zip")
        let arguments = ["import", "logs.zip", "-a", "old"]
        let run = try scrollback.start(arguments: arguments)
        try await eventually("some is stored", state: { run.errors }) { () -> Bool? in
            let files = FileManager.default.subpaths(atPath: scrollback.data) ?? []
            return files.contains { $0.hasSuffix("sqlite-wal") } ? true : nil
        }
        let ended = try await run.stop(SIGINT)
        #expect(ended.status == 128 + SIGINT, "\(ended.errors)")
        #expect(ended.errors.contains("stopped "))
        let again = try await scrollback.start(arguments: arguments).result()
        #expect(again.status == 0, "\(again.errors)")
        #expect(again.errors.contains("read 144,000 lines: "))
        #expect(try await scrollback("accounts", "--format", "jsonl").output.contains("\"messages\": 144000"))
    }

    @Test(arguments: [40, 80])
    func `on a terminal, a long import shows an estimate and its progress on one line`(columns: Int) async throws {
        let scrollback = try program()
        // Half a million lines, of which it reads the first.
        let lines = (0..<25_000).map { String(format: "[%02d:%02d] <alice> hi\n", $0 / 60 % 24, $0 % 60) }
        let log = Data(lines.joined().utf8)
        for day in 10..<30 { try log.write(to: URL(filePath: scrollback.home + "/logs/#example_2026-11-\(day).log")) }
        let logs = scrollback.home + "/logs"
        let terminal = try scrollback.startOnTerminal(columns: columns, "import", logs, "-a", "old")
        try await terminal.shows("about 500,000 lines (9.5 MB), about 14 s")
        try await terminal.shows(" left")
        terminal.signal(SIGINT)
        #expect(try await terminal.status() == 128 + SIGINT)
        let shown = terminal.text.split(separator: "\r\u{1B}[K").filter { $0.contains(" left") && !$0.contains("\n") }
        #expect(!shown.isEmpty)
        #expect(shown.allSatisfy { $0.count < columns })
        #expect(terminal.text.contains("stopped after \(logs)/#example_2026-11-1"))
    }
}
