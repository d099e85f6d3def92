import Rendering

/// A command of other programs that people try here, and what this program has instead.
enum CommandHabit {
    /// Returns the advice for an unknown command; nil if there is none.
    ///
    /// - Parameters:
    ///   - group: The command that was expected to have it: `archive`, or an empty text for the program itself.
    ///   - words: The unknown command and the words after it.
    static func advice(in group: String, _ words: [String]) -> String? {
        switch (group, words.first ?? "") {
        case ("", "delete"), ("", "remove"), ("", "rm"), ("", "erase"), ("archive", "delete"), ("archive", "remove"),
            ("archive", "rm"):
            let rest = Array(words.dropFirst())
            return "to erase an account, or a room with --room: "
                + NextCommand.line(["archive", "erase"] + (rest.isEmpty ? ["ACCOUNT"] : rest))
        case ("", "version"): return "the version is: scrollback --version"
        default: return nil
        }
    }
}
