import ChatModel
import Foundation
import Testing

@testable import LogFormats

/// The files of a Slack export, and the rooms that their folders are.
struct SlackFilesTests {
    @Test func `an export's files are its lists, followed by each room's days`() throws {
        let paths = [
            "2026-11-21.json", "channels.json", "dms.json", "integration_logs.json", "users.json", "a/2026-11-21.json",
            "a/notes.txt", "a/x2026-11-21.json", "a/deep/2026-11-21.json", "a-b/2026-11-21.json",
            "b/2026-11-21.json", "b/2026-11-22.json",
        ]
        let files = try #require(SlackFormat.files(among: paths))
        #expect(
            files.map { paths[$0] } == [
                "users.json", "channels.json", "dms.json", "a/2026-11-21.json", "a-b/2026-11-21.json",
                "b/2026-11-21.json", "b/2026-11-22.json",
            ])
        #expect(SlackFormat.files(among: ["users.json", "a/2026-11-21.json"]) == nil)
        #expect(SlackFormat.files(among: ["channels.json", "a/2026-11-21.json"]) == nil)
        #expect(SlackFormat.files(among: ["a/users.json", "b/channels.json"]) == nil)
        #expect(SlackFormat.files(among: []) == nil)
    }

    @Test func `an organisation's export has the rooms of its workspaces`() throws {
        let day = Array("[{\(SlackTests.head), \"text\": \"hi\"}]".utf8)
        let channels: (String, String) -> [UInt8] = { Array(#"[{"id": "\#($0)", "name": "\#($1)"}]"#.utf8) }
        let all: [(path: String?, bytes: [UInt8])] = [
            ("channels.json", channels("C1", "general")), ("integration_logs.json", Array("[]".utf8)),
            ("org_users.json", SlackTests.lists[0].bytes), ("general/2026-11-21.json", day),
            ("teams/2026-11-21.json", day),
            ("teams/dev/channels.json", channels("C3", "general")), ("teams/dev/general/2026-11-21.json", day),
            ("teams/sales/canvases.json", Array("[]".utf8)), ("teams/sales/channels.json", channels("C2", "deals")),
            ("teams/sales/deals/2026-11-21.json", day), ("teams/sales/general/2026-11-21.json", day),
        ]
        let files = try #require(SlackFormat.files(among: all.compactMap(\.path)))
        let export = try Export(SlackFormat.self, files: files.map { all[$0] })
        #expect(export.unreadable == [])
        #expect(export.messages.map { $0.roomKey ?? $0.room } == ["C1", "teams", "C3", "C2", "general"])
        #expect(export.messages.allSatisfy { $0.sender == "Alice A" })
        let others = all.indices.filter { !files.contains($0) }.compactMap { all[$0].path }
        #expect(others == ["integration_logs.json", "teams/sales/canvases.json"])
        #expect(others.allSatisfy { SlackFormat.saysNothing($0) })
    }

    @Test(arguments: [
        ("canvases.json", true), ("lists.json", true), ("file_conversations.json", true), ("__avatars/U1/a.png", true),
        ("general/canvases.json", false), ("__uploads/F1/a.png", false), ("notes.json", false),
    ])
    func `files in every export are skipped without a note`(path: String, isSilent: Bool) {
        #expect(SlackFormat.saysNothing(path) == isSilent)
    }

    @Test func `a single day's file gets the room from its folder or as given`() throws {
        let day = "[{\(SlackTests.head), \"text\": \"<@U2>\"}]"
        let alone = try Export(SlackFormat.self, day, path: "export/example/2026-11-21.json")
        let message = try #require(alone.messages.first)
        #expect((message.room, message.roomKey, message.sender, message.body) == ("example", nil, "U1", "@U2"))
        let told = try Export(SlackFormat.self, day, path: "2026-11-21.json", room: "#told")
        #expect(told.messages.first?.room == "#told")
        #expect(throws: LogSourceError.noRoom) { try Export(SlackFormat.self, day, path: "2026-11-21.json") }
    }

    @Test func `a Slack export is recognised by its names and its beginning`() {
        let day = "[{\(SlackTests.head)}]"
        #expect(Export.recognising(day, path: "example/2026-11-21.json") == ["slack"])
        #expect(Export.recognising(day, path: "2026-11-21.json") == [])
        #expect(Export.recognising(day, path: "example/day.json") == [])
        #expect(Export.recognising(#"[{"id": "U1"}]"#, path: "users.json") == ["slack"])
        #expect(Export.recognising("[]", path: "users.json") == [])
        #expect(Export.recognising(#"{"id": "U1"}"#, path: "users.json") == [])
    }
}
