import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/threema-ch/threema-android (app/src/main/java/ch/threema/app/backuprestore/csv: Tags.java,
/// BackupService.java, RestoreService.java; app/src/main/java/ch/threema/storage/models/data/status) and of
/// github.com/Toubster/threema-chat-transfer (core/tmcore/lib/android_normalize.py, fixtures/gen_android_backup.py).
struct ThreemaTests {
    private static let columns = [
        "apiid", "uid", "identity", "isoutbox", "messagestae", "posted_at", "created_at", "type", "body",
        "isstatusmessage",
        "caption", "quoted_message_apiid", "g_msg_states", "edited_at", "deleted_at",
    ]
    private static let time = "1795242191123"

    /// Returns a table as the app writes it: each field in quotes, backslashes and quotes twice.
    private static func table(_ columns: [String], _ rows: [[String]]) -> String {
        ([columns] + rows).map { fields in
            fields.map { "\"\($0.replacing("\\", with: "\\\\").replacing("\"", with: "\"\""))\"" }.joined(
                separator: ",") + "\n"
        }.joined()
    }

    /// Returns a table of messages, in which each row has the given fields and usual ones.
    private static func messages(_ rows: [[String: String]]) -> String {
        let usual = ["apiid": "0708", "uid": "u1", "isoutbox": "0", "posted_at": time, "type": "TEXT", "body": "hi"]
        return table(columns, rows.map { row in columns.map { row[$0] ?? usual[$0] ?? "" } })
    }

    private static let facts = [
        "contacts.csv": table(
            ["identity", "publickey", "firstname", "lastname", "nick_name", "identity_id"],
            [
                ["ABCD1234", "00", "민수", "", "m", "1000000001"], ["EFGH5678", "00", "", "", "Bob", "1000000002"],
                ["IJKL9012", "00", "", "", "", "1000000003"],
            ]),
        "groups.csv": table(
            ["id", "creator", "groupname", "members", "groupDesc", "group_uid"],
            [
                ["00aa", "ABCD1234", "plans", "ABCD1234;EFGH5678;OWNR0001", "lunch", "2000000001"],
                ["00bb", "OWNR0001", "", "ABCD1234;EFGH5678;OWNR0001", "", "2000000002"],
            ]),
        "ballot.csv": table(["id", "aid", "creator", "name"], [["7", "00cc", "ABCD1234", "when?"]]),
        "ballot_choice.csv": table(
            ["id", "ballot", "aid", "name"],
            [["1", "00cc-ABCD1234", "0", "now"], ["2", "00cc-ABCD1234", "1", "later"]]),
        "contact_reactions.csv": table(
            ["identity", "api_message_id", "sender_identity", "emoji_sequence", "reacted_at"],
            [["ABCD1234", "0102", "ABCD1234", "😀", time], ["ABCD1234", "0102", "OWNR0001", "👍", ""]]),
        "group_reactions.csv": table(
            [
                "api_group_id", "group_creator_identity", "api_message_id", "sender_identity", "emoji_sequence",
                "reacted_at",
            ],
            [["00aa", "ABCD1234", "0304", "EFGH5678", "🎉", ""]]),
    ]

    private func backup(_ tables: [String: String]) throws -> Export {
        let files = Self.facts.merging(tables) { $1 }
        let paths = files.keys.sorted()
        let order = try #require(ThreemaFormat.files(among: paths))
        return try Export(
            ThreemaFormat.self, files: order.map { (paths[$0], Array((files[paths[$0]] ?? "").utf8)) },
            path: "backup/" + paths[order[0]])
    }

    private func chat(_ rows: [String: String]..., name: String = "message_1000000001.csv") throws -> Export {
        try backup([name: Self.messages(rows)])
    }

    @Test func `a message has its contact, its id and its time`() throws {
        let export = try chat(["body": "안녕, \"민수\"\n\\o/"])
        let time = try #require(Export.time("2026-11-21T06:23:11.123000Z"))
        #expect(
            export.messages == [
                ImportedMessage(
                    room: "민수", roomKey: "ABCD1234", roomKind: .direct, kind: .message, sender: "민수",
                    senderKey: "ABCD1234", body: "안녕, \"민수\"\n\\o/", time: time, resolution: .microsecond,
                    remoteID: "0708")
            ])
        #expect(export.unreadable.isEmpty && export.assumptions.isEmpty && export.hasOwnRooms)
    }

    @Test func `a person is called by first and last name, else by nickname, else by identity`() throws {
        let names = try ["message_1000000002.csv", "message_1000000003.csv"].map {
            try chat([:], name: $0).messages[0].room
        }
        #expect(names == ["Bob", "IJKL9012"])
    }

    @Test func `your messages are yours`() throws {
        let export = try chat(["isoutbox": "1"])
        #expect(export.messages.map(\.told) == ["you: hi"] && export.messages[0].senderKey == nil)
    }

    @Test func `a group is known by its id and creator, and called by its name or its members`() throws {
        let row = ["apiid": "0304", "identity": "EFGH5678"]
        let export = try backup([
            "group_message_2000000001.csv": Self.messages([row]), "group_message_2000000002.csv": Self.messages([row]),
        ])
        #expect(export.messages.map(\.room) == ["plans", "민수, Bob"])
        #expect(export.messages.map(\.roomKey) == ["00aa-ABCD1234", "00bb-OWNR0001"])
        #expect(
            export.messages.map(\.roomKind) == [.group, .group] && export.messages.map(\.sender) == ["Bob", "Bob"])
        #expect(export.messages.map { $0.facts?.description } == ["lunch", nil])
    }

    @Test func `a message to a list of people is in the list's room`() throws {
        let lists = Self.table(["id", "distribution_list_name"], [["9", "class"]])
        let export = try backup([
            "distribution_list.csv": lists,
            "distribution_list_message_9.csv": Self.messages([["isoutbox": "1"]]),
        ])
        #expect(export.messages.map(\.room) == ["class"] && export.messages.map(\.told) == ["you: hi"])
    }

    @Test func `a message has its reactions, and the owner's are yours`() throws {
        let export = try chat(["apiid": "0102"])
        let time = Export.time("2026-11-21T06:23:11.123000Z")
        #expect(
            export.messages.first?.reactions == [
                .init(text: "😀", user: "민수", userKey: "ABCD1234", at: time), .init(text: "👍", user: "you"),
            ])
        let group = try backup([
            "group_message_2000000001.csv": Self.messages([["apiid": "0304", "identity": "ABCD1234"]])
        ])
        #expect(group.messages.first?.reactions == [.init(text: "🎉", user: "Bob", userKey: "EFGH5678")])
    }

    @Test func `the agreement of older versions is a reaction`() throws {
        let export = try chat(
            ["messagestae": "USERACK"], ["messagestae": "USERDEC", "isoutbox": "1"], ["messagestae": "READ"])
        #expect(export.messages.map { $0.reactions.map { "\($0.text) \($0.user)" } } == [["👍 you"], ["👎 민수"], []])
        let states = #"{"EFGH5678": "USERACK", "OWNR0001": "USERDEC", "IJKL9012": "READ"}"#
        let group = try backup([
            "group_message_2000000001.csv": Self.messages([
                ["identity": "ABCD1234", "g_msg_states": states], ["identity": "ABCD1234", "g_msg_states": "{"],
            ])
        ])
        #expect(group.messages.map { $0.reactions.map { "\($0.text) \($0.user)" } } == [["👍 Bob", "👎 you"], []])
    }

    @Test func `an answer, an edited and a deleted message`() throws {
        let later = Export.time("2026-11-21T06:24:11.123000Z")
        let export = try chat(
            ["quoted_message_apiid": "0506"], ["edited_at": "1795242251123"],
            ["body": "", "deleted_at": "1795242251123"])
        #expect(export.messages.map(\.replyTo) == ["0506", nil, nil])
        #expect(export.messages.map(\.editedAt) == [nil, later, nil])
        #expect(export.messages.map(\.deletedAt) == [nil, nil, later] && export.messages[2].body == nil)
    }

    @Test(arguments: [
        ("hi @[EFGH5678]!", "hi @Bob!"), ("@[@@@@@@@@] @[OWNR0001]", "@all @you"), ("@[x] @[", "@[x] @["),
        ("@[ZZZZ9999]", "@ZZZZ9999"), ("> ABCD1234: hi\nho", "> ABCD1234: hi\nho"),
    ])
    func `a mention is a name`(text: String, body: String) throws {
        #expect(try chat(["body": text]).messages.map(\.body) == [body])
    }

    @Test(arguments: [
        (#"["id","secret","image/jpeg",1024,"a.jpg",1,true,"look",null,{}]"#, "a.jpg", "look"),
        (#"["id","secret","image/jpeg",1024,null,1,true,null,null,{}]"#, "image", "caption"),
        (#"["id","secret","text/csv",1024,"contacts.csv",1]"#, "message_media_u1", "caption"),
        (#"["id","secret","text/plain",1024,"./identity",1]"#, "message_media_u1", "caption"),
    ])
    func `a file has its name, its size and its place in the backup`(body: String, name: String, text: String) throws {
        let message = try #require(try chat(["type": "FILE", "body": body, "caption": "caption"]).messages.first)
        #expect(message.files == [.init(path: name, size: 1024, copies: ["message_media_u1"])] && message.body == text)
        #expect(!"\(message)".contains("secret"))
    }

    @Test(arguments: [("IMAGE", "image"), ("VIDEO", "video"), ("VOICEMESSAGE", "voice message")])
    func `a file of an older version is called by its type`(type: String, name: String) throws {
        let message = try #require(try chat(["type": type, "body": #"[true,"key","id"]"#]).messages.first)
        #expect(message.files == [.init(path: name, copies: ["message_media_u1"])] && message.body == nil)
    }

    @Test(arguments: [
        ("LOCATION", "[37.5,127.0,12.0,\"Sejong-daero\",\"City Hall\"]", "민수: City Hall\nSejong-daero\n37.5, 127.0"),
        ("LOCATION", "[37.5,127.0,null,null,null]", "민수: 37.5, 127.0"), ("CONTACT", "bob", "민수: bob"),
        ("BALLOT", "[1,7]", "민수: when?\n- now\n- later"), ("BALLOT", "[1,8]", "민수: [poll]"),
        ("BALLOT", "[3,7]", "민수 action: ended the poll: when?"), ("STATUS", "x", "system: x"),
        ("VOIP_STATUS", "[1,{\"status\":2,\"duration\":42}]", "민수 action: called (42 seconds)"),
        ("VOIP_STATUS", "[1,{\"status\":1}]", "민수 action: called: missed"),
        ("VOIP_STATUS", "[1,{\"status\":3,\"reason\":1}]", "민수 action: called: rejected"),
        ("GROUP_CALL_STATUS", "[2,{\"status\":1,\"callerIdentity\":\"EFGH5678\"}]", "Bob action: called"),
        ("GROUP_CALL_STATUS", "[2,{\"status\":2}]", "system: the call ended"),
        ("GROUP_STATUS", "[4,{\"status\":1,\"newGroupName\":\"x\"}]", "system: the group was renamed to x"),
        ("GROUP_STATUS", "[4,{\"status\":3,\"identity\":\"EFGH5678\"}]", "Bob join"),
        ("GROUP_STATUS", "[4,{\"status\":4,\"identity\":\"OWNR0001\"}]", "you leave"),
        ("GROUP_STATUS", "[4,{\"status\":5,\"identity\":\"EFGH5678\"}]", "system: Bob was removed"),
        (
            "GROUP_STATUS", "[4,{\"status\":8,\"identity\":\"EFGH5678\",\"ballotName\":\"when?\"}]",
            "system: Bob voted: when?"
        ),
    ])
    func `a message has the text of its type`(type: String, body: String, told: String) throws {
        let export = try chat(["type": type, "body": body])
        let shown = export.messages.map { message in
            let kind = [.message, .system].contains(message.kind) ? "" : " \(message.kind.rawValue)"
            return (message.sender ?? "system") + kind + (message.body.map { ": \($0)" } ?? "")
        }
        #expect(shown == [told] && export.unreadable.isEmpty && export.unknownKinds == UnknownKinds())
    }

    @Test func `a sentence of the app is of nobody, and an unknown type is counted`() throws {
        let export = try chat(
            ["isstatusmessage": "1", "body": "x"], ["type": "FORWARD_SECURITY_STATUS", "body": "[3,{}]"],
            ["type": "NEW", "body": "x"])
        #expect(export.messages.map(\.kind) == [.system, .message] && export.messages.map(\.body) == ["x", nil])
        #expect(export.unknownKinds.counts == ["NEW": 1])
    }

    @Test(arguments: [
        (["posted_at": "", "created_at": "x"], "it has no time"), (["posted_at": "100000000000000"], "it has no time"),
        (["type": "FILE", "body": "[]"], "its body is not that of a file"),
        (["type": "FILE", "body": "["], "it is not JSON"),
        (["type": "LOCATION", "body": "[1]"], "its body is not that of a place"),
        (["type": "BALLOT", "body": "[1]"], "its body is not that of a poll"),
        (["type": "VOIP_STATUS", "body": "[1]"], "its body has no details"),
    ])
    func `a message that can't be read is reported`(row: [String: String], reason: String) throws {
        let export = try chat(row, [:])
        #expect(export.unreadable == [reason] && export.messages.map(\.body) == ["hi"])
    }

    @Test
    func `a group's message without a sender is reported, and a chat's time is that of its arrival without another`()
        throws
    {
        let export = try backup(["group_message_2000000001.csv": Self.messages([[:]])])
        #expect(export.unreadable == ["it names no sender"])
        let created = try chat(["posted_at": "", "created_at": Self.time])
        #expect(created.messages.map(\.time) == [Export.time("2026-11-21T06:23:11.123000Z")])
    }

    @Test func `the tables are read before the messages, and other files say nothing`() throws {
        let paths = [
            "ballot.csv", "contacts.csv", "group_message_2000000001.csv", "groups.csv", "identity", "message_1.csv",
            "message_media_u1", "settings", "sub/contacts.csv",
        ]
        #expect(ThreemaFormat.files(among: paths) == [1, 3, 0, 2, 5])
        #expect(ThreemaFormat.files(among: ["contacts.csv", "a.csv"]) == nil)
        #expect(ThreemaFormat.files(among: ["message_1.csv"]) == nil)
        #expect(paths.filter { ThreemaFormat.saysNothing($0) } == ["identity", "settings"])
    }

    @Test(arguments: FormatSample.of("threema"))
    func `a table alone is read with the identities in its name and rows`(sample: FormatSample) throws {
        let export = try Export(ThreemaFormat.self, files: [(nil, sample.bytes)], path: sample.path)
        let isGroup = sample.path.contains("group")
        #expect(
            export.messages.map(\.told)
                == (isGroup ? ["EFGH5678: look"] : ["ABCD1234: 안녕, \"민수\"", "you: two\nlines"]))
        #expect(export.messages.map(\.roomKey) == (isGroup ? ["00112233aabbccdd-ABCD1234"] : ["ABCD1234", "ABCD1234"]))
        #expect(export.unreadable.isEmpty && !export.hasOwnRooms)
    }

    @Test func `a table alone can be given a room, and needs one without a name`() throws {
        let table = Self.messages([[:]])
        #expect(try Export(ThreemaFormat.self, table, path: "", room: "x").messages.map(\.room) == ["x"])
        #expect(throws: LogSourceError.noRoom) { try Export(ThreemaFormat.self, table, path: "a.csv") }
    }

    @Test func `a table is recognised by its columns`() {
        #expect(Export.recognising(Self.messages([[:]]), path: "message_1.csv") == ["threema"])
        #expect(Export.recognising("\"apiid\",\"type\",\"body\"\n", path: "message_1.csv") == [])
    }

    @Test func `a long or an unclosed field is reported`() throws {
        let long = String(repeating: "x", count: ThreemaFormat.maximumLine)
        let export = try chat(["body": long], [:])
        #expect(export.unreadable.first?.hasPrefix("longer than \(ThreemaFormat.maximumLine) bytes") ?? false)
        #expect(export.messages.map(\.body) == ["hi"])
        let cut = try Export(ThreemaFormat.self, String(Self.messages([[:]]).dropLast(2)), path: "message_ABCD1234.csv")
        #expect(cut.unreadable == ["a quote is not closed"] && cut.messages.isEmpty)
    }

    @Test func `many mentions of a long name are no more than a text`() throws {
        let contacts = Self.table(["identity", "nick_name"], [["ABCD1234", String(repeating: "n", count: 1000)]])
        let body = String(repeating: "@[ABCD1234]", count: 50_000)
        let export = try backup([
            "contacts.csv": contacts, "message_ABCD1234.csv": Self.messages([["body": body]]),
        ])
        #expect(export.messages.map(\.flags) == [.oversize])
    }

    @Test(arguments: 0..<100)
    func `a damaged table never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("threema") {
            _ = try Export(
                ThreemaFormat.self, files: [(nil, Mutation.of(sample.bytes, using: &random))], path: sample.path)
        }
    }
}
