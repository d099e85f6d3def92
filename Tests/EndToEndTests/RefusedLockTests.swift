import Foundation
import TestSupport
import Testing

/// A file system without locks, such as some mounts of NFS.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct RefusedLockTests {
    private static let commands = [
        ["rooms"], ["import", "jsonl", "room.jsonl", "-a", "club"], ["listen"],
        ["serve", "token", "add", "phone", "--all"],
        ["archive", "compress", "club"],
    ]

    @Test(arguments: commands, [("ENOLCK", "No locks available"), ("EOPNOTSUPP", "Operation not supported")])
    func `a refused lock is an error with its name and advice`(
        command: [String], refusal: (name: String, words: String)
    ) async throws {
        let scrollback = try Program()
        try scrollback.configure(ports: 1)
        try scrollback.write(
            "{\"id\": \"2024-01-02T03:04:05.000000Z\", \"room\": \"a\", \"kind\": \"message\", \"body\": \"x\"}\n",
            to: "room.jsonl")
        #expect(try await scrollback("import", "jsonl", "room.jsonl", "-a", "club").status == 0)
        let result = try await scrollback.with(["LOCKS": refusal.name]).start(arguments: command).result()
        #expect(result.status != 0)
        #expect(result.errors.contains("can't lock \(scrollback.data)/"), "\(result.errors)")
        #expect(result.errors.contains("\(refusal.words) (\(refusal.name)); move the folder to a local disk"))
        #expect(result.errors.contains("[no-locks]"))
    }
}
