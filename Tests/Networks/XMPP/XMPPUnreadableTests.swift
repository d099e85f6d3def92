import ChatModel
import Sessions
import TestSupport
import Testing
import XMPPWire

@testable import XMPP

/// A stanza that can't be read is missing in its own room alone.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct XMPPUnreadableTests {
    let archiving: XMPPArchiving

    init() throws { archiving = try XMPPArchiving() }

    private static func levels(_ count: Int) -> String {
        String(repeating: "<a xmlns='u'>", count: count) + String(repeating: "</a>", count: count)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a message of the archive has as many levels as one that comes live`() async throws {
        let server = FakeXMPPServer()
        server.say("deep", extra: Self.levels(62))
        try await archiving.listening(to: server) {
            try await archiving.wait(for: "deep")
            server.say("also deep", extra: Self.levels(62))
            try await archiving.wait(for: "also deep")
        }
        #expect(try archiving.gaps().isEmpty)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a message of the archive that can't be read is a gap of its room at its time`() async throws {
        let server = FakeXMPPServer { $0.room.page = 1 }
        server.say("before")
        server.say("too deep", extra: Self.levels(100))
        let time = try #require(server.state.value.room.messages.last).time
        server.say("after")
        try await archiving.listening(to: server, { $0.archivesDirect = true }) {
            // The page that has nothing but an unreadable message is not the end.
            try await archiving.wait(for: "before")
            try await eventually("the gap has its place") { () -> Bool? in
                let found = try archiving.gaps().filter { $0.missing?.reason == "unreadable" }
                return found.count == 1 && found[0].room == "r@muc.example" && found[0].from <= time
                    && found[0].to.map { $0 >= time } == true ? true : nil
            }
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [true, false])
    func `a message to the account that can't be read is no gap of a room`(archivesDirect: Bool) async throws {
        let server = FakeXMPPServer()
        try await archiving.listening(to: server, { $0.archivesDirect = archivesDirect }) {
            await server.joined()
            server.say("before")
            server.tell("too deep", extra: Self.levels(100))
            server.say("end")
            try await archiving.wait(for: "end")
        }
        #expect(try !archiving.missing().contains { $0.room == "r@muc.example" && $0.missing?.reason == "failure" })
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a live message that can't be read is a gap of its room`() async throws {
        let server = FakeXMPPServer()
        try await archiving.listening(to: server) {
            await server.joined()
            server.say("before")
            server.say("too deep", extra: Self.levels(100))
            server.say("end")
            try await archiving.wait(for: "end")
            // A look at the room's archive may meet the message, too.
            try await eventually("the message is a gap", state: { "\((try? archiving.missing()) ?? [])" }) {
                let gaps = try archiving.gaps()
                let isInRoom = gaps.allSatisfy { $0.room == "r@muc.example" }
                return isInRoom && gaps.contains { $0.missing?.reason == "failure" } ? true : nil
            }
        }
    }
}
