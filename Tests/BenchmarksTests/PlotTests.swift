import Foundation
import Testing

@testable import Benchmarks

struct PlotTests {
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

    @Test(arguments: PlotTheme.all.map(\.name))
    func `text and lines have enough contrast`(name: String) throws {
        let theme = try #require(PlotTheme.all.first { $0.name == name })
        for colour in [theme.text, theme.dim] + theme.series {
            #expect(try contrast(colour, theme.ground) >= 4.5, "\(colour)")
        }
    }

    @Test func `a value has two digits, and three from 100 on`() {
        let shown = [0.0931, 0.118, 7.26, 13.44, 99.6, 446.2, 64_912, 1_234_567].map(plotFigure)
        #expect(shown == ["0.093", "0.12", "7.3", "13", "100", "446", "64,900", "1.23 million"])
    }

    @Test func `a logarithmic axis begins and ends outside the values`() {
        let near = PlotAxis.logarithmic(title: "", around: [12, 446])
        #expect(near.ticks.map(\.label) == ["10", "20", "50", "100", "200", "500"])
        let far = PlotAxis.logarithmic(title: "", around: [0.03, 380])
        #expect(far.ticks.map(\.label) == ["0.01", "0.1", "1", "10", "100", "1,000"])
        #expect(near.place(10) == 0)
        #expect(near.place(500) == 1)
    }

    @Test func `a linear axis begins at 0`() {
        let axis = PlotAxis.linear(title: "", to: 85_600)
        #expect(axis.ticks.map(\.label) == ["0", "20,000", "40,000", "60,000", "80,000", "100,000"])
        #expect(axis.place(50_000) == 0.5)
    }

    @Test func `names of lines that end at the same value stand below each other`() throws {
        var part = PlotFigures.Part()
        for name in ["scrollback, a", "scrollback, b", "rg, a"] {
            for x in ["100000", "10000000"] { part.add(name, x: x, 13, "ms") }
        }
        let picture = try Plot.search.svg(part, .light)
        let places = picture.matches(of: /y="([0-9.]+)" class="b f/).compactMap { Double($0.1) }
        #expect(places.count == 3)
        for (above, below) in zip(places, places.dropFirst()) { #expect(below - above >= 16) }
    }

    /// Returns the contrast of two colours by WCAG 2.1.
    private func contrast(_ a: String, _ b: String) throws -> Double {
        let (a, b) = (try luminance(a), try luminance(b))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    private func luminance(_ colour: String) throws -> Double {
        let number = try #require(Int(colour.dropFirst(), radix: 16))
        let channels = [16, 8, 0].map { shift -> Double in
            let value = Double(number >> shift & 255) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return zip(channels, [0.2126, 0.7152, 0.0722]).reduce(0) { $0 + $1.0 * $1.1 }
    }
}
