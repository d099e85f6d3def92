import SearchText
import TestSupport
import Testing

/// Random queries on an index of SQLite.
@Suite(.disabled(if: QuickCheck.isRunning))
struct QueryTortureTests {
    /// `make torture` compares a million queries of all scripts with a scan, and asks nine million more. Each seed has
    /// some of the scripts.
    private static let seeds = UInt64(20_260_101)...(Torture.isWhole ? 20_261_100 : 20_260_140)
    private static let queries = Torture.isWhole ? 1000 : 200

    @Test(arguments: seeds)
    func `random queries are valid and find the same rows as a scan`(seed: UInt64) throws {
        var generator = QueryGenerator(seed: seed)
        let index = try Index((0..<16).map { _ in generator.row() })
        for _ in 0..<Self.queries {
            let text = generator.query()
            let query = SearchQuery(parsing: text)
            #expect(
                try index.found(query) == index.matching(query),
                "\(text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " "))")
        }
        for _ in 0..<(Torture.isWhole ? 9000 : 0) { _ = try index.found(SearchQuery(parsing: generator.query())) }
    }
}
