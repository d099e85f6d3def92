import Testing

@testable import Benchmarks

struct PlotFiguresTests {
    @Test func `a plot keeps its notes and figures in the file`() throws {
        var part = PlotFigures.Part(notes: ["Measured on 2026-11-24: 2 cores", "fast"])
        part.add("rg, common word", x: "100000", 7.123456, "ms")
        part.add("scrollback", x: "100000", 12, "ms")
        let figures = PlotFigures([.search: part])
        let read = try PlotFigures(parsing: figures.text)
        #expect(read == figures)
        #expect(read.parts[.search]?.figures.map(\.y) == [7.123, 12])
    }

    @Test(arguments: [
        "search\trg\t1\t7.1", "speed\trg\t1\t7.1\tms", "search\trg\t1\tfast\tms", "search\trg\t1\t0\tms",
        "search\trg\t1\tinf\tms", "search rg 1 7.1 ms",
    ])
    func `a line that is not a figure is refused`(line: String) {
        let error = #expect(throws: BenchmarkError.self) { try PlotFigures(parsing: line) }
        #expect(error?.description.contains(line) == true)
    }
}
