import ChatModel
import Synchronization

/// How many files have come, on stderr, where it is a terminal.
final class AttachmentProgress: Sendable {
    private let account: String
    private let isShown = StandardStream.error.isTerminal
    private let wasShown = Mutex(false)

    init(account: String) {
        self.account = Sanitizer.line(account)
    }

    func show(_ tally: AttachmentTally) {
        guard isShown else { return }
        wasShown.withLock { $0 = true }
        let failed = tally.failed > 0 ? ", \(tally.failed.grouped) failed" : ""
        StandardStream.note(
            "\r\u{1B}[Kfetching \(account): \(AttachmentText.files(tally.came)), \(ByteCount(tally.bytes))\(failed), "
                + "\(tally.waiting.grouped) to go")
    }

    /// To the line's beginning, and erases it.
    func clear() {
        let wasShown = wasShown.withLock { shown in
            defer { shown = false }
            return shown
        }
        if wasShown { StandardStream.note("\r\u{1B}[K") }
    }
}
