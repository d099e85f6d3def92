import Foundation

/// Measures the plot of search: `scrollback search` against `rg`, in an archive that grows and in its log.
func runPlotSearch() async throws {
    Table.title("Plot of search: whole processes, the newest 20, in ms")
    let chat = try SampleChat()
    let load = try SearchLoad(SearchMessages(chat: chat))
    guard let against = SearchAgainstLog(load, SearchWords(chat)) else { throw BenchmarkError("needs rg") }
    let words = [
        ("common word", "a common word"), ("rare word", "a rare word"), ("Korean", "two common syllables"),
    ].compactMap { name, word in against.words.first { $0.name == word }.map { (name: name, word: $0.word) } }
    var part = PlotFigures.Part(notes: [
        "The fastest of \(SearchAgainstLog.runs) runs each, in turn, with the files in memory. "
            + "rg's output goes through tail -n 20.",
        PlotMachine.note(["ripgrep \(try against.version())"]),
    ])
    for count in Plot.counts {
        try await load.fill(to: count)
        for (name, word) in words {
            let result = try against.compare(word)
            part.add("scrollback, \(name)", x: "\(count)", result.search, "ms")
            part.add("rg, \(name)", x: "\(count)", result.rg, "ms")
        }
    }
    try PlotFigures.keep(.search, part)
}
