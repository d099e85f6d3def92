import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/RocketChat/Rocket.Chat (apps/meteor/server/lib/dataExport/exportRoomMessagesToFile.ts)
/// and, for tables, of github.com/Worteks/RC2Matrix.
struct RocketChatTests {
    private func export(_ lines: String..., path: String = "general.json") throws -> Export {
        try Export(RocketChatFormat.self, lines.joined(separator: "\n"), path: path)
    }

    private static func line(_ parts: String = "", text: String = "hi") -> String {
        #"{"msg":"\#(text)","username":"alice","ts":"2026-11-21T06:23:11.123Z"\#(parts)}"#
    }

    private static func row(_ parts: String = "", text: String = "hi") -> String {
        """
        {"_id":"m1","rid":"GENERAL","msg":"\(text)","ts":{"$date":"2026-11-21T06:23:11.123Z"},\
        "u":{"_id":"u7","username":"alice"}\(parts)}
        """
    }

    @Test func `a message of a room's file has the room of the file's name`() throws {
        let time = try #require(Export.time("2026-11-21T06:23:11.123000Z"))
        #expect(
            try export(Self.line()).messages == [
                ImportedMessage(
                    room: "general", kind: .message, sender: "alice", body: "hi", time: time, resolution: .microsecond)
            ])
        let given = try Export(RocketChatFormat.self, Self.line(), path: "x.json", room: "a")
        #expect(given.messages.map(\.room) == ["a"])
        #expect(throws: LogSourceError.noRoom) { try Export(RocketChatFormat.self, Self.line(), path: "") }
    }

    private func tables(_ rooms: String, _ messages: String) throws -> Export {
        try Export(
            RocketChatFormat.self,
            files: [("rocketchat_room.json", Array(rooms.utf8)), ("rocketchat_message.json", Array(messages.utf8))],
            path: "rocketchat_room.json")
    }

    @Test func `a row of the database has the ids and the room of its table`() throws {
        let room = #"{"_id":"GENERAL","name":"general","t":"c","topic":"plans"}"#
        let export = try tables(room, Self.row())
        #expect(export.unreadable.isEmpty)
        let time = try #require(Export.time("2026-11-21T06:23:11.123000Z"))
        var expected = ImportedMessage(
            room: "general", roomKey: "GENERAL", roomKind: .channel, kind: .message, sender: "alice", senderKey: "u7",
            body: "hi", time: time, resolution: .microsecond, remoteID: "m1")
        expected.facts = ImportedFacts(description: "plans")
        #expect(export.messages == [expected])
        #expect(RocketChatFormat.files(among: ["rocketchat_message.json", "rocketchat_room.json", "a"]) == [1, 0])
        #expect(RocketChatFormat.files(among: ["rocketchat_message.json"]) == nil)
    }

    @Test(
        arguments: [
            (#""t":"d","usernames":["alice","bob"]"#, "alice, bob", .direct),
            (#""t":"d","usernames":["a","b","c"]"#, "a, b, c", .group), (#""t":"p""#, "GENERAL", .channel),
            (#""t":"p","name":"x","fname":"X y""#, "X y", .channel),
        ] as [(String, String, RoomReference.Kind)])
    func `a conversation is called by its people`(parts: String, name: String, kind: RoomReference.Kind) throws {
        let message = try #require(try tables(#"{"_id":"GENERAL",\#(parts)}"#, Self.row()).messages.first)
        #expect((message.room, message.roomKind) == (name, kind))
    }

    @Test func `a row has its answer, edit, pin, reactions and files`() throws {
        let parts = """
            ,"tmid":"m0","editedAt":{"$date":{"$numberLong":"1795242200000"}},"pinned":true,
            "reactions":{":wave:":{"usernames":["bob","carol"]}},
            "attachments":[{"title":"a.png","title_link":"/file-upload/F1/a.png","description":"look"}]
            """.replacing("\n", with: "")
        let message = try #require(try export(Self.row(parts), path: "a.json").messages.first)
        #expect(message.replyTo == "m0" && message.flags == .pinned && message.editedAt?.short == "21T06:23:20")
        #expect(message.reactions == [.init(text: ":wave:", user: "bob"), .init(text: ":wave:", user: "carol")])
        #expect(message.files == [.init(path: "/file-upload/F1/a.png")] && message.body == "hi\nlook")
    }

    @Test func `a quoted message is answered, and its copy is left out`() throws {
        let link = "https://chat.example.org/channel/general?msg=m0"
        let row = Self.row(#","attachments":[{"message_link":"\#(link)","text":"before"}]"#, text: "[ ](\(link)) hi")
        let message = try #require(try export(row, path: "a.json").messages.first)
        #expect(message.replyTo == "m0" && message.body == "hi")
    }

    @Test func `a file of an export lies in the folder assets`() throws {
        let part = #","attachments":[{"title_link":"/file-upload/F1/a.png","fileId":"F1","fileName":"a.png"}]"#
        let message = try #require(try export(Self.line(part)).messages.first)
        #expect(message.files == [.init(path: "/file-upload/F1/a.png", copies: ["assets/F1-a.png"])])
    }

    @Test(arguments: [
        ("uj", "join alice"), ("ul", "leave alice"), ("au", "invite alice: bob"), ("ru", "kick alice: bob"),
        ("room_changed_topic", "topic alice: bob"), ("r", "action alice: changed the room's name to bob"),
        ("discussion-created", "action alice: discussion created: bob"), ("rm", "alice"),
    ])
    func `the type of a message gives its kind`(type: String, told: String) throws {
        let rows = try export(Self.row(#","t":"\#(type)""#, text: "bob"), path: "a.json").messages
        #expect(rows.map(\.told) == [told] && rows.map { $0.deletedAt != nil } == [type == "rm"])
        let lines = try export(Self.line(), Self.line(#","type":"\#(type)""#, text: "bob")).messages
        #expect(lines.map(\.told) == ["alice: hi", told])
    }

    @Test(arguments: [
        ("words", "it is not JSON"), (#"{"msg":"x","username":"a"}"#, "its \"ts\" is not a time"),
        (#"{"msg":"x","ts":"2026-11-21T06:23:11.123Z"}"#, "it has no \"username\""),
        (#"{"msg":7,"username":"a","ts":"2026-11-21T06:23:11.123Z"}"#, "its \"msg\" has the wrong type"),
    ])
    func `an invalid line is reported once with the reason`(line: String, reason: String) throws {
        let export = try export(Self.line(), line, Self.line())
        #expect(export.unreadable == [reason] && export.messages.count == 2)
    }

    @Test(arguments: 0..<100)
    func `a damaged export never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("rocketchat") {
            let bytes = Mutation.of(sample.bytes, using: &random)
            _ = try Export(RocketChatFormat.self, files: [(nil, bytes)], path: "general.json")
        }
    }

    @Test func `exports and tables are recognised by the keys of their first line`() {
        #expect(Export.recognising(Self.line(), path: "general.json") == ["rocketchat"])
        #expect(Export.recognising(Self.row(), path: "a.json") == ["rocketchat"])
        #expect(Export.recognising(Self.line(#","room":"x""#), path: "a.json") == [])
        #expect(Export.recognising(#"{"msg":"x","username":"a","ts":"soon"}"#, path: "a.json") == [])
    }
}
