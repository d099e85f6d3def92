import Foundation
import TestSupport

/// An archive, and a folder with its export in each format.
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

    /// Continues the export with the new messages.
    func append(_ format: String) throws -> Program.Peak {
        try program.watch(arguments(format) + ["--append"])
    }

    private func arguments(_ format: String) -> [String] {
        ["export", "--format", format, "-o", output(format), "--utc", "--data", archive.folder]
    }

    private func output(_ format: String) -> String { folder.path + "/" + format }

    /// - Returns: The time of the verification, in seconds.
    func verify(_ format: String) throws -> Double {
        try program.watch(["backup", "verify", output(format)]).seconds
    }

    /// Adds this number of messages after the last one.
    func add(_ count: Int) async throws {
        try await archive.add(archive.messages..<archive.messages + count)
    }

    /// Returns the size of all files of an export, in bytes.
    func bytes(_ format: String) throws -> Int {
        let files = FileManager.default.enumerator(atPath: output(format))
        var bytes = 0
        while files?.nextObject() != nil { bytes += (files?.fileAttributes?[.size] as? Int) ?? 0 }
        return bytes
    }

    /// Returns the part about months: `…; 3 months written, 45 unchanged`.
    static func months(in said: String) -> String {
        let words = said.split { $0 == " " || $0 == "," }
        guard let place = words.firstIndex(of: "months"), place > 0, place + 2 < words.count else { return "-" }
        return "\(words[place - 1]), \(words[place + 2])"
    }
}
