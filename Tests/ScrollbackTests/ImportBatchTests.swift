import Testing

@testable import Importing

struct ImportBatchTests {
    @Test(arguments: [
        ([], [0..<3, 3..<4, 4..<6]), ([0, 2], [0..<1, 1..<2, 2..<4]), ([3], [0..<3, 3..<5]),
        ([0, 1, 2, 3, 4, 5], []), ([1, 5], [0..<2, 2..<3, 3..<4]),
    ])
    func `requests contain the remaining lines`(removed: [Int], requests: [Range<Int>]) {
        let batch = ImportBatch(lines: [], requests: [0..<3, 3..<4, 4..<6])
        #expect(batch.requests(without: removed) == requests)
    }
}
