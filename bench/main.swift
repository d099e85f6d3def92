import Archive
import Foundation
import Schema

/// `Benchmarks [--long] [PART…] [FOLDER]`: measures all parts, or those that are named, each figure beside the one that
/// it is compared with in the same run.
///
/// `--long` measures the sizes that the documents quote, which takes hours. `import` reads FOLDER, which has a `/` in
/// it.
///
/// Some parts run only when they are named. `shared` and `fleet` need a PostgreSQL server's programs. `growth` with
/// `--long` needs 30 GB of disk. `counts` needs `.venv` for DuckDB's figures, `regex` needs `rg`, and `xmpp` Prosody.
/// `quick` compares a few figures with `bench/bounds.txt`. `plot-search`, `plot-pages`, `plot-size` and `plot-import`
/// measure a plot of the documentation each; with `--long` they keep its figures in `docs/pictures/figures.txt`, from
/// which `bench/plots.py` draws the plots.
///
/// The exit status is 1 when a figure exceeds its bound or a part can't be measured, and 64 for an unknown part.
let parts: [(name: String, run: () async throws -> Void)] = [
    ("ingest", runStoreIngest), ("reactions", runReactionIngest), ("pages", runStorePages), ("room", runRoomLoad),
    ("process", runWholeProcess), ("search", runSearch), ("accounts", runAccounts), ("slp", runWorkspace),
    ("irc", runIRC), ("import", runImport), ("export", runExport), ("feed", runFeed),
    ("read", runReader),
]

/// The parts that run only when they are named.
let namedParts: [(name: String, run: () async throws -> Void)] = [
    ("quick", runQuick), ("plot-search", runPlotSearch), ("plot-pages", runPlotPages), ("plot-size", runPlotSize),
    ("plot-import", runPlotImport), ("shared", runShared), ("fleet", runFleet),
    ("retention", runRetention), ("growth", runGrowth), ("counts", runCounts), ("regex", runRegex), ("xmpp", runXMPP),
]

let wanted = CommandLine.arguments.dropFirst().filter { $0 != "--long" && !$0.contains("/") }
if let unknown = wanted.first(where: { name in !(parts + namedParts).contains { $0.name == name } }) {
    let names = (parts + namedParts).map(\.name).joined(separator: " ")
    print("no part is called \"\(unknown)\"; name some of: \(names)")
    exit(64)
}
SQLiteSettings.apply()
var hasFailed = false
var taken: [(name: String, cells: [String])] = []
for part in wanted.isEmpty ? parts : (parts + namedParts).filter({ wanted.contains($0.name) }) {
    let start = ContinuousClock.now
    do {
        try await part.run()
    } catch {
        print("\(part.name): \(error)")
        hasFailed = true
    }
    taken.append((part.name, [String(format: "%.0f", (ContinuousClock.now - start) / .seconds(1))]))
}
Table.title("Seconds that each part took")
Table.columns([""], taken)
exit(hasFailed ? 1 : 0)
