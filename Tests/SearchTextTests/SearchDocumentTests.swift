import Foundation
import SearchText
import Testing

/// `docs/search.md` tells the truth.
@Suite struct SearchDocumentTests {
    private static func document() throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/search.md")
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// The cells of the rows of three columns, without their backticks.
    private static func examples() throws -> [[String]] {
        try document().split(separator: "\n")
            .filter { $0.hasPrefix("| `") }
            .map { $0.split(separator: " | ").map { $0.trimmingCharacters(in: ["|", "`", " "]) } }
            .filter { $0.count == 3 }
    }

    @Test
    func `the documented examples match, and their counterexamples don't`() throws {
        let examples = try Self.examples()
        #expect(examples.count > 20)
        for example in examples {
            let query = SearchQuery(parsing: example[0])
            let index = try Index([example[1], example[2]])
            #expect(try index.found(query) == [0], "\(example)")
            #expect(index.matching(query) == [0], "\(example)")
        }
    }

    @Test(arguments: [
        "-bot", "from:alice", "in:#example", "has:link", "has:file", "is:edited", "is:deleted", "after:2024-05",
        "before:2024",
        "on:2024-05-17",
    ])
    func `every operator is documented and works`(text: String) throws {
        let query = SearchQuery(parsing: text)
        #expect(try Self.document().contains("`\(text)`"))
        #expect(query.all.joined().allSatisfy { $0.text == nil })
        #expect(query.all.count + query.none.count + query.times.count == 1)
    }
}
