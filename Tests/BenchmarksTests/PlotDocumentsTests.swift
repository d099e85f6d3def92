import Foundation
import TestSupport
import Testing

@testable import Benchmarks

/// The plots of the documentation, which `bench/plots.py` draws from `docs/pictures/figures.txt`.
struct PlotDocumentsTests {
    private static let root = "\(#filePath)".components(separatedBy: "/Tests/")[0]
    private static let pictures = Plot.allCases.flatMap { plot in
        ["light", "dark"].map { "plot-\(plot.rawValue)-\($0).svg" }
    }

    private func read(_ name: String) throws -> String {
        try String(contentsOfFile: "\(Self.root)/docs/pictures/\(name)", encoding: .utf8)
    }

    @Test func `the committed figures are those of all plots, as the benchmarks write them`() throws {
        let figures = try PlotFigures.committed()
        #expect(Set(figures.parts.keys) == Set(Plot.allCases))
        #expect(try read("figures.txt") == figures.text)
    }

    @Test(.enabled(if: Tool.findInVenv("python") != nil, "needs .venv, which .ci/make-venv makes"))
    func `the plots and the pages that show them have the committed figures`() async throws {
        let python = try #require(Tool.findInVenv("python"))
        let run = try await python.run(["-B", Self.root + "/bench/plots.py", "--check"])
        #expect(run.status == 0, "\"make docs\" writes them: \(run.output)\(run.errors)")
    }

    @Test(arguments: Self.pictures) func `plot texts have enough contrast`(name: String) throws {
        let picture = try read(name)
        let ground = try #require(picture.firstMatch(of: /fill: (#[0-9a-f]{6}); stroke/)).1
        let colours = Set(picture.matches(of: /<text [^>]*fill: (#[0-9a-f]{6})/).map { String($0.1) })
        #expect(colours.count >= 4)
        for colour in colours { #expect(try contrast(colour, String(ground)) >= 4.5, "\(colour)") }
    }

    @Test(arguments: Self.pictures) func `names of lines with the same last value stand below each other`(
        name: String
    ) throws {
        let labels = try read(name).matches(
            of: /<text [^>]*font-weight: 700; font-size: 13px[^>]*start;[^>]* y="([0-9.]+)"/)
        let places = labels.compactMap { Double($0.1) }.sorted()
        #expect(places.count >= 2)
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
