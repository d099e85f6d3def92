import Foundation
import TestSupport
import Testing

/// Commands that move an account's file, killed at their system calls. `make torture` kills at every one, `make test` at
/// some.
@Suite(.timeLimit(.minutes(Torture.minutes(10, whole: 60))))
struct TortureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var state: TorturedArchive.State
        var command: [String]
        var catalog = Catalog.kept
    }

    enum Catalog {
        case kept
        /// There is none before.
        case missing
        /// There is none afterwards.
        case lost
    }

    static let evicting = Case(testDescription: "evict", state: .closed, command: ["archive", "compress", "demo"])
    static let evictingLog = Case(
        testDescription: "evict what a kill of its writer left", state: .killed,
        command: ["archive", "compress", "demo"])
    static let restoring = Case(testDescription: "restore", state: .cold, command: ["archive", "restore", "demo"])
    static let compacting = Case(
        testDescription: "compact", state: .killed, command: ["archive", "compact", "demo", "--execute"])
    static let all = [
        evicting, evictingLog, restoring, compacting,
        Case(testDescription: "read a cold one", state: .cold, command: TorturedArchive.reading),
        Case(
            testDescription: "evict without a catalog", state: .killed, command: ["archive", "compress", "demo"],
            catalog: .missing),
        Case(
            testDescription: "read a cold one without a catalog", state: .cold, command: TorturedArchive.reading,
            catalog: .missing),
        Case(
            testDescription: "evict, and lose the catalog", state: .killed, command: ["archive", "compress", "demo"],
            catalog: .lost),
        Case(
            testDescription: "restore, and lose the catalog", state: .cold, command: ["archive", "restore", "demo"],
            catalog: .lost
        ),
        Case(testDescription: "make an account", state: .none, command: TorturedArchive.importing),
    ]

    @Test(arguments: all)
    func `a kill at any system call leaves one copy with every message`(tortured: Case) async throws {
        let archive = try await TorturedArchive(tortured.state, hasCatalog: tortured.catalog != .missing)
        let program = try archive.begin()
        let calls = try await program.countCalls(tortured.command) { try archive.reset(program) }
        #expect(calls > 10)
        // After one is before the next, but for the last.
        let points =
            Torture.spread(1...calls, count: 3).map { ($0, "before") }
            + Torture.spread(1...calls, count: 1).map { ($0, "half") } + [(calls, "after")]
        for (number, moment) in points {
            try archive.reset(program)
            let run = try await program.with(["AT": "\(number)", "WHEN": moment])
                .start(arguments: tortured.command).result()
            #expect(run.isKilled)
            if tortured.catalog == .lost { try archive.loseCatalog(program) }
            let complaints = try await archive.complaints(program)
            #expect(complaints.isEmpty, "\(moment) call \(number) of \(calls)")
        }
    }

    @Test(arguments: [evictingLog, restoring])
    func `the next run recovers from a kill during recovery`(tortured: Case) async throws {
        let archive = try await TorturedArchive(tortured.state)
        let program = try archive.begin()
        let calls = try await program.countCalls(tortured.command) { try archive.reset(program) }
        var random = SeededGenerator(seed: 5)
        for number in Torture.spread(1...calls, count: 3) {
            for _ in 0..<(Torture.isWhole ? 2 : 1) {
                try archive.reset(program)
                _ = try await program.with(["AT": "\(number)"]).start(arguments: tortured.command).result()
                let second = Int.random(in: 1...60, using: &random)
                _ = try await program.with(["AT": "\(second)"]).start(arguments: TorturedArchive.reading).result()
                let complaints = try await archive.complaints(program)
                #expect(complaints.isEmpty, "call \(number) of \(calls), then \(second)")
            }
        }
    }

    @Test(arguments: [TorturedArchive.State.killed, .cold])
    func `a killed erasure leaves the account complete or gone, and the next one leaves nothing`(
        state: TorturedArchive.State
    ) async throws {
        let archive = try await TorturedArchive(state)
        let program = try archive.begin()
        let command = ["archive", "erase", "demo", "--execute"]
        let calls = try await program.countCalls(command) { try archive.reset(program) }
        for number in Torture.spread(1...calls, count: 6) {
            try archive.reset(program)
            _ = try await program.with(["AT": "\(number)"]).start(arguments: command).result()
            let read = try await program.start(arguments: TorturedArchive.reading).result()
            let isGone = read.status == 2 && read.errors.contains("[unknown-")
            #expect(isGone || archive.misread(read).isEmpty, "call \(number) of \(calls): \(read.errors)")
            let again = try await program.start(arguments: command).result()
            #expect(again.status == (isGone ? 1 : 0), "call \(number) of \(calls): \(again.errors)")
            let left = try FileManager.default.contentsOfDirectory(atPath: program.data + "/accounts")
            #expect(left.filter { $0 != ".making" } == [], "call \(number) of \(calls)")
        }
    }

    @Test func `an account that one process was killed restoring is read by another`() async throws {
        let archive = try await TorturedArchive(.cold)
        let program = try archive.begin()
        let command = TorturedArchive.reading
        let calls = try await program.countCalls(command) { try archive.reset(program) }
        for number in Torture.spread(1...calls, count: 3) {
            try archive.reset(program)
            let killed = try program.with(["AT": "\(number)"]).start(arguments: command)
            let other = try program.start(arguments: command)
            let complaints = try await archive.misread(other.result())
            #expect(complaints.isEmpty, "beside one killed at call \(number)")
            _ = try await killed.result()
            let later = try await archive.complaints(program)
            #expect(later.isEmpty, "after one killed at call \(number)")
        }
    }

    /// A restoring that is as hasty is put in order: the plain file is whole by then, and the only one.
    @Test func `the test notices removing a plain file before the catalog names the compressed one`() async throws {
        let archive = try await TorturedArchive(.closed)
        let program = try archive.begin()
        let hasty = program.with(["HASTY": "1.sqlite"])
        let calls = try await hasty.countCalls(["archive", "compress", "demo"]) { try archive.reset(program) }
        for number in Torture.spread(1...calls, count: 20).reversed() {
            try archive.reset(program)
            _ = try await hasty.with(["AT": "\(number)"]).start(arguments: ["archive", "compress", "demo"]).result()
            if try await !archive.complaints(program).isEmpty { return }
        }
        Issue.record("none of \(calls) kills was noticed")
    }

    @Test func `the test notices a compressed file without the write-ahead log`() async throws {
        let archive = try await TorturedArchive(.killed)
        let program = try archive.begin()
        _ = try await program.with(["DROP": "/1.sqlite"]).start(arguments: ["archive", "compress", "demo"]).result()
        let complaints = try await archive.complaints(program)
        #expect(complaints.contains { $0.hasPrefix("history: ") }, "\(complaints)")
    }

    @Test(arguments: [
        (evictingLog, ".zst.tmp", "[corrupt]"), (restoring, ".sqlite.tmp", "differs from what was written"),
    ])
    func `a file that reads back differently is rejected`(
        tortured: Case, written: String, error: String
    ) async throws {
        let archive = try await TorturedArchive(tortured.state)
        let program = try archive.begin()
        let run = try await program.with(["FLIP": written]).start(arguments: tortured.command).result()
        #expect(run.status == 1)
        #expect(run.errors.contains(error), "\(run.errors)")
        #expect(try await archive.complaints(program).isEmpty)
    }

    @Test func `a call number beyond the count is never reached`() async throws {
        let archive = try await TorturedArchive(.closed)
        let program = try archive.begin()
        let calls = try await program.countCalls(["accounts"]) { try archive.reset(program) }
        for (number, isKilled) in [(1, true), (calls, true), (calls + 1, false), (1_000_000, false)] {
            try archive.reset(program)
            let run = try await program.with(["AT": "\(number)"]).start(arguments: ["accounts"]).result()
            #expect(run.isKilled == isKilled)
            #expect(run.output.contains("demo") != isKilled)
        }
    }
}
