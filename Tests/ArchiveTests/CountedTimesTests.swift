import TestSupport
import Testing

@testable import Writing

@Suite struct CountedTimesTests {
    @Test(arguments: 0..<20) func `ranges that are added in any order contain exactly their times`(
        _ seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        var (times, expected) = (CountedTimes(), Set<Int64>())
        for _ in 0..<60 {
            let start = Int64.random(in: -100..<100, using: &random)
            guard !expected.contains(start) else { continue }
            let next = times.beginning(after: start)
            #expect(next == (expected.filter { $0 > start }.min() ?? .max))
            let end = min(start + Int64.random(in: 1...8, using: &random), next)
            times.insert(start..<end)
            expected.formUnion(start..<end)
            #expect((-110...120).allSatisfy { times.contains($0) == expected.contains($0) })
        }
    }

    @Test func `adjacent ranges are joined`() {
        var times = CountedTimes()
        times.insert(0..<60)
        times.insert(120..<180)
        #expect(times.count == 2)
        times.insert(60..<120)
        #expect(times.count == 1)
        times.removeAll()
        #expect(times.isEmpty)
        #expect(!times.contains(0))
    }
}
