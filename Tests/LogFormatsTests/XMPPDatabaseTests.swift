import ChatModel
import Testing

@testable import LogFormats

/// The databases of the XMPP clients Gajim, Dino and profanity.
struct XMPPDatabaseTests {
    private static let accounts = [DatabaseHeader.Network(key: "1", name: "alice@example.net")]

    private func read(_ format: any LogFormat.Type, _ rows: String...) throws -> LogReading {
        try DatabaseRowsTests.read(format, rows, networks: Self.accounts)
    }

    /// `room@example.net bob: hi`, with `edited` and `answers a1`.
    private func told(_ reading: LogReading) -> [String] {
        reading.messages.map { message in
            "\(message.room) \(message.told)" + (message.editedAt == nil ? "" : " (edited)")
                + (message.replyTo.map { " (answers \($0))" } ?? "") + (message.isDirect ? "" : " in a room")
        }
    }

    // MARK: - Gajim

    private func gajim(
        _ text: String, kind: Int = 2, jid: String = "room@example.net", nick: String? = "bob", id: String = "a1",
        time: String = "1795242191.123456", _ more: String = ""
    ) -> String {
        let nick = nick.map { "\"\($0)\"" } ?? "null"
        return #"""
            {"network":"1","jid":"\#(jid)","nick":\#(nick),"kind":"\#(kind)","time":"\#(time)","text":"\#(text)","id":"\#(id)"\#(more)}
            """#
    }

    @Test func `Gajim's kinds say who wrote, and where`() throws {
        let read = try read(
            GajimFormat.self, gajim("hi"), gajim("/me waves", id: "a2"),
            gajim("psst", kind: 4, jid: "bob@example.org", nick: nil, id: "a3"),
            gajim("yes", kind: 6, jid: "bob@example.org", nick: nil, id: "a4"),
            gajim("privately", kind: 4, jid: "room@example.net/bob", nick: nil, id: "a5"),
            gajim("gone", kind: 1, id: "", #","show":"5""#), gajim("away", kind: 0, jid: "bob@example.org"),
            gajim("bounced", kind: 7, jid: "bob@example.org", nick: nil, id: "a6"))
        #expect(
            told(read) == [
                "room@example.net bob: hi in a room", "room@example.net action bob: waves in a room",
                "bob@example.org bob@example.org: psst", "bob@example.org alice@example.net: yes",
                "room@example.net/bob bob: privately", "room@example.net system: bob is offline: gone in a room",
                "bob@example.org system: bounced",
            ])
        #expect(read.unreadable == [])
        #expect(read.messages.prefix(5).map(\.remoteID) == ["a1", "a2", "a3", "a4", "a5"])
    }

    @Test func `Gajim's times are seconds with a fraction or without`() throws {
        let read = try read(
            GajimFormat.self, gajim("a"), gajim("b", time: "1795242191"), gajim("c", time: "1795242191.0"),
            gajim("d", time: "noon"))
        #expect(
            read.messages.map(\.time.description).map { $0.dropFirst(17) } == [
                "11.123456Z", "11.000000Z", "11.000000Z",
            ])
        #expect(read.messages.map(\.resolution) == [.microsecond, .second, .second])
        #expect(read.unreadable == ["its time is not a number"])
    }

    @Test func `a text that Gajim has corrected keeps the text before it`() throws {
        let additional = #","additional":"{\"corrected\": {\"original_text\": \"a wrnog word\"}}""#
        let message = try #require(try read(GajimFormat.self, gajim("a wrong word", additional)).messages.first)
        #expect(message.body == "a wrong word" && message.versions.map(\.body) == ["a wrnog word"])
        let broken = #","additional":"{\"corrected\": original_text""#
        #expect(try read(GajimFormat.self, gajim("hi", broken)).messages.map(\.versions) == [[]])
    }

    @Test func `newer tables of Gajim have corrections and answers`() throws {
        let read = try read(
            GajimFormat.self, gajim("helo"), gajim("hello", id: "a2", time: "1795242192.5", #","replaced":"a1""#),
            gajim("yes", id: "a3", #","reply":"a1""#))
        #expect(
            told(read) == [
                "room@example.net bob: helo in a room", "room@example.net bob: hello (edited) in a room",
                "room@example.net bob: yes (answers a1) in a room",
            ])
    }

    // MARK: - Dino

    private func dino(
        _ text: String, number: Int = 1, type: Int = 2, direction: Int = 0, jid: String = "room@example.net",
        nick: String? = "bob", id: String = "a1", time: Int = 1_795_242_191
    ) -> String {
        let nick = nick.map { "\"\($0)\"" } ?? "null"
        return #"""
            {"network":"1","table":"message","message":"\#(number)","id":"\#(id)","jid":"\#(jid)","nick":\#(nick),"own_nick":"ali","direction":"\#(direction)","type":"\#(type)","time":"\#(time)","text":"\#(text)"}
            """#
    }

    @Test func `Dino's types and directions say who wrote, and where`() throws {
        let read = try read(
            DinoFormat.self, dino("hi"), dino("/me waves", direction: 1),
            dino("psst", type: 1, jid: "bob@example.org", nick: "phone"),
            dino("yes", type: 1, direction: 1, jid: "bob@example.org", nick: nil), dino("privately", type: 3),
            dino("answer", type: 3, direction: 1))
        #expect(
            told(read) == [
                "room@example.net bob: hi in a room", "room@example.net action ali: waves in a room",
                "bob@example.org bob@example.org: psst", "bob@example.org alice@example.net: yes",
                "room@example.net/bob bob: privately", "room@example.net/bob alice@example.net: answer",
            ])
        #expect(read.messages.allSatisfy { $0.resolution == .second })
    }

    @Test func `corrections, answers and reactions of Dino belong to their messages`() throws {
        let read = try read(
            DinoFormat.self, #"{"table":"message_correction","message":"2","id":"a1"}"#,
            #"{"table":"reply","message":"3","id":"a1"}"#,
            #"{"table":"reaction","message":"1","text":"👍,❤","time":"1795242200123","nick":"carol"}"#,
            #"{"table":"reaction","message":null,"text":"👍","time":"1795242200123","nick":"carol"}"#,
            dino("helo"), dino("hello", number: 2, id: "a2", time: 1_795_242_193),
            dino("yes", number: 3, id: "a3", time: 1_795_242_195))
        #expect(
            told(read) == [
                "room@example.net bob: helo in a room", "room@example.net bob: hello (edited) in a room",
                "room@example.net bob: yes (answers a1) in a room",
            ])
        #expect(read.messages.map(\.remoteID) == ["a1", "a1", "a3"])
        #expect(read.messages.map(\.time.short) == ["21T06:23:11", "21T06:23:11", "21T06:23:15"])
        #expect(read.messages[0].reactions.map { $0.text + $0.user } == ["👍carol", "❤carol"])
        #expect(read.unreadable == [])
    }

    // MARK: - profanity

    private func profanity(
        _ text: String, from: String = "room@example.net", resource: String = "bob", to: String = "alice@example.net",
        toResource: String = "home", type: String = "muc", id: String = "a1", replaced: String = "",
        time: String = "2026-11-21T06:23:11.123456+09:00"
    ) -> String {
        #"""
        {"from":"\#(from)","from_resource":"\#(resource)","to":"\#(to)","to_resource":"\#(toResource)","text":"\#(text)","time":"\#(time)","type":"\#(type)","id":"\#(id)","replaced":"\#(replaced)"}
        """#
    }

    @Test func `profanity's addresses and types say who wrote, and where`() throws {
        let own = "alice@example.net"
        let read = try read(
            ProfanityDatabaseFormat.self, profanity("hi"),
            profanity("/me waves", from: own, resource: "home", to: "room@example.net", toResource: ""),
            profanity("psst", from: "bob@example.org", resource: "phone", type: "chat"),
            profanity("yes", from: own, resource: "home", to: "bob@example.org", toResource: "", type: "chat"),
            profanity("privately", type: "mucpm"),
            profanity("answer", from: own, resource: "home", to: "room@example.net", toResource: "bob", type: "mucpm"))
        #expect(
            told(read) == [
                "room@example.net bob: hi in a room", "room@example.net action alice@example.net: waves in a room",
                "bob@example.org bob@example.org: psst", "bob@example.org alice@example.net: yes",
                "room@example.net/bob bob: privately", "room@example.net/bob alice@example.net: answer",
            ])
        #expect(read.unreadable == [])
    }

    @Test func `a correction of profanity is a newer text of its message, also of a correction`() throws {
        let read = try read(
            ProfanityDatabaseFormat.self, profanity("helo"), profanity("hallo", id: "a2", replaced: "a1"),
            profanity("hello", id: "a3", replaced: "a2"), profanity("other", id: "a4", replaced: "none"),
            profanity("elsewhere", from: "other@example.net", id: "a5", replaced: "a1"))
        #expect(read.messages.map(\.remoteID) == ["a1", "a1", "a1", "a4", "a5"])
        #expect(read.messages.map { $0.editedAt != nil } == [false, true, true, false, false])
        #expect(read.messages.map(\.replyTo) == [nil, nil, nil, "none", "a1"])
    }

    @Test(arguments: [
        ("2026-11-21T06:23:11.123456+09:00", "20T21:23:11"), ("2026-11-21T06:23:11+09", "20T21:23:11"),
        ("2026-11-21T06:23:11-09:30", "21T15:53:11"), ("2026-11-21T06:23:11", nil), ("noon", nil),
    ])
    func `profanity's times have a zone`(text: String, time: String?) throws {
        #expect(
            try read(ProfanityDatabaseFormat.self, profanity("hi", time: text)).messages.map(\.time.short)
                == [time].compactMap(\.self))
    }

    @Test func `profanity's account is the one of the folder, else of the messages`() throws {
        let header = DatabaseHeader(database: "profanity-db", networks: Self.accounts)
        func name(_ path: String) -> String? {
            ProfanityDatabaseFormat.accountName(in: LogReading.source(header.line, path: path))
        }
        #expect(name("database/bob_at_example.org/chatlog.db") == "bob@example.org")
        #expect(name("copy/chatlog.db") == "alice@example.net")
    }

    // MARK: - All

    @Test func `the ids of servers are read, and a correction has that of its message`() throws {
        let gajim = try read(
            GajimFormat.self, gajim("helo", #","archive":"s1""#),
            gajim("hello", id: "a2", time: "1795242192.5", #","replaced":"a1","archive":"s2""#), gajim("old", id: "a3"))
        #expect(gajim.messages.map(\.serverID) == [.known("s1"), .known("s1"), .unknown])
        #expect(gajim.messages.map(\.remoteID) == ["a1", "a1", "a3"])
        let row = dino("hi").replacing(#""id":"a1""#, with: #""id":"a1","archive":"s1""#)
        #expect(try read(DinoFormat.self, row).messages.map(\.serverID) == [.known("s1")])
        let line = profanity("hi").replacing(#""id":"a1""#, with: #""id":"a1","archive":"s1""#)
        let found = try read(ProfanityDatabaseFormat.self, line, profanity("hi"))
        #expect(found.messages.map(\.serverID) == [.known("s1"), .unknown])
    }

    @Test func `an archive that knows messages by the server's ids has no other ones`() throws {
        var (known, unknown) = (
            try #require(try read(GajimFormat.self, gajim("hi", #","archive":"s1""#)).messages.first),
            try #require(try read(GajimFormat.self, gajim("hi")).messages.first)
        )
        known.identifyByServer()
        unknown.identifyByServer()
        #expect((known.remoteID, unknown.remoteID) == ("s1", nil))
    }
}
