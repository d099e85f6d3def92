import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of docs.mattermost.com/onboard/bulk-loading-data-format.html and of
/// github.com/mattermost/mattermost (server/channels/app/imports/import_types.go).
struct MattermostTests {
    private static let channel = """
        {"type":"channel","channel":{"team":"team","name":"example","display_name":"Example","purpose":"plans"}}
        """

    private func export(_ lines: String...) throws -> Export {
        try Export(
            MattermostFormat.self,
            ([#"{"type":"version","version":1}"#, Self.channel] + lines).joined(separator: "\n"),
            path: "import.jsonl")
    }

    private static func post(_ parts: String = "", text: String = "hi", at time: Int = 1_795_242_191_123) -> String {
        """
        {"type":"post","post":{"team":"team","channel":"example","user":"alice","message":"\(text)",\
        "create_at":\(time)\(parts)}}
        """
    }

    @Test func `a post has the channel's name, key and purpose`() throws {
        let export = try export(Self.post())
        #expect(export.unreadable.isEmpty && export.assumptions.isEmpty)
        let time = try #require(Export.time("2026-11-21T06:23:11.123000Z"))
        var expected = ImportedMessage(
            room: "Example", roomKey: "team/example", roomKind: .channel, kind: .message, sender: "alice",
            senderKey: "alice", body: "hi", time: time, resolution: .microsecond, remoteID: "alice:1795242191123")
        expected.facts = ImportedFacts(description: "plans")
        #expect(export.messages == [expected])
    }

    @Test func `replies follow their post, and answer it`() throws {
        let reply = #"{"user":"bob","message":"ho","create_at":1795242192000,"reactions":[]}"#
        let export = try export(Self.post(#","replies":[\#(reply),\#(reply)]"#), Self.post(text: "next", at: 5))
        #expect(export.messages.map(\.told) == ["alice: hi", "bob: ho", "bob: ho", "alice: next"])
        #expect(export.messages.map(\.replyTo) == [nil, "alice:1795242191123", "alice:1795242191123", nil])
        #expect(export.messages[1].room == "Example" && export.unreadable.isEmpty)
    }

    @Test func `a post has its files, reactions, edit and pin`() throws {
        let export = try export(
            Self.post(
                """
                ,"attachments":[{"path":"20261121/a.png"}],"is_pinned":true,"edit_at":1795242199000,
                "reactions":[{"user":"bob","create_at":1795242195000,"emoji_name":"wave"}]
                """.replacing("\n", with: "")))
        let message = try #require(export.messages.first)
        #expect(message.files == [.init(path: "data/20261121/a.png", copies: ["20261121/a.png"])])
        #expect(message.flags == .pinned && message.editedAt == Export.time("2026-11-21T06:23:19.000000Z"))
        let at = Export.time("2026-11-21T06:23:15.000000Z")
        #expect(message.reactions == [.init(text: ":wave:", user: "bob", userKey: "bob", at: at)])
    }

    @Test(arguments: [
        (#""type":"system_join_channel","#, "join alice"), (#""type":"system_leave_channel","#, "leave alice"),
        (#""type":"system_add_to_channel","props":{"addedUsername":"bob"},"#, "invite alice: bob"),
        (#""type":"system_remove_from_channel","props":{"removedUsername":"bob"},"#, "kick alice: bob"),
        (#""type":"me","#, "action alice: waves"), (#""type":"system_header_change","#, "action alice: *waves*"),
        (#""type":"","props":{"attachments":[{"title":"a","text":"b"}]},"#, "alice: *waves*\na\nb"),
    ])
    func `the type of a post gives its kind`(parts: String, told: String) throws {
        let line = Self.post(text: "*waves*").replacing(
            #""team":"team","channel""#, with: parts + #""team":"team","channel""#)
        #expect(try export(line).messages.map(\.told) == [told])
    }

    @Test func `a deleted post keeps its text`() throws {
        let message = try #require(try export(Self.post(#","props":{"deleted":true}"#)).messages.first)
        #expect(message.body == "hi" && message.deletedAt == message.time)
    }

    @Test(
        arguments: [
            ([#""alice""#, #""bob""#], "alice, bob", .direct), ([#""bob""#, #""alice""#], "alice, bob", .direct),
            ([#""a""#, #""c""#, #""b""#], "a, b, c", .group), ([#""a""#], "a", .direct),
        ] as [([String], String, RoomReference.Kind)])
    func `a conversation is known by its people`(members: [String], name: String, kind: RoomReference.Kind) throws {
        let line = """
            {"type":"direct_post","direct_post":{"channel_members":[\(members.joined(separator: ","))],"user":"alice",\
            "message":"hi","create_at":1795242191123}}
            """
        let message = try #require(try export(line).messages.first)
        #expect((message.room, message.roomKind) == (name, kind))
        #expect(message.roomKey == name.replacing(", ", with: ","))
    }

    @Test func `a bot's post is marked`() throws {
        let export = try export(#"{"type":"bot","bot":{"username":"alice"}}"#, Self.post())
        #expect(export.messages.map(\.flags) == [.bot])
    }

    @Test(arguments: [
        ("words", "it is not JSON"), ("{}", "it has no \"type\""), (#"{"type":"post"}"#, "it has no \"post\""),
        (#"{"type":"post","post":{"team":"a","channel":"b","create_at":1}}"#, "it has no \"user\""),
        (#"{"type":"post","post":{"team":"a","channel":"b","user":"c"}}"#, "it has no \"post.create_at\""),
        (#"{"type":"direct_post","direct_post":{"user":"c"}}"#, "it has no \"direct_post.channel_members\""),
    ])
    func `an invalid line is reported once with the reason`(line: String, reason: String) throws {
        let export = try export(line, Self.post())
        #expect(export.unreadable == [reason] && export.messages.map(\.body) == ["hi"])
    }

    @Test func `a reply of an invalid post is invalid, too`() throws {
        let line = #"{"type":"post","post":{"replies":[{"user":"bob","message":"ho","create_at":1}]}}"#
        #expect(
            try export(line).unreadable == [
                "it has no \"post.team\"", "the post that it answers can't be read",
            ])
    }

    @Test(arguments: 0..<100)
    func `a damaged export never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("mattermost") {
            _ = try Export(MattermostFormat.self, files: [(nil, Mutation.of(sample.bytes, using: &random))])
        }
    }

    @Test func `an export is recognised by its first line`() {
        #expect(Export.recognising(#"{"type":"version","version":1}"# + "\n", path: "a.jsonl") == ["mattermost"])
        #expect(Export.recognising(#"{"type":"version"}"#, path: "a.jsonl") == [])
    }
}
