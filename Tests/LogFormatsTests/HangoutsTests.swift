import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/hossain-khan/kotlin-google-hangouts-parser (library/src/main/kotlin/dev/hossain/hangouts/
/// model), of github.com/Jessecar96/hangouts-reader (index.html) and of github.com/Fuco1/hangouts-reader; the form before
/// 2018 is in bitbucket.org/dotcs/hangouts-log-reader.
struct HangoutsTests {
    private static let head = """
        "sender_id": {"gaia_id": "8", "chat_id": "8"}, "timestamp": "1795242191123456", "event_id": "e1",
        "self_event_state": {"user_id": {"gaia_id": "7", "chat_id": "7"}}
        """

    private static func said(_ text: String) -> String {
        #"{\#(head), "chat_message": {"message_content": {"segment": [{"type": "TEXT", "text": "\#(text)"}]}}}"#
    }

    private static func document(_ events: String, type: String = "STICKY_ONE_TO_ONE", name: String = "") -> String {
        """
        {"conversations": [{"conversation": {"conversation_id": {"id": "c1"}, "conversation": {"id": {"id": "c1"},
         "type": "\(type)", "name": "\(name)", "participant_data": [
          {"id": {"gaia_id": "7", "chat_id": "7"}, "fallback_name": "alice"},
          {"id": {"gaia_id": "8", "chat_id": "8"}, "fallback_name": "bob"}]}}, "events": [\(events)]}]}
        """
    }

    private func one(_ event: String, type: String = "STICKY_ONE_TO_ONE") throws -> ImportedMessage {
        let export = try Export(HangoutsFormat.self, Self.document(event, type: type))
        #expect(export.unreadable.isEmpty)
        return try #require(export.messages.first)
    }

    @Test func `a message has the other person's room, and Google's ids`() throws {
        let time = try #require(Export.time("2026-11-21T06:23:11.123456Z"))
        #expect(
            try one(Self.said("hi"))
                == ImportedMessage(
                    room: "bob", roomKey: "c1", roomKind: .direct, kind: .message, sender: "bob", senderKey: "8",
                    body: "hi", time: time, resolution: .microsecond, remoteID: "e1"))
    }

    @Test func `a download from before 2018 has other names of parts`() throws {
        let text = """
            {"conversation_state": [{"conversation_state": {"conversation": {"id": {"id": "c1"}, "type": "GROUP",
             "name": "plans", "participant_data": [{"id": {"gaia_id": "8"}, "fallback_name": "bob"}]},
             "event": [\(Self.said("hi"))]}}]}
            """
        let message = try #require(try Export(HangoutsFormat.self, text).messages.first)
        #expect((message.room, message.roomKind, message.sender) == ("plans", .group, "bob"))
        #expect(Export.recognising(text, path: "Hangouts.json") == ["hangouts"])
    }

    @Test func `a text has its segments, and its pictures lie beside the list`() throws {
        let event = """
            {\(Self.head), "chat_message": {"message_content": {
             "segment": [{"type": "TEXT", "text": "a"}, {"type": "LINE_BREAK"}, {"type": "LINK", "text": "b"}],
             "attachment": [{"embed_item": {"plus_photo": {"url": "https://plus.google.com/x", "original_content_url": "https://lh3/a.jpg"}}},
              {"embed_item": {"place_v2": {"name": "Seoul"}}}]}}}
            """
        let message = try one(event)
        #expect(message.body == "a\nb\nSeoul")
        #expect(message.files == [.init(path: "https://lh3/a.jpg", copies: ["a.jpg"])])
    }

    @Test func `a recording is a file, and a page is its words and its address`() throws {
        let event = """
            {\(Self.head), "chat_message": {"message_content": {"attachment": [
             {"embed_item": {"type": ["PLUS_AUDIO_V2"], "plus_audio_v2": {"url": "https://lh3/a.mp3", "duration": "9"}}},
             {"embed_item": {"type": ["THING_V2"], "thing_v2": {"url": "https://example.org/", "name": "Plans"}}},
             {"embed_item": {"type": ["PLACE_V2"], "place_v2": {"url": "https://maps.example.org/"}}}]}}}
            """
        let message = try one(event)
        #expect(message.files == [.init(path: "https://lh3/a.mp3", copies: ["a.mp3"])])
        #expect(message.body == "Plans (https://example.org/)\nhttps://maps.example.org/")
    }

    @Test(arguments: [
        (#""membership_change": {"type": "JOIN", "participant_id": [{"gaia_id": "8"}]}"#, "join bob"),
        (#""membership_change": {"type": "JOIN", "participant_id": [{"gaia_id": "7"}]}"#, "invite bob: alice"),
        (#""membership_change": {"type": "LEAVE", "participant_id": [{"gaia_id": "8"}]}"#, "leave bob"),
        (#""membership_change": {"type": "LEAVE", "participant_id": [{"gaia_id": "9"}]}"#, "kick bob: 9"),
        (#""conversation_rename": {"new_name": "plans"}"#, "action bob: changed the name to plans"),
        (#""hangout_event": {"event_type": "START_HANGOUT"}"#, "action bob: called"),
        (#""hangout_event": {"event_type": "END_HANGOUT"}"#, "action bob: ended a call"),
        (
            #""chat_message": {"annotation": [{"type": 4}], "message_content": {"segment": [{"type": "TEXT", "text": "waves"}]}}"#,
            "action bob: waves"
        ),
    ])
    func `an event has its kind`(part: String, told: String) throws {
        #expect(try one("{\(Self.head), \(part)}", type: "GROUP").told == told)
    }

    @Test func `content of an unknown kind is counted by its name`() throws {
        let export = try Export(HangoutsFormat.self, Self.document(#"{\#(Self.head), "event_type": "NEW"}"#))
        #expect(export.unknownKinds.counts == ["NEW": 1])
    }

    @Test(arguments: [
        (#"{"sender_id": {"gaia_id": "8"}}"#, "it has no \"timestamp\""),
        (#"{"timestamp": "soon"}"#, "its \"timestamp\" is not a whole number"), ("7", "it is not a JSON object"),
    ])
    func `an invalid event is reported once with the reason`(event: String, reason: String) throws {
        let export = try Export(HangoutsFormat.self, Self.document(event + ", " + Self.said("hi")))
        #expect(export.unreadable == [reason] && export.messages.map(\.body) == ["hi"])
    }

    @Test(arguments: 0..<100)
    func `a damaged download never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("hangouts") {
            _ = try Export(HangoutsFormat.self, files: [(nil, Mutation.of(sample.bytes, using: &random))])
        }
    }

    @Test func `a download is recognised by its people`() {
        #expect(Export.recognising(Self.document(""), path: "a.json") == ["hangouts"])
        #expect(
            Export.recognising(#"{"conversations": [{"conversation": {"conversation": {}}}]}"#, path: "a.json") == [])
    }
}
