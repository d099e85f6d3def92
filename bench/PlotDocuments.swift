import Foundation

/// The files of the documentation that are made from the figures of the plots.
enum PlotDocuments {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    private static let figures = "docs/pictures/figures.txt"

    private static func read(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Returns the figures that are committed; none if there is no file.
    static func committedFigures() throws -> PlotFigures {
        guard FileManager.default.fileExists(atPath: root.appending(path: figures).path) else { return PlotFigures() }
        return try PlotFigures(parsing: try read(figures))
    }

    /// Returns each file with the text that it should have: the figures, the pictures, and the pages that show them.
    static func all(_ figures: PlotFigures) throws -> [(path: String, text: String)] {
        var all = [(Self.figures, figures.text)]
        for plot in Plot.allCases {
            guard let part = figures.parts[plot] else { continue }
            for theme in PlotTheme.all {
                all.append(("docs/pictures/plot-\(plot.rawValue)-\(theme.name).svg", try plot.svg(part, theme)))
            }
            all.append(("docs/\(plot.page)", try page(plot, part)))
        }
        return all
    }

    /// - Throws: ``BenchmarkError`` when the page does not show the plot.
    private static func page(_ plot: Plot, _ part: PlotFigures.Part) throws -> String {
        let picture = try picture(plot, part)
        var isShown = false
        let lines = try read("docs/\(plot.page)").components(separatedBy: "\n").map { line in
            guard line.hasPrefix("<picture>"), line.contains("/plot-\(plot.rawValue)-") else { return line }
            isShown = true
            return picture
        }
        guard isShown else { throw BenchmarkError("docs/\(plot.page) does not show the plot \(plot.rawValue)") }
        return lines.joined(separator: "\n")
    }

    private static func picture(_ plot: Plot, _ part: PlotFigures.Part) throws -> String {
        let name = "pictures/plot-\(plot.rawValue)"
        return "<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"\(name)-dark.svg\">"
            + "<img src=\"\(name)-light.svg\" width=\"\(PlotCanvas.width)\" alt=\"\(try plot.title(part))\"></picture>"
    }

    /// Returns the text that the file has.
    static func committed(_ path: String) throws -> String { try read(path) }

    static func write(_ figures: PlotFigures) throws {
        for (path, text) in try all(figures) {
            try text.write(to: root.appending(path: path), atomically: true, encoding: .utf8)
        }
    }

    /// Prints the figures of a plot. With `--long`, keeps them and draws all plots again.
    static func keep(_ plot: Plot, _ part: PlotFigures.Part) throws {
        for figure in part.figures { Table.row("\(figure.series), \(figure.x)", "\(figure.y) \(figure.unit)") }
        guard Scale.isLong else { return Table.row("not written", "make plots writes the figures of the large sizes") }
        var figures = try committedFigures()
        figures.replace(plot, with: part)
        try write(figures)
    }
}

/// Draws the plots again from the committed figures.
func runDraw() throws {
    try PlotDocuments.write(try PlotDocuments.committedFigures())
}
