import ChatModel
import Files
import Reading

/// The messages of an export's months, page after page in the order of the months. While a page is written, another
/// thread reads the next one, so an export has two pages in memory.
final class ExportPages {
    /// Some messages of a month, in order of time.
    struct Page: Sendable {
        fileprivate let place: Place
        let messages: [Message]
        /// The further facts of the messages, for a format with ``ExportFormat/isExact``.
        let exact: [MessageID: ExactMessage]
        /// True if the month has no more messages.
        let isLast: Bool
    }

    /// The beginning of a page.
    fileprivate struct Place: Sendable {
        /// The index of the month.
        var month: Int
        /// The message before the page.
        var after: MessageID
    }

    private let months: [ExportPlan.Month]
    private let source: AccountExport
    private let isExact: Bool
    private var next: ValueAhead<Page>?

    /// - Parameter isExact: True to read the further facts of each message.
    init(of months: [ExportPlan.Month], from source: AccountExport, isExact: Bool) {
        (self.months, self.source, self.isExact) = (months, source, isExact)
        next = page(ofMonth: 0)
    }

    /// Waits for the page that is being read, so that nothing reads the account after an export that stopped.
    deinit { _ = try? next?.value() }

    /// Returns the next page; nil after the last one of the last month. Each month has at least one page, which may be
    /// empty.
    func nextPage() throws -> Page? {
        guard let page = try next?.value() else { return nil }
        let last = page.messages.last?.id ?? page.place.after
        let month = page.place.month
        next = page.isLast ? self.page(ofMonth: month + 1) : read(Place(month: month, after: last))
        return page
    }

    private func page(ofMonth month: Int) -> ValueAhead<Page>? {
        months.indices.contains(month) ? read(Place(month: month, after: months[month].after)) : nil
    }

    private func read(_ place: Place) -> ValueAhead<Page> {
        let (month, source, isExact) = (months[place.month], source, isExact)
        return ValueAhead {
            let messages = try source.messages(
                room: month.unit.roomID, after: place.after, before: month.before, count: ExportRun.page)
            return Page(
                place: place, messages: messages, exact: isExact ? try source.exactDetails(of: messages) : [:],
                isLast: messages.count < ExportRun.page)
        }
    }
}
