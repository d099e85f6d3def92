import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/Androz2091/discord-data-package-explorer (src/app/extractor.js) and of
/// github.com/Edouard127/discord-package-parser; support.discord.com/hc/articles/360004957991 lists the folders.
struct DiscordPackageTests {
    private static let folder = "messages/c100000000000000020"
    private static let files = [
        "account/user.json": #"{"id": "7", "username": "alice", "global_name": "Alice"}"#,
        "messages/index.json":
            #"{"100000000000000020": "a in Example", "100000000000000030": "Direct Message with bob#0"}"#,
        "\(folder)/channel.json":
            #"{"id": "100000000000000020", "type": "GUILD_TEXT", "name": "a", "guild": {"id": "1", "name": "Example"}}"#,
        "\(folder)/messages.json":
            #"[{"ID": 100000000000000100, "Timestamp": "2026-11-21 06:23:11", "Contents": "hi", "Attachments": ""}]"#,
        "messages/c100000000000000030/channel.json":
            #"{"id": "100000000000000030", "type": "DM", "recipients": ["7", "8"]}"#,
        "messages/c100000000000000030/messages.csv":
            "ID,Timestamp,Contents,Attachments\n100000000000000101,2020-11-21 06:23:11.123000+00:00,\"a, b\",\n",
    ]

    private func package(_ files: [String: String] = files) throws -> Export {
        let paths = files.keys.sorted()
        let order = try #require(DiscordPackageFormat.files(among: paths))
        return try Export(
            DiscordPackageFormat.self, files: order.map { (paths[$0], Array((files[paths[$0]] ?? "").utf8)) },
            path: paths[order[0]])
    }

    @Test func `messages have the person of the package, and Discord's ids`() throws {
        let export = try package()
        #expect(export.unreadable.isEmpty && export.assumptions.isEmpty)
        let times = try [
            #require(Export.time("2026-11-21T06:23:11.000000Z")), #require(Export.time("2020-11-21T06:23:11.123000Z")),
        ]
        #expect(
            export.messages == [
                ImportedMessage(
                    room: "a", roomKey: "100000000000000020", roomKind: .channel, kind: .message, sender: "Alice",
                    senderKey: "7", body: "hi", time: times[0], resolution: .second, remoteID: "100000000000000100"),
                ImportedMessage(
                    room: "bob", roomKey: "100000000000000030", roomKind: .direct, kind: .message, sender: "Alice",
                    senderKey: "7", body: "a, b", time: times[1], resolution: .microsecond,
                    remoteID: "100000000000000101"),
            ])
    }

    @Test func `a message has the ids that DiscordChatExporter writes for it`() throws {
        let chat = """
            {"guild": {"id": "1"}, "channel": {"id": "100000000000000020", "type": "GuildTextChat", "name": "a"},
             "messages": [{"id": "100000000000000100", "type": "Default", "timestamp": "2026-11-21T06:23:11.123+00:00",
             "content": "hi", "author": {"id": "7", "name": "alice"}}]}
            """
        let other = try #require(try Export(DiscordFormat.self, chat).messages.first)
        let own = try #require(try package().messages.first)
        #expect((own.roomKey, own.senderKey, own.remoteID) == (other.roomKey, other.senderKey, other.remoteID))
        #expect(TimeResolution.second.floor(other.time) == own.time)
    }

    @Test func `the files of a package are read in an order in which names come first`() {
        let paths = Self.files.keys.sorted()
        let read = DiscordPackageFormat.files(among: paths)?.map { paths[$0] }
        #expect(
            read == [
                "account/user.json", "messages/index.json", "\(Self.folder)/channel.json",
                "\(Self.folder)/messages.json", "messages/c100000000000000030/channel.json",
                "messages/c100000000000000030/messages.csv",
            ])
        #expect(
            DiscordPackageFormat.files(among: ["100000000000000020/channel.json", "100000000000000020/messages.csv"])
                == [0, 1])
        #expect(DiscordPackageFormat.files(among: ["c1/channel.json", "c1/messages.json"]) == nil)
        #expect(DiscordPackageFormat.files(among: ["a/b/c100000000000000020/channel.json", "user.json"]) == nil)
    }

    @Test func `a single file has the room of its folder, and the sender you`() throws {
        let messages = try #require(Self.files["\(Self.folder)/messages.json"])
        let own = try Export(DiscordPackageFormat.self, messages, path: "\(Self.folder)/messages.json")
        #expect(own.messages.map(\.told) == ["you: hi"] && own.messages.map(\.roomKey) == ["100000000000000020"])
        let given = try Export(DiscordPackageFormat.self, messages, path: "messages.json", room: "a")
        #expect(given.messages.map(\.room) == ["a"] && given.messages.map(\.roomKey) == [nil])
        #expect(throws: LogSourceError.noRoom) {
            try Export(DiscordPackageFormat.self, messages, path: "messages.json")
        }
    }

    @Test func `attachments are addresses without their signature`() throws {
        let address = "https://cdn.discordapp.com/attachments/20/1/a.png"
        let export = try Export(
            DiscordPackageFormat.self,
            #"[{"ID": 1, "Timestamp": "2026-11-21 06:23:11", "Contents": 7, "Attachments": "\#(address)?ex=1 \#(address)"}]"#,
            path: "\(Self.folder)/messages.json")
        #expect(export.messages.map(\.files) == [[.init(path: address), .init(path: address)]])
        #expect(export.messages.map(\.body) == ["7"])
    }

    @Test(arguments: [
        (#"[{"Timestamp": "2026-11-21 06:23:11"}]"#, "it has no \"ID\""),
        (#"[{"ID": 1, "Timestamp": "soon", "Contents": "x"}]"#, "its \"Timestamp\" is not a time"),
        (#"[{"ID": "", "Timestamp": "2026-11-21 06:23:11"}]"#, "its \"ID\" is empty"),
        ("[7]", "it is not a JSON object"), ("1,2026-11-21 06:23:11,x\n", "it has not 4 fields"),
        ("1,2026-11-21 06:23:11,\"x,\n", "it has not 4 fields"),
    ])
    func `an invalid message is reported with the reason`(text: String, reason: String) throws {
        let export = try Export(DiscordPackageFormat.self, text, path: "\(Self.folder)/messages.json")
        #expect(export.unreadable == [reason] && export.messages.isEmpty)
    }

    @Test(arguments: 0..<100)
    func `a damaged package never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        var files: [(path: String?, bytes: [UInt8])] = []
        for (path, text) in Self.files.sorted(by: { $0.key < $1.key }) {
            files.append((path, Mutation.of(Array(text.utf8), using: &random)))
        }
        _ = try Export(DiscordPackageFormat.self, files: files, path: "account/user.json")
    }

    @Test func `messages of a package are recognised by their keys`() throws {
        let messages = try #require(Self.files["\(Self.folder)/messages.json"])
        #expect(Export.recognising(messages, path: "messages.json") == ["discord-package"])
        #expect(Export.recognising("ID,Timestamp,Contents,Attachments\n", path: "a.csv") == ["discord-package"])
        #expect(Export.recognising(#"[{"ID": 1, "Timestamp": "x"}]"#, path: "messages.json") == [])
    }
}
