package import ChatModel

/// Renders an answer of any number of pages as one document, page by page.
///
/// Only the gaps of `json`, which follow the messages, are kept until the end.
package struct HistoryStream {
    private var renderer: HistoryRenderer
    /// True for hits of a search and for conversations, which may be years apart: their gaps are only counted.
    private let isSearch: Bool
    private var gaps: [Gap] = []
    private var gapCount = 0
    private var hasPurge = false
    private var skipped: [SkippedAccount]?
    private var day: Page.Day?
    /// The number of messages so far.
    package private(set) var messages = 0

    package init(_ renderer: HistoryRenderer, isSearch: Bool) {
        (self.renderer, self.isSearch) = (renderer, isSearch)
    }

    /// Renders a page, in the order of its messages.
    package mutating func render(_ page: Page) -> Rendered {
        if skipped == nil { skipped = page.skipped }
        day = day ?? page.day
        gapCount += page.gaps.count(where: \.state.isMissing)
        hasPurge = hasPurge || page.gaps.contains { $0.state == .purged }
        defer { messages += page.messages.count }
        guard renderer.format == .json else {
            return renderer.render(page.messages, gaps: isSearch ? [] : page.gaps)
        }
        gaps += page.gaps
        let begin = messages == 0 ? "" : ", "
        let list = page.messages.map { renderer.json($0).text }.joined(separator: ", ")
        return Rendered(output: list.isEmpty ? "" : (begin.isEmpty ? Self.head : begin) + list)
    }

    /// Renders the end of the document. A document without messages is the same as a page without messages.
    ///
    /// - Parameter thread: The conversation that the messages are; nil for other messages.
    package func end(_ thread: MessageThread? = nil) -> Rendered {
        let notes =
            isSearch && messages > 0
            ? GapText.count(gapCount, isPurged: hasPurge, in: "the time of these messages") : ""
        guard renderer.format == .json else {
            return Rendered(
                notes: notes + (thread.map { ThreadText.notes($0.outline) } ?? "") + renderer.days(day))
        }
        let rest = Page(messages: [], older: nil, newer: nil, gaps: gaps, skipped: skipped ?? [], day: day)
        let text = JSONValue.object(JSONValue(rest).members + (thread?.ownMembers ?? [])).text
        return Rendered(output: (messages == 0 ? text : String(text.dropFirst(Self.head.count))) + "\n", notes: notes)
    }

    /// The beginning of a page's document.
    private static let head = #"{"messages": ["#
}
