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
}
