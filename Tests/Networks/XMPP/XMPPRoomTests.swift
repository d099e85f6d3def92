import ChatModel
import Sessions
import TestSupport
import Testing
import XMPPWire

@testable import XMPP

/// A room is archived from the join on, with who says what.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct XMPPRoomTests {
    let archiving: XMPPArchiving

    init() throws { archiving = try XMPPArchiving() }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `what is said live is stored once, with its sender and its id`() async throws {
        let server = FakeXMPPServer { $0.subject = "welcome" }
        var id = ""
        try await archiving.listening(to: server) {
            await server.joined()
            id = server.say("hello")
            server.say("/me waves", by: "alice")
            try await archiving.wait(for: "waves")
        }
        let found = try archiving.messages()
        #expect(found.filter { $0.kind == .topic }.map(\.body) == ["welcome"])
        let said = found.filter { $0.kind != .topic }
        #expect(said.map(\.body) == ["hello", "waves"] && said.map(\.kind) == [.message, .action])
        #expect(said[0].remoteID == id && said[0].sender?.name == "alice" && said[0].room == "r@muc.example")
        #expect(try archiving.rooms().first?.description == "The room")
    }

    @Test func `a list of people names the account by its address`() throws {
        let account = JID(local: "me", domain: "example")
        func members(_ nick: String) -> [UserReference] {
            let wish = XMPPRoomWish(room: JID(local: nick, domain: "muc.example"), nick: nick)
            var room = XMPPRoom(wish, backoff: Backoff.Limits(first: .seconds(1), longest: .seconds(2)), due: .zero)
            _ = room.note(nick, .init(address: account, occupantID: nil))
            return room.members(account: account)
        }
        #expect(members("archiver") == members("logger"))
        #expect(members("logger") == [UserReference(key: "me@example", name: "me@example", isSelf: true)])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a correction changes the message with the sender's id`() async throws {
        let server = FakeXMPPServer()
        try await archiving.listening(to: server) {
            await server.joined()
            server.say("helo", id: "first")
            server.say("hello", extra: "<replace xmlns='urn:xmpp:message-correct:0' id='first'/>")
            try await archiving.wait("the text is corrected") {
                $0.contains { $0.body == "hello" && $0.editedAt != nil }
            }
        }
        #expect(try archiving.texts() == ["hello"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a correction of a correction changes the first message`() async throws {
        let server = FakeXMPPServer()
        try await archiving.listening(to: server) {
            await server.joined()
            server.say("hlo", id: "first")
            server.say("helo", id: "second", extra: "<replace xmlns='urn:xmpp:message-correct:0' id='first'/>")
            server.say("hello", id: "third", extra: "<replace xmlns='urn:xmpp:message-correct:0' id='second'/>")
            server.say("end")
            try await archiving.wait(for: "end")
        }
        #expect(try archiving.texts() == ["hello", "end"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a correction finds its message after a restart`() async throws {
        let server = FakeXMPPServer { $0.resumes = false }
        try await archiving.listening(to: server) {
            await server.joined()
            server.say("helo", id: "first")
            try await archiving.wait(for: "helo")
        }
        try await archiving.listening(to: server) {
            await server.joined(2)
            server.say("hello", extra: "<replace xmlns='urn:xmpp:message-correct:0' id='first'/>")
            try await archiving.wait("the text is corrected") {
                $0.contains { $0.body == "hello" && $0.editedAt != nil }
            }
        }
        #expect(try archiving.texts() == ["hello"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `nobody corrects or retracts another person's message`() async throws {
        let server = FakeXMPPServer { $0.occupants["mallory"] = "mallory@example/x" }
        try await archiving.listening(to: server) {
            await server.joined()
            let id = server.say("mine", id: "first")
            server.say("forged", by: "mallory", extra: "<replace xmlns='urn:xmpp:message-correct:0' id='first'/>")
            server.say("", by: "mallory", extra: "<retract xmlns='urn:xmpp:message-retract:1' id='\(id)'/>")
            server.say("end")
            try await archiving.wait(for: "end")
        }
        let found = try archiving.messages()
        #expect(found.first { $0.body == "mine" }?.deletedAt == nil)
        #expect(try archiving.texts() == ["mine", "* forged", "end"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `the author and a moderator retract a message`() async throws {
        let server = FakeXMPPServer()
        try await archiving.listening(to: server) {
            await server.joined()
            let ids = [server.say("one"), server.say("two")]
            server.say("", extra: "<retract xmlns='urn:xmpp:message-retract:1' id='\(ids[0])'/>")
            server.deliver(
                "<message type='groupchat' from='r@muc.example'><retract xmlns='urn:xmpp:message-retract:1' id='\(ids[1])'>"
                    + "<moderated xmlns='urn:xmpp:message-moderate:1' by='r@muc.example/alice'/><reason>spam</reason></retract></message>"
            )
            try await archiving.wait("both are retracted") { $0.filter { $0.deletedAt != nil }.count == 2 }
        }
        #expect(try archiving.texts() == ["one", "two"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a person's newest set of reactions stands`() async throws {
        let server = FakeXMPPServer()
        try await archiving.listening(to: server) {
            await server.joined()
            let id = server.say("one")
            func react(_ texts: String...) {
                let all = texts.map { "<reaction>\($0)</reaction>" }.joined()
                server.say("", extra: "<reactions xmlns='urn:xmpp:reactions:0' id='\(id)'>\(all)</reactions>")
            }
            react("👍", "🎉")
            react("🎉")
            try await archiving.wait("one reaction stands") { $0.first?.reactions.map(\.text) == ["🎉"] }
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a room that does not exist is not created, and the reason is shown`() async throws {
        let server = FakeXMPPServer { $0.isMissing = true }
        try await archiving.listening(to: server) {
            try await eventually("the room is troubled") { () -> Bool? in
                try archiving.rooms().first?.trouble?.reason == .noSuchRoom ? true : nil
            }
        }
        #expect(server.state.value.joins == 0)
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            ("registration-required", RoomTrouble.Reason.inviteOnly), ("forbidden", .banned),
            ("not-authorized", .badKey),
            ("resource-constraint", .full), ("gone", .noSuchRoom),
        ])
    func `a refused join has its reason`(condition: String, reason: RoomTrouble.Reason) async throws {
        let server = FakeXMPPServer { $0.joinError = condition }
        try await archiving.listening(to: server) {
            try await eventually("the room is troubled") { () -> Bool? in
                try archiving.rooms().first?.trouble?.reason == reason ? true : nil
            }
            server.state.change { $0.joinError = nil }
            await server.joined()
            server.say("hello")
            try await archiving.wait(for: "hello")
        }
        #expect(try archiving.rooms().first?.trouble == nil)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an encrypted message is counted, and its stanza is kept`() async throws {
        let server = FakeXMPPServer()
        try await archiving.listening(to: server) {
            await server.joined()
            server.say(
                "I sent you an OMEMO encrypted message",
                extra: "<encrypted xmlns='eu.siacs.conversations.axolotl'><header/><payload>AAAA</payload></encrypted>")
            server.say("end")
            try await archiving.wait(for: "end")
        }
        let found = try archiving.messages().filter { $0.kind == .message }
        #expect(found.map(\.isUndecrypted) == [true, false])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a stanza that can't be read is a failure, and the session continues`() async throws {
        let server = FakeXMPPServer()
        try await archiving.listening(to: server) {
            await server.joined()
            let deep = String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100)
            server.deliver("<message type='groupchat' from='r@muc.example/alice'>\(deep)</message>")
            server.say("end")
            try await archiving.wait(for: "end")
        }
        #expect(server.state.value.joins == 1)
    }
}
