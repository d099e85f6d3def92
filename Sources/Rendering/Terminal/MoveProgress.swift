import Synchronization

/// The progress of compressing, restoring or copying an account's file, on stderr. Shown on terminals only, after one
/// second.
package final class MoveProgress: Sendable {
    private let verb: String
    private let line = TerminalLine(delay: .seconds(1))
    private let account = Mutex<String?>(nil)

    package init(verb: String) {
        self.verb = verb
    }

    /// Shows the progress of an account; replaces that of the account before.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the account's file that are done.
    ///   - note: A text to show after them.
    package func show(_ account: String, _ bytes: Int64, _ note: String = "") {
        let isOther = self.account.withLock { shown in
            defer { shown = account }
            return shown != account
        }
        if isOther { line.clear() }
        line.show("\(verb) \(Sanitizer.line(account)): \(ByteCount(bytes))\(note)")
    }

    /// Removes the line.
    package func clear() {
        line.clear()
    }
}
