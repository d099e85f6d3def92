import Foundation

/// The program that lets a person look through a text that is longer than the screen.
package struct Pager: Sendable, Hashable {
    /// For `/bin/sh -c`, as Git takes it.
    package let command: String
    /// All that the pager's environment holds.
    package let environment: [String: String]

    /// `SCROLLBACK_PAGER`, else `PAGER`, else `less -FRX`: -F ends it at once where the text fits on the screen, -R shows
    /// colours, -X leaves the text on the screen.
    ///
    /// Nil where there is nothing to page on, and where the command that was chosen is empty or `cat`.
    package init?(environment: [String: String], terminal: Terminal) {
        guard !terminal.isDumb else { return nil }
        let chosen = environment["SCROLLBACK_PAGER"] ?? environment["PAGER"] ?? "less -FRX"
        command = chosen.trimmingCharacters(in: .whitespacesAndNewlines)
        guard command != "", command != "cat" else { return nil }
        // As Git does: a `less` or `lv` that was chosen by name shows colours too, unless told otherwise.
        self.environment = environment.merging(["LESS": "FRX", "LV": "-c"]) { own, _ in own }
    }

    /// Shows a text and returns when the person has seen enough, which may be before its end.
    ///
    /// - Throws: ``EndedBySignal`` when a signal asked this process to end meanwhile; ``OutputError``.
    /// - Returns: False when there is no such pager, so that nothing was shown.
    package func show(_ text: String) throws -> Bool {
        guard let script else { return false }
        do {
            let status = try PagerProcess(script: script, environment: environment).show(text)
            // A shell's words for "can't be run" and "not found".
            return status != 126 && status != 127
        } catch let error as PagerProcess.Failure {
            throw OutputError(
                .pager, "pager \"\(Sanitizer.line(command))\": \(error.reason)", hint: "--no-pager does without")
        }
    }

    /// What the shell is given: a mere program with options takes the shell's place, so that signals reach it.
    ///
    /// Nil for a program that is not there: the shell would say that too, in words of its own.
    private var script: String? {
        let words = command.split(separator: " ").map(String.init)
        guard words.allSatisfy(Self.isPlain), let program = words.first, !["command", "exec"].contains(program) else {
            return command
        }
        return isThere(program) ? "exec \(command)" : nil
    }

    private func isThere(_ program: String) -> Bool {
        if program.contains("/") { return access(program, X_OK) == 0 }
        let path = environment["PATH", default: "/usr/bin:/bin"].split(separator: ":")
        return path.contains { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// Whether a shell takes a word for what it says.
    private static func isPlain(_ word: String) -> Bool {
        word.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || "-_./+,:%@".utf8.contains(byte)
        }
    }
}
