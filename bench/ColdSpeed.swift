import Archive
import ChatModel
import Foundation
import Moves
import TestSupport

/// Measures the eviction and the restoring of one account of chats, against `zstd` on the same file.
struct ColdSpeed {
    private let sample: SampleArchive
    /// The folder for the files of `zstd`.
    private let folder: TemporaryFolder

    private static let runs = 7
    private static let ways = ["zstd", "zstd, sync, sha256sum of both", "scrollback"]

    static func measure() async throws {
        guard let zstd = Tool.find("zstd") else { return Progress.say("there is no zstd: it is not compared with") }
        let chat = try SampleChat()
        let kind = chat.isReal ? "the chats of ../shared/corpus" : "generated chats, as there is no ../shared/corpus"
        // Uses each line only once, because repeated lines compress to almost nothing.
        let count = min(chat.latin.count / 12, chat.korean.count) * 13
        let messages = SearchMessages(chat: chat)
        let sample = try SampleArchive()
        try await sample.fill(to: count, at: SearchMessages.time(of:), events: { [messages[$0].event($1)] })
        let speed = ColdSpeed(sample: sample, folder: try TemporaryFolder())
        Table.title("An account of \(count) messages, \(kind): MB/s of the plain file, the middle of \(runs) in turn")
        for level in [Archive.coldLevel, 9] { try await speed.measure(zstd.path, level: level) }
    }

    /// Measures both ways. The store also has SQLite check the file, and reads its output back from the disk instead of
    /// the page cache; the commands don't.
    private func measure(_ zstd: String, level: Int) async throws {
        let (cold, plain) = (folder.path + "/cold", folder.path + "/plain")
        var (evicting, restoring) = (Rates(), Rates())
        var (bytes, coldBytes) = (0, 0)
        for _ in 0..<Self.runs {
            let file = try file
            bytes = try size(file)
            let compress = "\(zstd) -\(level) -qf \"$0\" -o \"$1\""
            let verified = "sha256sum \"$0\"; \(compress); sync \"$1\"; \(zstd) -qdc \"$1\" | sha256sum"
            evicting.add([
                try run(compress, file, cold), try run(verified, file, cold),
                try await seconds { _ = try sample.archive.evict(account: name, level: level) },
            ])
            coldBytes = try size(self.file)
            let expand = "\(zstd) -qdf \"$0\" -o \"$1\""
            restoring.add([
                try run(expand, cold, plain), try run("\(expand); sync \"$1\"; sha256sum \"$1\"", cold, plain),
                try await seconds { _ = try sample.archive.restore(account: name) },
            ])
        }
        Table.row(
            "level \(level): cold size over hot size", String(format: "%.3f", Double(coldBytes) / Double(bytes)),
            String(format: "(%.1f of %.1f MB)", Double(coldBytes) / 1e6, Double(bytes) / 1e6))
        Table.columns(
            Self.ways, [("  evict", evicting.cells(bytes: bytes)), ("  restore", restoring.cells(bytes: bytes))])
    }

    private var name: String { SampleArchive.account.name }

    /// The account's file, plain or compressed; only one of them exists.
    private var file: String {
        get throws {
            let accounts = sample.folder + "/accounts"
            let files = try FileManager.default.subpathsOfDirectory(atPath: accounts).filter {
                $0.hasSuffix(".sqlite") || $0.hasSuffix(".zst")
            }
            guard files.count == 1 else { throw BenchmarkError("an account has the files \(files)") }
            return accounts + "/" + files[0]
        }
    }

    private func size(_ path: String) throws -> Int {
        guard let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int else {
            throw BenchmarkError("\(path) has no size")
        }
        return size
    }

    private func run(_ command: String, _ source: String, _ target: String) throws -> Double {
        try Program(path: "/bin/sh").run(["-ec", command, source, target]).wall / .seconds(1)
    }

    private func seconds(_ body: () async throws -> Void) async rethrows -> Double {
        try await ContinuousClock().measure { try await body() } / .seconds(1)
    }
}

/// The times of each way, in seconds.
private struct Rates {
    private var runs: [[Double]] = []

    mutating func add(_ run: [Double]) { runs.append(run) }

    func cells(bytes: Int) -> [String] {
        (runs.first ?? []).indices.map { way in
            let times = runs.map { $0[way] }.sorted()
            return "\(Int(Double(bytes) / 1e6 / times[times.count / 2]))"
        }
    }
}
