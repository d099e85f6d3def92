import ChatModel
import Reading

/// The messages and the gaps of a month, read a thousand messages at a time.
struct MonthItems {
    let month: ExportPlan.Month
    let source: AccountExport
    /// True to read the further facts of each message, for a format with ``ExportFormat/isExact``.
    let isExact: Bool
    /// Returns true if the export should stop. Called before each page.
    let isStopped: () -> Bool

    /// Calls the body with each item in order of time: a gap comes before the first message after its beginning.
    ///
    /// - Parameter pageRead: Receives the number of messages of each page, after its items.
    func each(_ body: (ExportItem) throws -> Void, pageRead: (Int) -> Void = { _ in }) throws {
        var gaps = month.gaps[...]
        var after = month.after
        var page: [Message]
        repeat {
            if isStopped() { throw ExportStopped() }
            page = try source.messages(
                room: month.unit.roomID, after: after, before: month.before, count: ExportRun.page)
            let exact = isExact ? try source.exactDetails(of: page.map(\.id)) : [:]
            for message in page {
                while let gap = gaps.first, gap.from < message.id.time {
                    gaps.removeFirst()
                    try body(.gap(gap))
                }
                try body(.message(message, exact: exact[message.id]))
            }
            after = page.last?.id ?? after
            pageRead(page.count)
        } while page.count == ExportRun.page
        for gap in gaps { try body(.gap(gap)) }
    }
}
