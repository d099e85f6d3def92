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

    @Test(arguments: [["listen"], ["serve"], ["attachments", "--fetch"]])
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
