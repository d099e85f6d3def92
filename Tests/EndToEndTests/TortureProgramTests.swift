import Foundation
import TestSupport
import Testing

/// The programs of `Tests/Torture` with few cases; `make torture` runs them whole.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct TortureProgramTests {
    private static let python = Tool.findInVenv("python") ?? Tool.find("python3")
    private static let hasServer = FileManager.default.isExecutableFile(atPath: Program.path + "-server")

    private func run(_ name: String, _ arguments: String...) async throws -> Run.Result {
        let script = "\(#filePath)".components(separatedBy: "/Tests/")[0] + "/Tests/Torture/\(name)"
        return try await #require(Self.python).run(
            ["-B", script, "--seed", "1", "--binary", Program.path] + arguments, within: .seconds(300))
    }

    @Test(.enabled(if: python != nil && hasServer, "needs python3 and scrollback-server"))
    func `no output passes hostile text through`() async throws {
        let run = try await run("injection.py", "--payloads", "4")
        #expect(run.status == 0, "\(run.output.suffix(6000)) \(run.errors.suffix(2000))")
    }

    @Test(.enabled(if: python != nil && Tool.find("ngircd") != nil && Tool.find("faketime") != nil, "needs faketime"))
    func `a listener keeps order, ids and gaps while its clock is stepped`() async throws {
        let run = try await run("clocks.py", "--fixed", "9", "--steps", "0")
        #expect(run.status == 0, "\(run.output.suffix(4000)) \(run.errors.suffix(2000))")
    }
}
