import Foundation
import TestSupport
import Testing

/// Backups that are made and brought back, killed at their system calls: `make torture` at every one, `make test` at some.
@Suite(.timeLimit(.minutes(Torture.minutes(10, whole: 60))))
struct BackupTortureTests {
    private static let making = ["backup", "demo", "copies"]
    private static let restoring = ["backup", "restore", "copies"]
    private static let moments = ["before", "half", "after"]

    /// The program with another data folder.
    private func over(_ folder: String, _ program: Program) -> Program {
        var program = program
        program.environment["SCROLLBACK_DATA"] = program.home + "/" + folder
        return program
    }

    /// The program with its calls counted in all folders.
    private func counting(_ program: Program) -> Program {
        var program = program
        program.environment["CRASH_POINT_FOLDER"] = program.home
        return program
    }

    /// - Parameter hasEarlier: There is a copy already.
    private func prepare(_ program: Program, _ archive: TorturedArchive, hasEarlier: Bool) async throws {
        try archive.reset(program)
        guard hasEarlier else { return }
        let made = try await program.start(arguments: Self.making).result()
        #expect(made.status == 0, "\(made.errors)")
    }

    /// What is wrong with the copies after a kill, and after the next backup.
    private func complaints(_ program: Program, _ archive: TorturedArchive, hasEarlier: Bool) async throws -> [String] {
        let copies = over("copies", program)
        let read = try await copies.start(arguments: TorturedArchive.reading).result()
        // A backup that is killed before its first system call has not made the folder.
        let isNone =
            !hasEarlier && read.status == 2
            && ["[unknown-", "[no-archive]"].contains { read.errors.contains($0) }
        var complaints = isNone ? [] : archive.misread(read)
        let again = try await program.start(arguments: Self.making).result()
        if again.status != 0 { complaints.append("backup again: \(again.errors)") }
        complaints += try await archive.complaints(copies)
        return try await complaints + archive.misread(program.start(arguments: TorturedArchive.reading).result())
    }

    @Test(arguments: [TorturedArchive.State.killed, .cold], [false, true])
    func `a killed backup leaves no copy or a complete one, and the next run cleans up`(
        state: TorturedArchive.State, hasEarlier: Bool
    ) async throws {
        let archive = try await TorturedArchive(state)
        let template = try archive.begin()
        try await prepare(template, archive, hasEarlier: hasEarlier)
        // A copy that is cold and unchanged would be left as it is.
        if hasEarlier, state == .cold { try await spoil(template) }
        let program = counting(try Program())
        let reset = { try Self.copy(template, to: program) }
        let calls = try await program.countCalls(Self.making, reset: reset)
        #expect(calls > 20)
        for (index, number) in Torture.spread(1...calls, count: 7).enumerated() {
            try reset()
            let moment = Self.moments[index % 3]
            _ = try await program.with(["AT": "\(number)", "WHEN": moment]).start(arguments: Self.making).result()
            let complaints = try await complaints(program, archive, hasEarlier: hasEarlier)
            #expect(complaints.isEmpty, "\(moment) call \(number) of \(calls)")
        }
    }

    /// Makes the earlier copy a plain one.
    private func spoil(_ program: Program) async throws {
        let restored = try await over("copies", program)("archive", "restore", "demo")
        #expect(restored.status == 0, "\(restored.errors)")
    }

    private static func copy(_ template: Program, to program: Program) throws {
        try FileManager.default.removeItem(atPath: program.home)
        try FileManager.default.copyItem(atPath: template.home, toPath: program.home)
    }

    @Test(arguments: [TorturedArchive.State.closed, .cold])
    func `a killed restore leaves no account or a complete one, and keeps the backup`(
        state: TorturedArchive.State
    ) async throws {
        let archive = try await TorturedArchive(state)
        let template = try archive.begin()
        try await prepare(template, archive, hasEarlier: true)
        #expect(try await template("archive", "erase", "demo", "--execute").status == 0)
        let program = counting(try Program())
        let reset = { try Self.copy(template, to: program) }
        let calls = try await program.countCalls(Self.restoring, reset: reset)
        #expect(calls > 20)
        for (index, number) in Torture.spread(1...calls, count: 7).enumerated() {
            try reset()
            let moment = Self.moments[index % 3]
            _ = try await program.with(["AT": "\(number)", "WHEN": moment]).start(arguments: Self.restoring).result()
            let place = "\(moment) call \(number) of \(calls)"
            let read = try await program.start(arguments: TorturedArchive.reading).result()
            let isNone = read.status == 2 && read.errors.contains("[unknown-")
            #expect(isNone || archive.misread(read).isEmpty, "\(place): \(read.errors)")
            let again = try await program.start(arguments: Self.restoring).result()
            #expect(again.status == (isNone ? 0 : 1), "\(place): \(again.errors)")
            #expect(try await archive.complaints(program) == [], "\(place)")
            let copy = try await over("copies", program).start(arguments: TorturedArchive.reading).result()
            #expect(archive.misread(copy) == [], "\(place)")
        }
    }

    @Test(arguments: [(TorturedArchive.State.closed, "1.sqlite"), (.cold, "1.sqlite.zst")])
    func `a copy that reads back differently is rejected`(
        state: TorturedArchive.State, written: String
    ) async throws {
        let archive = try await TorturedArchive(state)
        let program = counting(try archive.begin())
        let flipped = program.with(["FLIP": "/.unfinished-copy/" + written])
        let run = try await flipped.start(arguments: Self.making).result()
        #expect(run.status == 1)
        #expect(run.errors.contains("is damaged (") && run.errors.contains("[backup]"), "\(run.errors)")
        #expect(try await over("copies", program)("accounts").output == "")
        #expect(try await archive.complaints(program) == [])
    }
}
