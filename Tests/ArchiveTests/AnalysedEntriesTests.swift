import ChatModel
import Testing

@testable import Archive

struct AnalysedEntriesTests {
    private static let pieces = ["server", "서버가", "東京 タワー", "é", "👍🏽", "", "HTTP://x", "a-b_c", "\u{1F1F0}\u{1F1F7}"]

    /// Messages that are new, that change, and that are removed.
    private func changes(_ count: Int) -> [SearchIndex.Change] {
        (0..<count).map { index in
            let body = "\(Self.pieces[index % Self.pieces.count]) \(index) \(Self.pieces[index / 9 % 9])"
            let entry = entry(index, index % 50 == 0 ? nil : body)
            if index % 40 == 3 { return SearchIndex.Change(removed: entry) }
            return SearchIndex.Change(old: index % 30 == 7 ? self.entry(index, "earlier") : nil, new: entry)
        }
    }

    private func entry(_ id: Int, _ body: String?) -> SearchEntry {
        SearchEntry(id: Int64(id), room: 1, sender: Int64(id % 7), kind: .message, body: body)
    }

    @Test(arguments: [129, 192, 1000])
    func `entries that two threads analyse are what one makes of them, in any order of use`(count: Int) throws {
        let changes = changes(count)
        let analysed = try #require(AnalysedEntries(changes))
        for place in changes.indices.shuffled() {
            #expect(analysed[place] == changes[place].new.map(AnalysedEntry.init))
        }
    }

    @Test func `few entries, and bodies too large for memory, are left to one thread`() {
        #expect(AnalysedEntries(changes(128)) == nil)
        let long = (200..<206).map { index in
            SearchIndex.Change(old: nil, new: entry(index, String(repeating: "가", count: 1 << 18)))
        }
        #expect(AnalysedEntries(changes(200) + long) == nil)
    }
}
