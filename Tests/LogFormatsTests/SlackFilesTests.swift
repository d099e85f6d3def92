import ChatModel
import Foundation
import Testing

@testable import LogFormats

/// The files of a Slack export, and the rooms that their folders are. The forms of canvases, lists, transcripts and
/// comments on canvases are those of github.com/gabrielmicro1/cdp-harness (tests/fixtures/make_slack_export_mini.py) and
/// of github.com/zulip/zulip (pull request 38650); Slack's help (slack.com/help/articles/220556107) names the files.
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
        #expect(others == ["integration_logs.json"])
        #expect(others.allSatisfy { SlackFormat.saysNothing($0) })
    }

    @Test(arguments: [
        ("integration_logs.json", true), ("content_flags.json", true), ("__avatars/U1/a.png", true),
        ("canvases.json", false), ("general/integration_logs.json", false), ("__uploads/F1/a.png", false),
        ("notes.json", false),
    ])
    func `files in every export are skipped without a note`(path: String, isSilent: Bool) {
        #expect(SlackFormat.saysNothing(path) == isSilent)
    }

    @Test func `a canvas and a list are actions in their room, and comments on a canvas are a room`() throws {
        func document(_ id: String, _ title: String, _ place: String) -> String {
            """
            [{"id": "\(id)", "created": 1795242180, "title": "\(title)", "name": "x", "user": "U1", \(place),
             "permalink": "https://example.org/docs/\(id)?token=xoxe-1", "url_private_download": "https://example.org/x"}]
            """
        }
        let room = #""shares": [{"team": "T1", "channel": "C1"}]"#
        let more: [(path: String?, bytes: [UInt8])] = [
            ("file_conversations.json", #"[{"id": "C9", "name": "FC:F1:Links", "members": ["U1", "U3"]}]"#),
            ("canvases.json", document("F1", "Links", room)),
            ("lists.json", document("F2", "To-do", #""shares": [], "channels": ["C1"]"#)),
            ("huddle_transcripts.json", document("F3", "x", #""shares": []"#)),
            ("FC:F1:Links/2026-11-21.json", #"[{\#(SlackTests.head), "text": "good"}]"#),
        ].map { ($0.0, Array($0.1.utf8)) }
        let all = SlackTests.lists + more
        let order = try #require(SlackFormat.files(among: all.compactMap(\.path)))
        #expect(order.suffix(5).map { all[$0].path } == more.map(\.path))
        let export = try Export(SlackFormat.self, files: order.map { all[$0] })
        #expect(export.unreadable == [])
        #expect(
            export.messages.map { "\($0.room) \($0.told)" } == [
                "example action Alice A: created the canvas Links", "example action Alice A: created the list To-do",
                "Links Alice A: good",
            ])
        #expect(export.messages.map(\.remoteID).prefix(2) == ["F1", "F2"])
        #expect(export.messages.first?.files.map(\.path) == ["https://example.org/docs/F1"])
        #expect(export.assumptions == ["canvases, lists and transcripts left out, because they have no room: 1"])
        #expect(SlackFormat.files(among: ["canvases.json", "users.json"]) == nil)
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
