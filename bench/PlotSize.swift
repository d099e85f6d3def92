import Archive
import ChatModel
import Foundation
import Moves

/// The names of the bars and of their parts in the plot of size. `bench/plots.py` chooses colours by them.
enum PlotSize {
    static let ours = "Scrollback"
    static let cold = "Scrollback, compressed"
    static let withTrigrams = "with an FTS5 trigram index"
    static let log = "text log"
    static let packedLog = "text log, gzip"

    static let text = "text"
    static let head = "time, room, nick"
    static let row = "message"
    static let others = "indexes and people"
    static let index = "search index"
    static let trigrams = "trigram index"
    static let whole = "all"
}

/// Measures the plot of size: bytes a message in an archive and in other forms.
func runPlotSize() async throws {
    Table.title("Plot of size: bytes a message")
    let messages = SearchMessages(chat: try SampleChat())
    let count = Scale.isLong ? 1_000_000 : 100_000
    let load = try SearchLoad(messages)
    try await load.fill(to: count)
    var part = PlotFigures.Part(notes: [
        "A message has its time, sender and text. The indexes are those by room and of changes. One file each.",
        PlotMachine.note(),
    ])
    func add(_ series: String, _ bar: String, _ bytes: Double) {
        part.add(series, x: bar, bytes / Double(count), "bytes")
    }
    let size = try FileSize(path: try load.sample.file, byTable: true)
    guard !size.tables.isEmpty else { throw BenchmarkError("needs SQLite with dbstat") }
    func tables(_ isMeant: (String) -> Bool) -> Double {
        Double(size.tables.filter { isMeant($0.name) }.reduce(0) { $0 + $1.bytes })
    }
    let index = tables { $0.hasPrefix("message_search") || $0.hasPrefix("vocabulary") }
    let row = tables { $0 == "message" }
    let others = Double(size.bytes) - row - index
    add(PlotSize.row, PlotSize.ours, row)
    add(PlotSize.others, PlotSize.ours, others)
    add(PlotSize.index, PlotSize.ours, index)
    _ = try load.sample.archive.evict(account: SampleArchive.account.name, level: Archive.coldLevel)
    add(PlotSize.whole, PlotSize.cold, Double(try load.sample.coldBytes()))
    add(PlotSize.row, PlotSize.withTrigrams, row)
    add(PlotSize.others, PlotSize.withTrigrams, others)
    let trigrams = try SearchExtras.index(messages, count: count, tokenizer: "trigram", columns: ["text"]) {
        message, _ in
        [message.text]
    }
    add(PlotSize.trigrams, PlotSize.withTrigrams, trigrams * Double(count))
    let log = try FileManager.default.attributesOfItem(atPath: load.log)[.size] as? Int ?? 0
    add(PlotSize.text, PlotSize.log, Double(load.bytes))
    add(PlotSize.head, PlotSize.log, Double(log - load.bytes))
    let packed = try Program(path: "/bin/sh").run(["-c", "gzip -c \"$0\" | wc -c", load.log]).output
    add(PlotSize.whole, PlotSize.packedLog, Double(String(decoding: packed.dropLast(), as: UTF8.self)) ?? 0)
    try PlotFigures.keep(.size, part)
}
