import Foundation

/// Measures the search index: the time of a search, its size, and the speed of adding messages; and compares the
/// program with a search in a text log.
///
/// - Throws: ``BenchmarkError`` when a figure is not met.
func runSearch() async throws {
    let chat = try SampleChat()
    let kind = chat.isReal ? "the chats of ../shared/corpus" : "generated chats, as there is no ../shared/corpus"
    Table.title("Search, in messages made from \(kind)")
    try measureImport(chat)
    let (messages, words) = (SearchMessages(chat: chat), SearchWords(chat))
    Table.title("Search: its sizes")
    let most = Scale.choose("millions of messages", 2, long: 10)
    Progress.say("looking what remote ids, raw payloads and single characters take")
    let extras = try await SearchExtras.measure(messages)

    let load = try SearchLoad(messages)
    let against = SearchAgainstLog(load, words)
    if against == nil { Progress.say("there is no rg: it is not compared with") }
    try await load.fill(to: 1_000_000)
    var failures = try reportSize(load, extras)
    let million = try measureLatency(load, words, smallRoom: SearchMessages.early)
    try await load.fill(to: 2_000_000)
    failures += try against?.measure(atLeast: 1, forRare: 2) ?? []
    if most > 2 { try await load.fill(to: most * 1_000_000) }
    let all = try measureLatency(load, words, smallRoom: SearchMessages.rare)
    failures += reportLatency(million, all, millions: most)
    if most > 2 { failures += try against?.measure(atLeast: 5, forRare: 8) ?? [] }
    Table.title("Storing them, in batches of 1000, messages a second, of each million")
    Table.columns(
        load.rates.indices.map { "\($0 + 1)" },
        [
            ("the store", load.rates.map { "\($0.wall)" }),
            ("of processor time", load.rates.map { "\($0.processor)" }),
        ])
    guard failures.isEmpty else { throw BenchmarkError(failures.joined(separator: "\n")) }
}

/// The limit for the slowest query of a kind in milliseconds.
private let latencyLimit = 2.0
/// The limit for the bytes of the file for one byte of text.
private let sizeLimit = 3.4

private typealias Latencies = [(queries: SearchQueries, latency: SearchLatency)]

private func measureLatency(_ load: SearchLoad, _ words: SearchWords, smallRoom: String) throws -> Latencies {
    Progress.say("searching in \(load.sample.count) messages")
    var all: Latencies = []
    for queries in SearchQueries.all(words, smallRoom: smallRoom) {
        all.append((queries, try SearchLatency.measure(queries.queries, in: load.sample.archive)))
    }
    return all
}

private func reportLatency(_ small: Latencies, _ large: Latencies, millions: Int) -> [String] {
    Table.title("The newest 20, in ms: the middle and the slowest of 20 queries, in files held open; and opened for it")
    Table.columns(
        ["1 M: middle", "slowest", "opened", "\(millions) M: middle", "slowest", "opened", "bound", "slowest query"],
        zip(small, large).map { small, large in
            let times = [small.latency, large.latency].flatMap { [$0.median, $0.worst, $0.opened] }
            let bound = small.queries.isBounded ? "\(latencyLimit), \(2 * latencyLimit)" : ""
            return (
                small.queries.name,
                times.map { String(format: "%.2f", $0) } + [bound, large.latency.slowest]
            )
        })
    return [(small, 1, latencyLimit), (large, millions, 2 * latencyLimit)].flatMap { all, size, limit in
        all.compactMap { queries, latency in
            guard queries.isBounded, latency.worst > limit else { return nil }
            return
                "\(queries.name) (\(latency.slowest)) takes \(String(format: "%.2f", latency.worst)) ms at \(size) M, not at most \(limit)"
        }
    }
}

private func reportSize(_ load: SearchLoad, _ extras: SearchExtras) throws -> [String] {
    let size = try FileSize(path: try load.sample.file, byTable: true)
    let count = Double(load.sample.count)
    let text = Double(load.bytes) / count
    func cells(_ bytes: Double) -> [String] { [String(format: "%.1f", bytes), String(format: "%.2f", bytes / text)] }
    let all = Double(size.bytes) / count
    let bare = all - extras.chars
    Table.title("Bytes a message, of \(load.sample.count), and in times of their text")
    var rows = [("text", cells(text)), ("the file, but for characters alone (chars)", cells(bare))]
    rows += size.tables.map { ("  " + $0.name, cells(Double($0.bytes) / count)) }.prefix(12)
    rows += [
        ("characters alone (chars), in message_search_data", cells(extras.chars)),
        ("remote ids, where there are", cells(extras.remoteIDs)),
        ("raw payloads, where there are, each message by itself", cells(extras.raw)),
    ]
    Table.columns(["bytes", "times (at most \(sizeLimit))"], rows)
    if size.tables.isEmpty { Table.row("by table", "not told: this SQLite has no dbstat") }
    return bare / text <= sizeLimit
        ? [] : ["the file takes \(String(format: "%.2f", bare / text)) times its text, not at most \(sizeLimit)"]
}
