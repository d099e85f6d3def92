import ChatModel
import Rendering

/// The number of fetched files, on stderr. Shown on terminals only.
struct AttachmentProgress: Sendable {
    private let account: String
    private let line = TerminalLine()

    init(account: String) {
        self.account = Sanitizer.line(account)
    }

    func show(_ tally: AttachmentTally) {
        let failed = tally.failed > 0 ? ", \(tally.failed.grouped) failed" : ""
        line.show(
            "fetching \(account): \(AttachmentText.files(tally.fetched)), \(ByteCount(tally.bytes))\(failed), "
                + "\(tally.waiting.grouped) to go")
    }

    func clear() {
        line.clear()
    }
}
