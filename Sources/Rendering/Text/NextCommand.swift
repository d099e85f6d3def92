package import ChatModel

/// The command that goes on from a cursor, as one would type it.
package struct NextCommand: Sendable, Hashable {
    /// What comes before the cursor: the room.
    package var subject: [String]
    /// What comes after it: the options that were given.
    package var options: [String]
    package var command = "history"

    package init(subject: [String], options: [String], command: String = "history") {
        self.subject = subject
        self.options = options
        self.command = command
    }

    package func older(_ id: MessageID) -> String {
        "older: " + line(command, "--before", id)
    }

    package func newer(_ id: MessageID) -> String {
        "newer: " + line(command, "--after", id)
    }

    package func line(_ command: String, _ option: String, _ id: MessageID) -> String {
        Self.line([command] + subject + [option, id.description] + options)
    }

    /// The command of these words, as one would type it.
    package static func line(_ words: [String]) -> String {
        (["scrollback"] + words).map(quote).joined(separator: " ")
    }

    /// As a shell takes it for one word. Hostile code points can't be typed: they are shown, and such a word won't work.
    private static func quote(_ word: String) -> String {
        let safe = Sanitizer.line(word)
        let isPlain =
            !safe.isEmpty && safe.first != "~"
            && safe.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || "-_./:@%+,=~".unicodeScalars.contains(scalar)
            }
        return isPlain ? safe : ShellWord.quoted(safe)
    }
}
