import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form of today is that of github.com/BitwiseSang/SnapVault (tests/parsers/parsers.test.ts), of
/// github.com/Kvilt1/Snap (src/types/snapchat.ts) and of github.com/vanillaiice/snaparser (parser/parser_test.go). The
/// early form is that of github.com/abrignoni/RLEAPP (scripts/artifacts/snapChathistory.py) and of
/// github.com/raleighlittles/Snapchat-Chats-And-Location-Analyzer (snapchat_chat_parser.py).
struct SnapchatTests {
    private static func message(_ parts: String = "", content: String = #""hi""#, isOwn: Bool = false) -> String {
        """
        {"From": "\(isOwn ? "alice" : "bob")", "Media Type": "TEXT", "Created": "2026-11-21 06:23:11 UTC",
         "Content": \(content), "IsSender": \(isOwn)\(parts)}
        """
    }

    private func read(_ messages: String..., key: String = "bob") throws -> Export {
        try Export(SnapchatFormat.self, #"{"\#(key)": [\#(messages.joined(separator: ", "))]}"#)
    }

    @Test func `a message is in the room of its list, to the millisecond`() throws {
        let export = try read(Self.message(#", "Created(microseconds)": 1795242191123"#), Self.message(isOwn: true))
        #expect(export.unreadable.isEmpty)
        let time = try #require(Export.time("2026-11-21T06:23:11.123000Z"))
        #expect(
            export.messages.first
                == ImportedMessage(
                    room: "bob", roomKey: "bob", roomKind: .direct, kind: .message, sender: "bob", senderKey: "bob",
                    body: "hi", time: time, resolution: .microsecond))
        #expect(export.messages.map(\.told) == ["bob: hi", "you: hi"])
    }

    @Test func `the lists of two people are two rooms, and a group has its title`() throws {
        let group = "0a0a0a0a-0000-4000-8000-0a0a0a0a0a0a"
        let text = """
            {"bob": [\(Self.message())], "carol": [\(Self.message())],
             "\(group)": [\(Self.message(#", "Conversation Title": "plans""#))]}
            """
        let export = try Export(SnapchatFormat.self, text)
        #expect(export.messages.map(\.room) == ["bob", "carol", "plans"])
        #expect(export.messages.map(\.roomKey) == ["bob", "carol", group])
        #expect(export.messages.map(\.roomKind) == [.direct, .direct, .group])
    }

    @Test(arguments: [
        (#""Created": "2026-11-21 06:23:11 UTC""#, "21T06:23:11"),
        (#""Created": "2026-11-21T06:23:11Z""#, "21T06:23:11"),
        (#""Created": "Sat Nov 21 06:23:11 UTC 2026""#, "21T06:23:11"),
        (#""Created": "x", "Created(microseconds)": 1795242191123456"#, "21T06:23:11"),
    ])
    func `a time is read in each of its forms`(part: String, time: String) throws {
        let export = try read(#"{"From": "bob", "Media Type": "TEXT", \#(part), "Content": "hi", "IsSender": false}"#)
        #expect(export.messages.map(\.time.short) == [time])
    }

    @Test func `an early download has lists for kinds, and names the other person`() throws {
        let text = """
            {"Received Saved Chat History": [{"From": "bob", "Media Type": "TEXT", "Created": "2021-08-19 12:00:00 UTC", "Text": "hi"}],
             "Sent Saved Chat History": [{"To": "bob", "Media Type": "TEXT", "Created": "2021-08-19 12:01:00 UTC", "Text": "it&#39;s &lt;b&gt;"}]}
            """
        let export = try Export(SnapchatFormat.self, text)
        #expect(export.messages.map(\.told) == ["bob: hi", "you: it's <b>"])
        #expect(export.messages.allSatisfy { $0.room == "bob" && $0.isDirect })
        #expect(Export.recognising(text, path: "chat_history.json") == ["snapchat"])
    }

    @Test func `files have their ids, and texts that were not kept are counted`() throws {
        let export = try read(
            Self.message(#", "Media IDs": "b~a | b~b""#, content: "null"), Self.message(content: "null"))
        #expect(export.messages.map { $0.files.map(\.path) } == [["b~a", "b~b"], []])
        #expect(export.messages[0].files[1].copies?.first == "chat_media/2026-11-21_b~b.jpg")
        #expect(export.messages.map(\.body) == [nil, nil])
        #expect(export.assumptions == ["messages without their text, which Snapchat did not keep: 1"])
    }

    @Test(arguments: [
        ("STATUSERASEDMESSAGE", "action bob: deleted a message"),
        ("STATUSCALLMISSEDVIDEO", "action bob: called: missed"),
        ("STATUSNEW", "action bob: new"), ("STATUS", "action bob: changed the status"), ("STICKER", "bob: [sticker]"),
    ])
    func `a kind of message gives its words`(type: String, told: String) throws {
        let message = Self.message(content: #""""#).replacing(#""TEXT""#, with: "\"\(type)\"")
        #expect(try read(message).messages.map(\.told) == [told])
    }

    @Test func `the list of snaps that were not saved is read, too`() throws {
        let export = try read(
            #"{"From": "bob", "Media Type": "IMAGE", "Created": "2026-11-21 06:23:11 UTC", "Conversation Title": null, "IsSender": false, "Created(microseconds)": 1795242191123}"#
        )
        #expect(export.messages.map(\.told) == ["bob: [image]"])
    }

    @Test(arguments: [
        (#"{"From": "bob"}"#, "it has no \"Created\""),
        (#"{"From": "bob", "Created": "soon"}"#, "its \"Created\" is not a time"),
        (#"{"Created": "2026-11-21 06:23:11 UTC"}"#, "it names nobody"), ("7", "it is not a JSON object"),
    ])
    func `an invalid message is reported once with the reason`(message: String, reason: String) throws {
        let export = try read(message, Self.message())
        #expect(export.unreadable == [reason] && export.messages.count == 1)
    }

    @Test(arguments: 0..<100)
    func `a damaged download never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("snapchat") {
            _ = try Export(SnapchatFormat.self, files: [(nil, Mutation.of(sample.bytes, using: &random))])
        }
    }

    @Test func `a place of any key gives each piece its keys`() {
        let cutter = JSONPieceCutter(places: ["*.name", "*.messages.*"], maximumPiece: 100)
        let text = #"{"a": {"name": "x", "messages": {"1": {}, "2\u0041": {}}}, "b": {"other": [1], "name": "y"}}"#
        for size in [1, 7, 1000] {
            let pieces = JSONPieces.cut(Array(text.utf8), by: size, cutter)
            #expect(
                pieces.map(\.keys) == [
                    ["a", "name"], ["a", "messages", "1"], ["a", "messages", "2A"], ["b", "name"],
                ])
            #expect(pieces.map(\.place) == [".*.name", ".*.messages.*", ".*.messages.*", ".*.name"])
        }
    }
}
