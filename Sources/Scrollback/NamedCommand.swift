import Options
import Rendering

/// The command that the first words of a command line name.
struct NamedCommand {
    /// The program if the first word names no command.
    let type: any Command.Type
    /// The command's words, each with a space after it; empty for the program.
    let path: String
    /// The words after them.
    let rest: [String]

    init(_ arguments: [String]) {
        var (type, path): (any Command.Type, String) = (ScrollbackCommand.self, "")
        var rest = arguments[...]
        while let word = rest.first,
            let next = type.configuration.subcommands.first(where: { $0.configuration.commandName == word })
        {
            (type, path) = (next, path + word + " ")
            rest.removeFirst()
        }
        (self.type, self.path, self.rest) = (type, path, Array(rest))
    }

    /// The word after the command's words.
    var next: String? { rest.first }

    var subcommands: [String] { type.configuration.subcommands.compactMap { $0.configuration.commandName } }

    /// The words of the command line with its first options after the command; nil if it does not begin with options, or if
    /// the program or the group of commands has one of them itself.
    var withOptionsAfter: [String]? {
        let commands = Set(subcommands)
        // The parser's own request for completions begins with three.
        guard let first = rest.first, first.hasPrefix("-"), !first.hasPrefix("---"),
            type.configuration.defaultSubcommand == nil
        else { return nil }
        // A command's name may also be the value of an option: --data history import.
        let start =
            rest.indices.dropFirst().first { commands.contains(rest[$0]) && !rest[$0 - 1].hasPrefix("-") }
            ?? rest.firstIndex(where: commands.contains)
        guard let start else { return nil }
        let early = rest[..<start]
        let own = Set(arguments.flatMap { $0.names ?? [] }.map(\.text))
        guard !early.contains(where: { own.contains(String($0.prefix { $0 != "=" })) }) else { return nil }
        let command = NamedCommand(path.split(separator: " ").map(String.init) + rest[start...])
        return command.path.split(separator: " ").map(String.init) + early + command.rest
    }

    /// Returns the error as the parser shows it, with the usage of this command and with our own suggestion.
    func message(for error: any Error) -> String {
        // The parser would show the usage of the program, because this error does not say where it comes from.
        guard let error = error as? ValidationError else {
            return withSelection(withSuggestion(ScrollbackCommand.fullMessage(for: error)))
        }
        return """
            Error: \(error.message)
            Usage: \(usage)
              See 'scrollback \(path)--help' for more information.
            """
    }

    private var usage: String {
        ScrollbackCommand.usageString(for: type).split(separator: "\n").joined(separator: "\n       ")
    }

    /// Replaces the parser's suggestion for an unknown option by that for a habit, or by the nearest option. The parser
    /// (1.8.2) suggests any option within three edits, such as `--hide` for `--since`.
    private func withSuggestion(_ message: String) -> String {
        guard
            let unknown = message.firstMatch(
                of: /^Error: Unknown option '(--?)([^'\n]+)'(\. Did you mean '[^'\n]+'\?)?/)
        else { return message }
        let (option, options) = ("\(unknown.1)\(unknown.2)", options)
        let advice =
            OptionHabit.advice(for: option, among: options + positionals, words: rest)
            ?? (unknown.1 == "--" ? Nearest.to(String(unknown.2), among: options) : nil).map {
                "did you mean '--\($0)'?"
            }
        return "Error: unknown option '\(option)'" + (advice.map { "; \($0)" } ?? "")
            + message[unknown.range.upperBound...]
    }

    /// Adds to the parser's refusal of words of `export` how to choose accounts and rooms, because other commands take
    /// them without options.
    private func withSelection(_ message: String) -> String {
        guard type == ExportCommand.self,
            let refusal = message.prefixMatch(of: /Error: (?:Unexpected argument|[0-9]+ unexpected arguments:) '[^\n]*/)
        else { return message }
        let advice = "; choose an account with -a NAME, and its rooms with --room NAME"
        return "\(refusal.output)\(advice)\(message[refusal.range.upperBound...])"
    }

    /// The long options, without `--`.
    private var options: [String] {
        arguments.flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map(\.name)
    }

    /// The arguments without an option: `<room>`.
    private var positionals: [String] {
        arguments.filter { $0.kind == "positional" }.compactMap { $0.valueName.map { "<\($0)>" } }
    }

    private var arguments: [CommandDescription.Argument] {
        var description = try? CommandDescription.program()
        for word in path.split(separator: " ") {
            description = description?.subcommands?.first { $0.commandName == word }
        }
        return description?.arguments ?? []
    }
}
