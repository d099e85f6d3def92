import Foundation
import TestSupport
import Testing

/// The open files that a listener may have.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct DescriptorTests {
    /// Of a listener's own accounts, at a port where nothing listens.
    private func configured(accounts: Int) throws -> Program {
        let program = try Program()
        let text = (1...accounts).map { number in
            """
            [[account]]
            name = "a\(number)"
            network = "streamchat"
            server = "tcp://127.0.0.1:1"
            nick = "archiver"


            """
        }
        try program.write(text.joined(), to: "scrollback.toml")
        return program
    }

    @Test func `a listener with too few descriptors refuses to start, with the numbers and advice`() async throws {
        let program = try configured(accounts: 50)
        let run = try program.start(arguments: ["listen"], shell: #"ulimit -n 300; exec "$@""#)
        let result = try await run.result()
        #expect(result.status == 1)
        #expect(result.errors.contains("50 accounts need up to 632 open files and sockets"), "\(result.errors)")
        #expect(result.errors.contains("may have only 300; raise the limit") && result.errors.contains("[open-files]"))
        #expect(!FileManager.default.fileExists(atPath: program.data + "/accounts"))
    }

    @Test func `a listener raises its own limit and opens every account`() async throws {
        let program = try configured(accounts: 50)
        let listener = try program.start(arguments: ["listen"], shell: #"ulimit -Hn 700; ulimit -Sn 60; exec "$@""#)
        var status = ""
        try await eventually("50 accounts wait for a server", state: { status }) {
            status = try await program("status", "--format", "jsonl").output
            return status.components(separatedBy: "refused the connection").count == 51 ? true : nil
        }
        #expect(try await listener.stop().status == 0)
    }
}
