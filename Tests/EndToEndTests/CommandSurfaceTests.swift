import Foundation
import Options
import TestSupport
import Testing

@testable import Scrollback
@testable import Settings

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct CommandSurfaceTests {
    private static let commands = ScrollbackCommand.configuration.subcommands.compactMap {
        $0.configuration.commandName
    }

    @Test(arguments: ["--version", "-V"])
    func `the version is shown without a data folder and without a home`(option: String) async throws {
        var scrollback = try Program()
        scrollback.environment = [:]
        let result = try await scrollback(option)
        #expect(result.status == 0)
        #expect(result.output == "scrollback \(ProgramVersion.current)\n")
        #expect(result.errors.isEmpty)
    }

    @Test func `each command that only reads runs on the main thread, and is tried on damaged archives`() {
        let readers = Set(ScrollbackCommand.configuration.subcommands.filter { $0.isReader }.map { $0.name })
        #expect(readers.contains("search") && !readers.contains("listen"))
        #expect(readers.subtracting(DamagedCommands.commands("").map { $0[0] }).sorted() == [])
    }

    @Test(arguments: [[]] + commands.map { [$0] })
    func `help is shown without a data folder and without a home`(command: [String]) async throws {
        var scrollback = try Program()
        scrollback.environment = [:]
        let result = try await scrollback.start(arguments: command + ["--help"]).result()
        #expect(result.status == 0)
        #expect(result.output.contains("USAGE: scrollback \(command.joined())"))
        #expect(result.errors.isEmpty)
    }

    @Test(arguments: ["0", "1", "26", "-5", "99999999999999999999"])
    func `help fits a terminal of any width`(columns: String) async throws {
        var scrollback = try Program()
        scrollback.environment = ["COLUMNS": columns]
        let result = try await scrollback("history", "--help")
        #expect(result.status == 0)
        #expect(result.output.contains("USAGE: scrollback history"))
    }

    @Test(arguments: [
        (["histroy"], "did you mean \"history\"?"), (["history"], "no room given"),
        (["history", "x", "--bfore", "1h"], "did you mean '--before'?"),
        (["listen", "--log-level", "loud"], "no log level"),
        (["room-server", "--port", "70000"], "0 to 65535"), (["history", "x", "-n", "0"], "1 to 1000"),
    ])
    func `wrong usage is reported on stderr with status 64, or 2 for commands like grep`(
        arguments: [String], reason: String
    ) async throws {
        let result = try await Program().start(arguments: arguments).result()
        #expect(result.status == (arguments[0] == "history" ? 2 : 64))
        #expect(result.errors.contains(reason))
        #expect(result.output.isEmpty)
    }

    @Test(arguments: [
        (["search", "?!"], "search"), (["import", "--format", "irssi", "x"], "import"),
        (["archive", "chek"], "archive"),
        (["archive", "check", "--bogus"], "archive check"), (["backup", "verify"], "backup verify"),
        (["rooms", "--since", "1d"], "rooms"),
    ])
    func `wrong usage shows the usage of its command`(arguments: [String], command: String) async throws {
        let result = try await Program().start(arguments: arguments).result()
        #expect(result.status == (arguments[0] == "search" ? 2 : 64))
        #expect(result.errors.contains("\nUsage: scrollback \(command) "), "\(result.errors)")
        #expect(result.errors.hasSuffix("\n  See 'scrollback \(command) --help' for more information.\n"))
    }

    @Test func `a named data folder that is missing is an error for readers`() async throws {
        var scrollback = try Program()
        let byOption = try await scrollback("rooms", "--data", "없음")
        #expect(byOption.status == 1)
        #expect(
            byOption.errors == """
                scrollback: --data: no folder "없음"; "scrollback listen" or "scrollback import" fills an archive, --data \
                chooses another folder [no-archive]

                """)
        try scrollback.write("data = \"there\"\n", to: "scrollback.toml")
        let byFile = try await scrollback("history", "--all")
        #expect(byFile.status == 2)
        #expect(byFile.errors.contains("scrollback: scrollback.toml: data: no folder \"there\"; "))
        scrollback.environment["SCROLLBACK_DATA"] = "elsewhere"
        let byVariable = try await scrollback("search", "x")
        #expect(byVariable.status == 2)
        #expect(byVariable.errors.contains("scrollback: SCROLLBACK_DATA: no folder \"elsewhere\"; "))
        #expect(!FileManager.default.fileExists(atPath: scrollback.home + "/elsewhere"))
        try scrollback.write("[11:59] <alice> one\n", to: "#a.2026-11-21.log")
        let creating = try await scrollback("import", "energymech", "#a.2026-11-21.log", "-a", "old")
        #expect(creating.status == 0, "\(creating.errors)")
        #expect(try await scrollback("rooms").output.contains("#a"))
    }

    @Test(arguments: [
        ["accounts"], ["rooms"], ["users"], ["archive", "check"], ["gaps"], ["status"], ["tail"], ["stats"],
        ["history", "--all"],
    ])
    func `an empty archive has no results, and the error names the folder`(arguments: [String]) async throws {
        let scrollback = try Program()
        let result = try await scrollback.start(arguments: arguments).result()
        #expect(result.status == (["history", "search"].contains(arguments[0]) ? 1 : 0))
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(" in \(scrollback.data); "))
        #expect(!FileManager.default.fileExists(atPath: scrollback.data), "reading makes nothing")
    }

    @Test func `each command that answers prints one JSON document`() async throws {
        let scrollback = try Program()
        try scrollback.write("[03:41] <alice> hi\n[03:42] <bob> again\n", to: "2020-01-02.log")
        try scrollback.write(
            """
            [retention]
            max_age = "999999d"

            [[account]]
            name = "a1"
            network = "streamchat"
            server = "tcp://127.0.0.1:1"
            nick = "archiver"

            """, to: "scrollback.toml")
        let commands = [
            "import energymech 2020-01-02.log -a old --room #a --unread", "accounts", "rooms", "users", "history --all",
            "search hi", "search hi --count", "tail", "unread", "mark-read --all", "mark-read old/#a", "attachments",
            "gaps",
            "stats", "status", "config show", "config check", "config path", "archive check", "archive reindex",
            "archive compact", "archive merge old", "archive merge old --user alice --into bob",
            "archive merge old --user alice --into bob --execute", "archive merge old --user alice --undo --execute",
            "archive bridge old", "archive bridge old --bot alice --pattern <{nick}>{text}",
            "archive bridge old --bot alice --pattern <{nick}>{text} --execute",
            "archive bridge old --bot alice --pattern <{nick}>{text} --undo --execute",
            "retention plan", "retention apply", "retention log", "retention hold case -a old", "retention holds",
            "retention release case", "retention forget --user bob", "serve token add t --all",
            "serve token change t --all",
            "serve token list", "serve token remove t", "backup create --all copy", "backup verify copy",
            "backup restore copy --data restored", "archive compress old", "archive restore old",
            "retention forget --user bob --delete --execute", "archive erase old",
        ]
        for command in commands {
            let words = command.split(separator: " ").map(String.init) + ["--format", "json"]
            try await expectDocument(scrollback, words)
        }
        try await expectDocument(scrollback, ["export", "-a", "old", "-o", "out", "--report", "json"])
        try await expectDocument(scrollback, ["export", "--all", "-o", "several", "--report", "json"])
        try scrollback.write("[[account]]\nname = \"a\"\nframng = 1\n", to: "scrollback.toml")
        try await expectDocument(scrollback, ["config", "check", "--format", "json"], status: 1)
    }

    private func expectDocument(_ scrollback: Program, _ words: [String], status: Int32 = 0) async throws {
        let run = try await scrollback.start(arguments: words).result()
        #expect(run.status == status, "\(words): \(run.errors)")
        let document = try? JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        #expect(document?.isEmpty == false && run.output.hasSuffix("}\n"), "\(words): \(run.output)")
    }

    @Test func `a printed configuration is valid when its blanks are filled`() async throws {
        let scrollback = try Program()
        let template = try await scrollback("init", "streamchat")
        #expect(template.status == 0)
        try scrollback.write(template.output, to: "scrollback.toml")
        let blank = try await scrollback("config", "check")
        #expect(blank.status == 1)
        #expect(blank.errors.contains("account \"classroom\": server:") && blank.errors.contains("\": nick:"))
        let filled = template.output.replacing("server = \"\"", with: "server = \"tcp://127.0.0.1:5080\"")
            .replacing("nick = \"\"", with: "nick = \"archiver\"")
        try scrollback.write(filled, to: "scrollback.toml")
        let valid = try await scrollback("config", "check")
        #expect(valid.status == 0)
        #expect(
            valid.errors == "configuration scrollback.toml is valid: 1 account, data folder \(scrollback.data)\n")
    }

    @Test func `a mistake in the configuration is reported with its place, and nothing is created`() async throws {
        let scrollback = try Program()
        try scrollback.write("[[account]]\nname = \n", to: "scrollback.toml")
        let syntax = try await scrollback("listen")
        #expect(syntax.status == 1)
        #expect(syntax.errors.contains("scrollback.toml:2:8: "))
        try scrollback.configure(ports: 1)
        let file = try String(contentsOfFile: scrollback.home + "/scrollback.toml", encoding: .utf8)
        try scrollback.write(file.replacing("framing", with: "framng"), to: "scrollback.toml")
        let key = try await scrollback("listen")
        #expect(key.status == 1)
        #expect(
            key.errors.contains("scrollback.toml:6: account \"a1\": unknown key \"framng\"; did you mean \"framing\"?"))
        #expect(!FileManager.default.fileExists(atPath: scrollback.data))
    }

    @Test func `a port in use is reported with advice`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        let second = try await scrollback("room-server", "--port", String(server.port))
        #expect(second.status == 1)
        #expect(second.errors.contains("can't listen on 127.0.0.1:\(server.port)"))
        #expect(second.errors.contains("choose another port with --port"))
        #expect(try await server.run.stop(SIGTERM).status == 0)
    }

    @Test(.enabled(if: geteuid() != 0, "root may write anywhere"))
    func `a data folder without write permission is reported`() async throws {
        let scrollback = try Program()
        try scrollback.configure(ports: 1)
        try FileManager.default.createDirectory(
            atPath: scrollback.data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o500])
        let result = try await scrollback("listen")
        #expect(result.status == 1)
        #expect(result.errors.contains("can't write to data folder \(scrollback.data): Permission denied"))
    }

    @Test func `a data folder that is a file is reported`() async throws {
        let scrollback = try Program()
        try scrollback.configure(ports: 1)
        try scrollback.write("", to: "data/scrollback")
        let result = try await scrollback("listen")
        #expect(result.status == 1)
        #expect(result.errors.contains(scrollback.data))
    }
}
