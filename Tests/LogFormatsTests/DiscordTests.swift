import ChatModel
import Foundation
import Testing

@testable import LogFormats

struct DiscordTests {
    static func document(_ messages: String, channel: String = channel) -> String {
        """
        {"guild": {"id": "1", "name": "Example", "iconUrl": ""}, "channel": \(channel),
        "dateRange": {"after": null, "before": null}, "exportedAt": "2026-11-21T06:23:11+00:00",
        "messages": [
        \(messages)
        ], "messageCount": 1}
        """
    }

    static let channel = #"{"id": "20", "type": "GuildTextChat", "category": "Text", "name": "example", "topic": null}"#
    static let alice =
        #""author": {"id": "7", "name": "alice", "discriminator": "0000", "nickname": "Alice", "isBot": false}"#
    static let head = #""id": "100", "type": "Default", "timestamp": "2026-11-21T06:23:11.12+00:00""#

    func one(_ message: String) throws -> ImportedMessage {
        let export = try Export(DiscordFormat.self, Self.document(message))
        #expect(export.unreadable.isEmpty)
        return try #require(export.messages.first)
    }

    @Test func `a message has its ids, its author's nickname, its time and its time of edit`() throws {
        let message = try one(
            """
            {"id": "100", "type": "Reply", "timestamp": "2026-11-21T15:23:11.1234567+09:00",
             "timestampEdited": "2026-11-21T06:24:00+00:00", "callEndedTimestamp": null, "isPinned": false,
             "content": "민수, hi\\u0000", \(Self.alice), "attachments": [], "embeds": [], "stickers": [], "reactions": [],
             "mentions": [], "reference": {"messageId": "99", "channelId": "20", "guildId": "1"}, "unknown": {}}
            """)
        let time = try #require(Export.time("2026-11-21T06:23:11.123456Z"))
        var expected = ImportedMessage(
            room: "example", roomKey: "20", kind: .message, sender: "Alice", senderKey: "7",
            body: "민수, hi\u{FFFD}", time: time, resolution: .microsecond, remoteID: "100",
            editedAt: Export.time("2026-11-21T06:24:00.000000Z"), replyTo: "99")
        expected.pinsAt = Export.time("2026-11-21T06:23:11.000000Z")
        #expect(message == expected)
    }

    @Test func `a message has its author's picture, the channel's topic and the server's icon`() throws {
        let author = Self.alice.replacing(#""isBot""#, with: #""avatarUrl": "a.json_Files/alice.png", "isBot""#)
        let channel = Self.channel.replacing(#""topic": null"#, with: #""topic": "plans\n계획""#)
        let document = Self.document(#"{\#(Self.head), "content": "hi", \#(author)}"#, channel: channel)
            .replacing(#""iconUrl": """#, with: #""iconUrl": "https://cdn.discordapp.com/icons/1/x.png?size=512""#)
        let export = try Export(DiscordFormat.self, document)
        #expect(
            export.messages.first?.facts
                == ImportedFacts(
                    picture: ImportedMessage.File(path: "a.json_Files/alice.png"), description: "plans\n계획",
                    roomPicture: ImportedMessage.File(path: "https://cdn.discordapp.com/icons/1/x.png")))
    }

    @Test func `an older export has no nicknames, and its ids can be numbers`() throws {
        let message = try one(
            """
            {"id": 100, "type": 0, "timestamp": "2020-07-04T15:49:15+00:00", "content": "hi",
             "author": {"id": 7, "name": "alice", "discriminator": "0001"}}
            """)
        #expect((message.remoteID, message.sender, message.senderKey) == ("100", "alice", "7"))
    }

    @Test(arguments: [("true", true), ("false", true), ("null", false), (nil, false)])
    func `a pinned message is flagged, with the time of the pin's state`(value: String?, isKnown: Bool) throws {
        let pin = value.map { #""isPinned": \#($0), "# } ?? ""
        let message = try one(#"{\#(Self.head), \#(pin)"content": "x", \#(Self.alice)}"#)
        #expect(message.flags == (value == "true" ? .pinned : []))
        #expect(message.pinsAt == (isKnown ? Export.time("2026-11-21T06:23:11.000000Z") : nil))
    }

    @Test func `a mentioned role has its name, if the export has it`() throws {
        let author = Self.alice.replacing(
            "\"isBot\"", with: #""roles": [{"id": "5", "name": "crew"}, {"id": 6}], "isBot""#)
        let bob =
            ##"{"id": "8", "name": "bob", "roles": [{"id": 6, "name": "운영진", "color": "#FF0000", "position": 2}]}"##
        let texts = ["a <@&5> <@&6>", "<@&5>, <@&6> and <@&7> <@&x>", "@crew"]
        let messages = texts.enumerated().map { index, text in
            #"{"id": "\#(index)", "type": "Default", "timestamp": "2026-11-21T06:23:11+00:00", "content": "\#(text)", "#
                + #"\#(author), "mentions": [\#(index == 1 ? bob : "")]}"#
        }
        let export = try Export(DiscordFormat.self, Self.document(messages.joined(separator: ",")))
        #expect(export.messages.map(\.body) == ["a @crew <@&6>", "@crew, @운영진 and <@&7> <@&x>", "@crew"])
    }

    @Test func `attachments and stickers are files, with addresses without signatures`() throws {
        let message = try one(
            """
            {\(Self.head), "content": "", \(Self.alice), "attachments": [
            {"id": "1", "url": "https://cdn.discordapp.com/attachments/1/2/a.png?ex=1&is=2&hm=3", "fileName": "a.png",
             "fileSizeBytes": 12}, {"id": "2", "url": "x_Files/b%20c.txt", "fileName": "b c.txt"}],
             "stickers": [{"id": "3", "name": "wave", "format": "Png", "sourceUrl": "https://example.org/s.png?size=1"}]}
            """)
        #expect(
            message.files == [
                .init(path: "https://cdn.discordapp.com/attachments/1/2/a.png", size: 12),
                .init(path: "x_Files/b%20c.txt"), .init(path: "https://example.org/s.png?size=1"),
            ])
        #expect(message.body == ":wave:")
    }

    @Test func `an embed without other text is the message, and a link preview is not`() throws {
        let embed =
            #"{"title": "T", "url": "https://example.org/", "description": "D", "author": {"name": "A"}, "#
            + #""fields": [{"name": "n", "value": "v"}], "footer": {"text": "F"}}"#
        let text = "A\nT\nhttps://example.org/\nD\nn: v\nF"
        #expect(try one(#"{\#(Self.head), "content": "", \#(Self.alice), "embeds": [\#(embed)]}"#).body == text)
        #expect(try one(#"{\#(Self.head), "content": "see", \#(Self.alice), "embeds": [\#(embed)]}"#).body == "see")
        let bot = #""author": {"id": "8", "name": "bot", "isBot": true}"#
        #expect(try one(#"{\#(Self.head), "content": "see", \#(bot), "embeds": [\#(embed)]}"#).body == "see\n" + text)
        #expect(try one(#"{\#(Self.head), "content": "see", \#(bot)}"#).flags == .bot)
        #expect(try one(#"{\#(Self.head), "content": "see", \#(Self.alice)}"#).flags == [])
        let link = #""content": "see https://example.org/", \#(bot)"#
        #expect(try one(#"{\#(Self.head), \#(link), "embeds": [\#(embed)]}"#).body == "see https://example.org/")
    }

    @Test func `a forwarded message is marked and is not a reply`() throws {
        let message = try one(
            """
            {\(Self.head), "content": "", \(Self.alice), "reference": {"type": "Forward", "messageId": "5", "channelId": "20"},
             "forwardedMessage": {"timestamp": "2026-11-20T06:23:11+00:00", "content": "old",
              "attachments": [{"url": "a.png"}], "embeds": [], "stickers": []}}
            """)
        #expect((message.body, message.replyTo) == ("[forwarded]\nold", nil))
        #expect(message.files == [.init(path: "a.png")])
    }

    @Test func `a poll is its question with its answers, and its end is an action`() throws {
        let poll =
            #""poll": {"question": {"text": "when?"}, "answers": [{"answer_id": 1, "poll_media": {"text": "now"}}, {"text": "later"}]}"#
        #expect(try one(#"{\#(Self.head), "content": "", \#(Self.alice), \#(poll)}"#).body == "when?\n- now\n- later")
        func end(_ fields: String) throws -> ImportedMessage {
            let head = Self.head.replacing("\"Default\"", with: "\"46\"")
            return try one(#"{\#(head), "content": "", \#(Self.alice), "embeds": [{"fields": [\#(fields)]}]}"#)
        }
        let question = #"{"name": "poll_question_text", "value": "when?"}"#
        let winner =
            #"{"name": "victor_answer_text", "value": "now"}, {"name": "victor_answer_votes", "value": "3"}, {"name": "total_votes", "value": "5"}"#
        let won = try end(question + "," + winner)
        #expect((won.kind, won.body) == (.action, "ended the poll: when?\n- now (3 of 5 votes)"))
        #expect(try end(question).body == "ended the poll: when?")
    }

    @Test func `a reply to a message in another channel is stored without its target`() throws {
        let message = try one(
            #"{\#(Self.head), "content": "x", \#(Self.alice), "reference": {"messageId": "5", "channelId": "21"}}"#)
        #expect(message.replyTo == nil)
    }

    @Test func `only reactions with named people are stored`() throws {
        let message = """
            {\(Self.head), "content": "x", \(Self.alice), "reactions": [
            {"emoji": {"id": "", "name": "👍", "code": "thumbsup"}, "count": 3, "users": [{"id": "7", "name": "alice"}]},
            {"emoji": {"id": "55", "name": "wave"}, "count": 1, "users": [{"id": "8", "name": "bob", "nickname": "민수"}]},
            {"emoji": {"id": null, "name": "🎉"}, "count": 4}]}
            """
        let export = try Export(DiscordFormat.self, Self.document(message))
        #expect(
            export.messages.first?.reactions == [
                .init(text: "👍", user: "alice", userKey: "7"), .init(text: ":wave:", user: "민수", userKey: "8"),
            ])
        #expect(export.assumptions == ["reactions skipped, because the export does not say whose they are: 6"])
    }

    @Test(
        arguments: [
            (#""GuildMemberJoin", "content": "Joined the server.""#, MessageKind.join, nil),
            (#""7", "content": """#, .join, nil),
            (#""RecipientAdd", "content": "Added bob.", "mentions": [{"id": "8", "name": "bob"}]"#, .invite, "bob"),
            (#""RecipientRemove", "content": "", "mentions": [{"id": "8", "name": "bob"}]"#, .kick, "bob"),
            (#""RecipientRemove", "content": "", "mentions": [{"id": "7", "name": "alice"}]"#, .leave, nil),
            (
                #""Call", "content": "", "callEndedTimestamp": "2026-11-21T06:28:12+00:00""#, .action,
                "started a call of 5 minutes"
            ),
            (#""ChannelPinnedMessage", "content": "Pinned a message.""#, .action, "pinned a message"),
            (
                #""ChannelNameChange", "content": "Changed the channel name: new""#, .action,
                "changed the channel name to new"
            ),
            (#""ChannelNameChange", "content": "new""#, .action, "changed the channel name to new"),
            (#""ChannelNameChange", "content": "Changed the channel name.""#, .action, "changed the channel name"),
            (#""ThreadCreated", "content": "Started a thread.""#, .action, "started a thread"),
            (#""18", "content": "plans""#, .action, "started a thread: plans"),
            (#""21", "content": """#, .action, "began the thread"),
            (#""8", "content": """#, .action, "boosted the server"), (#""20", "content": "done""#, .message, "done"),
        ] as [(String, MessageKind, String?)])
    func `events are read as their kind`(type: String, kind: MessageKind, body: String?) throws {
        let message = try one(
            #"{"id": "1", "timestamp": "2026-11-21T06:23:11+00:00", \#(Self.alice), "type": \#(type)}"#)
        #expect((message.kind, message.body, message.sender) == (kind, body, "Alice"))
    }

    @Test(
        arguments: [
            (#""44", "content": """#, ["type 44": 1]), (#""44", "content": "x""#, [:]), (#""7", "content": """#, [:]),
            (#""Default", "content": "", "components": [{"type": 1}], "tags": []"#, ["components": 1]),
        ] as [(String, [String: Int])])
    func `a message without content is counted by its kind`(type: String, counts: [String: Int]) throws {
        let message = #"{"id": "1", "timestamp": "2026-11-21T06:23:11+00:00", \#(Self.alice), "type": \#(type)}"#
        #expect(try Export(DiscordFormat.self, Self.document(message)).unknownKinds.counts == counts)
    }

    @Test(
        arguments: [
            ("DirectTextChat", .direct), ("DirectGroupTextChat", .group), ("GuildTextChat", .channel),
            ("GuildPublicThread", .channel),
        ] as [(String, RoomReference.Kind)])
    func `a conversation of two is direct, one of several a group, and servers have channels`(
        type: String, kind: RoomReference.Kind
    ) throws {
        let text = Self.document(
            #"{\#(Self.head), "content": "x", \#(Self.alice)}"#,
            channel: #"{"id": "30", "type": "\#(type)", "name": "민수"}"#)
        #expect(try Export(DiscordFormat.self, text).messages.map(\.roomKind) == [kind])
    }

    @Test func `a room given by name has no id from the export`() throws {
        let text = Self.document(
            #"{\#(Self.head), "content": "x", \#(Self.alice)}"#,
            channel: #"{"id": "30", "type": "DirectTextChat", "name": "민수"}"#)
        let message = try #require(try Export(DiscordFormat.self, text).messages.first)
        #expect((message.room, message.roomKey) == ("민수", "30"))
        let told = try #require(try Export(DiscordFormat.self, text, room: "#told").messages.first)
        #expect((told.room, told.roomKey) == ("#told", nil))
    }

    @Test func `a long text is cut at a character and flagged`() throws {
        let long = String(repeating: "민", count: 30_000)
        let message = try one(#"{\#(Self.head), "content": "\#(long)", \#(Self.alice)}"#)
        #expect(message.flags == .oversize)
        #expect(message.body == String(repeating: "민", count: 21_845))
    }
}
