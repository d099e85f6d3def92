import Foundation
import TestSupport
import Testing

/// Plain copies of compressed accounts, which nobody may find in TMPDIR.
@Suite(.timeLimit(.minutes(Torture.minutes(10, whole: 30))))
struct PrivateCopyTests {
    private static let searching = ["search", "--cold", "서버", "--format", "jsonl"]

    @Test func `a search of compressed accounts leaves no plain text in TMPDIR, even when killed`()
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

    private func left(_ program: Program) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: program.temporary))
    }
}
