import Archive
import ChatModel
import Foundation
import Options
import Schema
import Synchronization
import TestSupport

@testable import Rendering
@testable import Scrollback

/// Runs commands within this process, many in the time that one takes to start, on damaged copies of an archive.
///
/// In a process of its own: a trap ends it, and the last line that it wrote to stderr says which command it was, of which
/// damage. One that doesn't end is ended.
struct DamagedCommands {
    private let archive: DamagedArchive
    private let work: Program
    private let clock = Watchdog(limit: 60)
    private let share: Int
    private var isFine = true
    private var random: SeededGenerator

    /// Parsed once, which takes longer than running them.
    private let commands: [(words: [String], parsed: any Command)]

    /// - Parameter share: Runs one in this many commands after each damage, and those that show that another account is well.
    init(_ archive: DamagedArchive, seed: UInt64, share: Int) async throws {
        (self.archive, self.share) = (archive, share)
        random = SeededGenerator(seed: seed)
        work = try Program()
        var commands: [(words: [String], parsed: any Command)] = []
        for words in Self.commands(work.home) {
            let hasFolder = words.contains("--data") || words.starts(with: ["backup", "verify"])
            let parsed = try ScrollbackCommand.parseAsRoot(words + (hasFolder ? [] : ["--data", work.data]))
            commands.append((words, parsed))
        }
        self.commands = commands
    }

    /// The words of the commands. Each command that only reads is among them.
    static func commands(_ home: String) -> [[String]] {
        let id = StoredRoom.start.advanced(by: .seconds(3)).description
        let after = StoredRoom.start.advanced(by: .seconds(5)).description
        return [
            ["accounts"], ["accounts", "--format", "json"], ["status", "--cold"], ["status", "--format", "json"],
            ["read", "damaged/lobby"], ["rooms"], ["rooms", "--format", "csv"], ["users", "-a", "damaged"],
            ["users", "damaged/lobby"],
            ["history", "damaged/lobby"], ["history", "damaged/lobby", "--format", "json", "--oldest", "-n", "5"],
            ["history", "damaged/lobby", "--after", after, "--utc"], ["history", "damaged/bob"], ["history", "--all"],
            ["tail", "damaged/lobby"], ["search", "word", "-a", "damaged"], ["search", "word", "--by", "day"],
            ["history", "damaged/lobby", "-n", "all"], ["search", "--by", "hour"], ["stats"],
            ["sql", "SELECT room, max(body), count(*) FROM messages GROUP BY room"], ["sql", "SELECT * FROM threads"],
            ["export", "-a", "damaged", "-o", "-"],
            ["search", "from:alice", "word", "--context", "1"], ["search", "--regex", "wo.d"],
            ["attachments", "damaged/lobby"], ["attachments", "--format", "json"], ["show", id, "-a", "damaged"],
            ["show", id, "-a", "damaged", "--format", "json"], ["unread"], ["unread", "--all"], ["gaps"],
            ["gaps", "--format", "json"], ["archive", "check", "damaged"],
            ["retention", "log"], ["retention", "holds", "--format", "json"],
            ["retention", "forget", "-a", "damaged", "--user", "bob"], ["archive", "compact", "damaged"],
            ["export", "-a", "damaged", "--format", "html", "-o", home + "/html"],
            ["export", "-a", "damaged", "--format", "jsonl", "-o", home + "/jsonl"],
            ["backup", "verify", home + "/jsonl"],
            ["export", "-a", "damaged", "--format", "jsonl", "--append", "-o", home + "/jsonl"],
            ["import", "energymech", home + "/2026-11-21.log", "-a", "damaged", "--room", "lobby"],
            ["import", home + "/jsonl", "-a", "damaged"], ["mark-read", "damaged/lobby"],
            ["archive", "me", "damaged", "carol"],
            ["backup", "damaged", home + "/backup"], ["backup", "restore", home + "/backup", "--data", home + "/back"],
            ["archive", "reindex", "damaged"], ["archive", "reindex", "damaged", "--rebuild"],
            ["history", "cold/lobby", "--cold"],
            ["archive", "compress", "damaged"], ["status", "--cold"], ["history", "damaged/lobby", "--cold"],
            ["archive", "restore", "damaged"],
            ["history", "healthy/lobby"], ["accounts", "--rebuild"], ["history", "healthy/lobby"],
            ["archive", "erase", "damaged", "--execute"],
        ]
    }

    /// Runs every command on the archive as it is, then with each damage.
    ///
    /// - Returns: whether all was well.
    mutating func run(_ damages: [DamagedArchive.Damage]) async throws -> Bool {
        try await runAll(with: nil)
        for damage in damages { try await runAll(with: damage) }
        return isFine
    }

    private mutating func isWanted(_ command: [String]) -> Bool {
        command.contains("healthy/lobby") || Int.random(in: 0..<share, using: &random) == 0
    }

    private mutating func runAll(with damage: DamagedArchive.Damage?) async throws {
        try FileManager.default.removeItem(atPath: work.home)
        try FileManager.default.copyItem(atPath: archive.template.home, toPath: work.home)
        try work.write("[00:00:30] <alice> imported\n", to: "2026-11-21.log")
        if let damage {
            let file =
                damage.isOfCatalog
                ? work.data + "/catalog.sqlite" : try DamagedArchive.file(of: "damaged", in: work.data)
            guard try DamagedArchive.damage(damage, in: file) else { return }
        }
        let name = damage?.description ?? "nothing"
        let before = try FileManager.default.contents(atPath: DamagedArchive.file(of: "damaged", in: work.data))
        if damage?.isOfCatalog != true {
            clock.say("\(name): listening")
            await noteListening(name) { [work] in try await DamagedListening(folder: work.data).run() }
            let file = try DamagedArchive.file(of: "damaged", in: work.data)
            if DamagedArchive.schema(of: file) != UInt8(Schema.account.current) {
                let after = FileManager.default.contents(atPath: file)
                if after != before { complain("\(name): the file is half migrated") }
                if damage == nil { complain("the file is not migrated") }
            }
        }
        for (command, parsed) in commands where damage == nil || isWanted(command) {
            clock.say("\(name): \(command.joined(separator: " "))")
            let isDone = await noteResult(of: command, name) { try await Self.perform(parsed) }
            let isOfHealthy = command.contains("healthy/lobby") && damage?.isOfCatalog != true
            // The reader needs a terminal.
            let mayFail = command.starts(with: ["archive", "check"]) || command[0] == "read"
            if !isDone, damage == nil && !mayFail || isOfHealthy {
                complain("\(name): \(command) failed")
            }
        }
        clock.say("\(name): done")
        let (old, new) = try (
            DamagedArchive.file(of: "healthy", in: archive.template.data),
            DamagedArchive.file(of: "healthy", in: work.data)
        )
        if FileManager.default.contents(atPath: old) != FileManager.default.contents(atPath: new) {
            complain("\(name): the healthy account's file is another")
        }
    }

    private mutating func complain(_ text: String) {
        isFine = false
        clock.say("WRONG " + text)
    }

    private static func perform(_ command: any Command) async throws {
        // One copy, which nobody else has.
        nonisolated(unsafe) var command = command
        try await command.run()
    }

    /// - Returns: whether it did what it was told to.
    private mutating func noteResult(
        of command: [String], _ name: String, _ run: () async throws -> Void
    ) async -> Bool {
        do {
            try await run()
            return true
        } catch let code as ExitCode {
            // Nothing was found, or a tenth of the lines has times that can't be true.
            return code == .success || ["history", "search", "import"].contains(command[0]) && code == .failure
        } catch {
            let sentence = FailureText.sentence(for: error)
            if sentence == nil, ExitCode(for: error) != .validationFailure {
                complain("\(name): \(command) says \(error)")
            }
            clock.say(sentence ?? "wrong usage")
            return false
        }
    }

    private mutating func noteListening(_ name: String, _ run: () async throws -> Void) async {
        do {
            try await run()
        } catch {
            if FailureText.sentence(for: error) == nil { complain("\(name): a listener says \(error)") }
        }
    }
}

/// Ends the process when nothing was said for too long.
private final class Watchdog: Sendable {
    private let last = Mutex(ContinuousClock.now)

    /// - Parameter limit: Seconds.
    init(limit: Int) {
        Thread { [self] in
            while ContinuousClock.now - last.withLock({ $0 }) < .seconds(limit) { Thread.sleep(forTimeInterval: 1) }
            FileHandle.standardError.write(Data("it does not end\n".utf8))
            abort()
        }.start()
    }

    func say(_ text: String) {
        last.withLock { $0 = .now }
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
