import ChatModel
import Sessions
import TestSupport
import Testing
import XMPPWire

@testable import XMPP

/// A room that changes is asked about itself again.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct XMPPRoomChangeTests {
    let archiving: XMPPArchiving

    init() throws { archiving = try XMPPArchiving() }

    private static let change =
        "<message type='groupchat' from='r@muc.example'><x xmlns='http://jabber.org/protocol/muc#user'>"
        + "<status code='104'/></x></message>"

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [false, true])
    func `a room is asked about itself after a change, also if the connection breaks meanwhile`(
        isCut: Bool
    ) async throws {
        let server = FakeXMPPServer()
        try await archiving.listening(to: server) {
            await server.joined()
            server.say("before")
            try await archiving.wait(for: "before")
            server.state.change { ($0.described, $0.cutsAtDescription) = (0, isCut) }
            server.deliver(Self.change)
            await server.state.wait { $0.described >= (isCut ? 2 : 1) }
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `the new address of a destroyed room stays, also after attempts to join`() async throws {
        let server = FakeXMPPServer()
        try await archiving.listening(to: server) {
            await server.joined()
            server.state.change { ($0.described, $0.isMissing) = (0, true) }
            server.deliver(
                "<presence type='unavailable' from='r@muc.example/me'><x xmlns='http://jabber.org/protocol/muc#user'>"
                    + "<item affiliation='none' role='none'/><destroy jid='next@muc.example'><reason>moved</reason>"
                    + "</destroy></x></presence>")
            // The question after a refusal comes when that is noted.
            await server.state.wait { $0.described >= 2 }
            try await eventually("the room is troubled") { () -> Bool? in
                try archiving.rooms().first?.trouble != nil ? true : nil
            }
            let trouble = try #require(try archiving.rooms().first?.trouble)
            #expect(trouble.reason == .noSuchRoom)
            #expect(trouble.detail == "the room was destroyed: moved; it is now next@muc.example")
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `history that a busy server does not give is fetched later`() async throws {
        let server = FakeXMPPServer { $0.resumes = false }
        try await archiving.listening(to: server) {
            await server.joined()
            server.say("before")
            try await archiving.wait(for: "before")
        }
        server.say("missed")
        server.state.change { ($0.asked, $0.isBusy) = ([], true) }
        try await archiving.listening(to: server, { $0.directCheck = .milliseconds(50) }) {
            await server.state.wait { !$0.asked.isEmpty }
            try await archiving.wait(for: "missed")
            try await archiving.wait(gaps: 0)
        }
    }
}
