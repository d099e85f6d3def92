import SearchText
import TestSupport
import Testing

/// The index against the definition of a match: both find the same, always.
@Suite struct MatchTests {
    @Test
    func `what is generated is found exactly where it matches`() throws {
        var generator = QueryGenerator(seed: 20_260_101)
        for _ in 0..<20 {
            let index = try Index((0..<60).map { _ in generator.row() })
            for _ in 0..<500 {
                let text = generator.query()
                let query = SearchQuery(parsing: text, isTime: { $0 == "2024" })
                #expect(try index.found(query) == index.matching(query), "\(text)")
            }
        }
    }
}
