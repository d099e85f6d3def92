import ChatModel
import Foundation
import LogFormats
import Rendering
import TestSupport

@testable import Importing

/// A folder of databases, and an import of them that stores nothing.
struct DatabaseHome {
    struct Result {
        var format = ""
        /// `alice: hi`, of each message.
        var told: [String] = []
        /// The reasons of the rows that could not be read.
        var invalid: [String] = []
        /// The files that could not be read, with their errors.
        var troubles: [String] = []
    }

    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    func path(_ name: String) -> String { temporary.path + "/" + name }

    func folder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    /// - Parameter mode: The journal's mode.
    func write(_ sql: String, to name: String, mode: String = "DELETE") throws {
        try folder((name as NSString).deletingLastPathComponent)
        try SQLiteFixture.write("PRAGMA journal_mode = \(mode);" + sql, to: path(name))
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try folder((name as NSString).deletingLastPathComponent)
        try Data(bytes).write(to: URL(filePath: path(name)))
    }

    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path(name)))) }

    func copy(_ name: String, to other: String) throws {
        try folder((other as NSString).deletingLastPathComponent)
        try FileManager.default.copyItem(atPath: path(name), toPath: path(other))
    }

    /// The files of a folder with their bytes.
    func files(in folder: String) throws -> [String: [UInt8]] {
        try FileManager.default.contentsOfDirectory(atPath: path(folder)).reduce(into: [:]) {
            $0[$1] = try bytes(folder + "/" + $1)
        }
    }

    func search(_ name: String, network: String? = nil) -> ImportSearch {
        var options = ImportOptions(zone: .gmt, folding: .rfc1459)
        options.choices.network = network
        var search = ImportSearch(options: options, report: ImportReport(isRehearsal: false))
        search.find(path(name))
        return search
    }

    func read(_ name: String, network: String? = nil) async throws -> Result {
        let search = search(name, network: network)
        var result = Result()
        result.troubles = search.report.unreported.groups.map { group in
            (group.files + ": " + group.reason + (group.hint.map { "; \($0)" } ?? "")).replacing(
                temporary.path + "/", with: "")
        }
        var run = ImportRun(options: search.options) { false }
        let collected = CollectedLines()
        let store: ImportRun.Store = { collected.store($0) }
        for source in search.sources {
            result.format = source.format.name
            try await run.importSource(source, store: store) { _ in
            } onError: {
                result.troubles.append($0.description.replacing(temporary.path + "/", with: ""))
            }
        }
        try await run.finish(store: store) { _ in }
        for line in collected.lines {
            switch line {
            case .message(let message):
                result.told.append((message.sender.map { "\($0): " } ?? "") + (message.body ?? ""))
            case .unreadable(let line):
                result.invalid.append(line.reason.replacing(#/^.*?:[0-9]+: /#, with: ""))
            case .imported, .record, .owner: break
            }
        }
        return result
    }
}
