import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/timhutton/twitter-archive-parser (parser.py) and of
/// github.com/alkihis/twitter-archive-reader (ts/types/GDPRDMs.ts). Since 2025, a message has an `editHistory`, of which
/// every public sample is empty.
struct TwitterTests {
    private static let account =
        #"window.YTD.account.part0 = [ { "account" : { "username" : "alice", "accountId" : "7" } } ]"#

    private static func file(_ messages: String, id: String = "7-8", kind: String = "direct_messages") -> String {
        """
        window.YTD.\(kind).part0 = [ { "dmConversation" : { "conversationId" : "\(id)", "messages" : [
        \(messages) ] } } ]
        """
    }

    private static func message(_ parts: String = "", id: Int = 100, sender: Int = 8, text: String = "hi") -> String {
        """
        { "messageCreate" : { "recipientId" : "7", "text" : "\(text)", "senderId" : "\(sender)", "id" : "\(id)",
          "createdAt" : "2026-11-21T06:23:11.123Z"\(parts) } }
        """
    }

    private func archive(_ files: [String: String]) throws -> Export {
        let paths = files.keys.sorted()
        let order = try #require(TwitterFormat.files(among: paths))
        return try Export(
            TwitterFormat.self, files: order.map { (paths[$0], Array((files[paths[$0]] ?? "").utf8)) },
            path: paths[order[0]])
    }

    @Test func `a message has X's ids, and the room the other person's number`() throws {
        let export = try archive(["account.js": Self.account, "direct-messages.js": Self.file(Self.message())])
        #expect(export.unreadable.isEmpty)
        let time = try #require(Export.time("2026-11-21T06:23:11.123000Z"))
        #expect(
            export.messages == [
                ImportedMessage(
                    room: "8", roomKey: "7-8", roomKind: .direct, kind: .message, sender: "8", senderKey: "8",
                    body: "hi", time: time, resolution: .microsecond, remoteID: "100")
            ])
        let own = try archive([
            "account.js": Self.account, "direct-messages.js": Self.file(Self.message(sender: 7)),
        ])
        #expect(own.messages.map(\.told) == ["alice: hi"])
    }

    @Test func `short addresses are replaced, and media lie beside the file`() throws {
        let parts = """
            , "urls" : [ { "url" : "https://t.co/a", "expanded" : "https://example.org/b" } ],
            "mediaUrls" : [ "https://ton.twitter.com/dm/100/1/a.png" ],
            "reactions" : [ { "senderId" : "7", "reactionKey" : "like", "createdAt" : "2026-11-21T06:24:00.000Z" } ]
            """
        let export = try archive([
            "account.js": Self.account,
            "direct-messages.js": Self.file(Self.message(parts, text: "see https://t.co/a")),
        ])
        let message = try #require(export.messages.first)
        #expect(message.body == "see https://example.org/b")
        #expect(
            message.files == [
                .init(
                    path: "https://ton.twitter.com/dm/100/1/a.png",
                    copies: ["direct_messages_media/100-a.png", "direct_messages_group_media/100-a.png"])
            ])
        let time = Export.time("2026-11-21T06:24:00.000000Z")
        #expect(message.reactions == [.init(text: ":like:", user: "alice", userKey: "7", at: time)])
    }

    @Test func `a group has its newest name, which may come after the messages`() throws {
        func name(_ name: String, _ minute: Int) -> String {
            """
            { "conversationNameUpdate" : { "initiatingUserId" : "7", "name" : "\(name)",
              "createdAt" : "2026-11-21T06:\(minute):00.000Z" } }
            """
        }
        let messages = [
            Self.message(), name("new", 22), name("old", 21),
            #"{ "participantsLeave" : { "userIds" : [ "9" ], "createdAt" : "2026-11-21T06:20:00.000Z" } }"#,
            #"{ "participantsJoin" : { "initiatingUserId" : "8", "userIds" : [ "9" ], "createdAt" : "2026-11-21T06:19:00.000Z" } }"#,
            #"{ "joinConversation" : { "initiatingUserId" : "8", "participantsSnapshot" : [ "7", "8" ], "createdAt" : "2026-11-21T06:18:00.000Z" } }"#,
        ]
        let export = try archive([
            "account.js": Self.account,
            "direct-messages-group.js": Self.file(
                messages.joined(separator: ","), id: "900", kind: "direct_messages_group"),
        ])
        #expect(export.unreadable.isEmpty)
        #expect(Set(export.messages.map(\.room)) == ["new"] && export.messages.allSatisfy { $0.roomKind == .group })
        #expect(
            export.messages.map(\.told) == [
                "8: hi", "action alice: changed the name to new", "action alice: changed the name to old", "leave 9",
                "invite 8: 9", "invite 8: alice",
            ])
    }

    @Test func `a reaction of its own answers its message`() throws {
        let reaction =
            #"{ "reactionCreate" : { "senderId" : "8", "reactionKey" : "like", "eventId" : "100", "createdAt" : "2026-11-21T06:24:11.123Z" } }"#
        let export = try archive([
            "account.js": Self.account,
            "direct-messages.js": Self.file(reaction + "," + Self.message(#", "editHistory" : [ ]"#)),
        ])
        #expect(export.unreadable.isEmpty && export.messages.map(\.told) == ["action 8: reacted with :like:", "8: hi"])
        #expect(export.messages.map(\.replyTo) == ["100", nil])
    }

    @Test func `the files of an archive are read in an order in which names come first`() {
        let paths = [
            "account.js", "direct-message-headers.js", "direct-messages-group.js", "direct-messages-part1.js",
            "direct-messages.js", "tweets.js", "media/direct-messages.js",
        ]
        #expect(TwitterFormat.files(among: paths) == [0, 2, 2, 3, 4])
        #expect(TwitterFormat.files(among: ["account.js", "tweets.js"]) == nil)
        #expect(TwitterFormat.saysNothing("tweets.js") && !TwitterFormat.saysNothing("tweets_media/a.jpg"))
    }

    @Test(arguments: [
        (#"{ "messageCreate" : { "id" : "1", "createdAt" : "2026-11-21T06:23:11.123Z" } }"#, "it has no \"senderId\""),
        (#"{ "messageCreate" : { "senderId" : "1", "createdAt" : "2026-11-21T06:23:11.123Z" } }"#, "it has no \"id\""),
        (#"{ "messageCreate" : { "id" : "1", "senderId" : "1" } }"#, "it has no \"messageCreate.createdAt\""),
        (#"{ "messageCreate" : { "createdAt" : "soon" } }"#, "its \"createdAt\" is not a time"),
        (#"{ "newEvent" : { } }"#, "its kind is unknown (newEvent)"), ("7", "it is not a JSON object"),
    ])
    func `an invalid message is reported once with the reason`(message: String, reason: String) throws {
        let export = try Export(TwitterFormat.self, Self.file(message + ", " + Self.message()))
        #expect(export.unreadable == [reason] && export.messages.map(\.body) == ["hi"])
    }

    @Test func `a file that ends in the middle gives its whole messages and one error`() throws {
        let bytes = Array(Self.file(Self.message() + ", " + Self.message(id: 101)).utf8)
        for end in stride(from: 60, to: bytes.count, by: 7) {
            let export = try Export(TwitterFormat.self, files: [(nil, Array(bytes[..<end]))])
            #expect(export.unreadable.count == 1, "\(end)")
        }
    }

    @Test(arguments: 0..<100)
    func `a damaged archive never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("twitter") {
            _ = try Export(TwitterFormat.self, files: [("a.js", Mutation.of(sample.bytes, using: &random))])
        }
    }

    @Test func `direct messages are recognised by their title`() {
        #expect(Export.recognising(Self.file(""), path: "a.js") == ["twitter"])
        #expect(Export.recognising(Self.account, path: "account.js") == [])
        #expect(Export.recognising("window.YTD.direct_message_headers.part0 = [ ]", path: "a.js") == [])
    }
}
