import Archive
import ChatModel
import Reading
import Sessions
import TestSupport
import Testing
import XMPPWire

@testable import XMPP

/// The gaps of conversations, which the account's archive alone can fill.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct XMPPConversationTests {
    let archiving: XMPPArchiving

    init() throws { archiving = try XMPPArchiving() }

    private func listening(to server: FakeXMPPServer, _ body: () async throws -> Void) async throws {
        try await archiving.listening(to: server, { $0.archivesDirect = true }, body)
    }

    private func waitUntilCovered() async throws {
        try await eventually("the conversation has coverage") { () -> Bool? in
            try archiving.rooms().contains { $0.name == "bob@example" && $0.coveredFrom != nil } ? true : nil
        }
    }

    /// Lets the archive lose what it has, and keep one message more.
    private func lose(_ server: FakeXMPPServer) {
        server.tell("lost", isDelivered: false)
        server.state.change { $0.own.messages.removeAll() }
        server.tell("kept", isDelivered: false)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a connection that ends before the server describes the account hides no gap`() async throws {
        let server = FakeXMPPServer { $0.resumes = false }
        server.tell("first", isDelivered: false)
        try await listening(to: server) { try await waitUntilCovered() }
        lose(server)
        server.state.change { $0.cutsAtDescription = true }
        try await listening(to: server) { try await archiving.wait(gapReason: "limit") }
        #expect(try archiving.texts() == ["first", "kept"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a conversation that began live has a gap from the last look into the archive on`() async throws {
        let server = FakeXMPPServer { $0.resumes = false }
        try await listening(to: server) {
            // The account's archive is read before the room's.
            await server.state.wait { $0.asked.count >= 2 }
            server.tell("first")
            try await archiving.wait(for: "first")
        }
        lose(server)
        try await listening(to: server) { try await archiving.wait(gapReason: "limit") }
        #expect(try archiving.texts() == ["first", "kept"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a server without an archive says so at the gaps that it can't fill`() async throws {
        let server = FakeXMPPServer { $0.resumes = false }
        server.tell("first", isDelivered: false)
        try await listening(to: server) { try await waitUntilCovered() }
        server.state.change { $0.own.hasArchive = false }
        try await listening(to: server) {
            try await eventually("the gap has a reason") { () -> Bool? in
                let gaps = try archiving.archive.reading().gaps(scope: .accounts(["xmpp"]))
                return gaps.contains { $0.room == "bob@example" && $0.missing?.unfilled == "unsupported" } ? true : nil
            }
        }
    }
}
