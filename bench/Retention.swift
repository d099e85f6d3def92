import Archive
import ChatModel
import Foundation
import Reading
import TestSupport
import Writing

/// Measures expiring a fifth of an archive while a listener stores 1,000 messages a second, and forgetting one person with
/// a fiftieth of its messages.
///
/// - Throws: ``BenchmarkError`` when a figure is not met.
func runRetention() async throws {
    Table.title("Retention")
    let load = try SearchLoad(SearchMessages(chat: SampleChat()))
    let count = Scale.choose("messages", 300_000, long: 5_000_000)
    try await load.fill(to: count)
    let bench = RetentionBench(sample: load.sample, count: load.sample.count)
    var failures = try await bench.expire(count / 5)
    failures += try await bench.forget()
    guard failures.isEmpty else { throw BenchmarkError(failures.joined(separator: "\n")) }
}

private struct RetentionBench {
    let sample: SampleArchive
    let count: Int

    /// The longest time for which a step may hold the writer, in ms.
    private static let longestHold = 50.0
    private static let perSecond = 1000
    /// The messages of an append.
    private static let batch = 10

    /// Removes the oldest messages of all rooms, as a listener does: a step, and then a pause of three times as long.
    func expire(_ count: Int) async throws -> [String] {
        let writer = try await sample.archive.openWriter(SampleArchive.account)
        let now = SearchMessages.time(of: sample.count)
        let age = now.since(SearchMessages.time(of: count))
        let rules = RetentionRules(tables: [
            RetentionRules.Table(ages: [.messages: RetentionAge(text: "bench", duration: age)])
        ])
        let before = try FileSize(path: try sample.file).bytes
        let storing = Task { [count = self.count] in try await Self.store(after: count, into: writer) }
        let start = ContinuousClock.now
        var (steps, removed) = (Sample(), Int64(0))
        var longest: [String: Double] = [:]
        var (place, isFirst) = (PurgePlace?.none, true)
        while place != nil || isFirst {
            isFirst = false
            let began = ContinuousClock.now
            let from = place
            let progress = try await steps.measure { try await writer.retention.purge(rules, from: from, at: now) }
            let stage = from.map { "\($0.stage)".prefix { $0 != "(" } } ?? "room"
            longest[String(stage)] = max(longest[String(stage)] ?? 0, (.now - began) / .milliseconds(1))
            removed += progress.removed.values.reduce(0, +)
            place = progress.next
            try await Task.sleep(for: (.now - began) * 3)
        }
        let seconds = (.now - start) / .seconds(1)
        storing.cancel()
        let latencies = try await storing.value
        try await writer.close()
        let after = try FileSize(path: try sample.file).bytes
        Table.row("messages and joins expired", "\(removed)", "of \(sample.count)")
        Table.row("in s, with a quarter of the writer's time", String(format: "%.1f", seconds))
        Table.row("a step, from its request to its end", steps.microseconds)
        Table.row(
            "the longest step, in ms", String(format: "%.1f", steps.maximum * 1000),
            "(at most \(Int(Self.longestHold)))")
        for (stage, time) in longest.sorted(by: { $0.key < $1.key }) {
            Table.row("  of the stage \(stage)", String(format: "%.1f", time))
        }
        Table.row("messages stored meanwhile, a second", "\(Int(Double(latencies.count * Self.batch) / seconds))")
        Table.row("from due to stored", latencies.microseconds)
        Table.row("99 of 100 within, in ms", String(format: "%.1f", latencies.part(99) * 1000))
        Table.row("MB of the file before, after", "\(before / 1_000_000), \(after / 1_000_000)")
        return steps.maximum * 1000 <= Self.longestHold
            ? [] : ["a step holds the writer for \(Int(steps.maximum * 1000)) ms"]
    }

    /// Stores messages until it is cancelled.
    ///
    /// - Returns: The times from each message's due time to its COMMIT.
    private static func store(after count: Int, into writer: AccountWriter) async throws -> Sample {
        let session = try await SampleArchive.openSession(writer, at: SearchMessages.time(of: count))
        let start = ContinuousClock.now
        var latencies = Sample()
        for number in stride(from: 0, to: Int.max, by: batch) {
            let due = start + .seconds(1) / perSecond * number
            guard (try? await Task.sleep(until: due)) != nil else { break }
            _ = try await writer.append(
                (number..<number + batch).map { number in
                    SampleArchive.event(number, session, at: SearchMessages.time(of: count + number))
                })
            latencies.add((.now - due) / .seconds(1))
        }
        return latencies
    }

    /// Forgets the person with the most messages, at most a fiftieth of all.
    func forget() async throws -> [String] {
        let users = try sample.archive.reading().users(
            scope: .accounts([SampleArchive.account.name]), countsMessages: true
        ).filter { $0.messages ?? 0 <= Int64(sample.count / 50) }
        guard let person = users.max(by: { $0.messages ?? 0 < $1.messages ?? 0 }) else {
            throw BenchmarkError("nobody has said anything")
        }
        let writer = try await sample.archive.openWriter(SampleArchive.account)
        let start = ContinuousClock.now
        var (messages, longest) = (Int64(0), [String: Double]())
        var (place, isFirst) = (ForgettingPlace?.none, true)
        while place != nil || isFirst {
            isFirst = false
            let began = ContinuousClock.now
            let step = try await writer.retention.forget(
                Forgetting(.user(person.id), redacts: false), from: place, at: .now())
            let stage = String(place.map { "\($0)".prefix { $0 != "(" } } ?? "messages")
            longest[stage] = max(longest[stage] ?? 0, (.now - began) / .milliseconds(1))
            messages += step.messages
            place = step.next
        }
        Table.row("messages of one person forgotten", "\(messages)")
        Table.row("in s", String(format: "%.1f", (.now - start) / .seconds(1)))
        for (stage, time) in longest.sorted(by: { $0.key < $1.key }) {
            Table.row("  the longest step of the stage \(stage), in ms", String(format: "%.1f", time))
        }
        try await writer.close()
        return []
    }
}
