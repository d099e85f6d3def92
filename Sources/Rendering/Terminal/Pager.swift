import Bytes
import FoundationEssentials
import Glibc

/// The program that shows a text longer than the screen.
package struct Pager: Sendable, Hashable {
    /// The command for `/bin/sh -c`, as Git runs it.
    package private(set) var command: String
    /// The complete environment of the pager.
    package let environment: [String: String]
    /// False for the default pager, which the machine may lack.
    package let isNamed: Bool

    /// Chooses `SCROLLBACK_PAGER`, else `PAGER`, else `less -FRX`: -F ends it at once when the text fits on the screen,
    /// -R shows colours, -X leaves the text on the screen.
    ///
    /// Nil on a dumb terminal, and when the chosen command is empty or `cat`.
    package init?(environment: [String: String], terminal: Terminal) {
        guard !terminal.isDumb else { return nil }
        let named = environment["SCROLLBACK_PAGER"] ?? environment["PAGER"]
        isNamed = named != nil
        command = (named ?? "less -FRX").trimmed
        guard command != "", command != "cat" else { return nil }
        // Like Git, makes `less` and `lv` show colours if they were chosen by name, unless the environment says
        // otherwise.
        // The text is UTF-8. In a locale with another encoding, `less` would show Korean as hexadecimal numbers.
        var environment = environment.merging(["LESS": "FRX", "LV": "-c", "LESSCHARSET": "utf-8"]) { own, _ in own }
        // A rule of sudo that allows this program must not allow the shell and the editor that `less` can start.
        if environment["SUDO_UID"] != nil { environment["LESSSECURE"] = "1" }
        self.environment = environment
    }

    /// The place of a text at which a pager opens.
    package enum Place: Sendable, Hashable {
        case start, end
        /// A line, from 1 on, below some lines before it.
        case line(Int)
    }

    /// Returns the pager that opens at a place of a text. Only `less` can; others open at the start, and so does a text that
    /// fits on the screen.
    ///
    /// - Parameter height: The lines of the terminal.
    package func opening(at place: Place, of text: String, height: Int) -> Pager {
        let words = command.split(separator: " ").map(String.init)
        guard words.first?.split(separator: "/").last == "less", words.allSatisfy(Self.isPlain),
            !words.contains(where: { $0.hasPrefix("+") }), text.utf8.count(where: { $0 == 10 }) >= height
        else { return self }
        var pager = self
        switch place {
        case .start: break
        case .end: pager.command += " +G"
        // The line is in the upper third of the screen.
        case .line(let number): pager.command += " -j.3 +\(number)g"
        }
        return pager
    }

    /// Shows a text, and returns when the person has closed the pager, perhaps before the end.
    ///
    /// - Throws: ``EndedBySignal`` if a signal asked this process to end meanwhile; ``OutputError`` when the pager
    ///   can't be started.
    /// - Returns: False if the program doesn't exist, so that nothing was shown.
    package func show(_ text: String) throws -> Bool {
        guard let process = try start() else { return false }
        // A pager that has ended is not an error, because the user quit it.
        try? process.write(text)
        let status = try process.wait()
        // A shell's words for "can't be run" and "not found".
        return status != 126 && status != 127
    }

    /// Starts the pager, for a text of many parts. Nil if the program doesn't exist.
    ///
    /// - Throws: ``OutputError`` when the pager can't be started.
    package func start() throws -> PagerProcess? {
        guard let script else { return nil }
        do {
            return try PagerProcess(script: script, environment: environment)
        } catch {
            throw OutputError(
                .pager, "can't run pager \"\(Sanitizer.line(command))\": \(error.reason)", hint: "add --no-pager")
        }
    }

    /// The script for the shell. A program with plain options replaces the shell, so that signals reach it.
    ///
    /// Nil if the program doesn't exist, because the shell's own message would be shown.
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

    /// Returns true if a shell leaves the word unchanged.
    private static func isPlain(_ word: String) -> Bool {
        word.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || "-_./+,:%@".utf8.contains(byte)
        }
    }
}
