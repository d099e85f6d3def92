import Foundation
import TestSupport
import Testing

/// `.ci/failed-tests`, which runs failed suites again, with a `swift` that prints what the test says.
@Suite(
    .timeLimit(.minutes(MachineSpeed.minutes(5))),
    .enabled(if: Tool.find("bash") != nil && Tool.find("awk") != nil, "needs bash and awk"))
struct FailedTestsTests {
    private static let top = "\(#filePath)".components(separatedBy: "/Tests/")[0]

    private static func failed(_ test: String, in suite: String) -> String {
        """
        ✘ Test "\(test)" recorded an issue at \(suite).swift:7:9: Expectation failed
        ✘ Test "\(test)" failed after 1.0 seconds with 1 issue.
        ✘ Suite \(suite) failed after 1.0 seconds with 1 issue.

        """
    }

    private static let first =
        failed("a wait ends", in: "WaitTests") + failed("a sum is right", in: "SumTests")
        + "✘ Test run with 9 tests in 4 suites failed after 3.0 seconds with 2 issues.\n"

    private struct Outcome {
        let run: Run.Result
        let flaky: String?
    }

    private func repeated(_ second: String, status: Int) async throws -> Outcome {
        let folder = try TemporaryFolder()
        let files = FileManager.default
        for name in [".ci", ".build", "bin"] {
            try files.createDirectory(atPath: folder.path + "/" + name, withIntermediateDirectories: false)
        }
        for name in [".ci/failed-tests", ".ci/test-results"] {
            try files.copyItem(atPath: Self.top + "/" + name, toPath: folder.path + "/" + name)
        }
        let swift = "#!/bin/bash\necho \"$@\"\ncat second\nexit \(status)\n"
        for (name, text) in [(".build/tests.log", Self.first), ("second", second), ("bin/swift", swift)] {
            try text.write(toFile: folder.path + "/" + name, atomically: false, encoding: .utf8)
        }
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path + "/bin/swift")
        let bash = try #require(Tool.find("bash"))
        let run = try await bash.run(
            [folder.path + "/.ci/failed-tests"], environment: ["PATH": folder.path + "/bin:/usr/bin:/bin"])
        let flaky = files.contents(atPath: folder.path + "/.build/flaky-tests")
        return Outcome(run: run, flaky: flaky.map { String(decoding: $0, as: UTF8.self) })
    }

    @Test func `tests that pass on retry are counted and listed as flaky, and don't fail the run`()
        async throws
    {
        let outcome = try await repeated("✔ Test run with 2 tests in 2 suites passed after 1.0 seconds.\n", status: 0)
        #expect(outcome.run.status == 0, "\(outcome.run.errors)")
        let repetition = "test -c release --skip-build --filter \\.SumTests/ --filter \\.WaitTests/\n"
        #expect(outcome.run.output.contains(repetition))
        let list = "  \"a wait ends\"  WaitTests.swift:7\n  \"a sum is right\"  SumTests.swift:7\n"
        #expect(outcome.run.output.hasSuffix("\nflaky, failed beside the others and passed alone: 2\n" + list))
        #expect(outcome.flaky == list)
    }

    @Test func `a test that fails twice fails the run, and the other one is flaky`() async throws {
        let second =
            Self.failed("a sum is right", in: "SumTests")
            + "✘ Test run with 2 tests in 2 suites failed after 1.0 seconds with 1 issue.\n"
        let outcome = try await repeated(second, status: 1)
        #expect(outcome.run.status == 1)
        #expect(outcome.flaky == "  \"a wait ends\"  WaitTests.swift:7\n")
        #expect(outcome.run.output.hasSuffix("\nfailed twice:\n  \"a sum is right\"  SumTests.swift:7\n"))
    }

    @Test func `a retry that does not end fails the run`() async throws {
        let outcome = try await repeated("a crash\n", status: 1)
        #expect(outcome.run.status == 1 && outcome.flaky == nil)
        #expect(outcome.run.output.hasSuffix("\nthe tests did not run to their end a second time\n"))
    }
}
