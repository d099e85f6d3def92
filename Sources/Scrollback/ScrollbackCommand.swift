import Archive
import ChatModel
import Foundation
import Operations
package import Options
import Rendering
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
                    HistoryCommand.self, SearchCommand.self, TailCommand.self, RoomsCommand.self, ServeCommand.self,
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
        keepHelpWide()
        let arguments = Array(CommandLine.arguments.dropFirst())
        SQLiteSettings.apply(limitsMemory: arguments.first == SQLCommand.configuration.commandName)
        // Has an effect only before there are other threads.
        if arguments.first == "import" { MemoryAllocator.shareArena() }
        // The parser would first look at all commands, which takes 2.3 ms.
        if arguments == ["--version"] || arguments == ["-V"] {
            try? StandardStream.output.write(versionLine + "\n")
            Foundation.exit(0)
        }
        if reader(arguments.first) != nil { MainThread.run { await main(arguments: arguments) } }
        Task { @MainActor in await main(arguments: arguments) }
        dispatchMain()
    }

    /// Returns the command of this name if it runs on ``MainThread``: it only reads, and nothing else runs meanwhile. Nil
    /// for another, which is found by the descriptions of all commands. Each has a `_superCommandName`: its parser does
    /// not look for `--generate-completion-script`, which the program's parser finds.
    static func reader(_ name: String?) -> (any Command.Type)? {
        switch name {
        case "history": HistoryCommand.self
        case "search": SearchCommand.self
        case "tail": TailCommand.self
        case "rooms": RoomsCommand.self
        case "show": ShowCommand.self
        case "unread": UnreadCommand.self
        case "users": UsersCommand.self
        case "gaps": GapsCommand.self
        case "stats": StatsCommand.self
        case "sql": SQLCommand.self
        default: nil
        }
    }

    /// Raises the limit of open descriptors, because each open account holds a lock. The usual limit of 1,024 is for
    /// programs that use `select(2)`.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Keeps help wider than 26 columns, the width of its left column: the parser (1.8.2) traps when it wraps to that
    /// or less.
    private static func keepHelpWide() {
        // Reads the terminal first, because it uses the COLUMNS that this process was given.
        _ = Terminal.standardOutput
        var window = winsize()
        let shown = ioctl(1, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0 ? Int(window.ws_col) : nil
        let columns = getenv("COLUMNS").flatMap { Int(String(cString: $0)) } ?? shown
        if let columns, columns < 40 { setenv("COLUMNS", "40", 1) }
    }

    private static func main(arguments: [String]) async -> Never {
        if ArchiveNames.isCompletion(arguments) { await ArchiveNames.readArchive(for: arguments) }
        do {
            if arguments.first == ManualPage.request {
                let page = ManualPage(try CommandDescription.program(), date: arguments.last ?? "")
                try StandardStream.output.write(page.text)
            } else {
                try await run(try await parse(arguments))
            }
            MainThread.exit(0)
        } catch {
            // During completion, a shell would write the error over the text that is being typed.
            if ArchiveNames.isCompletion(arguments), exitCode(for: error) != .success { MainThread.exit(1) }
            end(with: error, of: arguments)
        }
    }

    /// Parses with the command's own parser first. The program's parser has better errors, but takes 2 ms longer. The
    /// words are arranged only if they don't parse unchanged, because that needs every option and takes 10 ms.
    private static func parse(_ arguments: [String]) async throws -> any Command {
        if !SearchWords.looksNegated(arguments), let command = subcommand(arguments.first),
            let parsed = try? command.parseAsRoot(Array(arguments.dropFirst())), type(of: parsed) == command
        {
            return parsed
        }
        try refuseUnknownSubcommand(arguments)
        try refuseEarlyOptions(arguments)
        let arranged = try SearchWords(arranging: arguments)
        for note in arranged.notes { StandardStream.note("scrollback: \(note)\n") }
        return try await asyncParseAsRoot(arranged.arguments)
    }

    /// Runs a command whose arguments need no arranging.
    static func run(_ arguments: [String]) async throws {
        try await run(try parseAsRoot(arguments))
    }

    private static func run(_ parsed: sending any Command) async throws {
        var command = parsed
        if var command = command as? any Command {
            try await command.run()
        } else {
            try command.run()
        }
    }

    private static func subcommand(_ name: String?) -> (any Command.Type)? {
        reader(name) ?? configuration.subcommands.first { $0.configuration.commandName == name }
    }

    /// Refuses an unknown subcommand with a suggestion; the parser calls it an unexpected argument and suggests
    /// nothing.
    static func refuseUnknownSubcommand(_ arguments: [String]) throws {
        // The parser answers "help" and an unknown word with the help of the program.
        let named = NamedCommand(arguments.first == "help" ? Array(arguments.dropFirst()) : arguments)
        guard let word = named.next, !word.hasPrefix("-"), word != "help", !named.subcommands.isEmpty,
            named.type.configuration.defaultSubcommand == nil
        else { return }
        let nearest = Nearest.to(word, among: named.subcommands).map { "; did you mean \"\(named.path)\($0)\"?" } ?? ""
        throw ValidationError("no command \"\(named.path)\(word)\"\(nearest)")
    }

    /// Refuses options before the command, and shows the command as it should be typed; the parser calls them unknown.
    static func refuseEarlyOptions(_ arguments: [String]) throws {
        guard let words = NamedCommand(arguments).withOptionsAfter else { return }
        throw ValidationError("options follow the command: \(NextCommand.line(words))")
    }

    /// The commands whose exit status is that of grep: 1 if nothing is found, 2 for an error.
    private static let lookups: Set = ["history", "search"]

    private static func end(with error: any Error, of arguments: [String]) -> Never {
        // A mistake in the parameters that showed only while the command ran.
        let error = (error as? UsageError).map { ValidationError($0.message) } ?? SharedArchiveFailure(error) ?? error
        if error is ReaderLeft {
            MainThread.exit(0)
        }
        if let ended = error as? EndedBySignal {
            MainThread.exit(ended.status)
        }
        if let sentence = FailureText.sentence(for: error) {
            StandardStream.note("scrollback: \(sentence)\n")
            MainThread.exit(isLookup(arguments) ? 2 : 1)
        }
        let code = exitCode(for: error).rawValue
        let message = code == 0 ? fullMessage(for: error) : NamedCommand(arguments).message(for: error)
        let text = message.isEmpty ? "" : Sanitizer.body(message) + "\n"
        if code == 0 {
            try? StandardStream.output.write(text)
        } else {
            StandardStream.note(text.hasPrefix("Error: ") ? "scrollback: " + text.dropFirst(7) : text)
        }
        MainThread.exit(code != 0 && !message.isEmpty && isLookup(arguments) ? 2 : code)
    }

    private static func isLookup(_ arguments: [String]) -> Bool {
        arguments.first.map(lookups.contains) ?? false
    }
}
