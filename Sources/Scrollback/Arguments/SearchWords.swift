import Options

/// A command line of `search`. A word with `-` at its beginning is negated, also without `--` before it.
struct SearchWords {
    /// The command line, with every word that is not an option of `search` after `--`.
    private(set) var arguments: [String]
    /// A sentence for each word that looks like several options of grep, which explains how it was read.
    private(set) var notes: [String] = []

    /// Returns true if the parser would read a negated word as several options: it reads `-hi` as `-h -i`.
    static func looksNegated(_ arguments: [String]) -> Bool {
        arguments.first == "search"
            && arguments.prefix { $0 != "--" }.contains { $0.utf8.count > 2 && isShort($0) && !isJoined($0) }
    }

    /// Arranges a command line of `search`; leaves any other unchanged.
    ///
    /// - Throws: ``ValidationError`` for one ASCII letter after `-` that is not an option.
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
                if argument == "--between", let second = rest.first, !second.hasPrefix("-") {
                    known.append(rest.removeFirst())
                }
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

    /// Returns true for an option with its number, such as `-n5`.
    private static func isJoined(_ argument: String) -> Bool {
        argument.wholeMatch(of: /-[nABC][0-9]+/) != nil
    }

    /// Returns every option by its name; the value is true if the option takes a value.
    private static func options() throws -> [String: Bool] {
        let search = try CommandDescription.program().subcommands?.first { $0.commandName == "search" }
        return (search?.arguments ?? []).reduce(into: [:]) { options, argument in
            for name in argument.names ?? [] { options[name.text] = argument.kind == "option" }
        }
    }
}
