import ChatModel
import Foundation
import Testing

@testable import LogFormats

struct MessengerTests {
    static let head = #""sender_name": "alice", "timestamp_ms": 1795242191123"#
    static let folder = "your_facebook_activity/messages/inbox/example_1234567890123456"

    /// As the download writes it: UTF-8 read as Latin-1.
    static func misread(_ text: String) -> String {
        String(String.UnicodeScalarView(text.utf8.map { Unicode.Scalar($0) }))
    }

    static func document(
        _ messages: String, people: [String] = ["alice", "bob", "민수"], title: String = "Example", type: String = ""
    ) -> String {
        let people = people.map { #"{"name": "\#(misread($0))"}"# }.joined(separator: ", ")
        return """
            {"participants": [\(people)], "messages": [\(messages)], "title": "\(misread(title))", "is_still_participant": true,
             "thread_path": "inbox/example_1234567890123456", \(type)"magic_words": []}
            """
    }

    /// Reads a conversation's files as the program does.
    static func conversation(_ files: [String: String]) throws -> Export {
        let paths = files.keys.sorted()
        let order = try #require(MessengerFormat.files(among: paths))
        return try Export(
            MessengerFormat.self, files: order.map { (paths[$0], Array((files[paths[$0]] ?? "").utf8)) },
            path: "\(folder)/\(paths[order[0]])")
    }

    func one(_ message: String) throws -> ImportedMessage {
        let export = try Self.conversation(["message_1.json": Self.document(message)])
        #expect(export.unreadable.isEmpty)
        return try #require(export.messages.first)
    }

    @Test func `a message has the conversation's title and id, which come after it`() throws {
        let message = try one(
            #"{\#(Self.head), "content": "\#(Self.misread("안녕 👋"))", "type": "Generic", "new": [{}]}"#)
        let time = try #require(Export.time("2026-11-21T06:23:11.123000Z"))
        #expect(
            message
                == ImportedMessage(
                    room: "Example", roomKey: "1234567890123456", roomKind: .group, kind: .message, sender: "alice",
                    body: "안녕 👋",
                    time: time, resolution: .microsecond, remoteID: "1795242191123"))
    }

    @Test func `a download from before August 2018 has seconds and no ids`() throws {
        let export = try Self.conversation([
            "message.json": Self.document(
                """
                {"sender_name": "alice", "timestamp": 1524430000, "content": "\(Self.misread("둘"))", "type": "Generic"},
                {"sender_name": "bob", "timestamp": 1524420000, "content": "one", "type": "Generic"}
                """)
        ])
        #expect(export.messages.map(\.body) == ["둘", "one"])
        #expect(
            export.messages.map(\.time.description) == ["2018-04-22T20:46:40.000000Z", "2018-04-22T18:00:00.000000Z"])
        #expect(export.messages.allSatisfy { $0.resolution == .second && $0.remoteID == nil })
    }

    @Test(arguments: [
        ("é", "é"), (misread("é"), "é"), ("é " + misread("é"), "é " + misread("é")), ("민수 é", "민수 é"),
        (misread("민") + "민", misread("민") + "민"), ("plain", "plain"), ("", ""),
    ])
    func `a text is repaired only if all of it is UTF-8 read as Latin-1`(text: String, repaired: String) {
        #expect(MisreadText.repaired(text) == repaired)
    }

    @Test func `the files of a conversation are one source, newest first`() throws {
        let paths = ["message_1.json", "message_10.json", "message_2.json", "notes.json", "photos/message_3.json"]
        #expect(MessengerFormat.files(among: paths) == [0, 0, 2, 1])
        #expect(MessengerFormat.files(among: ["message.json"]) == [0, 0])
        #expect(MessengerFormat.files(among: ["message_.json", "message_x.json", "a/message_1.json"]) == nil)
        let export = try Self.conversation([
            "message_1.json": Self.document(
                #"{\#(Self.head), "content": "c"}, {"sender_name": "bob", "timestamp_ms": 1795242191000, "content": "b"}"#
            ),
            "message_2.json": Self.document(#"{"sender_name": "bob", "timestamp_ms": 1795242190000, "content": "a"}"#),
        ])
        #expect(export.messages.map(\.body) == ["c", "b", "a"])
        #expect(export.messages.map(\.room) == ["Example", "Example", "Example"])
    }

    @Test func `messages of one millisecond keep their order and have separate ids`() throws {
        let export = try Self.conversation([
            "message_1.json": Self.document(#"{\#(Self.head), "content": "c"}, {\#(Self.head), "content": "b"}"#),
            "message_2.json": Self.document(#"{\#(Self.head), "content": "a"}"#),
        ])
        #expect(export.messages.map(\.remoteID) == ["1795242191123", "1795242191123-2", "1795242191123-3"])
        #expect(export.messages.map { ($0.place ?? $0.time).microseconds % 1_000_000 } == [123_000, 122_999, 122_998])
    }

    @Test(
        arguments: [
            (["alice", "bob"], "", .direct), (["alice"], "", .direct), (["alice", "bob", "carol"], "", .group),
            (["alice", "bob"], #""thread_type": "RegularGroup", "#, .group),
            (["alice", "bob"], #""thread_type": "Regular", "#, .direct),
        ] as [([String], String, RoomReference.Kind)])
    func `a conversation of two is direct, and any other a group`(
        people: [String], type: String, kind: RoomReference.Kind
    ) throws {
        let text = Self.document(#"{\#(Self.head), "content": "x"}"#, people: people, type: type)
        #expect(try Self.conversation(["message_1.json": text]).messages.first?.roomKind == kind)
    }

    @Test func `a single file has its id from its folder and its name from its people`() throws {
        let message = #"{\#(Self.head), "content": "x"}"#
        func room(_ people: [String], path: String, given: String? = nil) throws -> [String?] {
            let text = Self.document(message, people: people)
            let read = try Export(MessengerFormat.self, text, path: path, room: given).messages.first
            return [read?.room, read?.roomKey]
        }
        let path = Self.folder + "/message_1.json"
        #expect(try room(["민수", "alice"], path: path) == ["민수", "1234567890123456"])
        #expect(try room(["민수", "bob", "alice"], path: path) == ["민수, bob, alice", "1234567890123456"])
        #expect(try room(["민수", "alice"], path: "inbox/Minsu_Zs11Uy-bpw/message_1.json") == ["민수", nil])
        #expect(try room(["민수", "alice"], path: "") == ["민수", nil])
        #expect(try room(["민수", "alice"], path: path, given: "#told") == ["#told", nil])
        #expect(try room([], path: path) == ["example_1234567890123456", "1234567890123456"])
    }

    @Test(
        arguments: [
            (
                #""type": "Subscribe", "users": [{"name": "bob"}, {"name": "carol"}], "content": "x""#, .invite,
                "bob, carol"
            ),
            (#""type": "Subscribe", "users": [{"name": "alice"}]"#, .join, nil),
            (#""type": "Unsubscribe", "users": [{"name": "alice"}]"#, .leave, nil),
            (#""type": "Unsubscribe", "users": [{"name": "bob"}]"#, .kick, "bob"),
            (
                #""type": "Call", "call_duration": 35, "content": "alice called you.""#, .action,
                "alice called you. (35 seconds)"
            ),
            (#""type": "Call", "call_duration": 0"#, .action, "called"),
            (#""type": "Call", "call_duration": 0, "missed": true"#, .action, "missed a call"),
            (#""call_duration": 7"#, .action, "called (7 seconds)"),
            (
                #""type": "Share", "content": "see", "share": {"link": "https://example.org"}"#, .message,
                "see\nhttps://example.org"
            ),
            (
                #""content": "see https://example.org", "share": {"link": "https://example.org", "share_text": "words", "original_content_owner": "bob"}"#,
                .message, "see https://example.org\n[post of bob]\nwords"
            ),
        ] as [(String, MessageKind, String?)])
    func `events are read as their kind, and shared content is text`(part: String, kind: MessageKind, body: String?)
        throws
    {
        let message = try one("{\(Self.head), \(part)}")
        #expect((message.kind, message.body, message.sender) == (kind, body, "alice"))
    }

    @Test func `files have their paths in the download`() throws {
        let message = """
            {\(Self.head), "photos": [{"uri": "\(Self.folder)/photos/1.jpg", "creation_timestamp": 1}, {"uri": "\(Self.folder)/photos/2.jpg"}],
             "videos": [{"uri": "v.mp4", "thumbnail": {"uri": "t.jpg"}}], "audio_files": [{"uri": "a.mp4"}],
             "gifs": [{"uri": "g.gif"}], "files": [{"uri": "f.pdf"}], "sticker": {"uri": "stickers_used/s.png"}}
            """
        let paths = ["\(Self.folder)/photos/1.jpg", "\(Self.folder)/photos/2.jpg"]
        #expect(
            try one(message).files.map(\.path) == paths + ["v.mp4", "a.mp4", "g.gif", "f.pdf", "stickers_used/s.png"])
    }

    @Test func `an unsent message is deleted at its time and keeps its reactions`() throws {
        let heart = Self.misread("❤")
        let message = try one(
            """
            {\(Self.head), "is_unsent": true, "reactions": [{"reaction": "\(heart)", "actor": "\(Self.misread("민수"))", "timestamp": 1795242200},
             {"reaction": "\(heart)", "actor": "bob"}]}
            """)
        #expect((message.body, message.deletedAt) == (nil, message.time))
        #expect(
            message.reactions == [
                .init(text: "❤", user: "민수", at: Export.time("2026-11-21T06:23:20.000000Z")),
                .init(text: "❤", user: "bob"),
            ])
    }

    static let encrypted = """
        {"participants": ["alice", "민수"], "threadName": "민수_12", "messages": [
         {"isUnsent": false, "media": [], "reactions": [{"actor": "alice", "reaction": "❤"}], "senderName": "민수",
          "text": "café 안녕", "timestamp": 1795242191123, "type": "text"},
         {"isUnsent": false, "media": [{"uri": "./media/1.jpeg"}, {"uri": "Failed to download media"}], "reactions": [],
          "senderName": "alice", "text": "", "timestamp": 1795242191123, "type": "media"},
         {"isUnsent": true, "media": [], "reactions": [], "senderName": "alice", "text": "User unsent a message",
          "timestamp": 1795242200000, "type": "placeholder"}]}
        """

    @Test func `downloads of encrypted chats have their own names of keys`() throws {
        let export = try Export(MessengerFormat.self, Self.encrypted, path: "messages/민수_12.json")
        #expect(export.unreadable.isEmpty)
        #expect(export.messages.map(\.body) == ["café 안녕", nil, nil])
        #expect(export.messages.map(\.sender) == ["민수", "alice", "alice"])
        #expect(export.messages.map(\.room) == ["민수", "민수", "민수"])
        #expect(export.messages.allSatisfy { $0.roomKey == nil && $0.isDirect && $0.place == nil })
        #expect(export.messages.map { $0.deletedAt == nil } == [true, true, false])
        #expect(export.messages[1].files == [.init(path: "media/1.jpeg"), .init(path: "file")])
        #expect(export.messages[0].reactions == [.init(text: "❤", user: "alice")])
        #expect(
            export.assumptions == [
                "files kept by name only, because the export has neither the file nor its address: 1"
            ])
    }

    @Test func `an encrypted chat can be misencoded`() throws {
        let name = Self.misread("민수")
        let export = try Export(
            MessengerFormat.self,
            """
            {"participants": ["alice", "\(name)"], "threadName": "\(name)_12", "messages": [
             {"isUnsent": false, "media": [], "reactions": [], "senderName": "\(name)", "text": "\(Self.misread("café"))",
              "timestamp": 1795242191123, "type": "text"}]}
            """)
        let message = try #require(export.messages.first)
        #expect((message.room, message.sender, message.body) == ("민수", "민수", "café"))
    }

    @Test(
        arguments: [
            (#""type": "Payment""#, ["Payment": 1]), (#""content": "", "poll": {"a": 1}"#, ["poll": 1]),
            (#""content": "x", "poll": {"a": 1}, "type": "Payment""#, ["poll": 1]), (#""type": "Generic""#, [:]),
            (#""is_unsent": true, "type": "Payment""#, [:]), (#""type": "Call""#, [:]),
        ] as [(String, [String: Int])])
    func `content of an unknown kind is counted by name`(part: String, counts: [String: Int]) throws {
        #expect(
            try Export(MessengerFormat.self, Self.document("{\(Self.head), \(part)}")).unknownKinds.counts == counts
        )
    }

    @Test func `a Messenger export is recognised by its beginning`() {
        let text = Self.document(#"{\#(Self.head), "content": "x"}"#)
        #expect(Export.recognising(text, path: "inbox/a_1/message_1.json") == ["messenger"])
        #expect(Export.recognising(text, path: "") == ["messenger"])
        #expect(Export.recognising(Self.encrypted, path: "messages/a_1.json") == ["messenger"])
        #expect(Export.recognising(Self.document(""), path: "a.json") == ["messenger"])
        #expect(
            Export.recognising(#"{"participants": [{"name": "a"}], "messages": [{"text": "x"}]}"#, path: "a.json") == []
        )
        #expect(Export.recognising(#"{"participants": [{"name": "a"}]}"#, path: "a.json") == [])
        let instagram = LogReading.source([], path: "your_instagram_activity/messages/inbox/a_1/message_1.json")
        #expect(MessengerFormat.accountName(in: instagram) == "instagram")
    }

    @Test func `a grown conversation has the same messages, followed by the new ones`() throws {
        func text(_ count: Int) -> String {
            Self.document(
                (0..<count).reversed().map {
                    #"{"sender_name": "alice", "timestamp_ms": \#(1_795_242_191_000 + $0 / 3), "content": "\#($0)"}"#
                }.joined(separator: ", "))
        }
        let short = try Self.conversation(["message_1.json": text(21)])
        let long = try Self.conversation(["message_1.json": text(30)])
        #expect(short.messages.count == 21)
        #expect(Array(long.messages.suffix(21)) == short.messages)
    }
}
