import Foundation
import TestSupport

/// An archive, and a folder of it for each format.
struct ExportedArchive {
    let archive: LargeArchive
    private let folder: TemporaryFolder
    private let program: Program

    init(messages: Int) async throws {
        (folder, program) = (try TemporaryFolder(), try Program())
        archive = LargeArchive(folder: folder.path + "/data", messages: messages, hasExtras: true)
        try await archive.fill()
        Progress.say("\(messages) messages stored")
    }

    func export(_ format: String) throws -> Program.Peak {
        try program.watch(arguments(format))
    }

    /// Brings it up to date.
    func append(_ format: String) throws -> Program.Peak {
        try program.watch(arguments(format) + ["--append"])
    }

    private func arguments(_ format: String) -> [String] {
        ["export", "--format", format, "-o", output(format), "--utc", "--data", archive.folder]
    }

    private func output(_ format: String) -> String { folder.path + "/" + format }

    /// - Returns: the seconds that it takes.
    func verify(_ format: String) throws -> Double {
        try program.watch(["backup", "verify", output(format)]).seconds
    }

    /// More messages, after the last.
    func add(_ count: Int) async throws {
        try await archive.add(archive.messages..<archive.messages + count)
    }

    /// Of all files.
    func bytes(_ format: String) throws -> Int {
        let files = FileManager.default.enumerator(atPath: output(format))
        var bytes = 0
        while files?.nextObject() != nil { bytes += (files?.fileAttributes?[.size] as? Int) ?? 0 }
        return bytes
    }

    /// `…; 3 months written, 45 as they were`
    static func months(in said: String) -> String {
        let words = said.split { $0 == " " || $0 == "," }
        guard let place = words.firstIndex(of: "months"), place > 0, place + 2 < words.count else { return "-" }
        return "\(words[place - 1]), \(words[place + 2])"
    }
}
