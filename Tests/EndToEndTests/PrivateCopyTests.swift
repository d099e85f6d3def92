import Foundation
import TestSupport
import Testing

/// Plain copies of compressed accounts, which nobody may find in TMPDIR.
@Suite(.timeLimit(.minutes(Torture.minutes(10, whole: 30))))
struct PrivateCopyTests {
    private static let searching = ["search", "--cold", "서버", "--format", "jsonl"]

    @Test func `a search of compressed accounts leaves no plain text in TMPDIR, killed at any system call there`()
        async throws
    {
        let archive = try await TorturedArchive(.cold)
        var program = try archive.begin()
        // One account alone would be made plain in its folder.
        try program.write("[00:00] <bob> hi\n", to: "2026-11-20.log")
        let imported = try await program("import", "energymech", "2026-11-20.log", "-a", "other", "--room", "lobby")
        #expect(imported.status == 0, "\(imported.errors)")
        program.environment["CRASH_POINT_FOLDER"] = program.temporary
        let whole = try await program.start(arguments: Self.searching).result()
        #expect(whole.status == 0 && whole.output.contains("서버 299"))
        let calls = try await program.countCalls(Self.searching) {}
        #expect(calls > 1)
        for number in Torture.spread(1...calls, count: 3) {
            for moment in ["before", "half", "after"] {
                let point = ["AT": "\(number)", "WHEN": moment]
                let run = try await program.with(point).start(arguments: Self.searching).result()
                #expect(run.isKilled)
                #expect(try left(program).isEmpty, "\(moment) call \(number) of \(calls)")
            }
        }
    }

    @Test func `erase removes the plain copies that a killed search of an earlier version left, and nothing else`()
        async throws
    {
        let archive = try await TorturedArchive(.cold)
        let program = try archive.begin()
        let earlier = "scrollback-1b4e28ba-2fa1-41d2-883f-0016d3cca427.sqlite"
        let running = "scrollback-6f9619ff-8b86-4011-b42d-00cf4fc964ff.sqlite"
        let names = [earlier, running, "scrollback-notes.sqlite", "other.sqlite"]
        for name in names {
            try Data("plain text".utf8).write(to: URL(fileURLWithPath: program.temporary + "/" + name))
        }
        for name in names where name != running {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: program.temporary + "/" + name)
        }
        #expect(try await program("archive", "erase", "demo", "--execute").status == 0)
        #expect(try left(program) == Set(names).subtracting([earlier]))
    }

    private func left(_ program: Program) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: program.temporary))
    }
}
