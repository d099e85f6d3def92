import ArgumentParser

/// A command line of `search`, in which a word may begin with `-`, which negates it, also where `--` was forgotten.
struct SearchWords {
    /// The command line with everything that is no option of `search` behind `--`.
    private(set) var arguments: [String]
    /// How words that look like options of grep were read, a sentence each.
    private(set) var notes: [String] = []

    /// Whether the parser would take a negated word for several options: it reads `-hi` as `-h -i`.
    static func looksNegated(_ arguments: [String]) -> Bool {
        arguments.first == "search"
            && arguments.prefix { $0 != "--" }.contains { $0.utf8.count > 2 && isShort($0) && !isJoined($0) }
    }

    /// Arranges a command line of `search`; leaves any other as it is.
    ///
    /// - Throws: ``ValidationError`` for one ASCII letter after `-` that is no option.
    init(arranging arguments: [String]) throws {
        self.arguments = arguments
        guard arguments.first == "search", arguments.contains(where: Self.isShort) else { return }
        let takesValue = try Self.options()
        var (known, words): ([String], [String]) = (["search"], [])
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                break
            }
            if let takesValue = takesValue[argument] {
                known.append(argument)
                if takesValue, let value = rest.popFirst() { known.append(value) }
            } else if argument.hasPrefix("--") || Self.isJoined(argument) {
                known.append(argument)
            } else {
                if let letter = GrepOption.letter(argument) { throw ValidationError(GrepOption.refusal(letter)) }
                if GrepOption.isCombined(argument) { notes.append(GrepOption.note(argument)) }
                words.append(argument)
            }
        }
        self.arguments = known + ["--"] + words
    }

    private static func isShort(_ argument: String) -> Bool {
        argument.hasPrefix("-") && !argument.hasPrefix("--")
    }

    /// `-n5`
    private static func isJoined(_ argument: String) -> Bool {
        argument.wholeMatch(of: /-[nABC][0-9]+/) != nil
    }

    /// Every option by its name, and whether a value follows.
    private static func options() throws -> [String: Bool] {
        let search = try CommandDescription.program().subcommands?.first { $0.commandName == "search" }
        return (search?.arguments ?? []).reduce(into: [:]) { options, argument in
            for name in argument.names ?? [] { options[name.text] = argument.kind == "option" }
        }
    }
}
