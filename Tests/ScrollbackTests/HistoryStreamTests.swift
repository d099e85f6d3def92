import ChatModel
import Foundation
import Testing

@testable import Rendering

struct HistoryStreamTests {
    private func renderer(_ format: OutputFormat) -> HistoryRenderer {
        HistoryRenderer(
            format: format,
            text: TextRenderer(
                time: LocalTime(zone: .gmt), style: .plain, now: sampleTime, options: TextRenderer.Options()),
            nextCommand: NextCommand(subject: ["demo/lobby"], options: []))
    }

    private func page(_ numbers: Range<Int>, gaps: [Gap] = [], cursor: Int? = nil) -> Page {
        Page(
            messages: numbers.map { message("\($0)", at: sampleTime.advanced(by: .seconds($0))) }, older: nil,
            newer: cursor.map { MessageID(sampleTime.advanced(by: .seconds($0))) }, gaps: gaps,
            skipped: [SkippedAccount(account: "old", reason: "cold", detail: "account 'old' is compressed")])
    }

    private func streamed(_ format: OutputFormat, _ pages: [Page], isSearch: Bool = false) -> Rendered {
        var stream = HistoryStream(renderer(format), isSearch: isSearch)
        let parts = pages.map { stream.render($0) }
        return (parts + [stream.end()]).reduce(Rendered(), +)
    }

    @Test(arguments: OutputFormat.allCases)
    func `streamed pages equal one page's document`(format: OutputFormat) {
        var whole = renderer(format)
        let expected = whole.render(page(0..<5, gaps: [gap()]))
        let parts = [
            page(0..<2, gaps: [gap()], cursor: 1), page(2..<2, cursor: 1), page(2..<4, cursor: 3), page(4..<5),
        ]
        #expect(streamed(format, parts) == expected)
    }

    @Test(arguments: OutputFormat.allCases)
    func `a stream without messages is an empty document`(format: OutputFormat) {
        var whole = renderer(format)
        let empty = page(0..<0)
        let expected = whole.render(empty)
        #expect(streamed(format, [empty, empty]) == expected)
        #expect(streamed(format, [empty], isSearch: true) == expected)
    }

    @Test func `gaps between hits are counted once for all pages`() {
        let pages = [page(0..<2, gaps: [gap()], cursor: 1), page(2..<3, gaps: [gap(), gap(state: .ended)])]
        let text = streamed(.text, pages, isSearch: true)
        #expect(!text.output.contains("gap"))
        #expect(text.notes == "2 gaps in the time of these messages; \"scrollback gaps\" lists them\n")
    }
}
