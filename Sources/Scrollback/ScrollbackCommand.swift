import ChatModel
import Dispatch
import FoundationEssentials
import Glibc
import Operations
package import Options
import Rendering
import Schema
import Settings

package struct ScrollbackCommand: Command {
    package static let configuration = CommandConfiguration(
        commandName: "scrollback",
        abstract: "Archive the chat rooms you are in, and read and search what was said.",
        discussion: """
            Start with "scrollback demo"; or with "scrollback import FILES"; or with "scrollback init irc > scrollback.toml" and \
            "scrollback listen".
            Data goes to stdout, everything else to stderr. Exit status: 0 fine, 1 failed, 64 wrong usage. history and search: \
            0 found, 1 nothing found, 2 failed. archive check and backup verify: 2 something is wrong.
            """,
        groupedSubcommands: [
            CommandGroup(
                name: "Read",
                subcommands: [
                    ReadCommand.self, HistoryCommand.self, SearchCommand.self, TailCommand.self, RoomsCommand.self,
                    ServeCommand.self,
                    MCPCommand.self,
                    ShowCommand.self, UnreadCommand.self, MarkReadCommand.self, UsersCommand.self,
                    AttachmentsCommand.self, GapsCommand.self, StatsCommand.self, SQLCommand.self,
                ]),
            CommandGroup(
                name: "Collect",
                subcommands: [
                    InitCommand.self, ConfigCommand.self, ListenCommand.self, StatusCommand.self, BackfillCommand.self,
                ]),
            CommandGroup(name: "Move", subcommands: [ImportCommand.self, ExportCommand.self, ReplicateCommand.self]),
            CommandGroup(
                name: "Maintain",
                subcommands: [AccountsCommand.self, ArchiveCommand.self, BackupCommand.self, RetentionCommand.self]),
            CommandGroup(name: "Try", subcommands: [DemoCommand.self, ChatCommand.self, RoomServerCommand.self]),
        ])

    @Flag("version", short: "V", help: "Show the version.")
    var version = false

    package init() {}

    package func validate() throws {
        if version { throw CleanExit.message(Self.versionLine) }
    }

    private static let versionLine = "scrollback \(ProgramVersion.current)"

    package static func main() -> Never {
        StandardStream.occupyClosed()
        // Only the owner may use the files that this process creates.
        umask(0o077)
        // With SIGPIPE ignored, a write to a closed pipe fails with EPIPE instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        raiseDescriptorLimit()
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.isEmpty, ReadCommand.opensAlone { arguments = [ReadCommand.name] }
        SQLiteSettings.apply(limitsMemory: arguments.first == "sql")
        // Has an effect only before there are other threads.
        if arguments.first == "import" { MemoryAllocator.shareArena() }
        let path = CommandPath(Self.self, arguments)
        if path.command.isReader { runReader(path) }
        Task { @MainActor [arguments] in await main(arguments: arguments, path) }
        dispatchMain()
    }

    /// Runs a command that only reads on the main thread, and ends the program. On Swift's shared threads, between which
    /// tasks move, a search took 1.9 ms longer *(measured)*. Returns if the command does more than read.
    private static func runReader(_ path: CommandPath) {
        unblockSignals()
        ProgramEnd.keepFiles()
        do {
            if try parsed(path).read() { ProgramEnd.exit(0) }
        } catch {
            end(with: error, of: path)
        }
    }

    /// Unblocks all signals, as `dispatchMain()` does: a parent may have started this process with signals blocked, and
    /// Ctrl-C would have no effect.
    private static func unblockSignals() {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
    }

    /// Raises the limit of open descriptors, because each open account holds a lock. The usual limit of 1,024 is for
    /// programs that use `select(2)`.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private static func main(arguments: [String], _ path: CommandPath) async -> Never {
        do {
            if arguments.first == CompletionRequest.word {
                try StandardStream.output.write(ArchiveNames.answer(arguments))
            } else if arguments.first == ManualPage.request {
                let page = ManualPage(CommandPath(Self.self, []), date: ManualPage.date(arguments))
                try StandardStream.output.write(page.text)
            } else if let script = try CompletionShell.script(for: arguments) {
                try StandardStream.output.write(script + "\n")
            } else {
                try await run(path)
            }
            ProgramEnd.exit(0)
        } catch {
            end(with: error, of: path)
        }
    }

    /// Runs a command.
    static func run(_ arguments: [String]) async throws {
        try await run(CommandPath(Self.self, arguments))
    }

    private static func run(_ path: CommandPath) async throws {
        var command = try parsed(path)
        try await command.run()
    }

    private static func parsed(_ path: CommandPath) throws -> any Command {
        let command = try path.makeCommand()
        if path.command == SearchCommand.self {
            for note in GrepOption.notes(path.rest) { StandardStream.note("scrollback: \(note)\n") }
        }
        return command
    }

    /// The commands whose exit status is that of grep: 1 if nothing is found, 2 for an error.
    private static let lookups: Set = ["history", "search"]

    private static func end(with error: any Error, of path: CommandPath) -> Never {
        // A mistake in the parameters that showed only while the command ran.
        let error = (error as? UsageError).map { ValidationError($0.message) } ?? SharedArchiveFailure(error) ?? error
        let isLookup = path.commands.dropFirst().first.map { lookups.contains($0.name) } ?? false
        switch error {
        case is ReaderLeft: ProgramEnd.exit(0)
        case let ended as EndedBySignal: ProgramEnd.exit(ended.status)
        case let code as ExitCode: ProgramEnd.exit(code.rawValue)
        case let clean as CleanExit:
            do { try StandardStream.output.write(text(of: clean, path)) } catch { end(with: error, of: path) }
            ProgramEnd.exit(0)
        default: break
        }
        let status = ExitCode(for: error)
        let text = status == .validationFailure ? path.text(of: error) : "\(error)"
        StandardStream.note("scrollback: \(FailureText.sentence(for: error) ?? Sanitizer.body(text))\n")
        ProgramEnd.exit(isLookup ? 2 : status.rawValue)
    }

    private static func text(of end: CleanExit, _ path: CommandPath) -> String {
        switch end {
        case .helpRequest: path.help(columns: columns) + "\n"
        case .message(let message): message + "\n"
        }
    }

    /// The width of help: `COLUMNS`, the terminal's width, or 80; at least 40, because its left column has 26.
    private static var columns: Int {
        let given = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }
        return max(40, given ?? Terminal.standardOutput?.width() ?? 80)
    }
}
