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

    private func missing() throws -> [Gap] { try archiving.missing().filter { $0.room == "bob@example" } }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [true, false])
    func `after a look, a conversation waits for the next one`(isLive: Bool) async throws {
        let server = FakeXMPPServer { $0.resumes = false }
        if !isLive { server.tell("first", isDelivered: false) }
        try await listening(to: server) {
            // The account's archive is read before the room's.
            await server.state.wait { $0.asked.count >= 2 }
            if isLive { server.tell("first") }
            try await eventually("the gap has its reason", state: { "\((try? missing()) ?? [])" }) { () -> Bool? in
                let found = try missing()
                return found.count == 1 && found[0].to == nil && found[0].missing?.reason == "pending"
                    && found[0].missing?.nextTry != nil ? true : nil
            }
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a look meets what the look before has fetched`() async throws {
        let server = FakeXMPPServer { $0.resumes = false }
        for text in ["one", "two"] { server.tell(text, isDelivered: false) }
        try await listening(to: server) { try await waitUntilCovered() }
        server.tell("three", isDelivered: false)
        let asked = server.state.value.asked.count
        try await archiving.listening(
            to: server,
            { ($0.archivesDirect, $0.directCheck) = (true, .milliseconds(20)) }
        ) {
            try await archiving.wait(for: "three")
            await server.state.wait { $0.asked.count >= asked + 6 }
            #expect(try missing().filter { $0.to != nil }.isEmpty)
        }
        #expect(try archiving.texts() == ["one", "two", "three"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a message to oneself is stored once, though the server archives it twice`() async throws {
        let server = FakeXMPPServer { $0.resumes = false }
        try await listening(to: server) {
            await server.joined()
            for _ in 1...2 { server.tell("note", from: "me@example/phone", to: "me@example", id: "n1") }
            server.tell("note", from: "me@example/phone", to: "me@example", id: "n2")
            server.say("end")
            try await archiving.wait(for: "end")
        }
        server.tell("later", isDelivered: false)
        try await listening(to: server) { try await archiving.wait(for: "later") }
        #expect(try archiving.texts() == ["note", "note", "end", "later"])
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            "<message from='next@muc.example' to='me@example'><x xmlns='http://jabber.org/protocol/muc#user'>"
                + "<invite from='bob@example/phone'><reason>come</reason></invite></x></message>",
            "<message from='bob@example/phone' to='me@example'>"
                + "<x xmlns='jabber:x:conference' jid='next@muc.example' reason='come'/></message>",
        ])
    func `an invitation is a sentence of the person who invites, and is not followed`(stanza: String) async throws {
        let server = FakeXMPPServer()
        try await listening(to: server) {
            await server.joined()
            server.deliver(stanza)
            server.say("end")
            try await archiving.wait(for: "end")
        }
        let found = try #require(try archiving.messages().first { $0.kind == .invite })
        #expect(found.room == "bob@example" && found.sender?.name == "bob@example")
        #expect(found.body == "you to next@muc.example: come")
        #expect(server.state.value.joins == 1)
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
