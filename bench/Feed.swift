import Archive
import ChatModel
import Foundation
import Reading
import Synchronization
import Writing

/// Measures the feed: the speed and memory with which `tail --feed` prints a whole archive, and the delay with which
/// `--follow` prints a stored message.
///
/// - Throws: ``BenchmarkError`` when a figure is not met.
func runFeed() async throws {
    Table.title("The feed, the whole process")
    let sample = try SampleArchive()
    try await sample.fill(to: Scale.choose("messages", 500_000, long: 5_000_000))
    let script = #"exec "$0" tail --feed --format jsonl --data "$1" > /dev/null"#
    let run = try Program(path: "/bin/sh").watch(["-c", script, Program().path, sample.folder])
    Table.row("changes a second", "\(Int(Double(sample.count) / run.seconds))")
    Table.row("memory, resident at most, in MiB", "\(run.memory / 1024)", "(at most \(memoryLimit))")
    let delays = try await FollowedFeed(sample).delays().sorted()
    let late = delays[delays.count * 99 / 100]
    Table.row(
        "from stored to printed, at 1,000 messages a second, in ms: middle", milliseconds(delays[delays.count / 2]))
    Table.row("99 of 100 within", milliseconds(late), "(at most \(milliseconds(delayLimit)))")
    guard run.memory <= memoryLimit * 1024 else { throw BenchmarkError("tail --feed takes \(run.memory) KiB") }
    guard late <= delayLimit else { throw BenchmarkError("tail --feed --follow takes \(milliseconds(late)) ms") }
}

/// The limit of memory, in MiB.
private let memoryLimit = 48
/// The limit of the delay in seconds, which people perceive as immediate.
private let delayLimit = 0.150

private func milliseconds(_ seconds: Double) -> String { String(format: "%.1f", seconds * 1000) }

/// Stores messages while `tail --feed --follow` runs.
private struct FollowedFeed {
    private let sample: SampleArchive
    private static let count = 10_000
    private static let batch = 10

    init(_ sample: SampleArchive) { self.sample = sample }

    /// Returns for each message the seconds from the end of storing it until its line is read.
    func delays() async throws -> [Double] {
        var last: FeedPosition?
        var all = sample.archive.reading().feeds.changes(of: [SampleArchive.account.name])
        while let changes = try all.next() { last = changes.last?.position ?? last }
        guard let last else { throw BenchmarkError("an empty feed") }
        let follower = try ChildProcess(
            Program().path,
            ["tail", "--feed", "--follow", "--format", "jsonl", "--after", "\(last)", "--data", sample.folder],
            capturesOutput: true)
        defer { follower.end() }
        let printed = Lines()
        Thread.detachNewThread { printed.read(from: follower) }
        let writer = try await sample.archive.openWriter(SampleArchive.account)
        let session = try await SampleArchive.openSession(writer, at: SampleArchive.time(of: sample.count))
        var stored: [UInt64] = []
        func store(_ numbers: Range<Int>) async throws {
            _ = try await writer.append(numbers.map { SampleArchive.event(sample.count + $0, session) })
            stored += numbers.map { _ in DispatchTime.now().uptimeNanoseconds }
        }
        // The first message waits for the program's start.
        try await store(0..<1)
        while printed.times.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        let start = ContinuousClock.now
        for number in stride(from: 1, through: Self.count, by: Self.batch) {
            try await Task.sleep(until: start + .milliseconds(number))
            try await store(number..<number + Self.batch)
        }
        while printed.times.count < stored.count { try await Task.sleep(for: .milliseconds(10)) }
        try await writer.close()
        return zip(stored, printed.times).dropFirst().map { $1 > $0 ? Double($1 - $0) / 1e9 : 0 }
    }
}

/// The time at which the line of each stored message was read from a program.
private final class Lines: Sendable {
    private let state = Mutex<[UInt64]>([])

    var times: [UInt64] { state.withLock { $0 } }

    func read(from process: ChildProcess) {
        var rest: [UInt8] = []
        while case let bytes = process.readSome(), !bytes.isEmpty {
            let now = DispatchTime.now().uptimeNanoseconds
            let lines = (rest + bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = Array(lines.last ?? [])
            let count = lines.dropLast().count { $0.starts(with: #"{"kind": "stored""#.utf8) }
            state.withLock { $0 += Array(repeating: now, count: count) }
        }
    }
}
