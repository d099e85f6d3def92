import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/chylex/Discord-History-Tracker (app/Server/Database/Import/LegacyArchiveImport.cs) and
/// of dht.chylex.com, whose viewer opens such files.
struct DiscordHistoryTests {
    private static func document(_ messages: String, type: String = "SERVER") -> String {
        """
        {"meta": {"users": {"7": {"name": "alice"}, "8": {"name": "bob"}}, "userindex": ["8", "7"],
          "servers": [{"name": "Example", "type": "\(type)"}],
          "channels": {"20": {"server": 0, "name": "a", "topic": "plans"}, "21": {"server": 9, "name": "b"}}},
         "data": {"20": {\(messages)}, "21": {"900": {"u": 0, "t": 1795242190000, "m": "first"}}}}
        """
    }

    @Test func `a message has Discord's ids, and the author by the order of the index`() throws {
        let export = try Export(
            DiscordHistoryFormat.self, Self.document(#""100": {"u": 1, "t": 1795242191123, "m": "hi"}"#),
            path: "dht.txt")
        #expect(export.unreadable.isEmpty)
        let time = try #require(Export.time("2026-11-21T06:23:11.123000Z"))
        var expected = ImportedMessage(
            room: "a", roomKey: "20", roomKind: .channel, kind: .message, sender: "alice", senderKey: "7", body: "hi",
            time: time, resolution: .microsecond, remoteID: "100")
        expected.facts = ImportedFacts(description: "plans")
        #expect(export.messages.first == expected)
        #expect(export.messages.map(\.told) == ["alice: hi", "bob: first"])
    }

    @Test func `a message has its edit, answer and files, and reactions are counted`() throws {
        let message = """
            "101": {"u": 0, "t": 1795242192000, "m": "ho", "te": 1795242200000, "r": "100",
             "a": [{"url": "https://cdn.discordapp.com/attachments/20/1/a.png?ex=1"}], "e": [{"type": "rich", "t": "title"}],
             "re": [{"n": "👍", "c": 2}]}
            """
        let export = try Export(DiscordHistoryFormat.self, Self.document(message))
        let found = try #require(export.messages.first)
        #expect(found.body == "ho\ntitle" && found.replyTo == "100" && found.editedAt?.short == "21T06:23:20")
        #expect(found.files == [.init(path: "https://cdn.discordapp.com/attachments/20/1/a.png")])
        #expect(export.assumptions == ["reactions skipped, because the export does not say whose they are: 2"])
    }

    @Test(
        arguments: [("SERVER", .channel), ("GROUP", .group), ("DM", .direct)] as [(String, RoomReference.Kind)])
    func `the type of a server gives the room's kind`(type: String, kind: RoomReference.Kind) throws {
        let text = Self.document(#""100": {"u": 0, "t": 1}"#, type: type)
        #expect(try Export(DiscordHistoryFormat.self, text).messages.first?.roomKind == kind)
    }

    @Test(arguments: [
        (#""1": {"u": 0}"#, "it has no \"t\""), (#""1": {"t": 1}"#, "it has no \"u\""),
        (#""1": {"t": 1, "u": 99}"#, "the export names no author of it"),
        (#""1": {"t": "soon", "u": 0}"#, "its \"t\" is not a whole number"),
    ])
    func `an invalid message is reported once with the reason`(message: String, reason: String) throws {
        let export = try Export(DiscordHistoryFormat.self, Self.document(message))
        #expect(export.unreadable == [reason] && export.messages.map(\.body) == ["first"])
    }

    @Test(arguments: 0..<100)
    func `a damaged archive never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("discord-history") {
            _ = try Export(DiscordHistoryFormat.self, files: [(nil, Mutation.of(sample.bytes, using: &random))])
        }
    }

    @Test func `an archive is recognised by its index of people`() {
        #expect(Export.recognising(Self.document(""), path: "dht.txt") == ["discord-history"])
        #expect(Export.recognising(#"{"meta": {"users": {}}, "data": {}}"#, path: "dht.txt") == [])
    }
}
