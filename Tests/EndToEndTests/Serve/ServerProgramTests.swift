import Archive
import Files
import Foundation
import Options
import TestSupport
import Testing

@testable import Scrollback

/// The commands that become `scrollback-server`, and those that don't.
struct ServerProgramTests {
    /// A `scrollback` without the other program beside it.
    private struct Alone {
        let scrollback: Program
        private let path: String

        init() throws {
            scrollback = try Program()
            path = scrollback.home + "/scrollback"
            // A link spares a copy of 200 MB where the folder is in the same file system.
            if link(Program.path, path) != 0 {
                try FileManager.default.copyItem(atPath: Program.path, toPath: path)
            }
        }

        func callAsFunction(_ arguments: [String]) async throws -> Run.Result {
            try await scrollback.start(arguments: [path] + arguments, shell: #"shift; exec "$@""#).result()
        }
    }

    @Test func `a listener becomes the server program and keeps its process`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let listener = try await scrollback.startListener()
        let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(listener.id)/exe")
        #expect(path.hasSuffix("/scrollback-server"))
        #expect(try await listener.stop().status == 0)
    }

    @Test(arguments: ["NIOPosix", "NIOSSL", "NIOHTTP1", "AsyncHTTPClient", "ServiceLifecycle", "HummingbirdCore"])
    func `only scrollback-server contains network libraries`(library: String) async throws {
        let grep = try #require(Tool.find("grep"))
        let server = Program.path.parentFolder + "/" + ServerProgram.name
        // The runtime's description of a module has its name, also in a stripped program.
        #expect(try await grep.start(["-qaF", library, Program.path]).result().status == 1)
        #expect(try await grep.start(["-qaF", library, server]).result().status == 0)
    }

    @Test func `without the server program, commands that need it name the missing file`() async throws {
        let alone = try Alone()
        try alone.scrollback.configure(ports: 1)
        for command in [
            "listen", "serve", "attachments --fetch", "unread --remote", "chat tcp://127.0.0.1:1 --name alice",
            "room-server", "demo", "demo --keep-running", "config check", "config edit",
        ] {
            let result = try await alone(command.split(separator: " ").map(String.init))
            #expect(result.status == 1, "\(command)")
            #expect(
                result.errors == """
                    scrollback: can't start \(alone.scrollback.home)/scrollback-server: No such file or directory; install \
                    scrollback-server beside scrollback [no-server]

                    """, "\(command)")
        }
    }

    @Test func `scrollback under the server program's name reports it and does not restart itself`() async throws {
        let alone = try Alone()
        let server = alone.scrollback.home + "/scrollback-server"
        try FileManager.default.createSymbolicLink(atPath: server, withDestinationPath: "scrollback")
        let result = try await alone(["room-server"])
        #expect(result.status == 1)
        #expect(
            result.errors == """
                scrollback: \(server) is scrollback itself, or a link to it; install scrollback-server beside scrollback \
                [no-server]

                """)
    }

    @Test func `without the server program, every command has its help and shells have completion`() async throws {
        let alone = try Alone()
        for command in CommandPath(ScrollbackCommand.self, []).below.map({ $0.command.name }) {
            let help = try await alone([command, "--help"])
            #expect(help.status == 0 && help.output.contains("scrollback \(command)"), "\(command)")
        }
        for shell in ["bash", "zsh", "fish"] {
            let script = try await alone(["--generate-completion-script", shell])
            #expect(script.status == 0 && script.output.contains("---completion \(shell)"), "\(shell)")
            let candidates = try await alone(["---completion", shell, "scrollback", "room"])
            #expect(candidates.status == 0 && candidates.output.contains("room-server"), "\(shell)")
        }
    }

    @Test func `without the server program, files are imported, searched, backed up and restored`() async throws {
        let alone = try Alone()
        try alone.scrollback.write("[11:59] <alice> one\n", to: "#a.2026-11-21.log")
        for command in [
            "import energymech #a.2026-11-21.log -a old", "search one", "status", "backup create old copy",
            "backup verify copy", "backup restore copy --data \(alone.scrollback.home)/again",
        ] {
            let result = try await alone(command.split(separator: " ").map(String.init))
            #expect(result.status == 0, "\(command): \(result.errors)")
        }
    }
}
