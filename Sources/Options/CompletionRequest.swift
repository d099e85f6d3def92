/// A shell that completes command lines.
package enum CompletionShell: String, Sendable, CaseIterable {
    case bash, zsh, fish
}

/// The words of a command line that is being typed, for which a shell asks the candidates.
package struct CompletionRequest {
    package let shell: CompletionShell
    /// The words before the one at the cursor, without the program's name.
    package let words: [String]
    /// The word at the cursor, as far as it is typed.
    package let typed: String
    private let path: CommandPath
    private let cells: [ParameterCell]
    private let place: Place

    private enum Place {
        case option
        case value(Parameter, prefix: String)
        case command
        case nothing
    }

    /// The first word with which the scripts ask: `---completion SHELL WORD…`, the program's name first and the word at the
    /// cursor last.
    package static let word = "---completion"

    /// - Parameter text: Returns the text of a word as the shell passes it.
    /// - Returns: Nil for words that don't ask.
    package init?(_ program: any Command.Type, _ arguments: [String], text: (CompletionShell, String) -> String) {
        guard arguments.first == Self.word, arguments.count >= 4, let shell = CompletionShell(rawValue: arguments[1])
        else { return nil }
        self.shell = shell
        // bash cuts words at "=".
        var words = arguments.dropFirst(3).map { text(shell, $0) }
        typed = words.last == "=" ? "" : words.removeLast()
        words = words.filter { $0 != "=" }
        self.words = words
        path = CommandPath(program, words)
        let command = path.command
        cells = CommandAssembly.make { command.init() }.1.cells
        place = Self.place(cells.map(\.described), Array(path.rest), typed, path)
    }

    /// The kind of the candidates that ``answer(_:)`` takes.
    package var wanted: Parameter.Completion {
        if case .value(let parameter, _) = place { parameter.completion } else { .none }
    }

    /// The typed part of the wanted name.
    package var typedName: String {
        if case .value(_, let prefix) = place { String(typed.dropFirst(prefix.count)) } else { typed }
    }

    /// Returns the value of an option, such as `--data`, in the words; the last one counts.
    package func value(of option: String) -> String? {
        var value: String?
        for (index, word) in words.enumerated() {
            if word == option { value = words.dropFirst(index + 1).first ?? value }
            if word.utf8.starts(with: "\(option)=".utf8) { value = String(word.dropFirst(option.count + 1)) }
        }
        return value
    }

    /// The accounts that the words before the one at the cursor name, as arguments or with an option.
    package var accounts: [String] {
        let parameters = cells.map(\.described)
        let arguments = parameters.filter { $0.form == .argument }
        var (names, pending, count): ([String], Parameter?, Int) = ([], nil, 0)
        for word in path.rest {
            if !WordReader.looksLikeOption(word) {
                let argument = count < arguments.count ? arguments[count] : arguments.last
                if (pending ?? argument)?.completion == .accounts { names.append(word) }
                if pending == nil { count += 1 }
                pending = pending.flatMap { $0.upTo > 1 ? $0.once : nil }
            } else {
                let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
                let option = parameters.first { $0.takesValue && $0.names.contains(parts[0]) }
                if parts.count > 1, option?.completion == .accounts { names.append(parts[1]) }
                pending = parts.count > 1 ? nil : option
            }
        }
        return names
    }

    /// Returns the lines for the shell: `files`, `folders` or `words`, and then the candidates. Descriptions follow a tab.
    ///
    /// - Parameter names: The names in the archive of the kind ``wanted``.
    package func answer(_ names: [String]) -> String {
        switch place {
        case .nothing: return "words\n"
        case .option: return lines(options)
        case .command: return lines(commands)
        case .value(let parameter, let prefix):
            switch parameter.completion {
            case .file(let extensions): return (["files"] + extensions).joined(separator: " ") + "\n"
            case .directory: return "folders\n"
            case .rooms, .accounts: return lines(names.map { (prefix + $0, "") })
            case .list(let values): return lines(values.map { (prefix + $0, "") })
            case .none: return lines(parameter.values.map { (prefix + $0, "") })
            }
        }
    }

    private static func place(
        _ parameters: [Parameter], _ words: [String], _ typed: String, _ path: CommandPath
    ) -> Place {
        var (pending, count, isEnded): (Parameter?, Int, Bool) = (nil, 0, false)
        for word in words {
            if let option = pending, !WordReader.looksLikeOption(word) {
                pending = option.upTo > 1 ? option.once : nil
            } else if isEnded || !WordReader.looksLikeOption(word) {
                count += 1
            } else {
                pending = parameters.first { $0.takesValue && $0.names.contains(word) }
                isEnded = word == "--"
            }
        }
        if let pending, pending.upTo == 1 || !WordReader.looksLikeOption(typed) { return .value(pending, prefix: "") }
        if !isEnded, typed.utf8.starts(with: "-".utf8) {
            guard let equals = typed.firstIndex(of: "="),
                let option = parameters.first(where: { $0.takesValue && $0.names.contains(String(typed[..<equals])) })
            else { return .option }
            return .value(option, prefix: String(typed[...equals]))
        }
        if count == 0, !path.command.configuration.subcommands.isEmpty || path.commands.count > 1 && path.isUsual {
            return .command
        }
        let arguments = parameters.filter { $0.form == .argument }
        guard let last = arguments.last else { return .nothing }
        return count < arguments.count
            ? .value(arguments[count], prefix: "") : last.isRepeated ? .value(last, prefix: "") : .nothing
    }

    private var commands: [(String, String)] {
        let parent =
            path.command.configuration.subcommands.isEmpty ? path.commands[path.commands.count - 2] : path.command
        let known = parent.configuration.subcommands.map { ($0.name, $0.configuration.abstract) }
        return path.commands.count == 1 && !path.asksForHelp ? known + [("help", "Show the help of a command.")] : known
    }

    /// The options that are not given yet, or that may be repeated.
    private var options: [(String, String)] {
        (cells.map(\.parameter) + [.helpFlag]).filter { parameter in
            !parameter.isHidden && (parameter.isRepeated || !parameter.names.contains(where: words.contains))
        }.flatMap { parameter in parameter.names.map { ($0, parameter.help) } }
    }

    /// Returns candidates with their descriptions. zsh and fish choose those that fit what is typed.
    private func lines(_ candidates: [(word: String, help: String)]) -> String {
        "words\n"
            + candidates.filter { shell != .bash || $0.word.utf8.starts(with: typed.utf8) }.map { word, help in
                help.isEmpty || shell == .bash ? "\(word)\n" : "\(word)\t\(help)\n"
            }.joined()
    }
}

extension Parameter {
    fileprivate var once: Parameter {
        var parameter = self
        parameter.upTo = 1
        return parameter
    }
}

extension CommandPath {
    /// True if the last command is the one for words that name none.
    fileprivate var isUsual: Bool {
        commands[commands.count - 2].configuration.defaultSubcommand.map { $0 == command } ?? false
    }
}
