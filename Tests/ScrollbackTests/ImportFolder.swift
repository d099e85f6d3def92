import ChatModel
import Foundation
import LogFormats
import Rendering
import TestSupport

@testable import Importing

/// A suite that searches for imports in a folder of its own, with shorthand for it.
protocol ImportFolder {
    var folder: TemporaryFolder { get }
}

extension ImportFolder {
    func write(_ bytes: [UInt8], to name: String) throws {
        let file = URL(filePath: folder.path + "/" + name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    func write(_ text: String, to name: String) throws {
        try write(Array(text.utf8), to: name)
    }

    func search(_ paths: String..., format: (any LogFormats.LogFormat.Type)? = nil) -> ImportSearch {
        var search = ImportSearch(
            options: ImportOptions(format: format, room: "#example", zone: .gmt, folding: .rfc1459),
            report: ImportReport(isRehearsal: false))
        for path in paths { search.find(folder.path + "/" + path) }
        return search
    }

    /// Returns the found sources, without the folder of the test.
    func found(_ search: ImportSearch) -> [String] {
        search.sources.map { source in
            "\(source.format.name): "
                + source.files.map { $0.shown.replacing(folder.path + "/", with: "") }.joined(separator: " ")
        }
    }

    /// Returns the bodies of the sources' messages, in order, and the reported troubles.
    func read(_ search: ImportSearch) async throws -> (bodies: [String], troubles: [String]) {
        var run = ImportRun(options: search.options) { false }
        var troubles: [String] = []
        let collected = CollectedLines()
        let store: ImportRun.Store = { collected.store($0) }
        for source in search.sources {
            try await run.importSource(source, store: store) { _ in
            } onError: {
                troubles.append($0.description.replacing(folder.path + "/", with: ""))
            }
        }
        try await run.finish(store: store) { _ in }
        return (collected.bodies, troubles)
    }

    static var line: String { "[03:41] <alice> hi\n" }

    /// The found formats and the skipped files.
    func summary(_ search: inout ImportSearch) -> String {
        search.skipUnrecognised()
        return (search.summary + search.report.skippedText).replacing(folder.path + "/", with: "")
    }
}

/// A format of several files. A line of it is a message; `index` lists its files, the last first.
struct LineCountFormat: LogFormats.LogFormat {
    static let name = "export"
    static let programs = "export"
    static let maximumLine = 1000
    static let hasLocalTimes = false
    private var file = ""
    private var lines = 0

    static func recognises(_ source: LogSource) -> Bool { false }
    static func files(among paths: some RandomAccessCollection<String>) -> [Int]? {
        guard paths.contains("index") else { return nil }
        return paths.enumerated().filter { $0.element.hasSuffix(".txt") }.map(\.offset).reversed()
    }
    init(_ source: LogSource) throws(LogSourceError) {}
    mutating func begin(file path: String) { file = path }
    mutating func parseLine(_ line: LogLine) -> ParsedLine {
        lines += 1
        let body = "\(lines) \(file):\(line.number) \(String(decoding: line.bytes, as: UTF8.self))"
        return .message(
            ImportedMessage(
                room: "r", kind: .message, sender: nil, body: body, time: sampleTime, resolution: .second))
    }
    mutating func finish() -> ParsedLine { .unreadable("held back") }
    var assumptions: [String] { ["there were \(lines) lines"] }
}
