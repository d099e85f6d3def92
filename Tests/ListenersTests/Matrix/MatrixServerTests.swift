import Archive
import ChatModel
import Foundation
import Listeners
import TestSupport
import Testing

/// A listener at a real homeserver.
@Suite(.timeLimit(.minutes(5)), .enabled(if: MatrixServer.isAvailable, "needs .venv, which .ci/make-venv makes"))
struct MatrixServerTests {
    private let server: MatrixServer
    private let archiving: MatrixArchiving

    init() async throws {
        (server, archiving) = (try await MatrixServer.shared.value, try MatrixArchiving())
    }

    private func credentials(_ person: MatrixServer.Person) -> MatrixCredentials {
        MatrixCredentials(user: person.id, password: person.password)
    }

    @Test func `everything that people see of a room is archived as it is`() async throws {
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

    @Test func `what was said while nobody listened is fetched, however much it is`() async throws {
        let (bot, alice) = (try await server.person("bot"), try await server.person("alice"))
        let (busy, quiet) = (try await alice.makeRoom("busy"), try await alice.makeRoom("quiet"))
        for room in [busy, quiet] { try await bot.join(room) }
        for number in 0..<30 { try await alice.say("before \(number)", in: busy) }
        try await alice.say("in the quiet room", in: quiet)
        func listen(_ body: () async throws -> Void) async throws {
            try await archiving.listening(
                to: server.address, as: credentials(bot),
                {
                    $0.timeline = 10
                    $0.historyPage = 7
                }, body)
        }
        try await listen {
            try await archiving.wait(for: "before 29")
            try await archiving.wait(for: "before 0")
            try await archiving.wait(for: "in the quiet room")
        }
        for number in 0..<5 { try await alice.say("a few \(number)", in: busy) }
        try await listen { try await archiving.wait(for: "a few 4") }
        for number in 0..<60 { try await alice.say("many \(number)", in: busy) }
        try await listen {
            try await archiving.wait(for: "many 59")
            try await eventually("the gap is closed", within: .seconds(60)) { () -> Bool? in
                try await archiving.messages(room: "busy").count { $0.body?.hasPrefix("many") ?? false } == 60
                    ? true : nil
            }
            try await eventually("no gap is left", within: .seconds(30)) { () -> Bool? in
                try await archiving.gaps().isEmpty ? true : nil
            }
        }
        let messages = try await archiving.messages(room: "busy")
        let said = messages.filter { $0.kind == .message }.compactMap(\.body)
        let expected =
            (0..<30).map { "before \($0)" } + (0..<5).map { "a few \($0)" } + (0..<60).map { "many \($0)" }
        #expect(said == expected)
        #expect(Set(messages.compactMap(\.remoteID)).count == messages.count, "nothing twice")
        #expect(try await archiving.messages(room: "quiet").count { $0.kind == .message } == 1)
    }

    @Test func `a wrong password waits for a person, and a token works in its place`() async throws {
        let (bot, alice) = (try await server.person("bot"), try await server.person("alice"))
        let room = try await alice.makeRoom("token room")
        try await bot.join(room)
        try await archiving.listening(
            to: server.address, as: MatrixCredentials(user: bot.id, password: "wrong")
        ) {
            await archiving.reports.wait { $0.last?.state == .needsLogin }
        }
        #expect(archiving.reports.value.contains { $0.lastError?.contains("M_FORBIDDEN") ?? false })
        try await archiving.listening(to: server.address, as: MatrixCredentials(user: bot.id, token: bot.token)) {
            try await alice.say("by a token", in: room)
            try await archiving.wait(for: "by a token")
        }
    }

    @Test func `a new login follows when the server forgets the token`() async throws {
        let (bot, alice) = (try await server.person("bot"), try await server.person("alice"))
        let room = try await alice.makeRoom("forgetful")
        try await bot.join(room)
        try await archiving.listening(to: server.address, as: credentials(bot)) {
            try await alice.say("first", in: room)
            try await archiving.wait(for: "first")
            // Ends every login of the account, that of the listener too.
            try await bot.call("POST", "/logout/all", "{}")
            try await alice.say("second", in: room)
            try await archiving.wait(for: "second")
        }
        #expect(try await archiving.messages(room: "forgetful").count { $0.kind == .message } == 2)
    }

    @Test func `a server that is killed and comes back leaves no gap behind`() async throws {
        let server = try await MatrixServer()
        let (bot, alice) = (try await server.person("bot"), try await server.person("alice"))
        let room = try await alice.makeRoom("restarted")
        try await bot.join(room)
        try await archiving.listening(to: server.address, as: credentials(bot)) {
            try await alice.say("before", in: room)
            try await archiving.wait(for: "before")
            try await server.kill()
            await archiving.reports.wait { $0.last?.state == .waiting }
            try await server.start()
            try await alice.say("after", in: room)
            try await archiving.wait(for: "after")
            try await eventually("no gap is left", within: .seconds(30)) { () -> Bool? in
                try await archiving.gaps().isEmpty ? true : nil
            }
        }
    }

    @Test func `older history is fetched on request`() async throws {
        let (bot, alice) = (try await server.person("bot"), try await server.person("alice"))
        let room = try await alice.makeRoom("old")
        try await bot.join(room)
        for number in 0..<20 { try await alice.say("old \(number)", in: room) }
        let listener = Watched<MatrixListener?>(nil)
        try await archiving.listening(
            to: server.address, as: credentials(bot),
            {
                $0.timeline = 3
                $0.horizon = .zero
            }, listener: listener
        ) {
            try await archiving.wait(for: "old 19")
            let earliest = Timestamp(microseconds: 0)
            try await eventually("it is requested") { () -> Bool? in
                listener.value?.backfill(nil, after: earliest) == .requested(rooms: 1) ? true : nil
            }
            try await archiving.wait(for: "old 0")
            try await eventually("everything since then is complete", within: .seconds(30)) { () -> Bool? in
                try await archiving.archive.reading().rooms().first?.coveredFrom == earliest ? true : nil
            }
        }
        #expect(try await archiving.messages(room: "old").count { $0.kind == .message } == 20)
    }

    @Test func `files are fetched with the account's token`() async throws {
        let (bot, alice) = (try await server.person("bot"), try await server.person("alice"))
        let room = try await alice.makeRoom("pictures")
        try await bot.join(room)
        let bytes = String(repeating: "picture bytes ", count: 5000)
        let place = try await alice.upload(bytes, name: "cat.png", at: server.address)
        try await alice.send(#"{"msgtype": "m.image", "body": "cat.png", "url": "\#(place)"}"#, to: room)
        try await alice.send(#"{"msgtype": "m.image", "body": "gone.png", "url": "mxc://test/nothing"}"#, to: room)
        try await alice.send(
            #"{"msgtype": "m.image", "body": "odd.png", "url": "mxc://test/../../v3/logout"}"#, to: room)
        try await archiving.listening(to: server.address, as: credentials(bot), { $0.files.fetchesAll = true }) {
            _ = try await eventually("the file is here", within: .seconds(30)) { () -> Bool? in
                let files = try await archiving.messages(room: "pictures").flatMap(\.attachments)
                return files.count == 3 && files.allSatisfy { $0.state != .missing } ? true : nil
            }
        }
        let files = try await archiving.messages(room: "pictures").flatMap(\.attachments)
        #expect(files.map(\.state) == [.fetched, .gone, .otherServer], "\(files)")
        #expect(files.first?.size == Int64(bytes.utf8.count))
        let picture = try #require(try await archiving.messages(room: "pictures").first { $0.body == "cat.png" })
        try await alice.call("PUT", "/rooms/\(room)/redact/\(picture.remoteID ?? "")/r1", "{}")
        try await archiving.listening(to: server.address, as: credentials(bot)) {
            try await alice.say("end", in: room)
            try await archiving.wait(for: "end")
        }
        #expect(
            try await archiving.messages(room: "pictures").flatMap(\.attachments).count == 2,
            "a removed message has no file")
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
        let rooms = try await archiving.archive.reading().rooms()
        #expect(rooms.map(\.kind) == [.direct] && rooms.map(\.name) == ["앨리스"], "\(rooms)")
    }

    private func rooms() async throws -> [Room] { try await archiving.archive.reading().roomList() }

    /// Waits until a room is listed in this way.
    private func wait(_ what: String, until isSo: @escaping (Room) -> Bool) async throws {
        try await eventually(what, within: .seconds(30)) { () -> Bool? in
            try await rooms().contains(where: isSo) ? true : nil
        }
    }

    @Test func `a space is the workspace of its rooms, also under its next name and after a restart`() async throws {
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

    @Test func `what the account reads in another client is read, and the homeserver's counts are shown`() async throws
    {
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
            let answers = try #require(await listener.value?.counter?.answers(to: [question, unknown]))
            #expect(answers.map(\.count) == [1, nil], "\(answers)")
            try await bot.call("POST", "/rooms/\(room)/receipt/m.read/\(ids[3])", "{}")
            try await wait("nothing is unread") { $0.unread?.count == 0 }
        }
    }

    @Test func `an invitation lists its room, and is there once after it was accepted`() async throws {
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

    @Test func `pictures of people and rooms are kept, and a successor is named`() async throws {
        let (bot, alice) = (try await server.person("bot"), try await server.person("alice"))
        let face = try await alice.upload("a face", name: "face.png", at: server.address)
        try await alice.call("PUT", "/profile/\(alice.id)/avatar_url", #"{"avatar_url": "\#(face)"}"#)
        let room = try await alice.makeRoom("old hall")
        try await bot.join(room)
        try await archiving.listening(to: server.address, as: credentials(bot)) {
            try await alice.call("PUT", "/rooms/\(room)/state/m.room.avatar", #"{"url": "\#(face)"}"#)
            try await alice.call("POST", "/rooms/\(room)/upgrade", #"{"new_version": "10"}"#)
            try await eventually("the room is closed", within: .seconds(30)) { () -> Bool? in
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

    @Test func `an absence from a room that hides it stays a gap with its reason`() async throws {
        let (bot, alice) = (try await server.person("bot"), try await server.person("alice"))
        let room = try await alice.makeRoom(
            "closed society",
            #", "initial_state": [{"type": "m.room.history_visibility", "state_key": "", "content": {"history_visibility": "joined"}}]"#
        )
        try await bot.join(room)
        try await alice.say("before", in: room)
        try await archiving.listening(to: server.address, as: credentials(bot)) {
            try await archiving.wait(for: "before")
            try await bot.call("POST", "/rooms/\(room)/leave", "{}")
            try await wait("the room is left") { $0.leftAt != nil }
            try await alice.say("about the absent", in: room)
            try await bot.join(room)
            try await alice.say("after", in: room)
            try await archiving.wait(for: "after")
            let seen = Watched<[Gap]>([])
            try await eventually(
                "the gap has its reason", within: .seconds(30), state: { "\(seen.value)" }
            ) { () -> Bool? in
                let gaps = try await archiving.gaps()
                seen.change { $0 = gaps }
                return gaps.filter { $0.unfilled == "limit" }.count == 1 ? true : nil
            }
        }
        #expect(try await archiving.messages().compactMap(\.body).contains("about the absent") == false)
    }

    @Test func `an absence from a room that shows it leaves no gap`() async throws {
        let (bot, alice) = (try await server.person("bot"), try await server.person("alice"))
        let room = try await alice.makeRoom("open society")
        try await bot.join(room)
        try await alice.say("before", in: room)
        try await archiving.listening(to: server.address, as: credentials(bot), { $0.timeline = 2 }) {
            try await archiving.wait(for: "before")
            try await bot.call("POST", "/rooms/\(room)/leave", "{}")
            try await wait("the room is left") { $0.leftAt != nil }
            for number in 0..<20 { try await alice.say("absent \(number)", in: room) }
            try await bot.join(room)
            try await alice.say("after", in: room)
            try await archiving.wait(for: "absent 0")
            try await eventually("no gap is left", within: .seconds(30)) { () -> Bool? in
                try await archiving.gaps().isEmpty ? true : nil
            }
        }
        #expect(try await archiving.messages().count { $0.body?.hasPrefix("absent") == true } == 20)
    }

    @Test func `a name of the time stays with what was said then, also in history`() async throws {
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
