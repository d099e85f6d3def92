/// Lets a word of `search` begin with `-`, which negates it, also where `--` was forgotten.
enum SearchWords {
    /// The same command line with everything that is no option of `search` behind `--`.
    static func arrange(_ arguments: [String]) throws -> [String] {
        guard arguments.first == "search", arguments.contains(where: { $0.hasPrefix("-") && !$0.hasPrefix("--") })
        else {
            return arguments
        }
        let takesValue = try options()
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
            } else if argument.hasPrefix("--") || argument.wholeMatch(of: /-[nABC][0-9]+/) != nil {
                known.append(argument)
            } else {
                words.append(argument)
            }
        }
        return known + ["--"] + words
    }

    /// Every option by its name, and whether a value follows.
    private static func options() throws -> [String: Bool] {
        let search = try CommandDescription.program().subcommands?.first { $0.commandName == "search" }
        return (search?.arguments ?? []).reduce(into: [:]) { options, argument in
            for name in argument.names ?? [] { options[name.text] = argument.kind == "option" }
        }
    }
}
