import Foundation
import TestSupport
import Testing

/// Files that say what no program wrote: a wrong type, nothing, or a number beyond all bounds, in any column of any table.
/// `make torture` tries all of it, `make test` some.
@Suite(.timeLimit(.minutes(Torture.minutes(5, whole: 120))))
struct DamageTortureTests {
    static let seed = Torture.seed

    /// Each part is a process of its own: one that a trap ends keeps no other from being run.
    static let parts = Torture.isWhole ? 40 : 1

    @Test(arguments: 0..<parts)
    func `any damaged value ends each command with an answer or an error, and harms no other account`(part: Int)
        async throws
    {
        let folder = try TemporaryFolder()
        let log = folder.path + "/log"
        await #expect(processExitsWith: .success, "SCROLLBACK_SEED=\(Self.seed)") {
            [seed = Self.seed as UInt64, log = log as String, part = part as Int] in
            dup2(open("/dev/null", O_WRONLY), 1)
            dup2(open(log, O_WRONLY | O_CREAT | O_APPEND, 0o600), 2)
            let archive = try await DamagedArchive()
            var commands = try await DamagedCommands(archive, seed: seed, share: Torture.isWhole ? 1 : 4)
            let damages = archive.some(15, seed: seed).enumerated().filter { $0.offset % Self.parts == part }
            exit(try await commands.run(damages.map(\.element)) ? 0 : 1)
        }
        let lines = try String(decoding: Data(contentsOf: URL(filePath: log)), as: UTF8.self).split(separator: "\n")
        let wrong = lines.filter { $0.hasPrefix("WRONG") }
        #expect(wrong == [])
        #expect(lines.last?.hasSuffix(": done") == true, "\(lines.suffix(12).joined(separator: "\n"))")
    }

    @Test func `a damaged file of the last schema is migrated whole or not at all, and each command ends`() async throws
    {
        let folder = try TemporaryFolder()
        let log = folder.path + "/log"
        await #expect(processExitsWith: .success, "SCROLLBACK_SEED=\(Self.seed)") {
            [seed = Self.seed as UInt64, log = log as String] in
            dup2(open("/dev/null", O_WRONLY), 1)
            dup2(open(log, O_WRONLY | O_CREAT | O_APPEND, 0o600), 2)
            let archive = try await DamagedArchive(isLast: true)
            var commands = try await DamagedCommands(archive, seed: seed &+ 3, share: 12)
            let damages = archive.some(15, seed: seed &+ 3)
            exit(try await commands.run(damages) ? 0 : 1)
        }
        let lines = try String(decoding: Data(contentsOf: URL(filePath: log)), as: UTF8.self).split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("WRONG") } == [])
        #expect(lines.last?.hasSuffix(": done") == true, "\(lines.suffix(12).joined(separator: "\n"))")
    }

    /// Accounts of one listener.
    private static let accounts = 12
    static let listeners = Torture.isWhole ? 250 : 1

    @Test(arguments: 0..<listeners)
    func `a damaged account doesn't stop a listener's other accounts`(number: Int) async throws {
        let archive = try await DamagedArchive()
        let damages = archive.some(Self.accounts, seed: Self.seed &+ 1).filter { !$0.isOfCatalog }
        let own = damages.enumerated().filter { $0.offset % Self.listeners == number }.map(\.element)
        let seed = Self.seed &+ 2 &+ UInt64(number)
        let last = try await DamagedArchive(isLast: true)
        let older = last.sample(Self.accounts, seed: seed)
        let program = try Program()
        try FileManager.default.removeItem(atPath: program.home)
        try FileManager.default.copyItem(atPath: archive.template.home, toPath: program.home)
        var names = ["healthy"]
        for (index, damage) in own.enumerated() where try archive.add("d\(index)", with: damage, to: program.data) {
            names.append("d\(index)")
        }
        for (index, damage) in older.enumerated() where try last.add("e\(index)", with: damage, to: program.data) {
            names.append("e\(index)")
        }
        let state = Comment(rawValue: "SCROLLBACK_SEED=\(Self.seed) \(own) \(older)")
        let server = try await program.startServer()
        try program.write(Self.configuration(of: names, port: server.port), to: "scrollback.toml")
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try program.start("listen")
        try await alice.waitFor("healthy has joined")
        try await alice.say("heard by the healthy", as: "alice")
        try await eventually("it is stored", state: { "\(state) \(listener.errors.suffix(3000))" }) { () -> Bool? in
            try #require(listener.isRunning, "\(state) \(listener.errors)")
            let page = try await program("history", "healthy/lobby", "--format", "jsonl")
            #expect(page.status == 0, state)
            return page.output.contains("heard by the healthy") ? true : nil
        }
        #expect(try await program("status").status < 128, state)
        #expect(try await program("status", "--format", "json").status < 128, state)
        #expect(try await listener.stop().status < 128, state)
    }

    private static func configuration(of names: [String], port: Int) -> String {
        names.map { name in
            """
            [[account]]
            name = "\(name)"
            network = "streamchat"
            server = "tcp://127.0.0.1:\(port)"
            nick = "\(name)"
            framing = "nul"
            sign_of_life_seconds = 1

            """
        }.joined(separator: "\n")
    }
}
