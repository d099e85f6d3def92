import Foundation
import TestSupport
import Testing

/// Commands whose system calls fail, and those that no other test kills. `make torture` tries each fault at each call
/// that may meet it, `make test` some that the seed chooses.
///
/// `SCROLLBACK_CASE="evict EIO 57"` tries one case again, `SCROLLBACK_CASE=evict` all of one command, and
/// `SCROLLBACK_TORTURE=500` that many of each.
@Suite(.timeLimit(.minutes(Torture.minutes(10, whole: 60))))
struct CallTortureTests {
    struct Command: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The ways that other tests do not try.
        var ways = CallFault.Way.failures
        let make: @Sendable () async throws -> TorturedCommand
    }

    static let commands = [
        Command(testDescription: "evict", make: TorturedCommand.evict),
        Command(testDescription: "restore", make: TorturedCommand.restore),
        Command(testDescription: "compact", make: TorturedCommand.compact),
        Command(testDescription: "erase", make: TorturedCommand.erase),
        Command(testDescription: "backup", make: TorturedCommand.backup),
        Command(testDescription: "restore-backup", make: TorturedCommand.restoreBackup),
        Command(testDescription: "apply", make: TorturedCommand.apply),
        Command(testDescription: "forget", make: TorturedCommand.forget),
        Command(testDescription: "erase-room", ways: CallFault.Way.allCases, make: TorturedCommand.eraseRoom),
        Command(testDescription: "add-token", ways: CallFault.Way.allCases, make: TorturedCommand.addToken),
        Command(testDescription: "remove-token", ways: CallFault.Way.allCases, make: TorturedCommand.removeToken),
        Command(testDescription: "migrate", ways: CallFault.Way.allCases, make: TorturedCommand.migrate),
    ]

    @Test(arguments: commands)
    func `a failed call is hidden or reported, and the next run completes the command`(
        command: Command
    ) async throws {
        try await tryAll(of: command)
    }

    @Test(.enabled(if: PostgreSQLServer.isAvailable, "needs PostgreSQL, which .ci/fetch-tools fetches"))
    func `the next run continues a shared copy that failed or was killed at any call`() async throws {
        try await tryAll(
            of: Command(
                testDescription: "replicate", ways: CallFault.Way.allCases, make: TorturedCommand.replicate))
    }

    /// SQLite commits the end of its log after it has answered, and ignores an error when it removes a file.
    @Test func `compressing reports a disk error while a file is sealed`() async throws {
        let tortured = try await TorturedCommand.evict()
        let faults = try await tortured.cases([.inputOutput]).filter { fault in
            (fault.call.isSync || fault.call.name == "unlinkat")
                && ["", "-journal", "-wal", "-shm"].contains { fault.call.path.hasSuffix("/1.sqlite" + $0) }
        }
        #expect(faults.count > 3)
        for fault in faults {
            let complaints = try await tortured.complaints(fault)
            #expect(complaints.isEmpty, "SCROLLBACK_CASE='\(fault)' at \(fault.call)")
        }
    }

    /// Errors that the command itself never sees, as if it ignored them.
    @Test(arguments: [
        ("evict", "fsync", ".zst.tmp"), ("erase", "rename", ""), ("apply", "write", ".sqlite-wal"),
    ])
    func `the test notices an error that a command ignores`(command: String, call: String, file: String) async throws {
        let command = try #require(Self.commands.first { $0.testDescription == command })
        let tortured = try await command.make()
        let faults = try await tortured.cases([.inputOutput])
            .filter { $0.call.name == call && $0.call.path.hasSuffix(file) }
        #expect(!faults.isEmpty)
        for fault in faults {
            if try await !tortured.complaints(fault, swallowed: true).isEmpty { return }
        }
        Issue.record("none of \(faults.count) ignored errors was noticed")
    }

    private func tryAll(of command: Command) async throws {
        if let replayed = Torture.replayed, !"\(replayed) ".hasPrefix(command.testDescription + " ") { return }
        let tortured = try await command.make()
        let cases = try await tortured.cases(command.ways)
        let chosen = Torture.choose(cases, count: 6)
        print("\(command.testDescription): \(chosen.count) of \(cases.count) faults, SCROLLBACK_SEED=\(Torture.seed)")
        for fault in chosen {
            let complaints = try await tortured.complaints(fault)
            #expect(complaints.isEmpty, "SCROLLBACK_CASE='\(fault)' at \(fault.call)")
        }
    }
}
