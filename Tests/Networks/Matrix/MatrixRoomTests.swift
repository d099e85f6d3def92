import Archive
import ChatModel
import Foundation
import Matrix
import Reading
import Sessions
import TestSupport
import Testing

/// Rooms and people of a real homeserver are archived as they are.
@Suite(
    .timeLimit(.minutes(MachineSpeed.minutes(5))),
    .enabled(if: MatrixServer.isAvailable, "needs .venv, which .ci/make-venv makes"))
struct MatrixRoomTests: MatrixServed {
    let server: MatrixServer
    let archiving: MatrixArchiving

    init() async throws {
        (server, archiving) = (try await MatrixServer.shared.value, try MatrixArchiving())
    }

    @Test func `everything visible in a room is archived unchanged`() async throws {
        let (bot, alice, bob) = (
            try await server.person("bot"), try await server.person("alice"), try await server.person("bob")
        )
        try await alice.call("PUT", "/profile/\(alice.id)/displayname", #"{"displayname": "앨리스"}"#)
        let room = try await alice.makeRoom("가족", #", "topic": "first topic""#)
        try await bot.join(room)
        try await bob.join(room)
        let typo = try await bob.say("typo herre", in: room)
        try await archiving.listening(to: server.address, as: credentials(bot)) {
            try await archiving.wait(for: "typo herre")
            try await bob.send(
                #"""
                {"msgtype": "m.text", "body": "* typo here", "m.new_content": {"msgtype": "m.text", "body": "typo here"},
                 "m.relates_to": {"rel_type": "m.replace", "event_id": "\#(typo)"}}
                """#, to: room)
            try await alice.send(
                #"{"m.relates_to": {"rel_type": "m.annotation", "event_id": "\#(typo)", "key": "👍"}}"#, to: room,
                type: "m.reaction")
            let taken = try await alice.send(
                #"{"m.relates_to": {"rel_type": "m.annotation", "event_id": "\#(typo)", "key": "🎉"}}"#, to: room,
                type: "m.reaction")
            try await alice.call("PUT", "/rooms/\(room)/redact/\(taken)/r1", "{}")
            let secret = try await bob.say("a secret", in: room)
            try await archiving.wait(for: "a secret")
            try await bob.call("PUT", "/rooms/\(room)/redact/\(secret)/r2", #"{"reason": "oops"}"#)
            try await alice.send(
                #"""
                {"msgtype": "m.text", "body": "> <@bob:test> typo\n\nanswer",
                 "m.relates_to": {"m.in_reply_to": {"event_id": "\#(typo)"}}}
                """#, to: room)
            try await bob.send(#"{"msgtype": "m.emote", "body": "waves"}"#, to: room)
            try await bob.send(#"{"msgtype": "m.image", "body": "cat.png", "url": "mxc://test/abc"}"#, to: room)
            try await bob.send(
                #"{"algorithm": "m.megolm.v1.aes-sha2", "ciphertext": "SECRETBYTES", "session_id": "s"}"#, to: room,
                type: "m.room.encrypted")
            try await alice.call("PUT", "/rooms/\(room)/state/m.room.topic", #"{"topic": "second topic"}"#)
            try await alice.call("POST", "/rooms/\(room)/kick", #"{"user_id": "\#(bob.id)", "reason": "bye"}"#)
            try await alice.say("the end", in: room)
            try await archiving.wait(for: "the end")
        }
        let messages = try await archiving.messages(room: "가족")
        func shown(_ message: Message) -> String {
            "\(message.kind.rawValue) \(message.sender?.name.prefix { !$0.isNumber } ?? "-"): \(message.body ?? "-")"
        }
        let texts = messages.map(shown)
        #expect(texts.contains("message 앨리스: answer") && texts.contains("topic 앨리스: second topic"), "\(texts)")
        #expect(
            texts.contains("action \(bob.id.prefix(4).dropFirst()): waves")
                || texts.contains { $0.hasSuffix(": waves") })
        let edited = try #require(messages.first { $0.body == "typo here" }, "\(texts)")
        #expect(edited.editedAt != nil && edited.remoteID == typo)
        #expect(edited.reactions == [Message.Reaction(text: "👍", by: ["앨리스"])], "\(edited.reactions)")
        let gone = try #require(messages.first { $0.deletedAt != nil })
        #expect(gone.body == nil && gone.flags.contains(.wiped), "the text is gone")
        #expect(messages.first { $0.body == "answer" }?.reply?.id == edited.id)
        #expect(messages.first { $0.body == "cat.png" }?.attachments.first?.path == "mxc://test/abc")
        let encrypted = try #require(messages.first { $0.flags.contains(.encrypted) })
        #expect(encrypted.body == nil)
        #expect(texts.contains { $0.hasPrefix("kick 앨리스: ") && $0.hasSuffix(": bye") }, "\(texts)")
        #expect(texts.contains { $0.hasPrefix("join ") })
        #expect(try await archiving.gaps() == [])
    }

    @Test func `a direct room has the other person's name`() async throws {
        let (bot, alice) = (try await server.person("bot"), try await server.person("alice"))
        try await alice.call("PUT", "/profile/\(alice.id)/displayname", #"{"displayname": "앨리스"}"#)
        let room = try await bot.call(
            "POST", "/createRoom", #"{"is_direct": true, "invite": ["\#(alice.id)"], "preset": "trusted_private_chat"}"#
        )
        let id = try #require(room["room_id"] as? String)
        try await alice.join(id)
        try await bot.call("PUT", "/user/\(bot.id)/account_data/m.direct", #"{"\#(alice.id)": ["\#(id)"]}"#)
        try await archiving.listening(to: server.address, as: credentials(bot)) {
            try await alice.say("hi", in: id)
            try await archiving.wait(for: "hi")
        }
        let rooms = try archiving.archive.reading().rooms()
        #expect(rooms.map(\.kind) == [.direct] && rooms.map(\.name) == ["앨리스"], "\(rooms)")
    }

    @Test func `a space is the workspace of its rooms, after a rename and a restart`() async throws {
        let (bot, alice) = (try await server.person("bot"), try await server.person("alice"))
        let space = try await alice.makeRoom("회사", #", "creation_content": {"type": "m.space"}"#)
        let room = try await alice.makeRoom("잡담")
        for id in [space, room] { try await bot.join(id) }
        let child = "/rooms/\(space)/state/m.space.child/\(room)"
        try await alice.call("PUT", child, #"{"via": ["test"]}"#)
        try await archiving.listening(to: server.address, as: credentials(bot)) {
            try await wait("the room is in the space") { $0.name == "잡담" && $0.workspace == "회사" }
            try await alice.call("PUT", "/rooms/\(space)/state/m.room.name", #"{"name": "Company"}"#)
            try await wait("the space has another name") { $0.name == "잡담" && $0.workspace == "Company" }
        }
        try await archiving.listening(to: server.address, as: credentials(bot)) {
            try await alice.call("PUT", "/rooms/\(room)/state/m.room.name", #"{"name": "talk"}"#)
            try await wait("the room has another name") { $0.name == "talk" && $0.workspace == "Company" }
            try await alice.call("PUT", child, "{}")
            try await wait("the room is in no space") { $0.name == "talk" && $0.workspace == nil }
        }
    }

    @Test func `messages read in another client are read, and the homeserver's counts are shown`() async throws {
        let (bot, alice) = (try await server.person("bot"), try await server.person("alice"))
        let room = try await alice.makeRoom("reading")
        try await bot.join(room)
        let listener = Watched<MatrixListener?>(nil)
        try await archiving.listening(to: server.address, as: credentials(bot), listener: listener) {
            var ids: [String] = []
            for number in 1...4 { ids.append(try await alice.say("line \(number)", in: room)) }
            try await archiving.wait(for: "line 4")
            try await bot.call("POST", "/rooms/\(room)/receipt/m.read/\(ids[2])", "{}")
            try await wait("one message is unread") { $0.unread?.count == 1 }
            let question = UnreadQuestion(
                room: 1, key: room, workspace: nil, since: Timestamp(microseconds: 0))
            let unknown = UnreadQuestion(room: 2, key: "!no:test", workspace: nil, since: question.since)
            // A homeserver counts a little later.
            var counts: [Int?]?
            try await eventually("the homeserver counts one message", state: { "\(counts ?? [])" }) { () -> Bool? in
                counts = await listener.value?.counter?.answers(to: [question, unknown]).map(\.count)
                return counts == [1, nil] ? true : nil
            }
            try await bot.call("POST", "/rooms/\(room)/receipt/m.read/\(ids[3])", "{}")
            try await wait("nothing is unread") { $0.unread?.count == 0 }
        }
    }

    @Test func `an invitation lists its room, which stays one room when accepted`() async throws {
        let (bot, alice) = (try await server.person("bot"), try await server.person("alice"))
        let room = try await alice.makeRoom("party", #", "invite": ["\#(bot.id)"]"#)
        try await archiving.listening(to: server.address, as: credentials(bot)) {
            try await wait("the room is listed") { $0.name == "party" && $0.coveredFrom == nil }
        }
        try await archiving.listening(to: server.address, as: credentials(bot)) {
            try await bot.join(room)
            try await alice.say("welcome", in: room)
            try await archiving.wait(for: "welcome")
        }
        let invitations = try await archiving.messages(room: "party").filter { $0.kind == .invite }
        #expect(invitations.count == 1 && invitations[0].sender?.name.hasPrefix("alice") == true, "\(invitations)")
        let refused = try await alice.makeRoom("dull party", #", "invite": ["\#(bot.id)"]"#)
        try await archiving.listening(to: server.address, as: credentials(bot)) {
            try await wait("the room is listed") { $0.name == "dull party" }
            try await bot.call("POST", "/rooms/\(refused)/leave", "{}")
            try await wait("the room is left") { $0.name == "dull party" && $0.leftAt != nil }
        }
    }

    @Test func `pictures of people and rooms are kept, and a room's successor is named`() async throws {
        let (bot, alice) = (try await server.person("bot"), try await server.person("alice"))
        let face = try await alice.upload("a face", name: "face.png", at: server.address)
        try await alice.call("PUT", "/profile/\(alice.id)/avatar_url", #"{"avatar_url": "\#(face)"}"#)
        let room = try await alice.makeRoom("old hall")
        try await bot.join(room)
        try await archiving.listening(to: server.address, as: credentials(bot)) {
            try await alice.call("PUT", "/rooms/\(room)/state/m.room.avatar", #"{"url": "\#(face)"}"#)
            try await alice.call("POST", "/rooms/\(room)/upgrade", #"{"new_version": "10"}"#)
            try await eventually("the room is closed") { () -> Bool? in
                try await archiving.messages(room: "old hall").contains { $0.body?.hasPrefix("closed") == true }
                    ? true : nil
            }
        }
        let messages = try await archiving.messages(room: "old hall")
        let picture = try #require(messages.first { $0.body == "changed the room's picture" })
        #expect(picture.attachments.map(\.path) == [face])
        #expect(messages.contains { $0.body?.hasPrefix("closed the room, which continues in !") == true })
        #expect(try archiving.pictures() == ["\(alice.id) \(face)"])
    }

    @Test func `messages keep the sender's name of their time, even in history`() async throws {
        let (bot, alice) = (try await server.person("bot"), try await server.person("alice"))
        let room = try await alice.makeRoom("names")
        try await bot.join(room)
        func name(_ name: String) async throws {
            try await alice.call(
                "PUT", "/rooms/\(room)/state/m.room.member/\(alice.id)",
                #"{"membership": "join", "displayname": "\#(name)"}"#)
            try await alice.say("as \(name)", in: room)
        }
        for number in 1...6 { try await name("Alice \(number)") }
        try await archiving.listening(
            to: server.address, as: credentials(bot),
            {
                $0.timeline = 2
                $0.historyPage = 5
            }
        ) { try await archiving.wait(for: "as Alice 1") }
        let said = try await archiving.messages(room: "names").filter { $0.kind == .message }
        #expect(said.map { "as \($0.sender?.name ?? "-")" } == said.map { $0.body ?? "" })
    }
}
