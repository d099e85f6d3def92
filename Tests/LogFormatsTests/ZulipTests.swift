import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/zulip/zulip (zerver/lib/export.py: the tables of messages, and times as seconds), of
/// zulip.com/help/export-your-organization and of github.com/karlicoss/HPI (src/my/zulip/organization.py).
struct ZulipTests {
    private static let realm = """
        {"zerver_reaction": [{"id": 1, "user_profile": 8, "message": 100, "emoji_name": "wave"}],
         "zerver_subscription": [{"user_profile": 7, "recipient": 22}, {"user_profile": 8, "recipient": 22},
          {"user_profile": 9, "recipient": 22}, {"user_profile": 7, "recipient": 20},
          {"user_profile": 7, "recipient": 23}, {"user_profile": 8, "recipient": 23}],
         "zerver_userprofile": [{"id": 7, "full_name": "alice"}, {"id": 8, "full_name": "bob"}],
         "zerver_userprofile_crossrealm": [{"id": 9, "email": "bot@example.org", "is_bot": true}],
         "zerver_stream": [{"id": 3, "name": "example", "description": "plans"}],
         "zerver_recipient": [{"id": 20, "type": 2, "type_id": 3}, {"id": 21, "type": 1, "type_id": 8},
          {"id": 22, "type": 3, "type_id": 1}, {"id": 23, "type": 3, "type_id": 2}]}
        """

    private static func message(_ parts: String = "", id: Int = 100, sender: Int = 7, to recipient: Int = 20) -> String
    {
        """
        {"id": \(id), "sender": \(sender), "recipient": \(recipient), "subject": "lunch", "content": "hi",
         "date_sent": 1795242191.123456, "last_edit_time": null\(parts)}
        """
    }

    private func export(_ messages: String...) throws -> Export {
        let files = [
            "messages-000001.json": #"{"zerver_message": [\#(messages.joined(separator: ", "))]}"#,
            "realm.json": Self.realm,
        ]
        let paths = files.keys.sorted()
        let order = try #require(ZulipFormat.files(among: paths))
        return try Export(
            ZulipFormat.self, files: order.map { (paths[$0], Array((files[paths[$0]] ?? "").utf8)) },
            path: paths[order[0]])
    }

    @Test func `a message has the names of its channel, its topic and its sender, and its reactions`() throws {
        let export = try export(Self.message())
        #expect(export.unreadable.isEmpty && export.assumptions.isEmpty)
        let time = try #require(Export.time("2026-11-21T06:23:11.123456Z"))
        var expected = ImportedMessage(
            room: "example", roomKey: "stream:3", roomKind: .channel, kind: .message, sender: "alice", senderKey: "7",
            body: "[topic: lunch]\nhi", time: time, resolution: .microsecond, remoteID: "100",
            reactions: [.init(text: ":wave:", user: "bob", userKey: "8")])
        expected.facts = ImportedFacts(description: "plans")
        #expect(export.messages == [expected])
    }

    @Test func `a conversation is known by its people, whoever writes and however it is stored`() throws {
        let export = try export(
            Self.message(id: 1, sender: 7, to: 21), Self.message(id: 2, sender: 8, to: 23),
            Self.message(id: 3, sender: 9, to: 22), Self.message(id: 4, sender: 8, to: 21))
        #expect(export.messages.map(\.room) == ["alice, bob", "alice, bob", "alice, bob, bot@example.org", "bob"])
        #expect(export.messages.map(\.roomKey) == ["people:7-8", "people:7-8", "people:7-8-9", "people:8"])
        #expect(export.messages.map(\.roomKind) == [.direct, .direct, .group, .direct])
        #expect(export.messages[2].flags == .bot && export.messages.allSatisfy { $0.body == "hi" })
    }

    @Test func `an edited message has its earlier texts`() throws {
        let history = """
            [{\\"prev_content\\": \\"b\\", \\"timestamp\\": 1795242300}, {\\"prev_topic\\": \\"x\\", \\"timestamp\\": 1795242250},
             {\\"prev_content\\": \\"a\\", \\"timestamp\\": 1795242200}]
            """.replacing("\n", with: "")
        let export = try export(
            #"{"id": 1, "sender": 7, "recipient": 21, "content": "c", "date_sent": 1795242191.0, "last_edit_time": 1795242300.0, "edit_history": "\#(history)"}"#
        )
        let message = try #require(export.messages.first)
        #expect(message.versions.map(\.body) == ["a", "b"])
        #expect(message.versions.map(\.at.short) == ["21T06:23:11", "21T06:23:20"])
        #expect(message.editedAt?.short == "21T06:25:00")
    }

    @Test func `an earlier version has the topic that it had`() throws {
        let history = """
            [{\\"prev_topic\\": \\"lunch\\", \\"prev_stream\\": 3, \\"timestamp\\": 1795242300},
             {\\"prev_content\\": \\"a\\", \\"prev_subject\\": \\"food\\", \\"timestamp\\": 1795242200}]
            """.replacing("\n", with: "")
        let export = try export(
            #"{"id": 1, "sender": 7, "recipient": 20, "subject": "noon", "content": "b", "date_sent": 1795242191.0, "last_edit_time": 1795242300.0, "edit_history": "\#(history)"}"#
        )
        let message = try #require(export.messages.first)
        #expect(message.body == "[topic: noon]\nb")
        #expect(message.versions.map(\.body) == ["[topic: food]\na", "[topic: lunch]\nb"])
        #expect(message.versions.map(\.at.short) == ["21T06:23:11", "21T06:23:20"])
    }

    @Test func `votes in polls are counted`() throws {
        let realm =
            #"{"zerver_submessage": [{"id": 1, "message": 1, "sender": 7, "msg_type": "widget", "content": "{}"}], "#
        let files = ["realm.json", "realm.json", "messages-000001.json"].map {
            name -> (path: String?, bytes: [UInt8]) in
            let text =
                name == "realm.json" ? realm + Self.realm.dropFirst() : #"{"zerver_message": [\#(Self.message())]}"#
            return (name, Array(text.utf8))
        }
        let export = try Export(ZulipFormat.self, files: files)
        #expect(export.messages.count == 1)
        #expect(export.assumptions == ["votes in polls and changes of to-do lists skipped: 1"])
    }

    @Test func `an action and the files of a text are recognised`() throws {
        let export = try export(
            #"{"id": 1, "sender": 7, "recipient": 21, "content": "/me sends [a](/user_uploads/2/ab/a.png), [b](/user_uploads/2/cd/b.txt)", "pub_date": 1795242191.5}"#
        )
        let message = try #require(export.messages.first)
        #expect(message.kind == .action && message.body?.hasPrefix("sends [a]") == true)
        #expect(message.files == [.init(path: "uploads/2/ab/a.png"), .init(path: "uploads/2/cd/b.txt")])
    }

    @Test func `the files of an export are read in an order in which names come first`() {
        let paths = ["attachment.json", "messages-000001.json", "messages-000002.json", "realm.json", "uploads/a"]
        #expect(ZulipFormat.files(among: paths) == [3, 3, 1, 2])
        #expect(ZulipFormat.files(among: ["messages-000001.json"]) == nil)
        #expect(ZulipFormat.saysNothing("uploads/records.json") && !ZulipFormat.saysNothing("other.json"))
    }

    @Test func `a single file has ids for names, unless a room is given`() throws {
        let text = #"{"zerver_message": [\#(Self.message())]}"#
        let own = try #require(try Export(ZulipFormat.self, text, path: "messages-000001.json").messages.first)
        #expect((own.room, own.roomKey, own.sender) == ("20", "recipient:20", "7"))
        let given = try Export(ZulipFormat.self, text, path: "messages-000001.json", room: "a")
        #expect(given.messages.map(\.room) == ["a"])
    }

    @Test(arguments: [
        (#"{"sender": 7, "recipient": 20, "date_sent": 1}"#, "it has no \"id\""),
        (#"{"id": 1, "recipient": 20, "date_sent": 1}"#, "it has no \"sender\""),
        (#"{"id": 1, "sender": 7, "date_sent": 1}"#, "it has no \"recipient\""),
        (#"{"id": 1, "sender": 7, "recipient": 20}"#, "it has no \"date_sent\""),
        (#"{"id": 1, "sender": 7, "recipient": 20, "date_sent": "soon"}"#, "its \"date_sent\" is not a time"),
        ("7", "it is not a JSON object"),
    ])
    func `an invalid message is reported once with the reason`(message: String, reason: String) throws {
        let export = try export(message, Self.message())
        #expect(export.unreadable == [reason] && export.messages.count == 1)
    }

    @Test(arguments: 0..<100)
    func `a damaged export never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let realm = Mutation.of(Array(Self.realm.utf8), using: &random)
        let messages = Mutation.of(Array(#"{"zerver_message": [\#(Self.message())]}"#.utf8), using: &random)
        _ = try Export(
            ZulipFormat.self, files: [("realm.json", realm), ("realm.json", realm), ("messages-000001.json", messages)])
    }

    @Test func `a file of messages is recognised by its table`() {
        let text = #"{"zerver_message": [\#(Self.message())]}"#
        #expect(Export.recognising(text, path: "messages-000001.json") == ["zulip"])
        #expect(Export.recognising(#"{"zerver_message": []}"#, path: "messages-000001.json") == [])
    }
}
