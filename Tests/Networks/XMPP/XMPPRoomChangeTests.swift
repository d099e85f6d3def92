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
            server.deliver(FakeXMPPServer.change)
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
    func `what the history of a join repeats is stored once, in a room without an archive`() async throws {
        let server = FakeXMPPServer { ($0.room.hasArchive, $0.resumes) = (false, false) }
        try await archiving.listening(to: server) {
            await server.joined()
            for text in ["one", "two", "two", "/me waves"] { server.say(text) }
            try await archiving.wait(for: "waves")
        }
        for text in ["one", "missed"] { server.say(text) }
        for joins in 2...3 {
            try await archiving.listening(to: server) {
                await server.joined(joins)
                try await archiving.wait(for: "missed")
                server.say("live \(joins)")
                try await archiving.wait(for: "live \(joins)")
            }
        }
        let expected = ["live 2", "live 3", "missed", "one", "one", "two", "two", "waves"]
        #expect(try archiving.texts().sorted() == expected)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an archive that is switched off in mid-walk, and on again, brings each message once`() async throws {
        let server = FakeXMPPServer { ($0.room.page, $0.resumes) = (2, false) }
        try await archiving.listening(to: server) {
            await server.joined()
            server.say("before")
            try await archiving.wait(for: "before")
        }
        let missed = (1...6).map { "missed \($0)" }
        for text in missed { server.say(text) }
        server.state.change { ($0.asked, $0.described, $0.switchesOffAfterPages) = ([], 0, 1) }
        try await archiving.listening(to: server) {
            // The room describes itself before the join, and after the change.
            await server.state.wait { $0.described >= 2 }
            try await archiving.wait(gapReason: "unsupported")
            server.say("unarchived")
            server.switchArchive(isOn: true)
            try await archiving.wait(for: "missed 1")
            try await archiving.wait(gaps: 0)
        }
        #expect(try archiving.texts() == ["before"] + missed + ["unarchived"])
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
