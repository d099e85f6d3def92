import Foundation

/// The names of the lines in the plot of imports. `bench/plots.py` takes its claim from them.
enum PlotImport {
    static let ours = "scrollback import"
    static let bare = "bare loop"
}

/// Measures the plot of imports: irssi's logs of several lengths, and a bare loop that writes the same rows.
func runPlotImport() throws {
    Table.title("Plot of imports: lines a second")
    let chat = try SampleChat(generating: 20_000)
    var part = PlotFigures.Part()
    for count in Plot.counts {
        // A run with ten million lines takes five minutes.
        let runs = try (0..<(count > 1_000_000 ? 1 : 3)).map { _ in
            let run = try LargeImport(.irssi, chat, lines: count)
            return (run.rate, try run.bareRate())
        }
        part.add(PlotImport.ours, x: "\(count)", Double(median(runs.map(\.0))), "lines/s")
        part.add(PlotImport.bare, x: "\(count)", Double(median(runs.map(\.1))), "lines/s")
    }
    part.notes = [
        "Medians of 3 runs up to a million lines, then one run. The loop commits and syncs every 1,000 rows.",
        PlotMachine.note(),
    ]
    try PlotFigures.keep(.importing, part)
}
