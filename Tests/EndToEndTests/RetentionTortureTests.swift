import Foundation
import TestSupport
import Testing

/// Commands that remove messages, killed at their system calls. `make torture` kills at every one, `make test` at some.
@Suite(.timeLimit(.minutes(Torture.isWhole ? 60 : 3)))
struct RetentionTortureTests {
    private static let canary = "canarywort"
    private static let messages = 300
    private static let forgotten = 15
    private static let applying = ["retention", "apply", "--yes"]
    private static let forgetting = ["retention", "forget", "--user", "mallory", "--delete", "--execute"]

    /// A data folder from which each run begins again, and the program that runs in it.
    private struct Tortured {
        let template: Program
        let program: Program

        init() async throws {
            template = try Program()
            try await StoredRoom.store(
                (0..<messages).map { number in
                    number % 20 == 7
                        ? StoredRoom.Said(name: "mallory", text: "\(canary) \(number) 카나리아")
                        : StoredRoom.Said(name: "민수", text: "말 \(number)")
                }, for: template)
            try template.write(
                """
                [retention]
                max_age = "1h"
                min_messages = 20
                """, to: "scrollback.toml")
            program = try Program()
            try reset()
        }

        func reset() throws {
            try FileManager.default.removeItem(atPath: program.home)
            try FileManager.default.copyItem(atPath: template.home, toPath: program.home)
        }

        func lines() async throws -> [Substring] {
            try await program("history", "lobby", "-n", "all", "--format", "jsonl").output.split(separator: "\n")
        }

        func failures(of command: [String]) async throws -> [String] {
            let run = try await program.start(arguments: command).result()
            return run.status == 0 ? [] : ["\(command[1]): \(run.output)\(run.errors)"]
        }

        /// The files of the data folder with the canary, its end, its pairs of letters, or its author's name.
        func traces() throws -> [String] {
            let needles = [canary, String(canary.suffix(6)), "카나", "아리", "mallory"].map { Data($0.utf8) }
            return try FileManager.default.subpathsOfDirectory(atPath: program.data).filter { name in
                let bytes = FileManager.default.contents(atPath: program.data + "/" + name) ?? Data()
                return needles.contains { bytes.range(of: $0) != nil }
            }
        }

        /// What is wrong after `apply` was killed; nothing when all is well.
        func complaintsAboutApplying() async throws -> [String] {
            let log = try await program("retention", "log", "--format", "jsonl").output
            let removed = log.firstMatch(of: /"count": ([0-9]+)/).flatMap { Int($0.1) } ?? 0
            let left = try await lines().count
            var complaints =
                left + removed == messages ? [] : ["\(left) are left of \(messages), and \(removed) removed"]
            complaints += try await failures(of: ["archive", "check"]) + failures(of: applying)
            return try await lines().count == 20 ? complaints : complaints + ["the next run does not end the work"]
        }

        /// The same for `forget`.
        func complaintsAboutForgetting() async throws -> [String] {
            let found = try await lines()
            let others = found.count { !$0.contains(canary) }
            var complaints = others == messages - forgotten ? [] : ["\(others) messages of others are left"]
            complaints += try await failures(of: ["archive", "check"])
            let again = try await program.start(arguments: forgetting).result()
            if again.status != 0, !again.errors.contains("[unknown-user]") { complaints.append(again.errors) }
            return try complaints + traces().map { "a trace in \($0)" } + (await failures(of: ["archive", "check"]))
        }
    }

    @Test func `rules that are killed at any call leave a ledger that agrees with what is left`() async throws {
        let tortured = try await Tortured()
        let calls = try await tortured.program.countCalls(Self.applying) { try tortured.reset() }
        for number in Torture.spread(1...calls, count: 6) {
            try tortured.reset()
            let run = try await tortured.program.with(["AT": "\(number)"]).start(arguments: Self.applying).result()
            // The number of transactions depends on how fast the disk is.
            #expect(run.isKilled || number > calls * 3 / 4)
            let complaints = try await tortured.complaintsAboutApplying()
            #expect(complaints.isEmpty, "call \(number) of \(calls)")
        }
    }

    @Test func `forgetting that is killed at any call is ended by the next commands, and leaves no trace`() async throws
    {
        let tortured = try await Tortured()
        #expect(try !tortured.traces().isEmpty)
        let calls = try await tortured.program.countCalls(Self.forgetting) { try tortured.reset() }
        for number in Torture.spread(1...calls, count: 8) {
            try tortured.reset()
            let run = try await tortured.program.with(["AT": "\(number)"]).start(arguments: Self.forgetting).result()
            #expect(run.isKilled || number > calls * 3 / 4)
            let complaints = try await tortured.complaintsAboutForgetting()
            #expect(complaints.isEmpty, "call \(number) of \(calls)")
        }
    }

    @Test(arguments: ["/1.sqlite", "/1.sqlite-wal"])
    func `a disk that drops what forgetting writes is noticed`(file: String) async throws {
        let tortured = try await Tortured()
        let run = try await tortured.program.with(["DROP": file]).start(arguments: Self.forgetting).result()
        let traces = try tortured.traces()
        #expect(run.status != 0 || !traces.isEmpty)
    }
}
