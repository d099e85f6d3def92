import Foundation
import StreamChatWire
import TestSupport

/// Compares a few figures with the bounds of `bench/bounds.txt`.
///
/// The figures depend little on the machine's load: they are sizes, numbers of instructions, and ratios of the processor
/// time of two ways that ran in turns.
///
/// - Throws: ``BenchmarkError`` when a figure exceeds its bound by more than a fifth, and in CI when one can't be
///   measured.
func runQuick() async throws {
    let bounds = try Bounds()
    Table.title("Figures that may be at most a fifth over their bounds (bench/bounds.txt); more is worse")
    var failures: [String] = []
    for figure in QuickFigure.allCases {
        guard let value = try await figure.measure() else {
            Table.row(figure.rawValue, "skipped: needs strip, and valgrind, which .ci/fetch-tools fetches")
            if ProcessInfo.processInfo.environment["CI"] == "true" {
                failures.append("\(figure.rawValue) was not measured: it needs valgrind and strip")
            }
            continue
        }
        let failure = bounds.failure(figure, value)
        let note = "bound \(hundredths(bounds[figure]))" + (failure == nil ? "" : "  FAILED")
        Table.row(figure.rawValue, hundredths(value), note)
        if let failure { failures.append(failure) }
    }
    guard failures.isEmpty else { throw BenchmarkError(failures.joined(separator: "\n")) }
}

extension QuickFigure {
    /// Measures the figure. Returns nil when a required program is missing.
    fileprivate func measure() async throws -> Double? {
        switch self {
        case .ingest: try await IngestRun.measure(100_000).cost
        case .page: try await Self.page()
        case .version: try Callgrind()?.count(["--version"]).millions
        case .search: try await Self.search()
        case .importing: try Self.importing()
        case .memory: try await Self.memory()
        case .size: try await Self.size()
        }
    }

    private static func page() async throws -> Double {
        let sample = try SampleArchive()
        try await sample.fill(to: 50_000)
        return try await PageTimes.measure(sample, pages: 2000).cost
    }

    /// Searches the newest 20 messages with a word that is in two thirds of all messages.
    private static func search() async throws -> Double? {
        guard let callgrind = try Callgrind() else { return nil }
        let sample = try SampleArchive()
        try await sample.fill(to: 50_000)
        let search = try callgrind.count(["search", "machine", "-n", "20", "--utc", "--data", sample.folder])
        guard search.lines >= 20 else { throw BenchmarkError("scrollback search wrote \(search.lines) lines") }
        return search.millions
    }

    /// Compares the fastest runs of both ways, because other load only makes runs slower.
    private static func importing() throws -> Double {
        let (program, logs) = (try Program(), try SampleChat(generating: 30_000).logs)
        var cost = (program: Double.infinity, bare: Double.infinity)
        for _ in 0..<5 {
            let data = try TemporaryFolder()
            let run = try program.watch(ImportedFolder.arguments(logs.path, data: data.path)).run
            let bare = try ImportedRows(file: try SampleArchive.file(in: data.path)).write()
            cost = (min(cost.program, run.processor / .seconds(1)), min(cost.bare, bare.processor))
        }
        return cost.program / cost.bare
    }

    private static func memory() async throws -> Double {
        let scenario = RoomScenario(name: "nul", framing: .nul, clients: 50, messages: 20_000)
        return Double(try await ListenerProcess(scenario, waves: 1).memoryUnderLoad().highest) / 1024
    }

    private static func size() async throws -> Double {
        let (messages, sample) = (SearchMessages(chat: try SampleChat(generating: 100_000)), try SampleArchive())
        var text = 0
        try await sample.fill(to: 100_000, at: SearchMessages.time(of:)) { number, session in
            let message = messages[number]
            text += message.text.utf8.count
            return [message.event(session)]
        }
        return Double(try FileSize(path: try sample.file).bytes) / Double(text)
    }
}
