import Foundation
import TestSupport

/// `export`: measures the export of a large archive in each format, and of one of a tenth of its size, which must take
/// almost as much memory.
///
/// - Throws: ``BenchmarkError`` when a figure is not met.
func runExport() async throws {
    Table.title("Export, the whole process; memory is resident at most, in KiB")
    let count = Scale.choose("messages", 400_000, long: 2_000_000)
    let tenth = try await ExportedArchive(messages: count / 10)
    let all = try await ExportedArchive(messages: count)
    var figures = try formats.map { format in
        let (smaller, export) = (try tenth.export(format), try all.export(format))
        return ExportFigures(
            format: format, export: export, bytes: try all.bytes(format), smallerMemory: smaller.memory,
            verifying: try all.verify(format))
    }
    try await all.add(1000)
    for index in figures.indices {
        figures[index].append = try all.append(formats[index])
        _ = try all.verify(formats[index])
    }
    Table.columns(
        [
            "messages a second", "processor, s", "MB", "memory", "of \(tenth.archive.messages)", "verify, s",
            "--append of 1000, s", "months written, kept",
        ], figures.map { ($0.format, $0.cells(of: all.archive.messages)) })
    let failures = figures.filter { $0.export.memory >= memoryLimit }.map {
        "export --format \($0.format) takes \($0.export.memory) KiB, not under \(memoryLimit)"
    }
    guard failures.isEmpty else { throw BenchmarkError(failures.joined(separator: "\n")) }
}

private let formats = ["jsonl", "text", "csv", "html", "markdown"]
/// The limit of 100 MB, in KiB.
private let memoryLimit = 100_000_000 / 1024

private struct ExportFigures {
    var format: String
    var export: Program.Peak
    var bytes: Int
    /// The peak memory for the smaller archive, in KiB.
    var smallerMemory: Int
    /// The time of the verification, in seconds.
    var verifying: Double
    var append: Program.Peak?

    func cells(of messages: Int) -> [String] {
        [
            "\(Int(Double(messages) / export.seconds))", String(format: "%.1f", export.run.processor / .seconds(1)),
            String(format: "%.1f", Double(bytes) / 1e6), "\(export.memory)", "\(smallerMemory)",
            String(format: "%.2f", verifying), String(format: "%.2f", append?.seconds ?? 0),
            ExportedArchive.months(in: append?.said ?? ""),
        ]
    }
}
