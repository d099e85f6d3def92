import SearchText
import Testing

@testable import Archive

struct AnalysedBodiesTests {
    private static let pieces = ["server", "서버가", "東京 タワー", "é", "👍🏽", "", "HTTP://x", "a-b_c", "\u{1F1F0}\u{1F1F7}"]

    private func bodies(_ count: Int) -> [String?] {
        (0..<count).map { index in
            index % 50 == 0 ? nil : "\(Self.pieces[index % Self.pieces.count]) \(index) \(Self.pieces[index / 9 % 9])"
        }
    }

    @Test(arguments: [129, 192, 1000])
    func `bodies that two threads analyse have the texts that one makes, in any order of use`(count: Int) throws {
        let bodies = bodies(count)
        let analysed = try #require(AnalysedBodies(bodies))
        for index in bodies.indices.shuffled() { #expect(analysed[index] == Analyser.analyse(bodies[index] ?? "")) }
    }

    @Test func `few bodies, and bodies too large for memory, are left to one thread`() {
        #expect(AnalysedBodies(bodies(128)) == nil)
        #expect(AnalysedBodies(bodies(200) + Array(repeating: String(repeating: "가", count: 1 << 18), count: 6)) == nil)
    }
}
