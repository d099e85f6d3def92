import ChatModel
import Testing

@testable import Records

struct AnalysedEntriesTests {
    private static let pieces = ["server", "서버가", "東京 タワー", "é", "👍🏽", "", "HTTP://x", "a-b_c", "\u{1F1F0}\u{1F1F7}"]

    private func entry(_ id: Int) -> SearchEntry {
        let body = "\(Self.pieces[id % Self.pieces.count]) \(id) \(Self.pieces[id / 9 % 9])"
        return entry(id, id % 50 == 0 ? nil : body)
    }

    private func entry(_ id: Int, _ body: String?) -> SearchEntry {
        SearchEntry(id: Int64(id), room: 1, sender: Int64(id % 7), kind: .message, body: body)
    }

    @Test(arguments: [128, 129, 1000])
    func `entries that another thread analyses equal those that one thread analyses`(count: Int) {
        let entries = (0..<count).map { entry($0) }
        var analysis = AnalysedEntries()
        let added = entries.compactMap { entry in analysis.analyse(entry).map { (entry, $0) } }
        #expect(added.map(\.1) == Array(0..<added.count))
        let analysed = analysis.analysed()
        let inFullParts = added.count / AnalysedEntries.partSize * AnalysedEntries.partSize
        for (entry, number) in added {
            #expect(analysed[number] == (number < inFullParts ? AnalysedEntry(entry) : nil))
        }
    }

    @Test func `the writer analyses plain text and messages without text`() {
        var analysis = AnalysedEntries()
        #expect(analysis.analyse(entry(1, "a fresh machine")) == nil)
        #expect(analysis.analyse(entry(2, nil)) == nil)
        #expect(analysis.analyse(entry(3, "café")) == 0)
    }

    @Test func `the writer analyses bodies that are too large for memory`() {
        var analysis = AnalysedEntries()
        let long = (0..<6).map { analysis.analyse(entry($0, String(repeating: "가", count: 1 << 18))) }
        #expect(long == [0, 1, 2, 3, 4, nil])
        #expect(analysis.analyse(entry(7)) == nil)
    }
}
