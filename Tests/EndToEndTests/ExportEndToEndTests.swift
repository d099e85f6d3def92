import ChatModel
import Foundation
import Scrollback
import TestSupport
import Testing
import Writing

@testable import Exporting

/// `scrollback export` and `verify`, beside listeners and across kills.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ExportEndToEndTests {
    private static let said = (0..<40).map { StoredRoom.Said(name: "민수", text: "한 줄 \($0) <b> =1+1") }

    private func exported(_ arguments: String..., as name: String = "out") async throws -> Program {
        let program = try Program()
        try await StoredRoom.store(Self.said, for: program)
        let result = try await program.start(arguments: ["export", "-o", name] + arguments).result()
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.isEmpty)
        return program
    }

    /// Every file of an export, by path.
    private func files(_ program: Program, _ name: String = "out") throws -> [String: Data] {
        let folder = program.home + "/" + name
        var files: [String: Data] = [:]
        let found = FileManager.default.enumerator(atPath: folder)
        while let path = found?.nextObject() as? String {
            files[path] = FileManager.default.contents(atPath: folder + "/" + path)
        }
        return files
    }

    @Test(arguments: KnownExportFormats.names)
    func `an export of each format is reported, valid, and continued only with --append`(format: String)
        async throws
    {
        let scrollback = try await exported("--format", format)
        let verified = try await scrollback("backup", "verify", "out")
        #expect(verified.status == 0, "\(verified.errors)")
        #expect(verified.output.hasPrefix("out: \(format) of account demo\n40 messages in "))
        let again = try await scrollback("export", "-o", "out")
        #expect(again.status == 1)
        #expect(again.errors.contains("out has a finished export; update it with --append"))
        let before = try files(scrollback)
        let continued = try await scrollback("export", "-o", "out", "--append")
        #expect(continued.status == 0, "\(continued.errors)")
        #expect(continued.errors.hasSuffix("; 0 months written, 1 unchanged\n"), "\(continued.errors)")
        let after = try files(scrollback)
        for (path, bytes) in before where path != ManifestLine.fileName { #expect(after[path] == bytes) }
    }

    @Test func `an export of one message counts 1 message in 2 files, one of them the index`() async throws {
        let scrollback = try Program()
        try await StoredRoom.store([StoredRoom.Said(name: "alice", text: "hi")], for: scrollback)
        let exported = try await scrollback("export", "--format", "text", "-o", "out")
        #expect(exported.errors.hasPrefix("1 message in 2 files ("), "\(exported.errors)")
        #expect(try await scrollback("backup", "verify", "out").output.contains("\n1 message in 2 files ("))
    }

    @Test func `--append adds what a listener stored meanwhile, once`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        let traffic = Traffic(alice, padding: 100)
        try await traffic.run {
            for round in 1...3 {
                try await eventually("talk is stored") { scrollback.acknowledged.count > 200 * round ? true : nil }
                let stored = scrollback.acknowledged
                let arguments = round == 1 ? ["--format", "csv"] : ["--append"]
                let result = try await scrollback.start(arguments: ["export", "-o", "out"] + arguments).result()
                #expect(result.status == 0, "\(result.errors)")
                #expect(try await scrollback("backup", "verify", "out").status == 0)
                #expect(Set(try ids(scrollback)).isSuperset(of: stored))
            }
        }
        #expect(try await listener.stop().status == 0)
        #expect(try await scrollback("export", "-o", "out", "--append").status == 0)
        #expect(try ids(scrollback) == (try await scrollback.messages(in: "lobby").map(\.id)))
    }

    /// The first field of every record.
    private func ids(_ program: Program) throws -> [String] {
        try files(program).sorted { $0.key < $1.key }.filter { $0.key.hasSuffix(".csv") && $0.key != "index.csv" }
            .flatMap { file in
                String(decoding: file.value, as: UTF8.self).split(separator: "\r\n").dropFirst().compactMap {
                    $0.split(separator: ",").first.map(String.init)
                }
            }
    }

    @Test(arguments: [false, true])
    func `an export that is killed at any system call is invalid until the same command continues it`(isContinued: Bool)
        async throws
    {
        let template = try Program()
        let writer = try await StoredRoom.write(Self.said, for: template)
        if isContinued {
            #expect(try await template("export", "-o", "out", "--format", "html").status == 0)
            let again = try await StoredRoom.openSession(writer)
            _ = try await writer.append([StoredRoom.said("그리고 하나 더", by: "민수", in: again, after: 4_000_000)])
        }
        try await writer.close()
        let program = try Program()
        let command = ["export", "-o", "out"] + (isContinued ? ["--append"] : ["--format", "html"])
        let reset = {
            try FileManager.default.removeItem(atPath: program.home)
            try FileManager.default.copyItem(atPath: template.home, toPath: program.home)
        }
        var counted = program
        counted.environment["CRASH_POINT_FOLDER"] = program.home + "/out"
        let calls = try await counted.countCalls(command, reset: reset)
        #expect(calls > 10)
        try reset()
        #expect(try await program.start(arguments: command).result().status == 0)
        let whole = try files(program)
        for (index, number) in (1...calls).enumerated() {
            try reset()
            let moment = ["before", "half", "after"][index % 3]
            let killed = try await counted.with(["AT": "\(number)", "WHEN": moment]).start(arguments: command).result()
            #expect(killed.isKilled)
            let left = try await program("backup", "verify", "out")
            // The last calls come behind the trailer.
            let isWhole = left.status == 0 && !isContinued
            let again = try await program.start(arguments: isWhole ? ["export", "-o", "out", "--append"] : command)
                .result()
            #expect(again.status == 0, "\(moment) call \(number) of \(calls): \(again.errors)")
            #expect(try await program("backup", "verify", "out").status == 0, "\(moment) call \(number) of \(calls)")
            let found = try files(program)
            for (path, bytes) in whole where path != ManifestLine.fileName {
                #expect(found[path] == bytes, "\(moment) call \(number) of \(calls): \(path)")
            }
        }
    }

    @Test func `an export of a restored account is refused with the reason`() async throws {
        let scrollback = try await exported()
        #expect(try await scrollback("backup", "demo", "copies").status == 0)
        #expect(try await scrollback("archive", "erase", "demo", "--execute").status == 0)
        #expect(try await scrollback("backup", "restore", "copies").status == 0)
        let result = try await scrollback("export", "-o", "out", "--append")
        #expect(result.status == 1)
        #expect(result.errors.contains("account \"demo\" was restored or recreated"), "\(result.errors)")
        #expect(try await scrollback("backup", "verify", "out").status == 0)
    }

    @Test(arguments: [
        (["--format", "htlm"], 64, "did you mean \"html\"?"), (["--room", "loby"], 1, "did you mean \"lobby\"?"),
        (["-a", "dmeo"], 1, "did you mean \"demo\"?"), (["--after", "yesterdy"], 64, "as a time"),
        (["--after", "2026-02", "--before", "2026-01"], 64, "--after must be earlier than --before"),
        (["--append"], 1, "has no export to continue"),
    ])
    func `an impossible export is reported before anything is written`(
        arguments: [String], status: Int32, reason: String
    ) async throws {
        let scrollback = try Program()
        try await StoredRoom.store(Self.said, for: scrollback)
        let result = try await scrollback.start(arguments: ["export", "-o", "out"] + arguments).result()
        #expect(result.status == status)
        #expect(result.errors.contains(reason), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: scrollback.home + "/out"))
    }

    @Test(arguments: [
        ["--format", "text"], ["--after", "2020"], ["--room", "lobby"], ["-a", "other"],
    ])
    func `an export continues only with its original options`(arguments: [String]) async throws {
        let scrollback = try await exported("--format", "csv")
        try await StoredRoom.store(Self.said, as: "other", for: scrollback)
        let result = try await scrollback.start(arguments: ["export", "-o", "out", "--append"] + arguments).result()
        #expect(result.status == 1)
        #expect(
            result.errors.contains(
                "remove that option to continue the export, or choose another folder with -o [export]"),
            "\(result.errors)"
        )
        #expect(try await scrollback("backup", "verify", "out").status == 0)
    }

    @Test func `a folder with other files is left unchanged`() async throws {
        let scrollback = try Program()
        try await StoredRoom.store(Self.said, for: scrollback)
        try FileManager.default.createDirectory(atPath: scrollback.home + "/out", withIntermediateDirectories: false)
        try scrollback.write("mine", to: "out/notes.txt")
        let result = try await scrollback("export", "-o", "out")
        #expect(result.status == 1)
        #expect(result.errors.contains("out is not empty and is not an export"))
        #expect(try files(scrollback).keys.sorted() == ["notes.txt"])
        let verified = try await scrollback("backup", "verify", "out")
        #expect(verified.status == 1)
        #expect(verified.errors.contains("out is neither a backup nor an export"))
    }

    @Test func `a damaged export gives status 2, details on stdout and advice on stderr`() async throws {
        let scrollback = try await exported("--format", "text")
        let path = try #require(try files(scrollback).keys.first { $0.hasSuffix(".log") })
        try scrollback.write("forged\n", to: "out/" + path)
        let result = try await scrollback("backup", "verify", "out")
        #expect(result.status == 2)
        #expect(result.output.contains("\(path): it has 7 bytes, not "))
        #expect(result.errors.hasPrefix("scrollback: the export in out is not valid; "))
        #expect(result.errors.hasSuffix("[export]\n"))
        // As the size is another, it is written again.
        #expect(try await scrollback("export", "-o", "out", "--append").status == 0)
        #expect(try await scrollback("backup", "verify", "out").status == 0)
    }
}
