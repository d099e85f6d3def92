import Foundation

/// The plots of the documentation. Each shows one claim.
enum Plot: String, CaseIterable {
    case search, pages, size
    case importing = "import"

    /// The page of the documentation that shows the plot.
    var page: String {
        switch self {
        case .search: "search.md"
        case .pages: "architecture.md"
        case .size: "accounts.md"
        case .importing: "import.md"
        }
    }

    /// Returns the claim with its figures: the plot's title, and the text of the picture on the page.
    func title(_ part: PlotFigures.Part) throws -> String {
        func last(_ series: String) throws -> Double {
            guard let last = try part.points(series).last else { throw BenchmarkError("no figures of \"\(series)\"") }
            return last.y
        }
        switch self {
        case .search:
            let all = try part.series.map { ($0.hasPrefix("scrollback"), try part.points($0)) }
            let ours = all.filter(\.0).flatMap(\.1).map(\.y).max() ?? 0
            let theirs = all.filter { !$0.0 }.compactMap(\.1.last?.y).max() ?? 0
            return "Search takes up to \(plotFigure(ours)) ms at any size, "
                + "rg up to \(plotFigure(theirs)) ms at \(Self.most(part)) messages"
        case .pages:
            let (ours, theirs) = (try part.points("scrollback").map(\.y), try last("LIMIT 50 OFFSET n"))
            return "A page takes up to \(plotFigure(ours.max() ?? 0)) ms at any depth; OFFSET takes "
                + "\(plotFigure(theirs)) ms at \(Self.most(part))"
        case .size:
            func total(_ bar: String) -> Double { part.figures.filter { $0.x == bar }.reduce(0) { $0 + $1.y } }
            let (ours, log) = (total(PlotSize.ours), total(PlotSize.log))
            return "A message takes \(plotFigure(ours)) bytes, search index included: "
                + "\(plotFigure(ours / log)) times its log line"
        case .importing:
            return "Import stores \(Self.most(part)) lines at \(plotFigure(try last(PlotImport.ours))) a second, "
                + "a bare SQLite loop at \(plotFigure(try last(PlotImport.bare)))"
        }
    }

    /// Returns the largest number on the horizontal axis, in words.
    private static func most(_ part: PlotFigures.Part) -> String {
        plotNumber(part.xs.compactMap(Double.init).max() ?? 0)
    }

    /// Returns the picture for one theme.
    func svg(_ part: PlotFigures.Part, _ theme: PlotTheme) throws -> String {
        let title = try title(part)
        let counts = [(1e5, "100,000"), (3e5, "300,000"), (1e6, "1 million"), (3e6, "3 million"), (1e7, "10 million")]
        let canvas =
            switch self {
            case .search:
                try LineChart(
                    subtitle:
                        "The newest 20 messages with a word, whole processes; rg reads the same messages as a text log",
                    across: PlotAxis(title: "messages (logarithmic scale)", ticks: counts),
                    upTitle: "milliseconds (logarithmic scale)", isLogarithmic: true
                ).draw(part)
            case .pages:
                try LineChart(
                    subtitle: "A page of 50 messages of a room, from the same file",
                    across: PlotAxis(
                        title: "messages from the newest to the end of the page (logarithmic scale)",
                        ticks: [
                            (50, "50"), (500, "500"), (5e3, "5,000"), (5e4, "50,000"), (5e5, "500,000"),
                            (5e6, "5 million"),
                        ],
                        end: 1e7),
                    upTitle: "milliseconds (logarithmic scale)", isLogarithmic: true
                ).draw(part)
            case .size:
                BarChart(
                    subtitle: "The same messages, one in 13 in Korean and the others in English",
                    across: "bytes a message"
                ).draw(part)
            case .importing:
                try LineChart(
                    subtitle: "One irssi log into a new archive; the loop writes the same rows, prepared in memory",
                    across: PlotAxis(title: "lines of the log (logarithmic scale)", ticks: counts),
                    upTitle: "lines a second", isLogarithmic: false
                ).draw(part)
            }
        return canvas.svg(title: title, description: Self.describe(part), notes: part.notes, theme)
    }

    /// Returns every figure in words, for those who can't see the picture.
    private static func describe(_ part: PlotFigures.Part) -> String {
        part.series.map { series in
            let figures = part.figures.filter { $0.series == series }
            let values = figures.map { "\(Double($0.x).map(plotNumber) ?? $0.x): \(plotFigure($0.y))" }
            return "\(series) (\(figures.first?.unit ?? "")): \(values.joined(separator: "; "))."
        }.joined(separator: " ")
    }
}
