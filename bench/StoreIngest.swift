import Archive
import ChatModel
import Writing

/// Measures ingest in batches of 1,000, without sockets, against a bare loop over the same statements with its values
/// prepared.
func runStoreIngest() async throws {
    Table.title("Ingest, batches of 1,000, messages a second (synchronous=FULL)")
    let total = Scale.choose("messages of a run", 100_000, long: 200_000)
    let count = Scale.choose("runs", 3, long: 5)
    var runs: [IngestRun] = []
    for _ in 0..<count { runs.append(try await IngestRun.measure(total)) }
    func rates(_ name: String, _ sample: KeyPath<IngestRun, Sample>) -> Double {
        let rates = runs.map { Double(total) / $0[keyPath: sample].total }.sorted()
        let median = rates[count / 2]
        Table.row(name, "\(Int(median))", "of \(count) runs: \(Int(rates[0]))-\(Int(rates[count - 1]))")
        return median
    }
    let (store, bare) = (rates("the store", \.store), rates("bare C API", \.bare))
    Table.ratio("the store over bare", store, bare, bound: "at least 0.80")
    let costs = runs.map(\.cost).sorted()
    Table.row("processor time, the store over bare", hundredths(costs[count / 2]))
}

/// The same messages, stored by the store and by a bare loop.
struct IngestRun {
    private(set) var store = Sample()
    private(set) var bare = Sample()

    /// The processor time of the store for one second of the bare loop's.
    var cost: Double { store.processor / bare.processor }

    private static let batch = 1000

    /// Stores each batch first in one way and then in the other, so that other load on the machine affects both.
    ///
    /// - Parameter total: The number of messages, a multiple of 1,000.
    static func measure(_ total: Int) async throws -> IngestRun {
        let (sample, bare) = (try SampleArchive(), try BareIngest(total))
        let writer = try await sample.archive.openWriter(SampleArchive.account)
        let session = try await SampleArchive.openSession(writer, at: SampleArchive.start)
        var run = IngestRun()
        for start in stride(from: 0, to: total, by: batch) {
            let numbers = start..<start + batch
            let events = numbers.map { SampleArchive.event($0, session) }
            _ = try await run.store.measure { try await writer.append(events) }
            try run.bare.measure { try bare.append(numbers) }
        }
        try await writer.close()
        return run
    }
}
