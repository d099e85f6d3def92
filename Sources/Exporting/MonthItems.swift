import ChatModel
import Reading

/// The messages and the gaps of a month, read a thousand messages at a time.
struct MonthItems {
    let month: ExportPlan.Month
    /// The pages, of which the next one is the first of the month.
    let pages: ExportPages
    /// Returns true if the export should stop. Called before each page.
    let isStopped: () -> Bool

    /// Calls the body with each item in order of time: a gap comes before the first message after its beginning.
    ///
    /// - Parameter pageRead: Receives the number of messages of each page, after its items.
    func each(_ body: (ExportItem) throws -> Void, pageRead: (Int) -> Void = { _ in }) throws {
        var gaps = month.gaps[...]
        var isLast = false
        while !isLast {
            if isStopped() { throw ExportStopped() }
            guard let page = try pages.nextPage() else { break }
            for message in page.messages {
                while let gap = gaps.first, gap.from < message.id.time {
                    gaps.removeFirst()
                    try body(.gap(gap))
                }
                try body(.message(message, exact: page.exact[message.id]))
            }
            pageRead(page.messages.count)
            isLast = page.isLast
        }
        for gap in gaps { try body(.gap(gap)) }
    }
}
