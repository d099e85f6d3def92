import TestSupport
import Testing

@testable import LogFormats

struct HTMLScannerTests {
    private func told(_ text: String) -> [String] {
        var scanner = HTMLScanner(Array(text.utf8)[...])
        var told: [String] = []
        while let token = scanner.next() {
            switch token {
            case .text(let bytes): told.append(String(decoding: bytes, as: UTF8.self))
            case .opening(let tag): told.append("<\(String(decoding: tag.name, as: UTF8.self))>")
            case .closing(let name): told.append("</\(String(decoding: name, as: UTF8.self))>")
            }
        }
        return told
    }

    @Test(arguments: [
        ("a<b c='>'>d</b>", ["a", "<b>", "d", "</b>"]), ("<a 'x <b>y", ["<a 'x ", "<b>", "y"]),
        ("<a \"x <b '>", ["<a \"x ", "<b '>"]), ("1 < 2 <b>", ["1 ", "< 2 ", "<b>"]), ("<!-- c --><a/>", ["<a>"]),
    ])
    func `a tag ends at its bracket outside of quotes, and other text is text`(text: String, tokens: [String]) {
        #expect(told(text) == tokens)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: ["<a ", "<a '' ", "<a \"'\" '\"' ", "<a'", "<a\"'"])
    func `many tags without an end take no longer than their bytes`(part: String) {
        let text = String(repeating: part, count: 100_000) + "'>"
        #expect(told(text).joined().utf8.count > 0)
    }
}
