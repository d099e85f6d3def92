import Foundation
import TestSupport
import Testing

/// Completion in the shells themselves, typed into a terminal.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ShellCompletionTests {
    private static let hasTerminal = Tool.find("tmux") != nil

    @Test(.enabled(if: hasTerminal, "needs tmux"))
    func `bash completes rooms and accounts, and executes no room name`() async throws {
        try await expectCompletion(
            Shell(name: "bash", start: "--norc -i", script: "bash-completion/completions/scrollback"))
    }

    @Test(.enabled(if: hasTerminal && Tool.find("fish") != nil, "needs tmux and fish"))
    func `fish completes rooms and accounts, and executes no room name`() async throws {
        try await expectCompletion(
            Shell(name: "fish", start: "--no-config -i", script: "fish/vendor_completions.d/scrollback.fish"))
    }

    @Test(.enabled(if: hasTerminal && Tool.find("zsh") != nil, "needs tmux and zsh"))
    func `zsh completes rooms and accounts, and executes no room name`() async throws {
        try await expectCompletion(Shell(name: "zsh", start: "-f -i", script: "zsh/site-functions/_scrollback"))
    }

    private struct Shell {
        let name: String
        let start: String
        /// Below `share` of an installation.
        let script: String

        /// What to type first, to have the completions of an installation.
        func setUp(prefix: String) -> String {
            let script = "\(prefix)/share/\(script)"
            guard name == "zsh", let zsh = Tool.find("zsh") else { return "source \(script)" }
            let root = zsh.root == "/" ? "" : zsh.root
            return """
                module_path=(\(root)/usr/lib/*/zsh/*(N/)) fpath=(\(prefix)/share/zsh/site-functions \
                \(root)/usr/share/zsh/functions{,/*,/*/*}(N/)); autoload -Uz compinit; compinit -u -D
                """
        }
    }

    private func expectCompletion(_ shell: Shell) async throws {
        var program = try await filledArchive()
        let prefix = try await install(program)
        program.environment["PATH"] = "\(prefix)/bin:/usr/bin:/bin"
        // A folder with a command's name adds no slash to the command.
        try FileManager.default.createDirectory(atPath: program.home + "/gaps", withIntermediateDirectories: false)
        let terminal = try await Terminal(Tool.find(shell.name), arguments: shell.start, program: program)
        try await terminal.type(shell.setUp(prefix: prefix) + "; echo rea''dy\n")
        try await terminal.shows("ready")
        for (typed, completed) in [
            ("history ex", "history example"), ("history 우", #"history 우리\ 집"#), ("tail -a wo", "tail -a work"),
            ("gaps work/", #"gaps work/우리\ 집"#), ("histo", "history"),
            ("history --config=scrollback.t", "history --config=scrollback.toml"),
            ("gap\twork/", #"gaps work/우리\ 집"#),
        ] {
            // C-u: away with what was typed.
            try await terminal.type("\u{15}scrollback \(typed)\t")
            try await terminal.shows("scrollback \(completed)")
        }
        try await terminal.type("\u{15}scrollback history \t\t")
        try await terminal.shows("우리 집")
        #expect(!FileManager.default.fileExists(atPath: program.home + "/pwned"))
    }

    /// An archive with rooms whose names shells find hard.
    private func filledArchive() async throws -> Program {
        let program = try Program()
        let server = try await program.startServer()
        let rooms = [
            ("classroom", "#example"), ("work", "우리 집"), ("evil", "$(touch pwned)"), ("evil2", "`touch pwned`"),
        ]
        let accounts = rooms.map { account, room in
            """
            [[account]]
            name = "\(account)"
            network = "streamchat"
            server = "tcp://127.0.0.1:\(server.port)"
            nick = "archiver"
            room = "\(room)"
            framing = "nul"
            """
        }
        try program.write(accounts.joined(separator: "\n"), to: "scrollback.toml")
        let listener = try await program.startListener()
        #expect(try await listener.stop().status == 0)
        return program
    }

    private func install(_ program: Program) async throws -> String {
        let script = "\(#filePath)".components(separatedBy: "/Tests/")[0] + "/packaging/install"
        let prefix = program.temporary + "/usr"
        let bash = try #require(Tool.find("bash"))
        let result = try await bash.run([script, Program.path, prefix])
        try #require(result.status == 0, "\(result.errors)")
        return prefix
    }
}

/// A shell in a terminal of its own, which ends with the value.
private final class Terminal: Sendable {
    private let tmux: Tool
    private let socket: String
    private let server: Run

    init(_ shell: Tool?, arguments: String, program: Program) async throws {
        let shell = try #require(shell)
        tmux = try #require(Tool.find("tmux"))
        socket = program.temporary + "/t"
        server = try tmux.start(["-D", "-S", socket, "-f", "/dev/null"])
        let environment = program.environment.merging(shell.environment) { $1 }
        let variables = environment.map { "\($0)='\($1)'" }.joined(separator: " ")
        let command = "exec env -i TERM=screen LC_ALL=C.UTF-8 \(variables) \(shell.path) \(arguments)"
        // A question that starts no server of its own while ours is not there yet, as new-session would.
        try await eventually("a terminal", state: { server.errors }) { () -> Bool? in
            try await run(["show-options", "-g", "default-terminal"]).status == 0 ? true : nil
        }
        let session = try await run(["new-session", "-d", "-x", "200", "-y", "50", "-c", program.home, command])
        try #require(session.status == 0, "\(session.errors)")
    }

    func type(_ text: String) async throws {
        let result = try await run(["send-keys", "-l", text])
        try #require(result.status == 0, "\(result.errors)")
    }

    func shows(_ text: String) async throws {
        var screen = ""
        try await eventually("\"\(text)\" on the screen", state: { screen }) { () -> Bool? in
            screen = try await run(["capture-pane", "-p"]).output
            return screen.contains(text) ? true : nil
        }
    }

    private func run(_ words: [String]) async throws -> Run.Result {
        try await tmux.run(["-S", socket] + words)
    }
}
