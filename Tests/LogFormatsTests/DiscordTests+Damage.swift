import ChatModel
import Foundation
import Testing

@testable import LogFormats

/// Exports that are invalid, damaged or not those of the program.
extension DiscordTests {
    @Test(arguments: [
        (#"{"type": "Default"}"#, "it has no \"id\""), (#"{\#(head), "content": "x"}"#, "it has no \"author\""),
        (#"{\#(head), \#(alice), "content": 7}"#, "its \"content\" has the wrong type"),
        (
            #"{\#(head), \#(alice), "reactions": [{"emoji": {}, "count": {}}]}"#,
            "its \"reactions[0].count\" has the wrong type"
        ),
        (#"{"id": "1", "type": "Default", "timestamp": "yesterday", \#(alice)}"#, "its \"timestamp\" is not a time"),
        (#"{\#(head), \#(alice), "timestampEdited": "2026-02-31T06:23:11Z"}"#, "its \"timestampEdited\" is not a time"),
        ("7", "it is not a JSON object"), ("{nonsense}", "it is not JSON"),
    ])
    func `an invalid message is reported with the reason`(message: String, reason: String) throws {
        #expect(try Export(DiscordFormat.self, Self.document(message)).unreadable == [reason])
    }

    @Test func `the beginning of an interrupted download is read`() throws {
        let whole = #"{\#(Self.head), "content": "x", \#(Self.alice)}"#
        let text = Self.document("\(whole),\n\(whole)")
        let half = try Export(DiscordFormat.self, String(text.prefix(text.count - 80)))
        #expect((half.messages.count, half.unreadable) == (1, ["it is not JSON"]))
        let between = try Export(DiscordFormat.self, String(text.prefix(text.count - 20)))
        #expect((between.messages.count, between.unreadable) == (2, ["the file ends in the middle of its JSON"]))
    }

    @Test func `without a channel, no message is read`() throws {
        let export = try Export(DiscordFormat.self, #"{"messages": [{\#(Self.head), "content": "x", \#(Self.alice)}]}"#)
        #expect(export.unreadable == ["the export names no channel before it"])
    }

    @Test func `a Discord export is recognised by its beginning`() {
        #expect(Export.recognising(Self.document("{}"), path: "a.json") == ["discord"])
        #expect(Export.recognising("\u{FEFF}" + Self.document(""), path: "") == ["discord"])
        #expect(Export.recognising(#"{"guild": {"id": 1}, "messages": []}"#, path: "a.json") == [])
        #expect(
            Export.recognising(#"{"id": "2026-11-21T06:23:11.123456Z", "channel": {"id": "1"}}"#, path: "") == ["jsonl"]
        )
    }

    @Test(arguments: 0..<300)
    func `a damaged sample never traps, and each piece gives a message or an error`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let whole =
            #"{\#(Self.head), "content": "x", "reactions": [{"emoji": {"name": "a"}, "count": 1}], \#(Self.alice)}"#
        let sample = Array(Self.document([whole, whole, whole].joined(separator: ",\n")).utf8)
        let bytes = Mutation.of(sample, using: &random)
        let pieces = JSONPieces.cut(bytes, by: nil, DiscordFormat.cutter())
        let export = try Export(DiscordFormat.self, files: [(nil, bytes)])
        let others = pieces.count { ["guild.iconUrl", "channel", "exportedAt"].contains($0.place) }
        #expect(export.messages.count + export.unreadable.count + others >= pieces.count)
        #expect(export.parsed.count == pieces.count + 1)
    }

    @Test func `a message with too many values is invalid, and the next one is read`() throws {
        func message(_ id: Int, _ embeds: Int) -> String {
            let embeds = Array(repeating: "{}", count: embeds).joined(separator: ",")
            return
                #"{"id": \#(id), "type": "Default", "timestamp": "2026-11-21T06:23:11Z", "author": {"id": 7}, "embeds": [\#(embeds)]}"#
        }
        let text =
            #"{"guild": {"id": 1}, "channel": {"id": 2, "name": "x"}, "messages": [\#(message(1, 100_000)), \#(message(2, 40_000))]}"#
        let export = try Export(DiscordFormat.self, text)
        #expect(export.unreadable == ["more than 100000 values"])
        #expect(export.messages.map(\.remoteID) == ["2"])
    }
}
