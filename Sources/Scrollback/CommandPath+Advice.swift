import Options
import Rendering

extension CommandPath {
    /// Returns the error with the usage of the command, and with advice.
    func text(of error: any Error) -> String {
        guard let error = error as? CommandLineError else { return message(for: error) }
        if case .unknownOption = error.reason, let words = withOptionsAfter {
            return message(for: ValidationError("options follow the command: \(NextCommand.line(words))"))
        }
        return message(for: error, advice: advice(for: error.reason))
    }

    /// The words of the command line with its first options after the command; nil if it does not begin with options.
    private var withOptionsAfter: [String]? {
        let (commands, rest) = (Set(command.configuration.subcommands.map { $0.name }), Array(rest))
        guard rest.first?.hasPrefix("-") == true else { return nil }
        // A command's name may also be the value of an option: --data history import.
        let start =
            rest.indices.dropFirst().first { commands.contains(rest[$0]) && !rest[$0 - 1].hasPrefix("-") }
            ?? rest.firstIndex(where: commands.contains)
        guard let start else { return nil }
        let below = CommandPath(ScrollbackCommand.self, words.split(separator: " ").map(String.init) + rest[start...])
        return below.words.split(separator: " ").map(String.init) + rest[..<start] + below.rest
    }

    private func advice(for reason: CommandLineError.Reason) -> String? {
        switch reason {
        case .unknownOption("--version"): "\"scrollback --version\" shows the version"
        case .unknownOption(let option): advice(forOption: option)
        case .unknownCommand:
            CommandHabit.advice(
                in: command == ArchiveCommand.self ? "archive" : words.isEmpty ? "" : words, Array(rest))
                ?? nearestCommand.map { "did you mean \"\(words)\($0)\"?" }
        // Other commands take accounts and rooms without options.
        case .unexpected where command == ExportCommand.self:
            "choose an account with -a NAME, and its rooms with --room NAME"
        default: nil
        }
    }

    private var nearestCommand: String? {
        rest.first.flatMap { Nearest.to($0, among: command.configuration.subcommands.map { $0.name }) }
    }

    private func advice(forOption option: String) -> String? {
        let options = parameters.filter { $0.form != .argument }.flatMap { [$0.name] + $0.aliases }
        let arguments = parameters.filter { $0.form == .argument }.map { "<\($0.valueName)>" }
        if let advice = OptionHabit.advice(for: option, among: options + arguments, words: Array(rest)) {
            return advice
        }
        if command == SearchCommand.self, let letter = GrepOption.letter(option) { return GrepOption.advice(letter) }
        let name = String(option.drop { $0 == "-" })
        let known = options + ["help"]
        let nearest = option.hasPrefix("--") ? Nearest.to(name, among: known) : known.first { $0 == name }
        return nearest.map { "did you mean '--\($0)'?" }
    }
}
