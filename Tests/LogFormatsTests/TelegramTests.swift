import ChatModel
import Foundation
import TestSupport
import Testing

@testable import LogFormats

/// Messages and events of exports of Telegram.
struct TelegramTests {
    static func chat(_ messages: String, name: String = "\"Example\"", type: String = "private_supergroup") -> String {
        """
        {
         "name": \(name),
         "type": "\(type)",
         "id": 20,
         "messages": [
        \(messages)
         ]
        }
        """
    }

    static let time = #""date": "2026-11-21T15:23:11", "date_unixtime": "1795242191""#
    static let head = #""id": 100, "type": "message", \#(time), "from": "alice", "from_id": "user7""#
    static let event = #""id": 101, "type": "service", \#(time), "actor": "alice", "actor_id": "user7""#

    static func one(_ message: String) throws -> ImportedMessage {
        let export = try Export(TelegramFormat.self, Self.chat(message), zone: .gmt)
        #expect(export.unreadable.isEmpty)
        return try #require(export.messages.first)
    }

    @Test func `a message has its ids, its time and its time of edit`() throws {
        let message = try Self.one(
            """
            {\(Self.head), "edited": "2026-11-21T15:24:00", "edited_unixtime": "1795242240", "reply_to_message_id": 99,
             "text": "민수, hi", "text_entities": [{"type": "plain", "text": "민수, hi"}], "unknown": [{}]}
            """)
        let time = try #require(Export.time("2026-11-21T06:23:11.000000Z"))
        #expect(
            message
                == ImportedMessage(
                    room: "Example", roomKey: "channel20", roomKind: .group, kind: .message, sender: "alice",
                    senderKey: "user7",
                    body: "민수, hi", time: time, resolution: .second, remoteID: "100",
                    editedAt: Export.time("2026-11-21T06:24:00.000000Z"), replyTo: "99"))
    }

    @Test func `an older export's times are in the zone, and its ids are numbers`() throws {
        let messages = ["2026-10-25T02:30:00", "2026-10-25T02:10:00", "2026-10-25T02:20:00"].map {
            #"{"id": -5, "type": "message", "date": "\#($0)", "edited": "1970-01-01T03:00:00", "from": null, "from_id": 7}"#
        }
        let berlin = try #require(Zone(identifier: "Europe/Berlin"))
        let export = try Export(
            TelegramFormat.self, Self.chat(messages.joined(separator: ",")), zone: berlin)
        // The clocks are set back at three: half past two is followed by ten past.
        #expect(
            export.messages.map(\.time.description) == [
                "2026-10-25T00:30:00.000000Z", "2026-10-25T01:10:00.000000Z", "2026-10-25T01:20:00.000000Z",
            ])
        let first = try #require(export.messages.first)
        #expect((first.sender, first.senderKey, first.remoteID) == ("Deleted Account", "user7", "-5"))
        #expect(export.assumptions == ["times without a zone, read as Europe/Berlin: 3"])
    }

    @Test(
        arguments: [
            (7, "user7"), (4_294_967_303, "user7"), (8_589_934_599, "channel7"), (2_147_483_648, "user2147483648"),
        ]
            as [(Int64, String)])
    func `ids from October 2020 to April 2021 identify the same people`(number: Int64, key: String) throws {
        let message =
            #"{"id": 1, "type": "message", \#(Self.time), "from": "alice", "from_id": \#(number), "text": "x"}"#
        #expect(try Self.one(message).senderKey == key)
    }

    @Test(arguments: [
        (#""text": "This has "marks" in it, and, a \"comma\"""#, #"This has "marks" in it, and, a "comma""#),
        (
            """
            "text": [
             {
              "type": "custom_emoji",
              "text": "😮",
              "document_id": video_files/sticker (2).webm
             },
             " wow"
            ]
            """, "😮 wow"
        ),
    ])
    func `wrong JSON of old versions is repaired`(text: String, body: String) throws {
        let export = try Export(
            TelegramFormat.self, Self.chat("{\(Self.head),\n\(text)\n},\n{\(Self.head), \"text\": \"next\"}"))
        #expect(export.messages.map(\.body) == [body, "next"])
        #expect(export.unreadable == [])
    }

    @Test func `files have their paths, and missing ones are named`() throws {
        let message = """
            {\(Self.head), "text": "", "photo": "photos/photo_1@21-11-2026_15-23-11.jpg", "photo_file_size": 12, "width": 1}, \
            {\(Self.head), "text": "", "file": "(File not included. Change data exporting settings to download.)",
             "file_name": "plan.pdf", "file_size": 34, "thumbnail": "(File not included.)"}, \
            {\(Self.head), "text": "", "file": "(File exceeds maximum size. Change it.)", "media_type": "video_file"}
            """
        let export = try Export(TelegramFormat.self, Self.chat(message))
        #expect(
            export.messages.map(\.files) == [
                [.init(path: "photos/photo_1@21-11-2026_15-23-11.jpg", size: 12)], [.init(path: "plan.pdf", size: 34)],
                [.init(path: "video_file")],
            ])
        #expect(
            export.assumptions == [
                "files kept by name only, because the export has neither the file nor its address: 2"
            ])
    }

    @Test func `reactions have times by the message's clock`() throws {
        let message = """
            {\(Self.head), "text": "x", "reactions": [
             {"type": "emoji", "count": 2, "emoji": "👍", "recent": [{"from": "bob", "from_id": "user8", "date": "2026-11-21T15:25:00"}]},
             {"type": "custom_emoji", "count": 1, "document_id": "stickers/wave.tgs", "recent": [{"from": null, "from_id": "user9"}]},
             {"type": "paid", "count": 1, "recent": [{"from": "bob", "from_id": "user8"}]}]}
            """
        let export = try Export(TelegramFormat.self, Self.chat(message), zone: .gmt)
        #expect(
            export.messages.first?.reactions == [
                .init(text: "👍", user: "bob", userKey: "user8", at: Export.time("2026-11-21T06:25:00.000000Z")),
                .init(text: ":wave:", user: "Deleted Account", userKey: "user9"),
                .init(text: "⭐", user: "bob", userKey: "user8"),
            ])
        #expect(export.assumptions == ["reactions skipped, because the export does not say whose they are: 1"])
    }

    @Test(
        arguments: [
            (#""action": "join_group_by_link", "inviter": "bob", "text": """#, MessageKind.join, nil),
            (#""action": "invite_members", "members": ["alice"]"#, .join, nil),
            (#""action": "invite_members", "members": ["bob", null]"#, .invite, "bob, Deleted Account"),
            (#""action": "remove_members", "members": ["alice"]"#, .leave, nil),
            (#""action": "remove_members", "members": ["bob"]"#, .kick, "bob"),
            (#""action": "edit_group_title", "title": "New""#, .action, "changed the group's name to New"),
            (#""action": "create_group", "title": "New", "members": ["bob"]"#, .action, "created the group New"),
            (#""action": "pin_message", "message_id": 99"#, .action, "pinned a message"),
            (
                #""action": "phone_call", "duration_seconds": 35, "discard_reason": "hangup""#, .action,
                "called: hangup, 35 seconds"
            ),
            (#""action": "migrate_from_group", "title": "Old""#, .action, "migrate from group: Old"),
            (#""action": "clear_history", "text": """#, .action, "clear history"),
            (
                #""action": "todo_append_tasks", "items": [{"text": "pack", "id": 2}]"#, .action,
                "todo append tasks\n- pack"
            ),
            (
                #""action": "send_star_gift", "stars": 5, "gift_text": ["for ", "you"]"#, .action,
                "send star gift\nfor you"
            ),
            (#""information_text": "something""#, .action, "something"),
        ] as [(String, MessageKind, String?)])
    func `events are read as their kind`(action: String, kind: MessageKind, body: String?) throws {
        let message = try Self.one("{\(Self.event), \(action)}")
        #expect((message.kind, message.body, message.sender, message.senderKey) == (kind, body, "alice", "user7"))
        #expect(message.replyTo == (action.contains("pin_message") ? "99" : nil))
    }

    @Test func `an event without an actor is the system's`() throws {
        let message = try Self.one(#"{"id": 1, "type": "service", \#(Self.time), "action": "send_payment"}"#)
        #expect((message.kind, message.sender, message.body) == (.system, nil, "send payment"))
    }

    @Test func `a channel post without a sender is the channel's`() throws {
        let post = #"{"id": 1, "type": "message", \#(Self.time), "text": "x"}"#
        let export = try Export(TelegramFormat.self, Self.chat(post, type: "public_channel"))
        let message = try #require(export.messages.first)
        #expect((message.sender, message.senderKey) == ("Example", "channel20"))
    }

    @Test func `a reply to another chat's message is stored without its target`() throws {
        for (peer, id) in [("channel20", "9"), ("channel21", nil)] {
            let reply = try Self.one(#"{\#(Self.head), "reply_to_message_id": 9, "reply_to_peer_id": "\#(peer)"}"#)
            #expect(reply.replyTo == id)
        }
    }

    static let account = """
        {"about": "Here is the data you requested.", "personal_information": {"user_id": 7, "first_name": "alice"},
        "contacts": {"about": "", "list": [{"user_id": 8}]},
        "chats": {"about": "All chats.", "list": [
         {"name": "민수", "type": "personal_chat", "id": 20, "messages": [{\(head), "text": "a"}]},
         {"name": "Example", "type": "private_group", "id": 20, "messages": []},
         {"type": "saved_messages", "id": 7, "messages": [{\(head), "text": "b"}]},
         {"name": null, "type": "bot_chat", "id": 8, "messages": [{\(head), "text": "c"}, {\(head), "text": "d"}]}
        ]}, "left_chats": {"about": "", "list": [
         {"name": "Left", "type": "private_group", "id": 20, "messages": [{\(head), "text": "e"}]}]}}
        """

    @Test(
        arguments: [
            ("personal_chat", .direct), ("bot_chat", .direct), ("saved_messages", .direct), ("private_group", .group),
            ("private_supergroup", .group), ("public_supergroup", .group), ("private_channel", .channel),
            ("public_channel", .channel),
        ] as [(String, RoomReference.Kind)])
    func `a chat's type makes it a conversation of two, a group or a channel`(
        type: String, kind: RoomReference.Kind
    ) throws {
        let export = try Export(TelegramFormat.self, Self.chat("{\(Self.head), \"text\": \"a\"}", type: type))
        #expect(export.messages.map(\.roomKind) == [kind])
    }

    @Test func `each chat of an account has its name and key`() throws {
        let export = try Export(TelegramFormat.self, Self.account, room: "#told")
        let rooms = export.messages.map { "\($0.room)/\($0.roomKey ?? "")/\($0.roomKind)/\($0.body ?? "")" }
        #expect(
            rooms == [
                "민수/user20/direct/a", "Saved Messages/user7/direct/b", "user8/user8/direct/c", "user8/user8/direct/d",
                "Left/chat20/group/e",
            ])
        #expect(export.unreadable.isEmpty)
        #expect(export.hasOwnRooms && export.assumptions.isEmpty)
        let told = try Export(TelegramFormat.self, Self.chat("{\(Self.head)}"), room: "#told")
        #expect(told.messages.first?.room == "#told")
        #expect(told.messages.first?.roomKey == nil && !told.hasOwnRooms)
    }

    @Test(arguments: [
        (#"{"id": 1, "type": "unsupported"}"#, "the export left its content out: its \"type\" is \"unsupported\""),
        (#"{"id": 1, "type": "message"}"#, "it has no \"date\""), (#"{"type": "message"}"#, "it has no \"id\""),
        (#"{"id": 1, "type": "message", "date": "now"}"#, "its \"date\" is not a time"),
        (#"{"id": 1, "type": "message", "date_unixtime": "1.5"}"#, "its \"date_unixtime\" is not a whole number"),
        (#"{"id": 1, "type": "else"}"#, "its \"type\" is unknown"),
        (#"{"id": 1, "type": "message", \#(time)}"#, "it has neither \"from\" nor \"from_id\""),
        (#"{\#(head), "text": {"a": 1}}"#, "its \"text\" has the wrong type"),
        (#"{\#(head), "text": [{"a": 1}]}"#, "it has no \"text[0].text\""),
    ])
    func `an invalid message is reported with the reason`(message: String, reason: String) throws {
        #expect(try Export(TelegramFormat.self, Self.chat(message)).unreadable == [reason])
    }

    @Test func `an overflowing time becomes the latest possible one`() throws {
        let message = try Self.one(
            #"{"id": 1, "type": "message", "from": "a", "date": "2026-11-21T15:23:11", "date_unixtime": 9223372036854775807}"#
        )
        #expect(message.time == Timestamp(microseconds: .max))
    }

    @Test func `a Telegram export is recognised by its beginning`() {
        #expect(Export.recognising(Self.chat(""), path: "result.json") == ["telegram"])
        #expect(Export.recognising(Self.chat("", name: "null", type: "saved_messages"), path: "").first == "telegram")
        #expect(Export.recognising(Self.account, path: "result.json") == ["telegram"])
        #expect(
            Export.recognising(#"{"about": "x", "chats": {"about": "y", "list": ["#, path: "result.json") == [
                "telegram"
            ])
        #expect(Export.recognising(Self.chat("", type: "diary"), path: "result.json") == [])
        #expect(Export.recognising(#"{"about": "x", "messages": []}"#, path: "result.json") == [])
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<300)
    func `a damaged sample never traps, and each piece gives a message or an error`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let bytes = Mutation.of(Array(Self.account.utf8), using: &random)
        let pieces = JSONPieces.cut(bytes, by: nil, TelegramFormat.cutter())
        let export = try Export(TelegramFormat.self, files: [(nil, bytes)])
        let silent = pieces.count {
            $0.bytes.isEmpty || !$0.place.hasSuffix("]") && $0.place != JSONPieceCutter.brokenPlace
        }
        #expect(export.messages.count + export.unreadable.count + silent >= pieces.count)
        #expect(export.parsed.count == pieces.count + 1)
    }
}
