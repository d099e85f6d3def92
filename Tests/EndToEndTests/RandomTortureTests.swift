import Foundation
import TestSupport
import Testing

/// Random kills and power cuts by the programs in `Tests/Torture`. `make torture` runs more of them.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct RandomTortureTests {
    private static let python = Tool.find("python3")
    private static let folder = "\(#filePath)".components(separatedBy: "/Tests/")[0] + "/Tests/Torture/"

    /// The time in which a program tries its cases. A slow machine tries fewer.
    private static let minutes = "3"

    private func run(_ program: String, _ arguments: String...) async throws -> Run.Result {
        let arguments = ["-B", Self.folder + program, "--seed", "1", "--binary", Program.path] + arguments
        // Each command of the program has its own limit (`LONGEST` in torture.py), and the suite has one for everything.
        return try await #require(Self.python).run(arguments, within: .seconds(600))
    }

    @Test(.enabled(if: Self.python != nil, "needs python3"))
    func `listeners and commands killed at random times lose nothing and store nothing twice`() async throws {
        let run = try await run("kills.py", "--kills", "16", "--minutes", Self.minutes)
        #expect(run.status == 0, "\(run.output.suffix(4000)) \(run.errors.suffix(2000))")
    }

    @Test(.enabled(if: Self.python != nil && Tool.find("cc") != nil, "needs python3 and a C compiler"))
    func `a power cut leaves a readable archive with every acknowledged message`() async throws {
        let run = try await run("powercuts.py", "--images", "5", "--minutes", Self.minutes)
        #expect(run.status == 0, "\(run.output.suffix(4000)) \(run.errors.suffix(2000))")
    }

    @Test(.enabled(if: Self.python != nil, "needs python3"))
    func `the test notices a bug planted between kills`() async throws {
        let kills = try await run("kills.py", "--self-test", "--only", "import")
        #expect(kills.status == 0, "\(kills.output.suffix(4000))")
    }

    @Test(.enabled(if: Self.python != nil && Tool.find("cc") != nil, "needs python3 and a C compiler"))
    func `the test notices a bug planted before a power cut`() async throws {
        let cuts = try await run("powercuts.py", "--self-test", "--only", "move", "--images", "200")
        #expect(cuts.status == 0, "\(cuts.output.suffix(4000))")
    }
}
