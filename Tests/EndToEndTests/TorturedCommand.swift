import Archive
import Foundation
import Schema
import TestSupport

/// A command on a data folder that each run finds the same, and what has to be true after it.
struct TorturedCommand: Sendable {
    /// Its name in `SCROLLBACK_CASE`.
    let name: String
    let arguments: [String]
    /// The program, with its calls counted in the folder that matters.
    let program: Program
    /// The words of the error when there is nothing left to do.
    var repeated: String?
    let reset: @Sendable () async throws -> Void
    /// Returns what is wrong whenever the command has ended.
    let broken: @Sendable () async throws -> [String]
    /// Returns what is wrong when the command has succeeded.
    let undone: @Sendable () async throws -> [String]

    static func failures(_ program: Program, _ command: [String]) async throws -> [String] {
        let run = try await program.start(arguments: command).result()
        return run.status == 0 ? [] : ["\(command.prefix(2)): \(run.output)\(run.errors)"]
    }

    private static func prepare(_ program: Program, _ command: [String]) async throws {
        let failures = try await failures(program, command)
        guard failures.isEmpty else { throw WaitedInVain(description: "\(failures)") }
    }
}

// MARK: Commands that move an account's file

extension TorturedCommand {
    private static func make(
        _ name: String, _ arguments: [String], _ state: TorturedArchive.State, repeated: String? = nil,
        mayBeGone: Bool = false, undone: @escaping @Sendable (Program) throws -> [String]
    ) async throws -> TorturedCommand {
        let archive = try await TorturedArchive(state)
        let program = try archive.begin()
        return TorturedCommand(
            name: name, arguments: arguments, program: program, repeated: repeated,
            reset: { try archive.reset(program) },
            broken: { try await archive.broken(program, mayBeGone: mayBeGone) },
            undone: { try undone(program) })
    }

    /// The names of the account's files that end in such a way.
    private static func files(_ program: Program, ending: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: program.data + "/accounts")
            .filter { !$0.hasPrefix(".") && $0.hasSuffix(ending) }
    }

    static func evict() async throws -> TorturedCommand {
        try await make("evict", ["archive", "compress", "demo"], .killed) { program in
            let (cold, plain) = (try files(program, ending: ".zst"), try files(program, ending: ".sqlite"))
            return cold.count == 1 && plain.isEmpty ? [] : ["not compressed: \(cold + plain)"]
        }
    }

    private static let isPlain: @Sendable (Program) throws -> [String] = { program in
        let (cold, plain) = (try files(program, ending: ".zst"), try files(program, ending: ".sqlite"))
        return cold.isEmpty && plain.count == 1 ? [] : ["not one plain file: \(cold + plain)"]
    }

    static func restore() async throws -> TorturedCommand {
        try await make("restore", ["archive", "restore", "demo"], .cold, undone: isPlain)
    }

    static func compact() async throws -> TorturedCommand {
        try await make("compact", ["archive", "compact", "demo", "--execute"], .killed, undone: isPlain)
    }

    static func erase() async throws -> TorturedCommand {
        try await make(
            "erase", ["archive", "erase", "demo", "--execute"], .killed, repeated: "[unknown-account]", mayBeGone: true
        ) { program in
            let left = try FileManager.default.contentsOfDirectory(atPath: program.data + "/accounts")
            return left.allSatisfy { $0 == ".making" } ? [] : ["not erased: \(left)"]
        }
    }
}

// MARK: Backups

extension TorturedCommand {
    private static func over(_ program: Program) -> Program {
        var copies = program
        copies.environment["SCROLLBACK_DATA"] = program.home + "/copies"
        return copies
    }

    private static func makeBackup(
        _ name: String, _ arguments: [String], repeated: String? = nil,
        prepare: (Program) async throws -> Void,
        broken: @escaping @Sendable (TorturedArchive, _ program: Program, _ copies: Program) async throws -> [String],
        undone: @escaping @Sendable (TorturedArchive, _ program: Program, _ copies: Program) async throws -> [String]
    ) async throws -> TorturedCommand {
        let archive = try await TorturedArchive(.closed)
        let template = try archive.begin()
        try await prepare(template)
        var program = try Program()
        program.environment["CRASH_POINT_FOLDER"] = program.home
        let counted = program
        return TorturedCommand(
            name: name, arguments: arguments, program: counted, repeated: repeated,
            reset: {
                try FileManager.default.removeItem(atPath: counted.home)
                try FileManager.default.copyItem(atPath: template.home, toPath: counted.home)
            },
            broken: { try await broken(archive, counted, over(counted)) },
            undone: { try await undone(archive, counted, over(counted)) })
    }

    static func backup() async throws -> TorturedCommand {
        try await makeBackup(
            "backup", ["backup", "demo", "copies"], prepare: { _ in },
            broken: { archive, program, copies in
                try await archive.broken(program) + archive.broken(copies, mayBeGone: true)
            },
            undone: { archive, _, copies in try await archive.misread(copies) })
    }

    static func restoreBackup() async throws -> TorturedCommand {
        try await makeBackup(
            "restore-backup", ["backup", "restore", "copies"], repeated: "[backup]",
            prepare: { program in
                for command in [["backup", "demo", "copies"], ["archive", "erase", "demo", "--execute"]] {
                    try await prepare(program, command)
                }
            },
            broken: { archive, program, copies in
                try await archive.broken(program, mayBeGone: true) + archive.broken(copies)
            },
            undone: { archive, program, _ in try await archive.misread(program) })
    }
}

// MARK: Schemas, retention, copies on a server

extension TorturedCommand {
    /// Reading an account of the last schema before the first migration.
    static func migrate() async throws -> TorturedCommand {
        let (template, program) = (try Program(), try Program())
        try await StoredRoom.store([StoredRoom.Said(name: "alice", text: "안녕")], for: template)
        let file = try DamagedArchive.file(of: "demo", in: template.data)
        try LastSchema.restore(file)
        // Every run takes the catalog over, too.
        try LastSchema.restore(template.data + "/catalog.sqlite", kind: "catalog")
        let reading = ["history", "--all", "--format", "jsonl"]
        let reset: @Sendable () throws -> Void = {
            try FileManager.default.removeItem(atPath: program.home)
            try FileManager.default.copyItem(atPath: template.home, toPath: program.home)
        }
        try reset()
        let answers = { @Sendable () async throws -> [String] in
            let read = try await program.start(arguments: reading).result()
            let check = try await program("archive", "check")
            return [read.output, check.output]
        }
        let expected = try await answers()
        guard expected[0].contains("안녕") else { throw WaitedInVain(description: "\(expected)") }
        return TorturedCommand(
            name: "migrate", arguments: reading, program: program, reset: reset,
            broken: {
                let found = try await answers()
                return found == expected ? [] : found
            },
            undone: {
                let file = try SQLiteFixture(DamagedArchive.file(of: "demo", in: program.data))
                let version = try file.texts("PRAGMA user_version")
                return version == ["\(Schema.account.current)"] ? [] : ["schema \(version)"]
            })
    }

    static func apply() async throws -> TorturedCommand {
        let tortured = try await TorturedRetention()
        return TorturedCommand(
            name: "apply", arguments: TorturedRetention.applying, program: tortured.program,
            reset: { try tortured.reset() },
            broken: {
                try await tortured.complaintsAboutLedger() + tortured.failures(of: ["archive", "check"])
            },
            undone: { try await tortured.lines().count == 20 ? [] : ["messages are left"] })
    }

    static func forget() async throws -> TorturedCommand {
        let tortured = try await TorturedRetention()
        return TorturedCommand(
            name: "forget", arguments: TorturedRetention.forgetting, program: tortured.program,
            repeated: "[unknown-user]", reset: { try tortured.reset() },
            broken: {
                try await tortured.complaintsAboutOthers() + tortured.failures(of: ["archive", "check"])
            },
            undone: { try tortured.traces().map { "a trace in \($0)" } })
    }

    static func eraseRoom() async throws -> TorturedCommand {
        let tortured = try await TorturedRetention()
        return TorturedCommand(
            name: "erase-room", arguments: ["archive", "erase", "demo", "--room", "lobby", "--execute"],
            program: tortured.program, repeated: "[unknown-room]", reset: { try tortured.reset() },
            broken: { try await tortured.failures(of: ["archive", "check"]) },
            undone: {
                let rooms = try await tortured.program("rooms", "--format", "jsonl").output
                return try tortured.traces().map { "a trace in \($0)" } + (rooms.contains("lobby") ? [rooms] : [])
            })
    }

    /// Needs ``PostgreSQLServer``.
    static func replicate() async throws -> TorturedCommand {
        let archive = try await TorturedArchive(.killed)
        let server = try await PostgreSQLServer()
        let address = server.address(database: "copied")
        var program = try archive.begin()
        program.environment["CRASH_POINT_SOCKETS"] = "1"
        let counted = program
        try await prepare(counted, ["replicate", "--init", server.newDatabase("model")])
        return TorturedCommand(
            name: "replicate", arguments: ["replicate", "--once", address], program: counted,
            reset: {
                try archive.reset(counted)
                for sql in ["DROP DATABASE IF EXISTS copied WITH (FORCE)", "CREATE DATABASE copied TEMPLATE model"] {
                    _ = try await server.execute(sql)
                }
            },
            broken: { try await archive.broken(counted) },
            undone: {
                let count = try await server.execute("SELECT count(*) FROM scrollback.message", database: "copied")
                return count == "\(TorturedArchive.messages)\n" ? [] : ["\(count) messages in the shared archive"]
            })
    }
}
