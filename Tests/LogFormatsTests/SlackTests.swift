import ChatModel
import Foundation
import TestSupport
import Testing

@testable import LogFormats

/// Messages and events of exports of Slack.
struct SlackTests {
    static let lists: [(path: String?, bytes: [UInt8])] = [
        (
            "users.json",
            """
            [{"id": "U1", "name": "alice", "deleted": false, "profile": {"display_name": "", "real_name": "Alice A"}},
             {"id": "U2", "name": "minsu", "real_name": "Kim Minsu", "profile": {"display_name": "민수"}, "is_bot": false},
             {"id": "U3", "name": "bob"}]
            """
        ),
        ("channels.json", #"[{"id": "C1", "name": "example", "members": ["U1"], "topic": {"value": ""}}]"#),
        ("groups.json", #"[{"id": "G1", "name": "secret", "members": ["U1"]}]"#),
        ("mpims.json", #"[{"id": "G2", "name": "mpdm-alice--minsu--bob-1", "members": ["U1", "U2", "U3"]}]"#),
        ("dms.json", #"[{"id": "D1", "created": 1, "members": ["U1", "U2"]}]"#),
    ].map { ($0.0, Array($0.1.utf8)) }

    static let head = #""type": "message", "user": "U1", "ts": "1795242191.000200""#

    static func export(_ messages: String, in folder: String = "example", room: String? = nil) throws -> Export {
        let day = (path: Optional("\(folder)/2026-11-21.json"), bytes: Array("[\(messages)]".utf8))
        return try Export(SlackFormat.self, files: lists + [day], room: room)
    }

    private func one(_ message: String) throws -> ImportedMessage {
        let export = try Self.export(message)
        #expect(export.unreadable.isEmpty)
        return try #require(export.messages.first)
    }

    @Test func `a message has its ids, its time to the microsecond and its time of edit`() throws {
        let message = try one(
            """
            {\(Self.head), "text": "hi", "thread_ts": "1795242000.000100", "edited": {"user": "U1", "ts": "1795242240.000000"},
             "client_msg_id": "x", "blocks": [{"type": "rich_text"}], "unknown": [{}]}
            """)
        let time = try #require(Export.time("2026-11-21T06:23:11.000200Z"))
        #expect(
            message
                == ImportedMessage(
                    room: "example", roomKey: "C1", kind: .message, sender: "Alice A", senderKey: "U1", body: "hi",
                    time: time, resolution: .microsecond, remoteID: "1795242191.000200",
                    editedAt: Export.time("2026-11-21T06:24:00.000000Z"), replyTo: "1795242000.000100"))
    }

    @Test func `a message has its sender's picture, and the channel's purpose and creator`() throws {
        let lists: [(path: String?, bytes: [UInt8])] = [
            (
                "users.json",
                #"""
                [{"id": "U1", "profile": {"display_name": "alice", "image_72": "https://x.example/72.png"}},
                 {"id": "U2", "profile": {"display_name": "민수"}}]
                """#
            ),
            ("channels.json", #"[{"id": "C1", "name": "example", "creator": "U2", "purpose": {"value": "plans"}}]"#),
            ("example/2026-11-21.json", #"[{\#(Self.head), "text": "hi"}]"#),
        ].map { ($0.0, Array($0.1.utf8)) }
        let export = try Export(SlackFormat.self, files: lists, room: nil)
        #expect(
            export.messages.first?.facts
                == ImportedFacts(
                    picture: ImportedMessage.File(path: "https://x.example/72.png"), description: "plans", owner: "U2",
                    ownerName: "민수"))
    }

    @Test func `a thread's first message is not a reply`() throws {
        #expect(try one(#"{\#(Self.head), "text": "x", "thread_ts": "1795242191.000200"}"#).replyTo == nil)
    }

    @Test(
        arguments: [
            ("example", "example", "C1", .channel), ("secret", "secret", "G1", .channel),
            ("mpdm-alice--minsu--bob-1", "Alice A, 민수, bob", "G2", .group), ("D1", "Alice A, 민수", "D1", .direct),
            ("unlisted", "unlisted", nil, .channel),
        ] as [(String, String, String?, RoomReference.Kind)])
    func `a folder is a room, and a conversation is named after its people`(
        folder: String, room: String, key: String?, kind: RoomReference.Kind
    ) throws {
        let message = try #require(try Self.export("{\(Self.head)}", in: folder).messages.first)
        #expect((message.room, message.roomKey, message.roomKind) == (room, key, kind))
    }

    @Test(arguments: [
        ("hi <@U2>, <@U9|carol>, <@U9>", "hi @민수, @carol, @U9"),
        ("see <#C1|example>, <#C1>, <#C9>", "see #example, #example, #C9"),
        ("<!here> <!subteam^S1|@team> <!date^1^{date}|November>", "@here @team November"),
        (
            "<https://example.org> <https://example.org|this> <http://example.org|example.org>",
            "https://example.org this (https://example.org) http://example.org"
        ),
        ("<mailto:a@example.org|a@example.org>", "a@example.org"),
        ("a &lt; b &amp;&amp; c &gt; d &amp;lt;", "a < b && c > d &lt;"),
        ("a < b <@U2", "a < b <@U2"), ("<> <|> <@>", "  @"), ("*bold* :wave:", "*bold* :wave:"),
    ])
    func `markup becomes readable text`(text: String, body: String) throws {
        #expect(try one(#"{\#(Self.head), "text": "\#(text)"}"#).body == body)
    }

    @Test(
        arguments: [
            (#""subtype": "channel_join", "text": "<@U1> has joined the channel""#, MessageKind.join, nil),
            (#""subtype": "group_leave", "text": "<@U1> has left""#, .leave, nil),
            (
                #""subtype": "channel_topic", "topic": "plans", "text": "<@U1> set the channel topic: plans""#, .topic,
                "plans"
            ),
            (
                #""subtype": "channel_purpose", "purpose": "x", "text": "<@U1|alice> set the channel purpose: x""#,
                .action,
                "set the channel purpose: x"
            ),
            (
                #""subtype": "channel_name", "text": "<@U1> has renamed the channel from \"a\" to \"b\"""#, .action,
                "has renamed the channel from \"a\" to \"b\""
            ),
            (#""subtype": "me_message", "text": "waves""#, .action, "waves"),
            (#""subtype": "thread_broadcast", "text": "x""#, .message, "x"),
            (#""subtype": "reminder_add", "text": "set up a reminder""#, .action, "set up a reminder"),
            (#""subtype": "new_one", "text": "<@U1> did it""#, .action, "did it"),
            (
                #""subtype": "huddle_thread", "text": "", "room": {"created_by": "U1", "date_start": 1795242183, "date_end": 1795242483, "participant_history": ["U1", "U2", "U9"]}"#,
                .action, "huddle of Alice A, 민수, U9 (300 seconds)"
            ),
            (
                #""subtype": "huddle_thread", "text": "", "room": {"created_by": "U2", "date_start": 1795242183, "date_end": 0}"#,
                .action, "huddle of 민수"
            ),
            (#""subtype": "sh_room_created", "text": "", "room": "R1""#, .action, nil),
            (#""subtype": "new_one", "text": "said""#, .message, "said"),
        ] as [(String, MessageKind, String?)])
    func `events are read as their kind`(subtype: String, kind: MessageKind, body: String?) throws {
        let message = try one("{\(Self.head), \(subtype)}")
        #expect((message.kind, message.body, message.sender) == (kind, body, "Alice A"))
    }

    @Test func `a deleted message with replies keeps its place`() throws {
        let message = try one(
            #"{"type": "message", "subtype": "tombstone", "user": "USLACKBOT", "ts": "1.0", "text": "This message was deleted."}"#
        )
        #expect((message.kind, message.sender, message.body) == (.system, nil, nil))
        #expect((message.remoteID, message.deletedAt) == ("1.0", message.time))
    }

    @Test func `a bot has the name that it gave, and a guest the one in the message`() throws {
        let messages = """
            {"ts": "1.0", "subtype": "bot_message", "username": "Weather", "bot_id": "B1", "text": "x"},
            {"ts": "2.0", "bot_id": "B1", "bot_profile": {"name": "Weather bot"}, "text": "x"},
            {"ts": "3.0", "user": "U9", "user_profile": {"display_name": "carol"}, "text": "x"}, {"ts": 4.5, "user": "U8"}
            """
        let senders = try Self.export(messages).messages.map {
            "\($0.sender ?? "")/\($0.senderKey ?? "")/\($0.remoteID ?? "")"
        }
        #expect(senders == ["Weather/B1/1.0", "Weather bot/B1/2.0", "carol/U9/3.0", "U8/U8/4.5"])
        #expect(try Self.export(messages).messages.map(\.flags) == [.bot, .bot, [], []])
    }

    @Test func `a bot's attachments are text, and link previews are not`() throws {
        let own =
            #"{"pretext": "P", "title": "T &amp; U", "text": "<@U2>", "fallback": "F", "fields": [{"title": "n", "value": 1}]}"#
        #expect(try one(#"{\#(Self.head), "text": "x", "attachments": [\#(own)]}"#).body == "x\nP\nT & U\n@민수\nn: 1")
        #expect(try one(#"{\#(Self.head), "text": "", "attachments": [{"fallback": "F"}]}"#).body == "F")
        let preview = #"{"from_url": "https://example.org", "title": "T"}"#
        #expect(try one(#"{\#(Self.head), "text": "x", "attachments": [\#(preview)]}"#).body == "x")
        #expect(try one(#"{\#(Self.head), "text": "", "attachments": [\#(preview)]}"#).body == "T")
    }

    @Test func `a comment on a file belongs to its writer`() throws {
        let comment = #""comment": {"id": "Fc1", "user": "U2", "comment": "nice"}"#
        let message = try one(
            #"{"ts": "1.0", "subtype": "file_comment", "text": "<@U2> commented on a file: nice", \#(comment)}"#)
        #expect((message.kind, message.sender, message.senderKey, message.body) == (.message, "민수", "U2", "nice"))
        #expect(try one(#"{\#(Self.head), "text": "x", "comment": 7}"#).body == "x")
    }

    @Test func `blocks name groups, everybody and dates`() throws {
        let elements = """
            {"type": "usergroup", "usergroup_id": "S1"}, {"type": "text", "text": " and "},
            {"type": "broadcast", "range": "here"}, {"type": "text", "text": ": "},
            {"type": "date", "timestamp": 1795242183, "fallback": "21 November"}
            """
        let section = #"{"type": "rich_text_section", "elements": [\#(elements)]}"#
        let blocks = #"[{"type": "rich_text", "elements": [\#(section)]}]"#
        #expect(try one(#"{\#(Self.head), "text": "", "blocks": \#(blocks)}"#).body == "@S1 and @here: 21 November")
    }

    @Test func `blocks are read if there is no text`() throws {
        let blocks = """
            [{"type": "section", "text": {"type": "mrkdwn", "text": "a &lt; <@U2>"}, "fields": []},
             {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [
              {"type": "text", "text": "hi "}, {"type": "user", "user_id": "U3"}, {"type": "emoji", "name": "wave"}]}]}]
            """
        #expect(try one(#"{\#(Self.head), "text": "", "blocks": \#(blocks)}"#).body == "a < @민수\nhi @bob:wave:")
        #expect(try one(#"{\#(Self.head), "text": "x", "blocks": \#(blocks)}"#).body == "x")
        #expect(try one(#"{\#(Self.head), "blocks": [7]}"#).body == nil)
    }

    @Test func `files have their address without a token, or their name`() throws {
        let export = try Self.export(
            """
            {\(Self.head), "text": "", "files": [
             {"id": "F1", "name": "a.png", "size": 12, "url_private": "https://files.slack.com/a.png?t=xoxe-secret"},
             {"id": "F2", "name": "b.png", "url_private": "https://example.org/b?x=1&token=xoxe-secret"},
             {"id": "F3", "name": "c.png", "mode": "hidden_by_limit"}, {"id": "F4", "mode": "tombstone"}]},
            {\(Self.head), "subtype": "file_share", "file": {"id": "F5", "permalink": "https://example.org/F5"}}
            """)
        #expect(
            export.messages.map { $0.files.map(\.path) } == [
                ["https://files.slack.com/a.png", "https://example.org/b?x=1", "c.png", "F4"],
                ["https://example.org/F5"],
            ])
        #expect(export.messages.first?.files.map(\.size) == [12, nil, nil, nil])
        #expect(
            export.assumptions == [
                "files kept by name only, because the export has neither the file nor its address: 2"
            ])
    }

    @Test func `the files of an attachment are files of the message`() throws {
        let file = #"{"id": "F1", "name": "a.png", "url_private": "https://example.org/a?token=xoxe-secret"}"#
        let message = try one(
            #"{\#(Self.head), "text": "done", "attachments": [{"fallback": "screenshot", "files": [\#(file)]}]}"#)
        #expect(message.files.map(\.path) == ["https://example.org/a"])
    }

    @Test(
        arguments: [
            (#""name": "a.png""#, ["__uploads/F1/a.png", "attachments/F1-a.png"]),
            (
                #""name": "a: b?. ""#,
                [
                    "__uploads/F1/a_ b_", "attachments/F1-a_ b_", "__uploads/F1/a: b?. ", "attachments/F1-a: b?. ",
                ]
            ), (#""title": "a.png""#, nil),
        ] as [(String, [String]?)])
    func `a file can be where slackdump stores it`(name: String, copies: [String]?) throws {
        let message = try one(
            #"{\#(Self.head), "text": "", "files": [{"id": "F1", \#(name), "url_private": "https://example.org/F1"}]}"#)
        #expect(message.files == [.init(path: "https://example.org/F1", copies: copies)])
    }

    @Test(
        arguments: [
            (#""subtype": "new_one""#, ["new_one": 1]), (#""blocks": [{"type": "video"}]"#, ["video": 1]),
            (#""text": """#, [:]),
            (#""subtype": "new_one", "text": "x""#, [:]), (#""subtype": "channel_join""#, [:]),
        ] as [(String, [String: Int])])
    func `a message without content is counted by its kind`(part: String, counts: [String: Int]) throws {
        #expect(try Self.export("{\(Self.head), \(part)}").unknownKinds.counts == counts)
    }

    @Test(arguments: [
        (#""pinned_to": ["C1"], "pinned_info": {"channel": "C1"}"#, true), (#""pinned_to": []"#, false),
        (#""pinned_to": 7"#, false), (#""pinned_info": {}"#, false),
    ])
    func `a pinned message is flagged`(pin: String, isPinned: Bool) throws {
        let export = try Self.export(#"{\#(Self.head), "text": "x", \#(pin)}"#)
        #expect(export.messages.map { $0.flags.contains(.pinned) } == [isPinned])
    }

    @Test func `only reactions with named people are stored`() throws {
        let export = try Self.export(
            #"{\#(Self.head), "text": "x", "reactions": [{"name": "wave", "users": ["U2", "U9"], "count": 3}]}"#)
        #expect(
            export.messages.first?.reactions == [
                .init(text: ":wave:", user: "민수", userKey: "U2"), .init(text: ":wave:", user: "U9", userKey: "U9"),
            ])
        #expect(export.assumptions == ["reactions skipped, because the export does not say whose they are: 1"])
    }

    @Test func `an edit log changes and deletes messages`() throws {
        let export = try Self.export(
            """
            {"type": "message", "subtype": "message_changed", "ts": "9.0",
             "message": {\(Self.head), "text": "new", "edited": {"ts": "8.0"}},
             "previous_message": {\(Self.head), "text": "old"}},
            {"type": "message", "subtype": "message_deleted", "ts": "9.000001", "previous_message": {\(Self.head), "text": "old"}},
            {"type": "message", "subtype": "message_deleted", "ts": "9.0"}, {"subtype": "message_changed", "ts": "9.0"}
            """)
        #expect(export.messages.map(\.remoteID) == ["1795242191.000200", "1795242191.000200"])
        #expect(export.messages.map(\.body) == ["new", "old"])
        let old = ImportedMessage.Version(at: Timestamp(microseconds: 1_795_242_191_000_200), body: "old")
        #expect(export.messages.map(\.versions) == [[old], []])
        #expect(export.messages.map { $0.editedAt?.microseconds } == [8_000_000, nil])
        #expect(export.messages.map { $0.deletedAt?.microseconds } == [nil, 9_000_001])
        #expect(export.unreadable == ["it has no \"previous_message\"", "it has no \"message\""])
    }
}
