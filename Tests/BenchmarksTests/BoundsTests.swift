import Testing

@testable import Benchmarks

struct BoundsTests {
    private static let whole = QuickFigure.allCases.map { "\($0.rawValue) 2.00 # a note\n" }.joined()

    @Test func `every figure has a bound, and every bound has a figure`() throws {
        let bounds = try Bounds()
        for figure in QuickFigure.allCases { #expect(bounds[figure] > 0) }
    }

    @Test func `a figure may exceed its bound by at most a fifth`() throws {
        let bounds = try Bounds(parsing: Self.whole)
        #expect(bounds.failure(.ingest, 1) == nil)
        #expect(bounds.failure(.ingest, 2.4) == nil)
        #expect(
            bounds.failure(.ingest, 2.41)
                == "ingest-over-bare is 2.41, more than a fifth over its bound 2.00 in bench/bounds.txt")
        #expect(bounds.failure(.ingest, .nan) != nil)
    }

    @Test(arguments: [
        ("ingest-over-bare 1\n", "ingest-over-bare has two bounds"), ("speed 1\n", "no figure is called \"speed\""),
        ("speed\n", "\"speed\" is not a name and a number"), ("speed 0\n", "not a name and a number above 0"),
        ("speed fast\n", "not a name and a number above 0"), ("speed inf\n", "not a name and a number above 0"),
    ])
    func `an unclear line is refused`(line: String, reason: String) {
        let error = #expect(throws: BenchmarkError.self) { try Bounds(parsing: Self.whole + line) }
        #expect(error?.description.contains(reason) == true)
    }

    @Test func `a figure without a bound is named`() {
        let error = #expect(throws: BenchmarkError.self) { try Bounds(parsing: "ingest-over-bare 1.5") }
        #expect(error?.description.contains("no bound for page-over-bare, ") == true)
    }
}
