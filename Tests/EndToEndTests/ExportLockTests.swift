import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))), .enabled(if: Tool.find("flock") != nil, "needs flock"))
struct ExportLockTests {
    @Test func `an export into a folder that another process exports into is refused`() async throws {
        let archive = try ServedArchive()
        try await archive.fill(5)
        let export = ["export", "-a", "demo", "-o", "out"]
        let held = try archive.scrollback.start(arguments: export, shell: #"mkdir out; exec flock out "$@""#)
        let refused = try await held.result()
        #expect(refused.status == 1 && refused.errors.contains("another process exports into out"), "\(refused.errors)")
        #expect(try await archive.scrollback.start(arguments: export).result().status == 0)
        #expect(try await archive.scrollback("backup", "verify", "out").status == 0)
    }

    @Test func `a refused export creates no folder`() async throws {
        let archive = try ServedArchive()
        try await archive.fill(5)
        let refused = try await archive.scrollback("export", "-a", "nobody", "-o", "out")
        #expect(refused.status != 0)
        #expect(!FileManager.default.fileExists(atPath: archive.scrollback.home + "/out"))
    }

    @Test func `an export works on a file system without locks`() async throws {
        let archive = try ServedArchive()
        try await archive.fill(5)
        // The account itself needs locks, so only the folder's lock is refused.
        let out = archive.scrollback.home + "/out"
        let program = archive.scrollback.with(["LOCKS": "EBADF", "LOCKS_ON": out])
        let result = try await program.start(arguments: ["export", "-a", "demo", "-o", out]).result()
        #expect(result.status == 0, "\(result.errors)")
    }
}
