import Foundation

/// `Benchmarks [--long] [PART…] [FOLDER]`: measures all parts, or those that are named, each figure beside the one that
/// it is compared with in the same run.
///
/// `--long` measures the sizes that the documents quote, which takes hours. `import` reads FOLDER, which has a `/` in
/// it. `quick` runs only when it is named: it compares a few figures with `bench/bounds.txt`.
///
/// The exit status is 1 when a figure exceeds its bound or a part can't be measured, and 64 for an unknown part.
let parts: [(name: String, run: () async throws -> Void)] = [
    ("ingest", runStoreIngest), ("reactions", runReactionIngest), ("pages", runStorePages), ("room", runRoomLoad),
    ("process", runWholeProcess), ("search", runSearch), ("accounts", runAccounts), ("slp", runWorkspace),
    ("irc", runIRC), ("import", runImport), ("export", runExport), ("feed", runFeed),
]

let wanted = CommandLine.arguments.dropFirst().filter { $0 != "--long" && !$0.contains("/") }
if let unknown = wanted.first(where: { name in name != "quick" && !parts.contains { $0.name == name } }) {
    print("no part is called \"\(unknown)\"; name some of: \(parts.map(\.name).joined(separator: " ")) quick")
    exit(64)
}
var hasFailed = false
var taken: [(name: String, cells: [String])] = []
for part in parts + [("quick", runQuick)] where wanted.contains(part.name) || wanted.isEmpty && part.name != "quick" {
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
