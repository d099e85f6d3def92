import ChatModel

/// The loaded part of a history: some messages in order of time, the gaps in their time, and the cursors beyond both ends.
struct HistoryWindow: Sendable {
    private(set) var messages: [Message] = []
    private(set) var gaps: [Gap] = []
    /// The cursor of the messages before the first one; nil at the beginning of the history.
    private(set) var older: MessageID?
    /// The cursor of the messages after the last one; nil at the end of the history.
    private(set) var newer: MessageID?

    /// 1,200: a page of a large terminal has 100 lines, and reading on begins two pages before an end.
    private static let mostMessages = 1200
    /// 4 MiB of texts. A text may have some MiB, and the window has one message at least.
    private static let mostBytes = 4 << 20

    init() {}

    init(_ page: Page) {
        (messages, gaps, older, newer) = (page.messages, page.gaps, page.older, page.newer)
    }

    var isEmpty: Bool { messages.isEmpty && gaps.isEmpty }

    /// Adds an earlier page, and releases the latest messages beyond the limits.
    mutating func prepend(_ page: Page) {
        messages = page.messages + messages
        older = page.older
        merge(page.gaps)
        let kept = fitting(messages)
        guard kept < messages.count else { return }
        messages = Array(messages.prefix(kept))
        newer = messages.last?.id
        trimGaps()
    }

    /// Adds a later page, and releases the earliest messages beyond the limits.
    mutating func append(_ page: Page) {
        messages += page.messages
        newer = page.newer
        merge(page.gaps)
        let kept = fitting(messages.reversed())
        guard kept < messages.count else { return }
        messages = Array(messages.suffix(kept))
        older = messages.first?.id
        trimGaps()
    }

    /// Replaces the messages, which were read again from the same beginning on.
    mutating func refresh(_ page: Page) {
        let older = older
        self = HistoryWindow(page)
        self.older = older
    }

    /// Returns the number of messages from the first one on that the window can have.
    private func fitting(_ messages: [Message]) -> Int {
        var (count, bytes) = (0, 0)
        for message in messages {
            bytes += message.body?.utf8.count ?? 0
            guard count == 0 || count < Self.mostMessages && bytes <= Self.mostBytes else { break }
            count += 1
        }
        return count
    }

    /// Adds gaps. A gap between two pages is on both, and the one that was read last counts.
    private mutating func merge(_ more: [Gap]) {
        gaps.removeAll { gap in
            more.contains { $0.account == gap.account && $0.room == gap.room && $0.from == gap.from }
        }
        gaps = (gaps + more).sorted { ($0.from, $0.account, $0.room) < ($1.from, $1.account, $1.room) }
    }

    /// Removes the gaps outside the time of the messages.
    private mutating func trimGaps() {
        guard let first = messages.first?.id.time, let last = messages.last?.id.time else { return }
        gaps.removeAll { gap in
            older != nil && gap.to.map { $0 < first } ?? false || newer != nil && gap.from > last
        }
    }
}
