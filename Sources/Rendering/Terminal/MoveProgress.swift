import Synchronization

/// How far an account's file is compressed, made plain or copied, on stderr, where it is a terminal and takes over a second.
package final class MoveProgress: Sendable {
    private let verb: String
    private let line = TerminalLine(patience: .seconds(1))
    private let account = Mutex<String?>(nil)

    package init(verb: String) {
        self.verb = verb
    }

    /// - Parameters:
    ///   - bytes: Of the account's file that are done.
    ///   - note: Said after them.
    package func show(_ account: String, _ bytes: Int64, _ note: String = "") {
        let isOther = self.account.withLock { shown in
            defer { shown = account }
            return shown != account
        }
        if isOther { line.clear() }
        line.show("\(verb) \(Sanitizer.line(account)): \(ByteCount(bytes))\(note)")
    }

    package func clear() {
        line.clear()
    }
}
