import ChatModel
import Sessions
import TestSupport
import Testing
import XMPPWire

@testable import XMPP

/// The log of a client and the server's archive have each message once.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct XMPPImportTests {
    let archiving: XMPPArchiving

    init() throws { archiving = try XMPPArchiving() }

    /// A message of a client's log.
    private func logged(
        _ text: String, by sender: String = "alice", at time: Timestamp, id: ImportedMessage.ServerID?,
        resolution: TimeResolution = .second
    ) -> ImportedMessage {
        var message = ImportedMessage(
            room: "r@muc.example", kind: .message, sender: sender, body: text, time: resolution.floor(time),
            resolution: resolution, remoteID: id == nil ? nil : "sender-\(text)")
        message.serverID = id
        return message
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a log after the live account adds only what is new`() async throws {
        let server = FakeXMPPServer()
        var id = ""
        try await archiving.listening(to: server) {
            await server.joined()
            id = server.say("one")
            try await archiving.wait(for: "one")
        }
        let time = try #require(try archiving.messages().first { $0.body == "one" }).id.time
        let tally = try await archiving.importMessages([
            logged("zero", at: time.advanced(by: .seconds(-60)), id: .known("999")),
            logged("one", at: time.advanced(by: .seconds(1)), id: .known(id)),
        ])
        #expect((tally.new, tally.known) == (1, 1))
        #expect(try archiving.texts() == ["zero", "one"])
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [nil, ImportedMessage.ServerID.unknown])
    func `the server's archive after a log without its ids adds only what is new`(
        id: ImportedMessage.ServerID?
    ) async throws {
        let server = FakeXMPPServer()
        let ids = ["one", "two", "two", "three"].map { server.say($0) }
        let times = server.state.value.room.messages.map(\.time)
        let tally = try await archiving.importMessages([
            logged("one", at: times[0], id: id), logged("two", at: times[1].advanced(by: .seconds(-1)), id: id),
            logged("three", at: times[3], id: id, resolution: .minute),
            logged("only in the log", at: times[3], id: id),
        ])
        #expect(tally.new == 4)
        try await archiving.listening(to: server) {
            await server.joined()
            try await archiving.wait("the history is fetched") { $0.filter { $0.body == "two" }.count == 2 }
            try await archiving.wait("the log's messages have ids") { found in
                found.contains { $0.body == "three" && $0.remoteID == ids[3] }
            }
        }
        let found = try archiving.messages().filter { $0.kind == .message }
        #expect(found.compactMap(\.body).sorted() == ["one", "only in the log", "three", "two", "two"])
        #expect(found.first { $0.body == "one" }?.remoteID == ids[0])
        #expect(found.first { $0.body == "only in the log" }?.remoteID == nil)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a message of another person with the same words is another message`() async throws {
        let server = FakeXMPPServer()
        server.say("hi")
        let time = try #require(server.state.value.room.messages.first).time
        _ = try await archiving.importMessages([logged("hi", by: "bob", at: time, id: nil)])
        try await archiving.listening(to: server) {
            try await archiving.wait("both are stored") { $0.filter { $0.body == "hi" }.count == 2 }
        }
    }
}
