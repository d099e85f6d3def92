import ChatModel
import Foundation
import Testing

@testable import LogFormats

struct SignalTests {
    /// In Base64, as protobuf's JSON writes bytes: 16 of 0x11, and 16 of 0x22.
    static let bobsAccount = "EREREREREREREREREREREQ=="
    static let carolsAccount = "IiIiIiIiIiIiIiIiIiIiIg=="
    static let bobsKey = "11111111-1111-1111-1111-111111111111"

    static let frames = [
        #"{"version": "1", "backupTimeMs": "1795242000000", "mediaRootBackupKey": "AAAA"}"#,
        #"{"account": {"profileKey": "AAAA", "givenName": "alice", "familyName": "", "accountSettings": {}}}"#,
        #"{"recipient": {"id": "1", "self": {}}}"#,
        #"{"recipient": {"id": "2", "contact": {"aci": "\#(bobsAccount)", "e164": "15550001111", "profileGivenName": "bob"}}}"#,
        #"{"recipient": {"id": "3", "contact": {"aci": "\#(carolsAccount)", "systemGivenName": "민수", "profileGivenName": "x"}}}"#,
        #"{"recipient": {"id": "4", "group": {"masterKey": "AAAA", "snapshot": {"title": {"title": "Example"}, "members": []}}}}"#,
        #"{"recipient": {"id": "5", "contact": {"e164": "15550002222"}}}"#,
        #"{"recipient": {"id": "6", "distributionList": {"distributionId": "AA=="}}}"#,
        #"{"chat": {"id": "10", "recipientId": "2"}}"#,
        #"{"chat": {"id": "11", "recipientId": "4", "archived": true}}"#,
        #"{"chat": {"id": "12", "recipientId": "1"}}"#, #"{"stickerPack": {"packId": "AA=="}}"#,
    ]

    static func item(_ content: String, chat: Int = 10, author: Int = 2, at time: Int64 = 1_795_242_191_123) -> String {
        #"{"chatItem": {"chatId": "\#(chat)", "authorId": "\#(author)", "dateSent": "\#(time)", "incoming": {"read": true}, \#(content)}}"#
    }

    static func said(_ text: String) -> String { #""standardMessage": {"text": {"body": "\#(text)"}}"# }

    static func export(_ items: [String], room: String? = nil) throws -> Export {
        let text = (frames + items).joined(separator: "\n")
        return try Export(SignalFormat.self, text, path: "signal-export-2026/main.jsonl", room: room)
    }

    private func one(_ content: String, chat: Int = 10, author: Int = 2) throws -> ImportedMessage {
        let export = try Self.export([Self.item(content, chat: chat, author: author)])
        #expect(export.unreadable.isEmpty)
        return try #require(export.messages.first)
    }

    @Test func `a message has its chat, its author and its time`() throws {
        let quote = #""quote": {"targetSentTimestamp": "1795242000000", "authorId": "1", "text": {"body": "old"}}"#
        let message = try one(
            #""standardMessage": {"text": {"body": "민수, hi"}, \#(quote), "linkPreview": [{"url": "x"}]}"#)
        let time = try #require(Export.time("2026-11-21T06:23:11.123000Z"))
        #expect(
            message
                == ImportedMessage(
                    room: "bob", roomKey: Self.bobsKey, roomKind: .direct, kind: .message, sender: "bob",
                    senderKey: Self.bobsKey, body: "민수, hi", time: time, resolution: .microsecond,
                    remoteID: "\(Self.bobsKey):1795242191123", replyTo: "self:1795242000000"))
    }

    @Test func `rooms are identified by account or group key, and notes to oneself are one room`() throws {
        let export = try Self.export(
            [
                Self.item(Self.said("a"), chat: 11, author: 1), Self.item(Self.said("b"), chat: 12, author: 1),
                Self.item(Self.said("c"), author: 5),
            ], room: "#told")
        let hash = SHA256.hexadecimal([0, 0, 0])
        #expect(export.messages.map(\.room) == ["Example", "Note to Self", "bob"])
        #expect(export.messages.map(\.roomKey) == ["group:\(hash)", "self", Self.bobsKey])
        #expect(export.messages.map(\.sender) == ["alice", "alice", "+15550002222"])
        #expect(export.messages.map(\.senderKey) == ["self", "self", "+15550002222"])
        #expect(export.messages.map(\.roomKind) == [.group, .direct, .direct])
        #expect(export.hasOwnRooms && export.assumptions.isEmpty)
    }

    @Test func `an edited message has its earlier texts with their times, and the first id`() throws {
        func revision(_ text: String, _ time: Int64) -> String {
            #"{"chatId": "10", "authorId": "2", "dateSent": "\#(time)", \#(Self.said(text))}"#
        }
        let revisions = [revision("a", 1_795_242_190_000), revision("b", 1_795_242_191_000)].joined(separator: ", ")
        let message = try one(#"\#(Self.said("c")), "revisions": [\#(revisions)]"#)
        #expect((message.body, message.remoteID) == ("c", "\(Self.bobsKey):1795242190000"))
        #expect(message.time == Timestamp(milliseconds: 1_795_242_190_000))
        #expect(message.editedAt == Timestamp(milliseconds: 1_795_242_191_123))
        #expect(
            message.versions == [
                .init(at: Timestamp(milliseconds: 1_795_242_190_000), body: "a"),
                .init(at: Timestamp(milliseconds: 1_795_242_191_000), body: "b"),
            ])
    }

    @Test func `mentions become names, and impossible ranges change nothing`() throws {
        func text(_ ranges: String) throws -> String? {
            try one(#""standardMessage": {"text": {"body": "👋 \#u{FFFC}, hi", "bodyRanges": [\#(ranges)]}}"#).body
        }
        #expect(try text(#"{"start": 3, "length": 1, "mentionAci": "\#(Self.carolsAccount)"}"#) == "👋 @민수, hi")
        #expect(try text(#"{"start": 3, "length": 1, "mentionAci": "AAAA"}"#) == "👋 @unknown, hi")
        #expect(try text(#"{"length": 2, "style": "BOLD"}"#) == "👋 \u{FFFC}, hi")
        for range in [
            #""start": 99, "length": 1"#, #""start": 3, "length": 999999999999"#, #""start": -1, "length": 1"#,
        ] {
            #expect(try text(#"{\#(range), "mentionAci": "\#(Self.carolsAccount)"}"#) == "👋 \u{FFFC}, hi")
        }
    }

    @Test(
        arguments: [
            (
                #""contactMessage": {"contact": {"name": {"givenName": "bob", "familyName": "b"}, "number": [{"value": "+00 1"}]}}"#,
                "bob b +00 1"
            ),
            (#""stickerMessage": {"sticker": {"packId": "AA==", "emoji": "👋"}}"#, "👋"),
            (#""viewOnceMessage": {}"#, "[view once]"),
            (#""directStoryReplyMessage": {"textReply": {"text": {"body": "x"}}}"#, "[reply to a story]\nx"),
            (#""directStoryReplyMessage": {"emoji": "👍"}"#, "[reply to a story]\n👍"),
            (
                #""poll": {"question": "when?", "options": [{"option": "now", "votes": []}, {"option": "later"}]}"#,
                "when?\n- now\n- later"
            ),
            (#""paymentNotification": {"amountMob": "1.5", "note": "thanks"}"#, "payment: 1.5 MOB\nthanks"),
            (#""giftBadge": {}"#, "gift badge"),
        ] as [(String, String)])
    func `content without text is described in words`(content: String, body: String) throws {
        let message = try one(content)
        #expect((message.kind, message.body) == (.message, body))
    }

    @Test(
        arguments: [
            (
                #""individualCall": {"type": "VIDEO_CALL", "direction": "INCOMING", "state": "MISSED"}"#, .action,
                "bob", "called: video, missed"
            ),
            (#""groupCall": {"state": "JOINED", "startedCallRecipientId": "3"}"#, .action, "민수", "group call: joined"),
            (#""simpleUpdate": {"type": "IDENTITY_UPDATE"}"#, .action, "bob", "identity update"),
            (
                #""expirationTimerChange": {"expiresInMs": "60000"}"#, .action, "bob",
                "set messages to disappear after 60 seconds"
            ),
            (#""expirationTimerChange": {}"#, .action, "bob", "set messages not to disappear"),
            (
                #""profileChange": {"previousName": "bo", "newName": "bob"}"#, .action, "bob",
                "changed the profile name from bo to bob"
            ),
            (#""threadMerge": {"previousE164": "1"}"#, .action, "bob", "thread merge"),
            (
                #""groupChange": {"updates": [{"groupMemberJoinedUpdate": {"newMemberAci": "\#(carolsAccount)"}}]}"#,
                .join, "민수", nil
            ),
            (
                #""groupChange": {"updates": [{"groupMemberLeftUpdate": {"aci": "\#(carolsAccount)"}}]}"#, .leave, "민수",
                nil
            ),
            (
                #""groupChange": {"updates": [{"groupMemberAddedUpdate": {"newMemberAci": "\#(carolsAccount)"}}]}"#,
                .invite, "bob", "민수"
            ),
            (
                #""groupChange": {"updates": [{"groupMemberRemovedUpdate": {"removedAci": "AAAA"}}]}"#, .kick, "bob",
                "unknown"
            ),
            (
                #""groupChange": {"updates": [{"groupNameUpdate": {"newGroupName": "New"}}, {"groupMemberAddedUpdate": {"newMemberAci": "\#(carolsAccount)"}}, {"groupAvatarUpdate": {}}]}"#,
                .action, "bob", "changed the group's name to New\nadded 민수\ngroup avatar"
            ),
        ] as [(String, MessageKind, String, String?)])
    func `events are read as their kind`(update: String, kind: MessageKind, sender: String, body: String?) throws {
        let message = try one(#""updateMessage": {\#(update)}"#)
        #expect((message.kind, message.sender, message.body) == (kind, sender, body))
    }

    @Test func `events without an actor are the system's, and a deleted message is deleted at its time`() throws {
        let system = try one(
            #""directionless": {}, "updateMessage": {"simpleUpdate": {"type": "END_SESSION"}}"#, author: 0)
        #expect((system.kind, system.sender, system.body, system.remoteID) == (.system, nil, "end session", nil))
        let deleted = try one(#""remoteDeletedMessage": {}"#)
        #expect((deleted.kind, deleted.sender, deleted.body, deleted.deletedAt) == (.message, "bob", nil, deleted.time))
    }

    @Test func `files have Signal Desktop's paths, and reactions their times`() throws {
        func pointer(_ name: String, _ type: String, isThere: Bool = true) -> String {
            let keys = isThere ? #""plaintextHash": "AAEC", "localKey": "AwQF", "# : ""
            return
                #"{"pointer": {"contentType": "\#(type)", "fileName": \#(name), "locatorInfo": {\#(keys)"size": 12}}, "wasDownloaded": true}"#
        }
        let attachments = [
            pointer(#""a.b.PDF""#, "application/pdf"), pointer("null", "image/jpeg"), pointer(#"".x""#, "text/plain"),
            pointer(#""a.é""#, "application/x-tar"), pointer("null", "image/png", isThere: false),
        ]
        let reactions =
            #"[{"emoji": "👍", "authorId": "3", "sentTimestamp": "1795242200000"}, {"emoji": "🎉", "authorId": "99"}]"#
        let export = try Self.export([
            Self.item(
                #""standardMessage": {"text": {"body": "x"}, "attachments": [\#(attachments.joined(separator: ", "))], "longText": {"contentType": "text/x-signal-plain"}, "reactions": \#(reactions)}"#
            )
        ])
        let message = try #require(export.messages.first)
        let stem = "files/17/17e88db187afd62c16e5debf3e6527cd006bc012bc90b51a810cd80c2d511f43"
        #expect(
            message.files == [
                .init(path: stem + ".PDF", size: 12), .init(path: stem + ".jpeg", size: 12),
                .init(path: stem, size: 12),
                .init(path: stem + ".tar", size: 12), .init(path: "image/png", size: 12),
                .init(path: "text/x-signal-plain"),
            ])
        #expect(message.flags == .oversize)
        #expect(
            message.reactions == [
                .init(
                    text: "👍", user: "민수", userKey: "22222222-2222-2222-2222-222222222222",
                    at: Export.time("2026-11-21T06:23:20.000000Z")),
                .init(text: "🎉", user: "99"),
            ])
        #expect(export.assumptions.count == 1)
    }

    /// Samples of FIPS 180-4.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `hashes equal those of FIPS 180-4`(text: String, hash: String) {
        #expect(SHA256.hexadecimal(Array(text.utf8)) == hash)
    }

    @Test(arguments: [
        (#"{"chatItem": {"chatId": "10"}}"#, "its content is unknown"),
        (
            #"{"chatItem": {"chatId": "10", "incoming": {"x": 1}, "newKind": {"x": 1}}}"#,
            "its content is unknown (newKind)"
        ),
        (#"{"newFrame": {}}"#, "its frame is unknown (newFrame)"),
        (#"{"chatItem": {}}"#, "it has no \"chatItem.chatId\""),
        (#"{"chatItem": {"chatId": "77"}}"#, "the export names no chat 77 before it"), ("{}", "its frame is unknown"),
        (#"{"chatItem": {"chatId": "10", \#(said("x"))}}"#, "the export names no author of it"),
        (#"{"chatItem": {"chatId": "10", "authorId": "2", \#(said("x"))}}"#, "it has no \"chatItem.dateSent\""),
        (
            #"{"chatItem": {"chatId": "10", "authorId": "2", "dateSent": "now", \#(said("x"))}}"#,
            "its \"dateSent\" is not a whole number"
        ),
        (#"{"recipient": {"contact": {}}}"#, "it has no \"recipient.id\""), ("[]", "it is not a JSON object"),
        ("{", "it is not JSON"),
    ])
    func `an invalid frame is reported with the reason`(line: String, reason: String) throws {
        #expect(try Self.export([line]).unreadable == [reason])
    }

    @Test func `a Signal export is recognised by its first line, and its folder is one source`() {
        let text = Self.frames.joined(separator: "\n")
        #expect(Export.recognising(text, path: "main.jsonl") == ["signal"])
        #expect(Export.recognising(Self.frames.dropFirst().joined(separator: "\n"), path: "x") == ["signal"])
        #expect(Export.recognising(#"{"version": 1}"#, path: "main.jsonl") == [])
        #expect(SignalFormat.files(among: ["main.jsonl", "metadata.json", "files/17/17e8.jpeg"]) == [0])
        #expect(SignalFormat.files(among: ["main.jsonl", "files/17/17e8.jpeg"]) == nil)
        #expect(SignalFormat.files(among: ["metadata.json", "a/main.jsonl"]) == nil)
    }

    @Test(arguments: 0..<300)
    func `a damaged sample never traps, and each message gives a message or an error`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let attachment =
            #"{"pointer": {"fileName": "a.b", "locatorInfo": {"plaintextHash": "AAEC", "localKey": "AwQF"}}}"#
        let items = [
            Self.item(
                #""standardMessage": {"text": {"body": "x", "bodyRanges": [{"start": 0, "length": 1, "mentionAci": "\#(Self.bobsAccount)"}]}, "attachments": [\#(attachment)]}"#
            ),
            Self.item(#""updateMessage": {"groupChange": {"updates": [{"groupNameUpdate": {}}]}}"#),
        ]
        let bytes = Mutation.of(Array((Self.frames + items).joined(separator: "\n").utf8), using: &random)
        let lines = JSONPieces.cut(bytes, by: nil, SignalFormat.cutter())
        let export = try Export(SignalFormat.self, files: [(nil, bytes)])
        #expect(export.parsed.count == lines.count + 1)
        let frames = lines.count { line in
            line.bytes.isBlank || !String(decoding: line.bytes, as: UTF8.self).contains("\"chatItem\"")
        }
        #expect(export.messages.count + export.unreadable.count + frames >= lines.count)
    }
}
