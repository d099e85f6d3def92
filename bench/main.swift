/// `Benchmarks [ingest] [pages]`: each figure beside what it is compared with, measured in the same run.
let parts: [(name: String, run: () async throws -> Void)] = [
    ("ingest", runStoreIngest), ("pages", runStorePages),
]

let wanted = CommandLine.arguments.dropFirst()
for part in parts where wanted.isEmpty || wanted.contains(part.name) {
    try await part.run()
}
