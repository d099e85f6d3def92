import Foundation
import TestSupport
import Testing

/// What `make install` puts in place, tried with the programs that read it.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct InstallTests {
    private static let script = "\(#filePath)".components(separatedBy: "/Tests/")[0] + "/packaging/install"

    /// An installation below a folder of its own.
    private struct Installation {
        let folder: TemporaryFolder
        var prefix: String { folder.path + "/usr" }

        init(destination: Bool = false) async throws {
            folder = try TemporaryFolder()
            try await install(destination: destination)
        }

        func install(destination: Bool = false) async throws {
            let bash = try #require(Tool.find("bash"))
            let place = destination ? ["/usr", folder.path] : [folder.path + "/usr"]
            let result = try await bash.run([InstallTests.script, Program.path] + place)
            try #require(result.status == 0, "\(result.errors)")
        }

        func expectGone() {
            let left = FileManager.default.enumerator(atPath: prefix)?.allObjects as? [String] ?? []
            #expect(!left.isEmpty)
            #expect(left.allSatisfy { !$0.contains("scrollback.") && $0 != "bin/scrollback" }, "\(left)")
        }

        func text(_ path: String) throws -> String {
            try String(contentsOfFile: prefix + "/" + path, encoding: .utf8)
        }
    }

    @Test func `a staged installation runs and is removed completely`() async throws {
        let installation = try await Installation(destination: true)
        let program = try #require(Tool.find("bash"))
        let version = try await program.run(["-c", "exec \"$0\" --version", installation.prefix + "/bin/scrollback"])
        #expect(version.output.hasPrefix("scrollback "))
        #expect(try installation.text("lib/systemd/user/scrollback.service").contains("ExecStart=/usr/bin/scrollback "))
        #expect(try installation.text("share/doc/scrollback/running.md").hasPrefix("# Running"))
        let removed = try await program.run([Self.script, "--remove", "/usr", installation.folder.path])
        #expect(removed.status == 0)
        installation.expectGone()
    }

    @Test func `an installation in place is removed completely`() async throws {
        let installation = try await Installation()
        let bash = try #require(Tool.find("bash"))
        let removed = try await bash.run([Self.script, "--remove", installation.prefix + "/"])
        #expect(removed.status == 0)
        installation.expectGone()
    }

    @Test func `an upgrade leaves running programs alone, and a reader survives the listener's restart`() async throws {
        let installation = try await Installation()
        let installed = "shift; exec \(installation.prefix)/bin/scrollback \"$@\""
        let program = try Program()
        let server = try await program.startServer()
        try program.configure(ports: server.port)
        let listener = try program.start(arguments: ["listen"], shell: installed)
        try await program.connected(listener)
        let reader = try program.start(arguments: ["tail", "-f", "--format", "jsonl"], shell: installed)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        try await eventually("what was said before", state: { reader.errors }) {
            reader.output.contains(#""body": "here""#) ? true : nil
        }
        try await installation.install()
        #expect(listener.isRunning)
        #expect(try await listener.stop().status == 0)
        let upgraded = try program.start(arguments: ["listen"], shell: installed)
        try await program.connected(upgraded)
        try await alice.waitFor("archiver has joined")
        try await alice.say("and after", as: "alice")
        try await eventually("what was said after", state: { reader.errors }) {
            reader.output.contains(#""body": "and after""#) ? true : nil
        }
        #expect(try await upgraded.stop().status == 0)
    }

    @Test(arguments: ["relative", "/with space", "/with%percent", "/with$dollar"])
    func `a prefix that systemd units can't have is refused`(prefix: String) async throws {
        let folder = try TemporaryFolder()
        let bash = try #require(Tool.find("bash"))
        let result = try await bash.run([Self.script, Program.path, prefix, folder.path])
        #expect(result.status == 1)
        #expect(result.errors.contains("an absolute path"))
    }

    @Test(
        .enabled(if: Tool.find("systemd-analyze") != nil, "needs systemd-analyze, which .ci/fetch-tools fetches"),
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/bin/kill"),
            "needs /bin/kill of the package procps, which the units name"),
        arguments: ["system", "user"])
    func `systemd finds no mistake in the units`(manager: String) async throws {
        let installation = try await Installation()
        let tool = try #require(Tool.find("systemd-analyze"))
        let unit = installation.prefix + "/lib/systemd/\(manager)/scrollback.service"
        var environment = ["XDG_RUNTIME_DIR": installation.folder.path]
        if tool.root != "/" {
            // The units that ours name, such as sysinit.target, are beside a fetched systemd-analyze.
            environment["SYSTEMD_UNIT_PATH"] = ["/usr/lib", "/lib"].map { "\(tool.root)\($0)/systemd/\(manager)" }
                .joined(separator: ":")
        }
        let result = try await tool.run(["verify", "--\(manager)", "--man=no", unit], environment: environment)
        #expect(result.status == 0, "\(result.errors)")
        #expect(!result.errors.contains("scrollback"), "\(result.errors)")
    }

    @Test(.enabled(if: Tool.find("mandoc") != nil, "needs mandoc"))
    func `the manual has no formatting error`() async throws {
        let installation = try await Installation()
        let tool = try #require(Tool.find("mandoc"))
        let result = try await tool.run(["-T", "lint", installation.prefix + "/share/man/man1/scrollback.1"])
        #expect(result.output + result.errors == "")
    }

    @Test func `the manual has every command, every option and the common options`() async throws {
        let installation = try await Installation()
        let manual = try installation.text("share/man/man1/scrollback.1").replacing("\\-", with: "-")
        for title in ["NAME", "SYNOPSIS", "COMMANDS", "EXAMPLES", "ENVIRONMENT", "FILES", "EXIT STATUS", "SEE ALSO"] {
            #expect(manual.contains(".SH \"\(title)\"\n"))
        }
        let program = try Program()
        let commands = try await program("--help").output.matches(of: /(?m)^  ([a-z][a-z-]+)  +[A-Z]/).map {
            String($0.1)
        }
        #expect(commands.count > 5)
        for command in commands {
            #expect(manual.contains(".SS \"\(command)\"\n"))
            for option in try await program(command, "--help").output.matches(of: /(?m)^  .*?(--[a-z-]+)/) {
                if option.1 == "--help" || option.1 == "--version" { continue }
                #expect(manual.contains(String(option.1)), "\(command) \(option.1)")
            }
        }
    }
}
