import Foundation
import TestSupport
import Testing

/// The listener at real XMPP servers, which have each fault once: `Tests/Soak/xmpp_soak.py`. `make soak` repeats them.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct XMPPFaultsTests {
    private static let python = Tool.findInVenv("python") ?? Tool.find("python3")

    @Test(
        .enabled(if: python != nil && JabberServer.Kind.allCases.allSatisfy(\.isAvailable), "needs both servers"),
        arguments: JabberServer.Kind.allCases)
    func `what an archive keeps is stored once or lies in a gap, after every fault`(
        kind: JabberServer.Kind
    ) async throws {
        let script = "\(#filePath)".components(separatedBy: "/Tests/")[0] + "/Tests/Soak/xmpp_soak.py"
        let run = try await #require(Self.python).run(
            [
                "-B", script, "--binary", Program.path, "--once", "--storages", kind.rawValue, "--accounts", "2",
                "--messages", "200", "--rate", "20", "--verbose",
            ], within: .seconds(300))
        #expect(run.status == 0, "\(run.output.suffix(6000)) \(run.errors.suffix(2000))")
    }
}
