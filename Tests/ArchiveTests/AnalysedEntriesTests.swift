import ChatModel
import Testing

@testable import Archive

struct AnalysedEntriesTests {
    private static let pieces = ["server", "서버가", "東京 タワー", "é", "👍🏽", "", "HTTP://x", "a-b_c", "\u{1F1F0}\u{1F1F7}"]

    private func entries(_ count: Int) -> [SearchEntry] {
        (0..<count).map { index in
            let body = "\(Self.pieces[index % Self.pieces.count]) \(index) \(Self.pieces[index / 9 % 9])"
            return entry(index, index % 50 == 0 ? nil : body)
        }
    }

    private func entry(_ id: Int, _ body: String?) -> SearchEntry {
        SearchEntry(id: Int64(id), room: 1, sender: Int64(id % 7), kind: .message, body: body)
    }

    @Test(arguments: [129, 192, 1000])
    func `entries that two threads analyse are what one makes of them, in any order of use`(count: Int) throws {
        let entries = entries(count)
        let analysed = try #require(AnalysedEntries(entries))
        for index in entries.indices.shuffled() { #expect(analysed[index] == AnalysedEntry(entries[index])) }
    }

    @Test func `few entries, and bodies too large for memory, are left to one thread`() {
        #expect(AnalysedEntries(entries(128)) == nil)
        let long = (200..<206).map { entry($0, String(repeating: "가", count: 1 << 18)) }
        #expect(AnalysedEntries(entries(200) + long) == nil)
    }
}
