import Foundation
import TestSupport
import Testing

/// Commands that become `scrollback-server`.
struct ServerProgramTests {
    @Test func `a listener becomes the program with the server, and keeps its process`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let listener = try await scrollback.startListener()
        let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(listener.id)/exe")
        #expect(path.hasSuffix("/scrollback-server"))
        #expect(try await listener.stop().status == 0)
    }

    @Test func `an import becomes that program before it reads stdin, and keeps its process and its exit status`()
        async throws
    {
        let scrollback = try Program()
        try #require(mkfifo(scrollback.home + "/pipe", 0o600) == 0)
        let writer = try FileHandle(forUpdating: URL(filePath: scrollback.home + "/pipe"))
        let run = try scrollback.start(
            arguments: ["import", "irssi", "-", "-a", "old", "--room", "#example", "--dry-run", "--format", "json"],
            shell: #"exec "$@" < pipe"#)
        try writer.write(contentsOf: Data("2026-11-21 06:23:01 < alice> one\n2026-11-21".utf8))
        try await eventually("it becomes the other program", state: { run.errors }) {
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(run.id)/exe")
            return path?.hasSuffix("/scrollback-server") == true ? true : nil
        }
        try writer.write(contentsOf: Data(" 06:23:02 < alice> two\n".utf8))
        try writer.close()
        let result = try await run.result()
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains(#""new": 2"#), "\(result.output)")
    }

    @Test(arguments: [
        ["listen"], ["serve"], ["attachments", "--fetch"], ["import", "a.log"], ["archive", "rescue", "1.sqlite"],
        ["archive", "decrypt", "a1", "keys.txt"], ["backup", "restore", "b"], ["backup", "verify", "b"],
    ])
    func `without that program, the error names the file that is missing`(arguments: [String]) async throws {
        let scrollback = try Program()
        try scrollback.configure(ports: 1)
        let alone = scrollback.home + "/scrollback"
        try FileManager.default.copyItem(atPath: Program.path, toPath: alone)
        let result = try await scrollback.start(arguments: [alone] + arguments, shell: #"shift; exec "$@""#).result()
        #expect(result.status == 1)
        #expect(result.errors.contains("can't start \(scrollback.home)/scrollback-server: No such file or directory"))
        #expect(result.errors.hasSuffix("install scrollback-server beside scrollback [no-server]\n"))
    }
}
