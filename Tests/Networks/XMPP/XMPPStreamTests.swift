import ChatModel
import Sessions
import TestSupport
import Testing
import XMPPWire

@testable import XMPP

/// A broken connection continues where it stopped, if the server can.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct XMPPStreamTests {
    let archiving: XMPPArchiving

    init() throws { archiving = try XMPPArchiving() }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a resumed stream brings what was missed, without a gap and without history`() async throws {
        let server = FakeXMPPServer { $0.room.hasArchive = false }
        try await archiving.listening(to: server) {
            await server.joined()
            server.say("before")
            try await archiving.wait(for: "before")
            server.cut()
            server.say("missed")
            try await archiving.wait(for: "missed")
            try await archiving.wait(gaps: 0)
        }
        #expect(server.state.value.joins == 1 && server.state.value.asked.isEmpty)
        #expect(try archiving.texts() == ["before", "missed"])
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [false, nil])
    func `a refused resumption becomes a new stream`(answer: Bool?) async throws {
        let server = FakeXMPPServer { $0.resumes = answer }
        try await archiving.listening(to: server) {
            await server.joined()
            server.say("before")
            try await archiving.wait(for: "before")
            server.cut()
            server.say("missed")
            await server.joined(2)
            try await archiving.wait(for: "missed")
            try await archiving.wait(gaps: 0)
        }
        #expect(try archiving.texts() == ["before", "missed"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a connection outlives the time limit of its login`() async throws {
        let (server, clock) = (FakeXMPPServer { $0.resumes = false }, ManualClock())
        let archiving = try XMPPArchiving(clock: clock)
        try await archiving.listening(to: server, { $0.loginTimeout = .seconds(30) }) {
            await server.joined()
            await clock.advance(toSleeperAt: .seconds(30))
            server.say("after")
            try await archiving.wait(for: "after")
        }
        #expect(server.state.value.joins == 1)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `stanzas are acknowledged when they are stored`() async throws {
        let server = FakeXMPPServer()
        try await archiving.listening(to: server) {
            await server.joined()
            server.say("one")
            server.deliver("<r xmlns='urn:xmpp:sm:3'/>")
            await server.state.wait { $0.acknowledged > 2 }
            let stored = try archiving.texts()
            #expect(stored == ["one"])
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a refused password waits for a person`() async throws {
        let server = FakeXMPPServer()
        try await archiving.listening(
            to: [XMPPServer(host: "xmpp.example", port: 5222, connector: server)],
            secrets: XMPPSecrets(password: "wrong"), { $0.loginAttempts = 1 }
        ) {
            await archiving.reports.wait { $0.last?.state == .needsLogin }
        }
        #expect(archiving.reports.value.contains { $0.lastError?.contains("not-authorized") == true })
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `conversations are archived with what other clients send, and what came while nobody listened`() async throws {
        let server = FakeXMPPServer { $0.resumes = false }
        func configure(_ configuration: inout XMPPConfiguration) {
            (configuration.rooms, configuration.archivesDirect) = ([], true)
        }
        try await archiving.listening(to: server, configure) {
            try await eventually("the account is connected") { () -> Bool? in
                server.state.value.asked.isEmpty ? nil : true
            }
            server.state.change { state in state.connections.last?.markJoined() }
            server.tell("hi")
            server.tell("hello bob", from: "me@example/phone", to: "bob@example")
            try await archiving.wait(for: "hello bob")
        }
        server.tell("missed", isDelivered: false)
        try await archiving.listening(to: server, configure) { try await archiving.wait(for: "missed") }
        let found = try archiving.messages()
        #expect(found.map(\.body) == ["hi", "hello bob", "missed"])
        #expect(found.map(\.sender?.isSelf) == [false, true, false])
        #expect(Set(found.map(\.room)) == ["bob@example"])
    }
}
