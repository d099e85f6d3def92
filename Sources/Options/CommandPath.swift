/// The command that the first words of a command line name, and the words after them.
package struct CommandPath {
    /// The program's command, and the commands below it, the named one last.
    package private(set) var commands: [any Command.Type]
    /// The words after the command's own.
    package private(set) var rest: ArraySlice<String>
    /// True after the word `help`.
    package private(set) var asksForHelp = false

    package init(_ program: any Command.Type, _ words: [String]) {
        (commands, rest) = ([program], words[...])
        // Looks at the names of commands only for a word that can be one: some descriptions take long to make.
        while let word = rest.first, !word.utf8.starts(with: "-".utf8) {
            if word == "help", !command.configuration.subcommands.isEmpty {
                asksForHelp = true
            } else if let next = command.configuration.subcommands.first(where: { $0.name == word }) {
                commands.append(next)
            } else {
                break
            }
            rest.removeFirst()
        }
        guard let usual = command.configuration.defaultSubcommand, !asksForHelp,
            rest.first.map(WordReader.asksForHelp) != true
        else { return }
        commands.append(usual)
    }

    private init(_ commands: [any Command.Type]) { (self.commands, rest) = (commands, []) }

    /// The commands directly below this one.
    package var below: [CommandPath] { command.configuration.subcommands.map { CommandPath(commands + [$0]) } }

    /// This command, and every command below it in order.
    package var all: [CommandPath] { [self] + below.flatMap(\.all) }

    package var command: any Command.Type { commands[commands.count - 1] }

    /// The words of the command: `scrollback archive check`.
    package var name: String { commands.map { $0.name }.joined(separator: " ") }

    /// The words of the command after the program's, each with a space after it.
    package var words: String { commands.dropFirst().map { "\($0.name) " }.joined() }

    /// The parameters of the command, without `--help`.
    package var parameters: [Parameter] {
        let command = command
        return CommandAssembly.make { command.init() }.1.cells.map(\.described)
    }

    /// Returns the command with the values of its words.
    ///
    /// - Throws: ``CommandLineError``, ``CleanExit`` for help, or what the command's own checks throw.
    package func makeCommand() throws -> any Command {
        let command = command
        if let word = rest.first, !word.utf8.starts(with: "-".utf8), !command.configuration.subcommands.isEmpty {
            throw CommandLineError(reason: .unknownCommand(words + word))
        }
        // After `help`, no command runs, whatever words follow its name.
        if asksForHelp { throw CleanExit.helpRequest }
        var (value, assembly) = CommandAssembly.make { command.init() }
        var reader = WordReader(assembly.cells)
        try reader.readWords(Array(rest))
        for check in assembly.checks { try check() }
        try value.validate()
        return value
    }

    /// Returns an error with the usage of the command.
    ///
    /// - Parameter advice: Advice after the error's own words; nil for none.
    package func message(for error: any Error, advice: String? = nil) -> String {
        var lines = ["\(error)" + (advice.map { "; \($0)" } ?? "")]
        if let error = error as? CommandLineError, !error.help.isEmpty { lines.append("Help:  \(error.help)") }
        lines.append("Usage: \(CommandHelp.indented(help.usage))")
        lines.append("  See '\(name) --help' for more information.")
        return lines.joined(separator: "\n")
    }

    var help: CommandHelp { CommandHelp(self) }

    /// Returns the help of the command.
    ///
    /// - Parameter columns: The width of a line.
    package func help(columns: Int) -> String { help.text(columns: columns) }
}

extension Command {
    /// Reads a whole command line, without the name of the program, which is this command.
    package static func parseAsRoot(_ words: [String]) throws -> any Command {
        try CommandPath(Self.self, words).makeCommand()
    }
}

extension ParsableArguments {
    /// Reads words into this command or group, and checks them.
    package static func parse(_ words: [String]) throws -> Self {
        var (value, assembly) = CommandAssembly.make(Self.init)
        var reader = WordReader(assembly.cells)
        try reader.readWords(words)
        for check in assembly.checks { try check() }
        try value.validate()
        return value
    }
}

extension ExitCode {
    /// Returns the status with which a command ends after an error.
    package init(for error: any Error) {
        switch error {
        case let code as ExitCode: self = code
        case is CleanExit: self = .success
        case is ValidationError, is CommandLineError: self = .validationFailure
        default: self = .failure
        }
    }
}
