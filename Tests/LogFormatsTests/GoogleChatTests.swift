import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/mrwoof/google-chat-takeout-reader (google_chat_takeout_reader.html: reactions and files),
/// of github.com/develhack/google-chat-takeout-explorer (server/data/data.go) and of
/// github.com/abrignoni/RLEAPP (scripts/artifacts/googleChat.py).
struct GoogleChatTests {
    @Test(arguments: [
        "Saturday, November 21, 2026 at 6:23:11\u{202F}PM UTC", "Saturday, November 21, 2026 at 6:23:11 PM UTC",
        "Saturday, 21 November 2026 at 18:23:11 UTC", "Saturday, 21 November 2026, 18:23:11 UTC",
        "2026年11月21日星期六 UTC 18:23:11", "2026年11月21日 星期六 UTC 下午6:23:11", "2026. november 21., szombat 18:23:11 UTC",
        "Samstag, 21. November 2026 um 18:23:11 UTC", "samedi 21 novembre 2026 à 18:23:11 UTC",
        "sábado, 21 de noviembre de 2026, 18:23:11 UTC", "sábado, 21 de noviembre de 2026, 6:23:11 p. m. UTC",
        "sábado, 21 de novembro de 2026 às 18:23:11 UTC", "sabato 21 novembre 2026 alle ore 18:23:11 UTC",
        "2026년 11월 21일 토요일 오후 6시 23분 11초 UTC", "2026年11月21日土曜日 18時23分11秒 UTC",
        "суббота, 21 ноября 2026 г. в 18:23:11 UTC",
        "sobota, 21 listopada 2026 18:23:11 UTC", "zaterdag 21 november 2026 om 18:23:11 UTC",
        "lördag 21 november 2026 kl. 18:23:11 UTC", "21 Kasım 2026 Cumartesi 18:23:11 UTC",
        "lauantai 21. marraskuuta 2026 klo 18.23.11 UTC".replacing("18.23.11", with: "18:23:11"),
        "Thứ Bảy, 21 tháng 11, 2026 lúc 18:23:11 UTC", "18:23:11 UTC Thứ Bảy, 21 tháng 11, 2026",
    ])
    func `a time is read in the account's language`(text: String) {
        #expect(GoogleChatTime(text)?.time == Export.time("2026-11-21T18:23:11.000000Z"))
    }

    @Test(arguments: [
        "", "yesterday", "Saturday, November 21, 2026 UTC", "November 21, 2026 at 6:23:11 PM",
        "21/11/2026 18:23:11 UTC",
        "November 31, 2026 at 6:23:11 PM UTC", "November 21, 2026 at 16:23:11 PM UTC", "xyz 21, 2026 at 6:23:11 UTC",
        "November 21, 2026 at 6:73:11 UTC", "December November 21, 2026 at 6:23:11 UTC",
        String(repeating: "1", count: 100_000) + " UTC",
    ])
    func `another text is not a time`(text: String) {
        #expect(GoogleChatTime(text) == nil)
    }

    private static func message(_ parts: String = "", id: String = "abc/t1/t1", name: String = "alice") -> String {
        """
        {"creator": {"name": "\(name)", "email": "\(name)@example.org", "user_type": "Human"}, "text": "hi",
         "created_date": "Saturday, November 21, 2026 at 6:23:11 AM UTC", "topic_id": "t1", "message_id": "\(id)"\(parts)}
        """
    }

    private static let info = """
        {"members": [{"name": "alice", "email": "alice@example.org"}, {"name": "bob", "email": "bob@example.org"}]}
        """

    private func export(_ messages: String..., info: String = info, folder: String = "DM abc") throws -> Export {
        let files = [
            "Groups/\(folder)/group_info.json": info,
            "Groups/\(folder)/messages.json": #"{"messages": [\#(messages.joined(separator: ", "))]}"#,
            "Users/User 7/user_info.json":
                #"{"user": {"name": "alice", "email": "alice@example.org"}, "membership_info": []}"#,
        ]
        let paths = files.keys.sorted()
        let order = try #require(GoogleChatFormat.files(among: paths))
        return try Export(
            GoogleChatFormat.self, files: order.map { (paths[$0], Array((files[paths[$0]] ?? "").utf8)) },
            path: paths[order[0]])
    }

    @Test func `a message has the other person's room, and Google's ids`() throws {
        let export = try export(Self.message())
        #expect(export.unreadable.isEmpty)
        let time = try #require(Export.time("2026-11-21T06:23:11.000000Z"))
        #expect(
            export.messages == [
                ImportedMessage(
                    room: "bob", roomKey: "abc", roomKind: .direct, kind: .message, sender: "alice",
                    senderKey: "alice@example.org", body: "hi", time: time, resolution: .second, remoteID: "abc/t1/t1")
            ])
    }

    @Test(
        arguments: [
            (#"{"name": "plans", "members": []}"#, "Space abc", "plans", .channel),
            (#"{"members": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}"#, "Space abc", "a, b, c", .group),
            (#"{"members": []}"#, "DM abc", "DM abc", .direct),
        ] as [(String, String, String, RoomReference.Kind)])
    func `a space is called by its name, and a group by its people`(
        info: String, folder: String, name: String, kind: RoomReference.Kind
    ) throws {
        let message = try #require(try export(Self.message(), info: info, folder: folder).messages.first)
        #expect((message.room, message.roomKind) == (name, kind))
    }

    @Test func `a message in a thread answers its first one`() throws {
        let export = try export(Self.message(id: "abc/t1/m2"), Self.message(id: "abc/t2/t2"))
        #expect(export.messages.map(\.replyTo) == ["abc/t1/t1", nil])
    }

    @Test func `a message has its edit, files, quote, links and reactions`() throws {
        let parts = """
            , "updated_date": "Saturday, November 21, 2026 at 6:25:00 AM UTC",
            "attached_files": [{"original_name": "a.png", "export_name": "File-a.png"}],
            "quoted_message_metadata": {"creator": {"name": "bob"}, "text": "before"},
            "annotations": [{"drive_metadata": {"title": "Plan"}}, {"url_metadata": {"title": "hi"}}],
            "reactions": [{"emoji": {"unicode": "👍"}, "reactor_emails": ["bob@example.org"]}]
            """
        let message = try #require(try export(Self.message(parts)).messages.first)
        #expect(message.editedAt?.short == "21T06:25:00" && message.files == [.init(path: "File-a.png")])
        #expect(message.body == "> before\nhi\nPlan")
        #expect(message.reactions == [.init(text: "👍", user: "bob@example.org", userKey: "bob@example.org")])
    }

    @Test func `a deleted message has no text and its time of deletion`() throws {
        let deleted = """
            {"created_date": "Saturday, November 21, 2026 at 6:23:11 AM UTC", "message_id": "abc/t1/m2",
             "message_state": "DELETED", "deleted_date": "Saturday, November 21, 2026 at 6:24:00 AM UTC"}
            """
        let message = try #require(try export(deleted).messages.first)
        #expect(message.body == nil && message.sender == nil && message.deletedAt?.short == "21T06:24:00")
        let undated = deleted.replacing(#""created_date": "Saturday, November 21, 2026 at 6:23:11 AM UTC", "#, with: "")
        let other = try #require(try export(undated).messages.first)
        #expect(other.time.short == "21T06:24:00" && other.deletedAt == other.time && other.remoteID == "abc/t1/m2")
    }

    @Test(arguments: [
        (#"{"text": "x"}"#, "it has no \"created_date\""),
        (#"{"created_date": "soon"}"#, "its \"created_date\" is in an unknown form: soon"),
        ("7", "it is not a JSON object"),
    ])
    func `a message without a readable time is invalid`(message: String, reason: String) throws {
        let export = try export(message, Self.message())
        #expect(export.unreadable == [reason] && export.messages.count == 1)
    }

    @Test func `the files of a download are read in an order in which names come first`() {
        let paths = [
            "Groups/DM abc/File-a.png", "Groups/DM abc/group_info.json", "Groups/DM abc/messages.json",
            "Users/User 7/user_info.json",
        ]
        #expect(GoogleChatFormat.files(among: paths) == [3, 1, 2])
        #expect(GoogleChatFormat.files(among: ["group_info.json", "messages.json"]) == [0, 1])
        #expect(GoogleChatFormat.files(among: ["messages.json"]) == nil)
    }

    @Test(arguments: 0..<100)
    func `a damaged download never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("google-chat") {
            _ = try Export(GoogleChatFormat.self, files: [(nil, Mutation.of(sample.bytes, using: &random))])
        }
    }

    @Test func `messages are recognised by their keys`() {
        #expect(Export.recognising(#"{"messages": [\#(Self.message())]}"#, path: "messages.json") == ["google-chat"])
        #expect(Export.recognising(#"{"messages": [{"creator": "a", "text": "hi"}]}"#, path: "a.json") == [])
    }
}
