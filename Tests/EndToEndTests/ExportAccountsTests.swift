import Foundation
import TestSupport
import Testing

/// `scrollback export` of several accounts, and the modes of an export's files.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ExportAccountsTests {
    private func program() async throws -> Program {
        let program = try Program()
        for account in ["demo", "가족"] {
            try await StoredRoom.store([.init(name: "민수", text: "안녕")], as: account, for: program)
        }
        return program
    }

    private func text(_ path: String, _ program: Program) throws -> String {
        try String(contentsOfFile: program.home + "/" + path, encoding: .utf8)
    }

    private func mode(_ path: String, _ program: Program) throws -> String {
        var status = stat()
        try #require(lstat(program.home + "/" + path, &status) == 0, "\(path)")
        return String(status.st_mode & 0o777, radix: 8)
    }

    @Test func `all accounts are exported into one folder with one index, verified and continued`() async throws {
        let scrollback = try await program()
        let first = try await scrollback("export", "--all", "--format", "html", "-o", "out")
        #expect(first.status == 0, "\(first.errors)")
        let index = try text("out/index.html", scrollback)
        #expect(index.contains("2 rooms, 2 messages"))
        #expect(index.contains("demo/lobby") && index.contains("가족/lobby"))
        let page = try #require(index.firstMatch(of: /href="(demo\/lobby\/[0-9-]+\.html)"/)).1
        #expect(FileManager.default.fileExists(atPath: scrollback.home + "/out/\(page)"))
        let verified = try await scrollback("backup", "verify", "out")
        #expect(verified.status == 0, "\(verified.errors)")
        #expect(verified.output.contains("out/demo: html of account demo\n"))
        #expect(verified.output.contains("out/가족: html of account 가족\n"))
        let again = try await scrollback("export", "--all", "-o", "out")
        #expect(again.status == 1 && again.errors.contains("out has a finished export; update it with --append"))
        try await StoredRoom.store([.init(name: "alice", text: "hi")], as: "later", for: scrollback)
        let continued = try await scrollback("export", "--append", "-o", "out")
        #expect(continued.status == 0, "\(continued.errors)")
        #expect(try text("out/index.html", scrollback).contains("3 rooms, 3 messages"))
        #expect(try await scrollback("backup", "verify", "out").status == 0)
    }

    /// The options in an export's manifest.
    private func options(_ folder: String, _ program: Program) throws -> [String] {
        let line = try #require(try text("\(folder)/manifest.jsonl", program).split(separator: "\n").first)
        let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let header = try #require(json?["export"] as? [String: Any])
        return ["format", "zone", "after", "before", "files"].map { String(describing: header[$0] ?? "none") }
    }

    @Test func `an account that --append adds gets the export's options`() async throws {
        let scrollback = try Program()
        let said = ["hidden", "shown", "last"].map { StoredRoom.Said(name: "alice", text: $0) }
        try await StoredRoom.store(said, as: "demo", for: scrollback)
        let first = try await scrollback(
            "export", "--all", "--with-files", "--utc", "--after", "2026-11-21 00:00:02", "-o", "out")
        #expect(first.status == 0, "\(first.errors)")
        try await StoredRoom.store(said, as: "later", for: scrollback)
        var elsewhere = scrollback
        elsewhere.environment["TZ"] = "Asia/Seoul"
        let continued = try await elsewhere("export", "--append", "-o", "out")
        #expect(continued.status == 0, "\(continued.errors)")
        #expect(try options("out/later", scrollback) == options("out/demo", scrollback))
        let month = try text("out/later/lobby/2026-11.jsonl", scrollback)
        #expect(!month.contains("hidden") && month.contains("last"), "\(month)")
    }

    @Test func `an update names an account that is gone from the archive, and keeps its folder`() async throws {
        let scrollback = try await program()
        #expect(try await scrollback("export", "--all", "--format", "html", "-o", "out").status == 0)
        #expect(try await scrollback("archive", "erase", "가족", "--execute").status == 0)
        let continued = try await scrollback("export", "--append", "-o", "out")
        #expect(continued.status == 0)
        #expect(
            continued.errors.contains(
                "scrollback: skipped '가족' (not in the archive); its folder out/가족 stays unchanged\n"),
            "\(continued.errors)")
        #expect(try text("out/index.html", scrollback).contains("2 rooms, 2 messages"))
        #expect(try await scrollback("backup", "verify", "out").status == 0)
    }

    @Test func `updating an export of all accounts refuses -a, and of named accounts adds one`() async throws {
        let scrollback = try await program()
        #expect(try await scrollback("export", "--all", "-o", "all").status == 0)
        let before = try text("all/accounts.json", scrollback)
        let refused = try await scrollback("export", "-a", "demo", "--append", "-o", "all")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("all is an export of all accounts; remove -a"), "\(refused.errors)")
        #expect(try text("all/accounts.json", scrollback) == before)
        #expect(try await scrollback("export", "-a", "demo", "-a", "가족", "-o", "named").status == 0)
        try await StoredRoom.store([.init(name: "alice", text: "hi")], as: "later", for: scrollback)
        let added = try await scrollback("export", "-a", "later", "--append", "-o", "named")
        #expect(added.status == 0, "\(added.errors)")
        #expect(try text("named/accounts.json", scrollback).contains("\"later\""))
        #expect(try await scrollback("backup", "verify", "named").status == 0)
    }

    @Test(arguments: [("text", "index.txt"), ("markdown", "index.md"), ("csv", "index.csv"), ("jsonl", nil)])
    func `named accounts are exported in each format, and a damaged index is found`(format: String, index: String?)
        async throws
    {
        let scrollback = try await program()
        let exported = try await scrollback(
            "export", "-a", "demo", "-a", "가족", "--format", format, "-o", "out")
        #expect(exported.status == 0, "\(exported.errors)")
        #expect(try await scrollback("backup", "verify", "out").status == 0)
        guard let index else { return }
        #expect(try text("out/\(index)", scrollback).contains("lobby/"))
        try scrollback.write("forged\n", to: "out/\(index)")
        let damaged = try await scrollback("backup", "verify", "out")
        #expect(damaged.status == 2)
        #expect(damaged.output.contains("\(index): it has 7 bytes, not "), "\(damaged.output)")
        #expect(try await scrollback("export", "--append", "-o", "out").status == 0)
        #expect(try await scrollback("backup", "verify", "out").status == 0)
    }

    @Test func `a control character in an account's name is escaped in the list of accounts`() async throws {
        let scrollback = try await program()
        try await StoredRoom.store([.init(name: "alice", text: "hi")], as: "\u{9B}31m", for: scrollback)
        #expect(try await scrollback("export", "--all", "--format", "text", "-o", "out").status == 0)
        #expect(try text("out/accounts.json", scrollback).contains(#""account" : "\u009b31m""#))
        #expect(try await scrollback("export", "--append", "-o", "out").status == 0)
    }

    @Test func `without -a, several accounts need --all`() async throws {
        let scrollback = try await program()
        let result = try await scrollback("export", "-o", "out")
        #expect(result.status == 64)
        #expect(result.errors.contains("choose an account with -a NAME, or all of them with --all; existing: "))
        let room = try await scrollback("export", "--all", "--room", "lobby", "-o", "out")
        #expect(room.status == 64)
        #expect(room.errors.contains("--room needs one account; name it with -a"))
    }

    @Test func `a mode applies to every folder and file, even later ones`() async throws {
        let scrollback = try await program()
        for arguments in [["-a", "demo", "-o", "one"], ["--all", "-o", "all"]] {
            let result = try await scrollback.start(
                arguments: ["export", "--format", "html", "--mode", "755"] + arguments
            ).result()
            #expect(result.status == 0, "\(result.errors)")
        }
        try await StoredRoom.store([.init(name: "alice", text: "hi")], as: "later", for: scrollback)
        #expect(try await scrollback("export", "--append", "-o", "all").status == 0)
        for folder in ["one", "one/lobby", "all", "all/demo", "all/demo/lobby", "all/later/lobby"] {
            #expect(try mode(folder, scrollback) == "755", "\(folder)")
        }
        for file in [
            "one/index.html", "one/manifest.jsonl", "all/index.html", "all/later/index.html", "all/accounts.json",
        ] {
            #expect(try mode(file, scrollback) == "644", "\(file)")
        }
        #expect(try await scrollback("export", "-a", "demo", "-o", "private").status == 0)
        #expect(try mode("private", scrollback) == "700")
        #expect(try mode("private/manifest.jsonl", scrollback) == "600")
        #expect(try await scrollback("export", "--append", "--mode", "750", "-o", "private").status == 0)
        #expect(try mode("private/manifest.jsonl", scrollback) == "640")
    }

    @Test(arguments: ["75", "rwx", "0999", "444"])
    func `a mode without the owner's permissions is refused`(mode: String) async throws {
        let result = try await program()("export", "-a", "demo", "--mode", mode, "-o", "out")
        #expect(result.status == 64)
        #expect(result.errors.contains("give three octal digits that begin with 7, such as 755"), "\(result.errors)")
    }
}
