import Foundation
import TestSupport
import Writing

/// A data folder with one account, made once, from which every run begins anew.
struct TorturedArchive {
    enum State: Sendable {
        /// All messages are in the write-ahead log alone, as a `kill -9` of a listener leaves it.
        case killed
        case closed
        case cold
        /// No folder yet, and a log to import.
        case none
    }

    private let template: Program
    private let state: State
    /// What `history` has to give, byte by byte.
    private var expected = ""

    private struct NotMade: Error {
        var output: String
    }

    static let messages = 300
    static let reading = ["history", "demo/lobby", "--format", "jsonl", "-n", "1000"]
    static let importing = ["import", "energymech", "2026-11-20.log", "-a", "demo", "--room", "lobby"]

    init(_ state: State, hasCatalog: Bool = true) async throws {
        self.state = state
        template = try Program()
        if state == .none {
            try template.write(Self.log, to: "2026-11-20.log")
        } else {
            try await Self.store(template, isKilled: state == .killed)
        }
        if state == .cold { try await Self.run(template, ["archive", "compress", "demo"]) }
        if !hasCatalog { try loseCatalog(template) }
        let copy = try begin()
        if state == .none { try await Self.run(copy, Self.importing) }
        expected = comparable(try await Self.run(copy, Self.reading))
        guard expected.split(separator: "\n").count == Self.messages else { throw NotMade(output: expected) }
    }

    private static let text = (0..<messages).map { "서버 \($0) \($0 &* 2_654_435_761)" }

    private static var log: String {
        text.enumerated().map { String(format: "[%02d:%02d] <alice> ", $0 / 60, $0 % 60) + $1 + "\n" }.joined()
    }

    private static func store(_ program: Program, isKilled: Bool) async throws {
        let writer = try await StoredRoom.write(text.map { StoredRoom.Said(name: "alice", text: $0) }, for: program)
        // By another process: we would drop SQLite's locks.
        let copy = try await program.start(arguments: [], shell: "cp -a data/scrollback copy").result()
        try await writer.close()
        guard isKilled, copy.status == 0 else { return }
        try FileManager.default.removeItem(atPath: program.data)
        try FileManager.default.moveItem(atPath: program.home + "/copy", toPath: program.data)
    }

    @discardableResult
    private static func run(_ program: Program, _ command: [String]) async throws -> String {
        let result = try await program.start(arguments: command).result()
        guard result.status == 0 else { throw NotMade(output: "\(command): \(result.errors)") }
        return result.output
    }

    /// A program with a folder of its own in the state.
    func begin() throws -> Program {
        let program = try Program()
        try reset(program)
        return program
    }

    func reset(_ program: Program) throws {
        try FileManager.default.removeItem(atPath: program.home)
        try FileManager.default.copyItem(atPath: template.home, toPath: program.home)
    }

    func loseCatalog(_ program: Program) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: program.data) where name.hasPrefix("catalog.") {
            try FileManager.default.removeItem(atPath: program.data + "/" + name)
        }
    }

    /// What is imported has the time of the import.
    private func comparable(_ output: String) -> String {
        state == .none ? output.replacing(/"received_at": "[^"]*"/, with: "") : output
    }

    /// What is not as it has to be after a command was killed; nothing when all is well.
    func complaints(_ program: Program) async throws -> [String] {
        var complaints: [String] = []
        // An import that was killed is to be given again.
        if state == .none { complaints += try await failure(program, Self.importing) }
        complaints += try await misread(program) + orphans(program)
        for command in [["archive", "check"], ["archive", "compress", "demo"]] {
            complaints += try await failure(program, command)
        }
        complaints += try await misread(program) + orphans(program)
        // SQLite removes one that tells nothing when it writes the next time.
        let journal = Self.folder(of: program) + "/catalog.sqlite-journal"
        if FileManager.default.fileExists(atPath: journal) { complaints.append("the catalog's journal is left") }
        return complaints
    }

    private static func folder(of program: Program) -> String {
        program.environment["SCROLLBACK_DATA"] ?? program.data
    }

    private func failure(_ program: Program, _ command: [String]) async throws -> [String] {
        let result = try await program.start(arguments: command).result()
        return result.status == 0 ? [] : ["\(command[0]): \(result.output)\(result.errors)"]
    }

    /// Faults after any end of a command: a missing message, or damage.
    ///
    /// - Parameter mayBeGone: The account may be missing as a whole.
    func broken(_ program: Program, mayBeGone: Bool = false) async throws -> [String] {
        let read = try await program.start(arguments: Self.reading).result()
        if mayBeGone, read.status == 2, read.errors.contains("[unknown-") || read.errors.contains("[no-archive]") {
            return []
        }
        return try await misread(read) + orphans(program) + failure(program, ["archive", "check"])
    }

    func misread(_ program: Program) async throws -> [String] {
        try await misread(program.start(arguments: Self.reading).result())
    }

    /// What is wrong with the result of ``reading``.
    func misread(_ result: Run.Result) -> [String] {
        guard result.status == 0 else { return ["history: \(result.errors)"] }
        let found = comparable(result.output)
        guard found != expected else { return [] }
        return ["history has \(found.split(separator: "\n").count) messages, which are not those stored"]
    }

    /// Files that nobody needs, and those that are missing, beside a plain file.
    private func orphans(_ program: Program) throws -> [String] {
        let folder = Self.folder(of: program)
        func names(_ path: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder + path).sorted()
        }
        let accounts = try names("/accounts")
        var odd = try names("").filter { !["accounts", "catalog.sqlite", "catalog.sqlite-journal"].contains($0) }
        guard accounts.count == 1 else { return ["\(accounts) instead of one account"] }
        let files = try names("/accounts/" + accounts[0])
        let plain = files.filter { $0.wholeMatch(of: /[0-9]+\.sqlite/) != nil }
        if plain.count != 1 || !files.contains("lock") || !files.contains("writer") { odd += files }
        odd += files.filter { file in
            !["lock", "writer"].contains(file)
                && !plain.contains { [$0, $0 + "-wal", $0 + "-shm"].contains(file) }
        }
        return odd.isEmpty ? [] : ["files: \(odd)"]
    }
}
