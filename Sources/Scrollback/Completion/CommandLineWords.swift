import Rendering

/// The words of a command line that is being typed.
struct CommandLineWords: Sendable {
    private let words: [String]
    private let home: String
    /// False for fish before 4, which passes words without their quotes.
    private let areQuoted: Bool

    init(_ words: ArraySlice<String>, environment: [String: String]) {
        self.words = Array(words)
        home = environment["HOME"] ?? ""
        areQuoted = environment["SAP_SHELL"] != "fish" || !(environment["SAP_SHELL_VERSION"] ?? "").hasPrefix("3.")
    }

    /// Returns the text that the command would get for a word.
    func text(_ word: String) -> String {
        areQuoted ? ShellWord.text(word, home: home) : word
    }

    /// Returns the value of `--data x`, `--data=x`, or `--data` `=` `x`, as bash splits it. The last one counts.
    func value(of option: String) -> String? {
        var value: String?
        for (index, word) in words.enumerated() {
            if word.hasPrefix(option + "=") { value = text(String(word.dropFirst(option.count + 1))) }
            guard word == option else { continue }
            let rest = words[(index + 1)...].drop { $0 == "=" }
            value = rest.first.map(text) ?? value
        }
        return value
    }
}
