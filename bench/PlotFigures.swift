import Foundation

/// The figures of the plots: `docs/pictures/figures.txt`. `make plots` measures them, and `bench/plots.py` draws the plots
/// from them.
///
///     # search: 2026-11-24, 2 cores of a virtual machine
///     search<TAB>rg, common word<TAB>100000<TAB>7.3<TAB>ms
struct PlotFigures: Equatable {
    struct Figure: Equatable {
        /// The line's name in a chart of lines; in a chart of bars, the name of a part of a bar.
        var series: String
        /// A number; in a chart of bars, the bar's name.
        var x: String
        var y: Double
        var unit: String
    }

    /// The figures of one plot.
    struct Part: Equatable {
        /// Lines that say how, when and on which machine the figures were measured.
        var notes: [String] = []
        var figures: [Figure] = []
    }

    private(set) var parts: [Plot: Part] = [:]

    private static let head = """
        # The figures of the plots in this folder, written by make plots.
        # A line has the plot, the series, x, y and the unit, between tabs.
        """

    init(_ parts: [Plot: Part] = [:]) { self.parts = parts }

    /// - Throws: ``BenchmarkError`` at a line that is neither a comment nor a figure.
    init(parsing text: String) throws {
        for line in text.split(separator: "\n") {
            if line.hasPrefix("#") {
                let words = line.dropFirst(2).split(separator: ": ", maxSplits: 1)
                guard words.count == 2, let plot = Plot(rawValue: String(words[0])) else { continue }
                parts[plot, default: Part()].notes.append(String(words[1]))
                continue
            }
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 5, let plot = Plot(rawValue: fields[0]), let y = Double(fields[3]), y > 0, y.isFinite
            else { throw BenchmarkError("figures.txt: \"\(line)\" is not plot, series, x, y above 0 and unit") }
            parts[plot, default: Part()].figures
                .append(Figure(series: fields[1], x: fields[2], y: y, unit: fields[4]))
        }
    }

    /// The text of the file.
    var text: String {
        var lines = [Self.head]
        for plot in Plot.allCases {
            guard let part = parts[plot] else { continue }
            lines.append("")
            lines += part.notes.map { "# \(plot.rawValue): \($0)" }
            lines += part.figures.map { "\(plot.rawValue)\t\($0.series)\t\($0.x)\t\($0.y)\t\($0.unit)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/pictures/figures.txt")

    /// Returns the figures that are committed; none if there is no file.
    static func committed() throws -> PlotFigures {
        guard FileManager.default.fileExists(atPath: file.path) else { return PlotFigures() }
        return try PlotFigures(parsing: String(contentsOf: file, encoding: .utf8))
    }

    /// Prints the figures of a plot. With `--long`, keeps them in the file.
    static func keep(_ plot: Plot, _ part: Part) throws {
        for figure in part.figures { Table.row("\(figure.series), \(figure.x)", "\(figure.y) \(figure.unit)") }
        guard Scale.isLong else { return Table.row("not written", "make plots writes the figures of the large sizes") }
        var figures = try committed()
        figures.parts[plot] = part
        try figures.text.write(to: file, atomically: true, encoding: .utf8)
    }
}

extension PlotFigures.Part {
    /// Adds a figure, rounded to four digits.
    mutating func add(_ series: String, x: String, _ y: Double, _ unit: String) {
        figures.append(.init(series: series, x: x, y: Double(String(format: "%.4g", y)) ?? y, unit: unit))
    }
}
