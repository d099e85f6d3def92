import Bytes
import FoundationEssentials
import Glibc

/// The program with which a person edits a file.
package struct Editor: Sendable, Hashable {
    /// The command for `/bin/sh -c`, as Git runs it.
    package let command: String
    private let environment: [String: String]

    /// Chooses `VISUAL`, else `EDITOR`, else `vi` (POSIX).
    package init(environment: [String: String]) {
        let chosen = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }
            .map { $0.trimmed }.first { !$0.isEmpty }
        (command, self.environment) = (chosen ?? "vi", environment)
    }

    /// Edits the file, and returns when the person has closed the editor.
    ///
    /// - Throws: ``EndedBySignal`` if a signal asked this process to end meanwhile; ``OutputError`` when the editor
    ///   can't be started or fails.
    package func edit(_ path: String) throws {
        let status: Int32
        do {
            status = try PagerProcess(editing: path, script: command, environment: environment).wait()
        } catch let error as PagerProcess.Failure {
            throw failure(error.reason)
        }
        guard status == 0 else { throw failure("it ended with status \(status)") }
    }

    private func failure(_ reason: String) -> OutputError {
        OutputError(
            .editor, "the editor \"\(Sanitizer.line(command))\" failed: \(reason)",
            hint: "choose another with VISUAL or EDITOR")
    }
}
