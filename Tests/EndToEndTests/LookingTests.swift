import Foundation
import TestSupport
import Testing

/// Commands that look at an archive, beside the listener that writes it.
@Suite(.timeLimit(.minutes(2)))
struct LookingTests {
    @Test func `accounts are listed with the process that writes them, and without it once it is gone`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        try await alice.say("hi", as: "alice")
        try await eventually("it is stored") { scrollback.acknowledged.count == 1 ? true : nil }

        let written = try await scrollback("accounts")
        #expect(written.status == 0, "\(written.errors)")
        #expect(written.output.contains("process \(listener.id) ("))
        _ = try await listener.stop()
        let machine = try await scrollback("accounts", "--format", "jsonl").output
        #expect(
            machine.hasPrefix(#"{"account": "a1", "network": "streamchat", "folder": "\#(scrollback.data)/accounts/"#))
        #expect(machine.contains(#""messages": 1, "rooms": 1, "#))
        #expect(machine.hasSuffix("\"writer\": null}\n"))
    }
}
