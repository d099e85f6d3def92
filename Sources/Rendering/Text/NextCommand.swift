package import ChatModel

/// The command that continues from a cursor, as a person would type it.
package struct NextCommand: Sendable, Hashable {
    /// The words before the cursor: the room.
    package var subject: [String]
    /// The words after the cursor: the given options.
    package var options: [String]
    package var command = "history"
    /// The given start, which the command for older messages keeps.
    package var after: String?
    /// The given end, which the command for newer messages keeps.
    package var before: String?
    /// The end of a time that is read backwards, which the command for older messages keeps.
    package var until: String?

    package init(
        subject: [String], options: [String], command: String = "history", after: String? = nil, before: String? = nil,
        until: String? = nil
    ) {
        (self.subject, self.options, self.command) = (subject, options, command)
        (self.after, self.before, self.until) = (after, before, until)
    }

    /// Returns a line with the command for the messages before a cursor.
    package func older(_ id: MessageID) -> String {
        let place =
            until.map { ["--between", id.description, $0] }
            ?? ["--before", id.description] + (after.map { ["--after", $0] } ?? [])
        return "older: " + line(command, place)
    }

    /// Returns a line with the command for the messages after a cursor.
    package func newer(_ id: MessageID) -> String {
        "newer: " + line(command, ["--after", id.description] + (before.map { ["--before", $0] } ?? []))
    }

    /// Returns a line for each of the nearest days with messages, with the command for that day.
    package func days(_ day: Page.Day) -> [String] {
        [("previous day", day.previous), ("next day", day.next)].compactMap { label, day in
            day.map { "\(label): " + line(command, ["--day", $0.name]) }
        }
    }

    /// Returns a command with a cursor, quoted for a shell.
    package func line(_ command: String, _ option: String, _ id: MessageID) -> String {
        line(command, [option, id.description])
    }

    private func line(_ command: String, _ place: [String]) -> String {
        Self.line([command] + subject + place + options)
    }

    /// Returns the option for an account. A name that begins with a dash follows `=`, or it is read as an option.
    package static func account(_ name: String) -> [String] {
        name.hasPrefix("-") ? ["--account=\(name)"] : ["-a", name]
    }

    /// Returns the command of these words, quoted for a shell.
    package static func line(_ words: [String]) -> String {
        (["scrollback"] + words).map(word).joined(separator: " ")
    }

    /// Returns a word as a shell reads it. Hostile code points can't be typed. They are shown escaped, and such a word
    /// does not work.
    package static func word(_ word: String) -> String {
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
