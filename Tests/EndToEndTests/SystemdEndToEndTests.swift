import Foundation
import TestSupport
import Testing

struct SystemdEndToEndTests {
    @Test func `systemd is notified when status answers, while the listener lives, and when it stops`() async throws {
        var program = try Program()
        let server = try await program.startServer()
        try program.configure(ports: server.port)
        let systemd = try DatagramSocket(program.temporary + "/n")
        program.environment["NOTIFY_SOCKET"] = program.temporary + "/n"
        program.environment["WATCHDOG_USEC"] = "1000000"
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try program.start("listen")
        try await eventually("READY=1", state: { listener.errors }) {
            systemd.messages.contains("READY=1") ? true : nil
        }
        let status = try await program("status")
        #expect(status.output.contains("a1"))
        #expect(status.errors == "")
        try await alice.waitFor("archiver has joined")
        try await alice.say("hi", as: "alice")
        try await eventually("connected, and alive", state: { "\(systemd.messages)" }) {
            systemd.messages.contains("WATCHDOG=1\nSTATUS=1 of 1 account connected") ? true : nil
        }
        // Read all the while: what finds a full queue as the listener stops is not told again.
        listener.signal(SIGTERM)
        try await eventually("STOPPING=1", state: { listener.errors }) {
            systemd.messages.contains { $0.hasPrefix("STOPPING=1\n") } ? true : nil
        }
        #expect(try await listener.result().status == 0)
        #expect(systemd.messages.first == "READY=1")
    }

    @Test func `systemd is not notified of readiness if accounts can't be opened`() async throws {
        var program = try Program()
        try program.configure(ports: 1)
        let systemd = try DatagramSocket(program.temporary + "/n")
        program.environment["NOTIFY_SOCKET"] = program.temporary + "/n"
        try program.write("not a folder", to: "data/scrollback")
        #expect(try await program("listen").status == 1)
        #expect(systemd.messages.isEmpty)
    }
}
