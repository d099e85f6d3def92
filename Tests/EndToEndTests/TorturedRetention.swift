import Foundation
import TestSupport

/// A data folder from which each run begins again, and the program that runs in it.
struct TorturedRetention {
    static let canary = "canarywort"
    static let messages = 300
    static let forgotten = 15
    static let applying = ["retention", "apply", "--yes"]
    static let forgetting = ["retention", "forget", "--user", "mallory", "--delete", "--execute"]

    let template: Program
    let program: Program

    init() async throws {
        template = try Program()
        try await StoredRoom.store(
            (0..<Self.messages).map { number in
                number % 20 == 7
                    ? StoredRoom.Said(name: "mallory", text: "\(Self.canary) \(number) 카나리아")
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
        let needles = [Self.canary, String(Self.canary.suffix(6)), "카나", "아리", "mallory"].map { Data($0.utf8) }
        return try FileManager.default.subpathsOfDirectory(atPath: program.data).filter { name in
            let bytes = FileManager.default.contents(atPath: program.data + "/" + name) ?? Data()
            return needles.contains { bytes.range(of: $0) != nil }
        }
    }

    /// Messages that are neither left nor counted in the ledger, or both.
    func complaintsAboutLedger() async throws -> [String] {
        let log = try await program("retention", "log", "--format", "jsonl").output
        let removed = log.firstMatch(of: /"count": ([0-9]+)/).flatMap { Int($0.1) } ?? 0
        let left = try await lines().count
        return left + removed == Self.messages ? [] : ["\(left) are left of \(Self.messages), and \(removed) removed"]
    }

    /// Messages of others that `forget` took away.
    func complaintsAboutOthers() async throws -> [String] {
        let others = try await lines().count { !$0.contains(Self.canary) }
        return others == Self.messages - Self.forgotten ? [] : ["\(others) messages of others are left"]
    }

    /// Faults after `apply` was killed; empty if there are none.
    func complaintsAboutApplying() async throws -> [String] {
        let complaints =
            try await complaintsAboutLedger()
            + failures(of: ["archive", "check"]) + failures(of: Self.applying)
        return try await lines().count == 20 ? complaints : complaints + ["the next run does not end the work"]
    }

    /// The same for `forget`.
    func complaintsAboutForgetting() async throws -> [String] {
        var complaints = try await complaintsAboutOthers() + failures(of: ["archive", "check"])
        let again = try await program.start(arguments: Self.forgetting).result()
        if again.status != 0, !again.errors.contains("[unknown-user]") { complaints.append(again.errors) }
        return try complaints + traces().map { "a trace in \($0)" } + (await failures(of: ["archive", "check"]))
    }
}
