import Archive
import ChatModel
import Foundation
import Matrix
import Reading
import Sessions
import TestSupport
import Testing

/// A listener at a real homeserver gets everything, also after outages and absences.
@Suite(
    .timeLimit(.minutes(MachineSpeed.minutes(5))),
    .enabled(if: MatrixServer.isAvailable, "needs .venv, which .ci/make-venv makes"))
struct MatrixServerTests: MatrixServed {
    let server: MatrixServer
    let archiving: MatrixArchiving

    init() async throws {
        (server, archiving) = (try await MatrixServer.shared.value, try MatrixArchiving())
    }

    @Test func `any number of messages missed while offline is fetched`() async throws {
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
            try await eventually("the gap is closed") { () -> Bool? in
                try await archiving.messages(room: "busy").count { $0.body?.hasPrefix("many") ?? false } == 60
                    ? true : nil
            }
            try await eventually("no gap is left") { () -> Bool? in
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

    @Test func `messages missed before a kick are fetched`() async throws {
        let (bot, alice) = (try await server.person("bot"), try await server.person("alice"))
        let room = try await alice.makeRoom("strict")
        try await bot.join(room)
        try await alice.say("before", in: room)
        func listen(_ body: () async throws -> Void) async throws {
            try await archiving.listening(
                to: server.address, as: credentials(bot),
                {
                    $0.timeline = 5
                    $0.historyPage = 7
                }, body)
        }
        try await listen { try await archiving.wait(for: "before") }
        for number in 0..<30 { try await alice.say("missed \(number)", in: room) }
        try await alice.call("POST", "/rooms/\(room)/kick", #"{"user_id": "\#(bot.id)", "reason": "bye"}"#)
        try await listen {
            try await archiving.wait(for: "missed 0")
            try await eventually("no gap is left") { () -> Bool? in
                try await archiving.gaps().isEmpty ? true : nil
            }
        }
        let said = try await archiving.messages(room: "strict").filter { $0.kind == .message }.compactMap(\.body)
        #expect(said == ["before"] + (0..<30).map { "missed \($0)" })
    }

    @Test func `a wrong password waits for a person, and a token can replace it`() async throws {
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

    @Test func `the account logs in again when the server forgets the token`() async throws {
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

    @Test func `a server that is killed and restarted leaves no gap`() async throws {
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
            try await eventually("no gap is left") { () -> Bool? in
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
            try await eventually("everything since then is complete") { () -> Bool? in
                try archiving.archive.reading().rooms().first?.coveredFrom == earliest ? true : nil
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
            _ = try await eventually("the file is here") { () -> Bool? in
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

    @Test func `pictures of people and rooms are fetched with the account's token, and a room has an owner`()
        async throws
    {
        let (bot, alice) = (try await server.person("bot"), try await server.person("alice"))
        let bytes = String(repeating: "picture bytes ", count: 500)
        let (first, second) = (
            try await alice.upload(bytes, name: "a.png", at: server.address),
            try await alice.upload("RIFF0000WEBP" + bytes, name: "b.webp", at: server.address)
        )
        try await alice.call("PUT", "/profile/\(alice.id)/avatar_url", #"{"avatar_url": "\#(first)"}"#)
        let room = try await alice.makeRoom("faces")
        try await bot.join(room)
        try await alice.call("PUT", "/rooms/\(room)/state/m.room.avatar", #"{"url": "\#(second)"}"#)
        try await alice.say("hello", in: room)
        func found() async throws -> (room: Room?, alice: User?) {
            let reading = archiving.archive.reading()
            return (
                try reading.roomList(accounts: ["matrix"]).first { $0.name == "faces" },
                try reading.users(scope: .accounts(["matrix"])).first { $0.picture != nil }
            )
        }
        try await archiving.listening(to: server.address, as: credentials(bot), { $0.files.fetchesAll = true }) {
            try await archiving.wait(for: "hello")
            _ = try await eventually("the pictures are here") { () -> Bool? in
                let found = try await found()
                return found.room?.picture?.format == .webp && found.alice?.picture?.file.state == .fetched ? true : nil
            }
        }
        let found = try await found()
        #expect(found.room?.owner == found.alice?.name && found.room?.picture?.file.path == second)
        #expect(found.alice?.picture?.file.path == first)
        let message = try #require(try await archiving.messages(room: "faces").first { $0.body == "hello" })
        #expect(
            message.sender?.picture?.file.path == first && message.sender?.picture?.format == nil, "it is no picture")
    }

    @Test func `an absence from a room with hidden history stays a gap with a reason`() async throws {
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
                "the gap has its reason", state: { "\(seen.value)" }
            ) { () -> Bool? in
                let gaps = try await archiving.gaps()
                seen.change { $0 = gaps }
                return gaps.filter { $0.missing?.unfilled == "limit" }.count == 1 ? true : nil
            }
        }
        #expect(try await archiving.messages().compactMap(\.body).contains("about the absent") == false)
    }

    @Test func `an absence from a room with visible history leaves no gap`() async throws {
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
            try await eventually("no gap is left") { () -> Bool? in
                try await archiving.gaps().isEmpty ? true : nil
            }
        }
        #expect(try await archiving.messages().count { $0.body?.hasPrefix("absent") == true } == 20)
    }
}
