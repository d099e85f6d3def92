import Foundation
import TestSupport
import Testing

/// Files that say what no program wrote: a wrong type, nothing, or a number beyond all bounds, in any column of any table.
/// `make torture` tries all of it, `make test` some.
@Suite(.timeLimit(.minutes(Torture.isWhole ? 120 : 5)))
struct DamageTortureTests {
    /// Another every time; `SCROLLBACK_SEED` tries the same again.
    static let seed =
        ProcessInfo.processInfo.environment["SCROLLBACK_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...999_999)

    /// Each part is a process of its own: one that a trap ends keeps no other from being run.
    static let parts = Torture.isWhole ? 40 : 1

    @Test(arguments: 0..<parts)
    func `whatever a column says, each command ends with an answer or an error, and harms no other account`(part: Int)
        async throws
    {
        let folder = try TemporaryFolder()
        let log = folder.path + "/log"
        await #expect(processExitsWith: .success, "SCROLLBACK_SEED=\(Self.seed)") {
            [seed = Self.seed as UInt64, log = log as String, part = part as Int] in
            dup2(open("/dev/null", O_WRONLY), 1)
            dup2(open(log, O_WRONLY | O_CREAT | O_APPEND, 0o600), 2)
            let archive = try await DamagedArchive()
            var commands = try await DamagedCommands(archive, seed: seed)
            let damages = archive.some(25, seed: seed).enumerated().filter { $0.offset % Self.parts == part }
            exit(try await commands.run(damages.map(\.element)) ? 0 : 1)
        }
        let lines = try String(decoding: Data(contentsOf: URL(filePath: log)), as: UTF8.self).split(separator: "\n")
        let wrong = lines.filter { $0.hasPrefix("WRONG") }
        #expect(wrong == [])
        #expect(lines.last?.hasSuffix(": done") == true, "\(lines.suffix(12).joined(separator: "\n"))")
    }
}
