import Foundation

/// `Benchmarks [ingest] [reactions] [pages] [room] [process] [search] [accounts] [slp] [irc] [import [FOLDER]] [export]`: each
/// figure beside what it is compared with, measured in the same run.
///
/// Exit status 1 when a part that can tell finds its figure not met.
let parts: [(name: String, run: () async throws -> Void)] = [
    ("ingest", runStoreIngest), ("reactions", runReactionIngest), ("pages", runStorePages), ("room", runRoomLoad),
    ("process", runWholeProcess),
    ("search", runSearch), ("accounts", runAccounts), ("slp", runWorkspace), ("irc", runIRC), ("import", runImport),
    ("export", runExport),
]

let wanted = CommandLine.arguments.dropFirst()
var isMet = true
for part in parts where wanted.isEmpty || wanted.contains(part.name) {
    do {
        try await part.run()
    } catch {
        print("\(part.name): \(error)")
        isMet = false
    }
}
exit(isMet ? 0 : 1)
