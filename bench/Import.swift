import Foundation
import TestSupport

/// `import [FOLDER]`: measures two imports of a folder of energymech's logs, and a bare loop that writes the same rows.
///
/// FOLDER must contain a `/`. Without it, the corpus beside the project is imported; without a corpus, nothing is
/// measured.
///
/// - Throws: ``BenchmarkError`` when lines are invalid, or the second import finds anything new.
func runImport() throws {
    let corpus = try TemporaryFolder()
    var folder = CommandLine.arguments.dropFirst().first { $0.contains("/") }
    if folder == nil {
        guard FileManager.default.fileExists(atPath: SampleChat.archive) else {
            return Table.title("Import: skipped, there is no \(SampleChat.archive)")
        }
        try SampleChat.unpack(into: corpus.path)
        folder = corpus.path
    }
    Table.title("Import: the whole process, runs each in turn; lines and rows a second")
    let runCount = Scale.choose("runs", 2, long: 3)
    let runs = try (0..<runCount).map { _ in try ImportedFolder(folder ?? "") }
    guard let last = runs.last else { return }
    Table.row("of lines, that are new", "\(last.lines), \(last.new)")
    Table.row("invalid", "\(last.failed)", "(aim: 0)")
    func rate(_ name: String, _ rates: [Int]) { Table.row(name, "\(median(rates))", "of \(rates.sorted())") }
    rate("import", runs.map(\.rate))
    rate("again, nothing new", runs.map(\.rateAgain))
    rate("bare C API, the same rows", runs.map(\.bareRate))
    Table.ratio(
        "import over bare", Double(median(runs.map(\.rate))), Double(median(runs.map(\.bareRate))),
        bound: "it reads, understands and matches besides")
    Table.row("resident at most, KiB", "\(runs.map(\.memory).max() ?? 0), again \(runs.map(\.memoryAgain).max() ?? 0)")
    Table.row("processor time of the last of each", last.processor)
    guard last.failed == 0, last.newAgain == 0 else {
        throw BenchmarkError("\(last.failed) lines were invalid, \(last.newAgain) were new when imported again")
    }
    try runImportFiles()
}

func median(_ values: [Int]) -> Int { values.sorted()[values.count / 2] }

/// A folder of energymech's logs that was imported into a fresh archive.
struct ImportedFolder {
    let lines: Int
    let new: Int
    let failed: Int
    let newAgain: Int
    /// The lines per second; for the bare loop, the messages per second.
    let rate: Int
    let rateAgain: Int
    let bareRate: Int
    /// The peak memory, in KiB.
    let memory: Int
    let memoryAgain: Int
    let processor: String

    init(_ folder: String) throws {
        let data = try TemporaryFolder()
        let (program, arguments) = (try Program(), Self.arguments(folder, data: data.path))
        let first = try program.watch(arguments)
        let second = try program.watch(arguments)
        lines = try Self.figure("lines", first.said)
        new = try Self.figure("new", first.said)
        failed = try Self.figure("invalid", first.said)
        newAgain = try Self.figure("new", second.said)
        rate = Int(Double(lines) / first.seconds)
        rateAgain = Int(Double(lines) / second.seconds)
        (memory, memoryAgain) = (first.memory, second.memory)
        let rows = try ImportedRows(file: try SampleArchive.file(in: data.path))
        let bare = try rows.write()
        bareRate = Int(Double(rows.messages) / bare.total)
        processor = String(
            format: "%.2f s of %.2f, bare %.2f of %.2f", first.run.processor / .seconds(1), first.seconds,
            bare.processor, bare.total)
    }

    /// Returns the program's arguments, with the room, which the corpus does not name.
    static func arguments(_ folder: String, data: String) -> [String] {
        ["import", "energymech", folder, "-a", "log", "--room", "#ubuntu", "--timezone", "UTC", "--data", data]
    }

    /// Returns the number before a word: `read 248,000 lines: 240,123 new messages, 7,265 already stored, 12 invalid`
    private static func figure(_ word: String, _ said: String) throws -> Int {
        let line = said.split(separator: "\n").first { $0.hasPrefix("read ") } ?? ""
        let words = line.split(separator: " ").map { $0.filter { $0 != "," && $0 != ":" } }
        guard let place = words.firstIndex(of: word), place > 0, let number = Int(words[place - 1]) else {
            throw BenchmarkError("the import says: \(said)")
        }
        return number
    }
}
