import Archive
import ChatModel
import Foundation
import TestSupport

/// Measures commands on an account with 1 million messages, and again with 2 million, or 30 million in the long run. A
/// read command should take equally long; one that reads everything takes longer in proportion.
///
/// - Throws: ``BenchmarkError`` when a read command takes over twice as long.
func runGrowth() async throws {
    let most = Scale.choose("millions of messages", 2, long: 30)
    let growth = try Growth()
    try await growth.fill(to: 1_000_000)
    let small = try await growth.measure()
    try await growth.fill(to: most * 1_000_000)
    let large = try await growth.measure()
    Table.title("Whole commands, in s, on one account with 1 and with \(most) million messages")
    Table.columns(
        ["1 M", "\(most) M", "times"],
        zip(small, large).map { small, large in
            (
                "\(small.name) (\(small.isFlat ? "flat" : "linear"))",
                [
                    String(format: "%.3f", small.seconds), String(format: "%.3f", large.seconds),
                    String(format: "%.1f", large.seconds / small.seconds),
                ]
            )
        })
    let slower = zip(small, large).filter { $0.isFlat && $1.seconds > 2 * $0.seconds }.map(\.0.name)
    guard slower.isEmpty else { throw BenchmarkError("these take longer in a large account: \(slower)") }
}

/// An account that grows, and the commands that are measured on it.
private final class Growth {
    struct Figure {
        let name: String
        /// True for a command whose time should not depend on the number of messages.
        let isFlat: Bool
        let seconds: Double
    }

    private let messages: SearchMessages
    private let sample: SampleArchive
    private let program: Program
    private let other: TemporaryFolder
    /// The number of runs of a read command, of which the median counts.
    private static let runs = 11
    /// A message in the middle of the first million.
    private static let place = SearchMessages.time(of: 500_000).description

    init() throws {
        messages = SearchMessages(chat: try SampleChat())
        sample = try SampleArchive()
        program = try Program()
        other = try TemporaryFolder()
    }

    func fill(to total: Int) async throws {
        while sample.count < total {
            try await sample.fill(to: min(sample.count + 1_000_000, total), at: SearchMessages.time(of:)) {
                [messages[$0].event($1)]
            }
            Progress.say("\(sample.count) messages stored")
        }
    }

    func measure() async throws -> [Figure] {
        let name = SampleArchive.account.name
        let reads: [[String]] = [
            ["history", "#ubuntu"], ["history", "#ubuntu", "--before", Self.place],
            ["history", "#ubuntu", "--around", Self.place], ["search", "the"], ["search", "세요"],
            ["search", "the", "in:\(SearchMessages.rare)"], ["rooms"], ["unread"], ["gaps"], ["status"],
        ]
        var figures = try reads.map { arguments in
            var times: [Double] = []
            for _ in 0..<Self.runs { times.append(try run(arguments)) }
            return Figure(
                name: arguments.joined(separator: " "), isFlat: true, seconds: times.sorted()[times.count / 2])
        }
        let export = ["export", "--format", "jsonl", "--output", other.path + "/export"]
        figures.append(try linear("export", export))
        // Appending 1,000 messages must not cost as much as the first export.
        try await sample.fill(to: sample.count + 1000, at: SearchMessages.time(of:)) { [messages[$0].event($1)] }
        figures.append(
            Figure(name: "export --append of 1,000 more", isFlat: true, seconds: try run(export + ["--append"])))
        try FileManager.default.removeItem(atPath: other.path + "/export")
        figures.append(try linear("archive check", ["archive", "check"]))
        figures.append(try linear("backup", ["backup", name, other.path + "/backup"]))
        try FileManager.default.removeItem(atPath: other.path + "/backup")
        figures.append(try linear("archive compress", ["archive", "compress", name]))
        figures.append(try linear("archive restore", ["archive", "restore", name]))
        return figures
    }

    private func linear(_ name: String, _ arguments: [String]) throws -> Figure {
        Progress.say("\(name) of \(sample.count) messages")
        return Figure(name: name, isFlat: false, seconds: try run(arguments))
    }

    /// Returns the seconds of a run.
    private func run(_ arguments: [String]) throws -> Double {
        try program.run(arguments + ["--data", sample.folder]).wall / .seconds(1)
    }
}
