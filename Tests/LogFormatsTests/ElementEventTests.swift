import ChatModel
import Foundation
import Testing

@testable import LogFormats

/// Texts of Matrix events in all their forms, and events that mean nothing to people.
struct ElementEventTests {
    private func one(_ event: String) throws -> ImportedMessage {
        let export = try Export(ElementFormat.self, ElementTests.document(event))
        #expect(export.unreadable.isEmpty)
        return try #require(export.messages.first)
    }

    @Test(arguments: [
        ("> <@bob:example.org> old\\n> words\\n\\nhi", "hi"), ("> * <@bob:example.org> waves\\n\\nhi\\n> x", "hi\n> x"),
        ("> <@bob:example.org:8448> old\\n>\\n> words\\n\\n\\n> my own\\nhi", "> my own\nhi"),
        ("> my own quote\\nhi", "> my own quote\nhi"), ("> only a quote", "> only a quote"),
        ("> <b> is a tag\\n\\nhi", "> <b> is a tag\n\nhi"), ("> <@nobody> said\\n\\nhi", "> <@nobody> said\n\nhi"),
        ("> * a list\\n\\nhi", "> * a list\n\nhi"), (">no space\\n\\nhi", ">no space\n\nhi"),
        ("> <@bob:example.org> wrote\\nhi", "> <@bob:example.org> wrote\nhi"),
        ("> <@bob:example.org> alone", "> <@bob:example.org> alone"),
        ("hi\\n> <@bob:example.org> old\\n\\nx", "hi\n> <@bob:example.org> old\n\nx"),
    ])
    func `only the quote that programs wrote before a reply is dropped`(body: String, shown: String) throws {
        for relation in [
            #"{"m.in_reply_to": {"event_id": "$0"}}"#,
            #"{"rel_type": "m.thread", "event_id": "$r", "m.in_reply_to": {"event_id": "$0"}, "is_falling_back": true}"#,
        ] {
            let content = #""msgtype": "m.text", "body": "\#(body)", "m.relates_to": \#(relation)"#
            #expect(try one(ElementTests.event("m.room.message", content)).body == shown)
        }
        #expect(try one(ElementTests.said(body)).body == body.replacing("\\n", with: "\n"), "no answer, no quote")
    }

    @Test(arguments: [
        (
            #""m.poll": {"question": {"m.text": [{"mimetype": "text/html", "body": "<b>Q?</b>"}, {"body": "Q?"}]}, "answers": []}"#,
            "Q?"
        ),
        (
            #""m.poll": {"question": {"m.text": [{"mimetype": "text/html", "body": "<b>a</b> &amp; b<br>c"}]}, "answers": []}"#,
            "a & b\nc"
        ),
        (
            #""m.poll": {"question": {"m.text": [{"body": "Q?"}]}, "answers": [{"m.id": "1", "m.text": [{"mimetype": "text/html", "body": "<i>x</i>"}, {"mimetype": "text/plain; charset=utf-8", "body": "x"}]}]}"#,
            "Q?\n- x"
        ),
        (#""org.matrix.msc1767.html": "<b>Q?</b>", "org.matrix.msc1767.text": "Q? yes""#, "Q? yes"),
        (#""body": "Q?""#, "Q?"),
    ])
    func `a poll has its plain texts, and HTML without tags`(content: String, shown: String) throws {
        for type in ["m.poll.start", "org.matrix.msc3381.poll.start"] {
            #expect(try one(ElementTests.event(type, content)).body == shown)
        }
    }

    @Test(arguments: ["m.poll.start", "org.matrix.msc3381.poll.start"])
    func `an edited poll has its new question and choices`(type: String) throws {
        func poll(_ question: String) -> String {
            #""\#(type)": {"question": {"body": "\#(question)"}, "answers": [{"id": "1", "org.matrix.msc1767.text": "now"}]}"#
        }
        let relation = #""m.relates_to": {"rel_type": "m.replace", "event_id": "$1"}"#
        let new = #""m.new_content": {\#(poll("where?"))}"#
        let edit = ElementTests.event(
            type, #""body": "* where?", \#(new), \#(relation)"#, id: "$2", at: 1_795_242_200_000)
        let document = ElementTests.document([ElementTests.event(type, poll("when?")), edit].joined(separator: ","))
        let messages = try Export(ElementFormat.self, document).messages
        #expect(messages.map(\.body) == ["when?\n- now", "where?\n- now"])
        let bundle = #", "unsigned": {"m.relations": {"m.replace": \#(edit)}}"#
        let edited = try one(ElementTests.event(type, poll("when?"), bundle))
        #expect((edited.body, edited.versions.map(\.body)) == ("where?\n- now", ["when?\n- now"]))
        let event = try MatrixEvent(Array(edit.utf8), nameOf: { $0 })
        #expect(event.meaning == .edit(of: "$1", .init(kind: .message, body: "where?\n- now", flags: [])))
        let whole = try MatrixEvent(Array(ElementTests.event(type, poll("when?"), bundle).utf8), nameOf: { $0 })
        #expect(whole.latestEdit?.said.body == "where?\n- now" && whole.latestEdit?.id == "$2")
    }

    @Test(arguments: [
        "m.key.verification.start", "m.key.verification.ready", "m.key.verification.accept", "m.key.verification.key",
        "m.key.verification.mac", "m.key.verification.done", "m.key.verification.cancel", "m.rtc.decline",
        "m.call.member", "org.matrix.msc3401.call.member", "m.rtc.member", "m.call.reject", "m.call.answer", "m.beacon",
        "org.matrix.msc3672.beacon", "m.bridge", "uk.half-shot.bridge", "m.room.bot.options", "m.image_pack",
        "m.poll.response", "m.room.power_levels", "m.room.server_acl", "m.room.join_rules", "m.room.canonical_alias",
        "m.some.later.type", "org.example.own",
    ])
    func `an event without meaning for people is not a message`(type: String) throws {
        for more in ["", #", "state_key": """#] {
            let event = ElementTests.event(type, #""body": "not for people""#, more)
            let export = try Export(ElementFormat.self, ElementTests.document(event))
            #expect(export.messages.isEmpty && export.unreadable.isEmpty)
            let meaning = try MatrixEvent(Array(event.utf8), nameOf: { $0 }).meaning
            switch meaning {
            case .nothing, .alias: break
            default: Issue.record("\(meaning)")
            }
        }
    }

    @Test(
        arguments: [
            ("m.message", #""m.text": [{"body": "hi"}]"#, .message, "hi", []),
            (
                "org.matrix.msc1767.message",
                #""org.matrix.msc1767.message": [{"mimetype": "text/html", "body": "<b>hi</b>"}, {"mimetype": "text/plain", "body": "hi"}]"#,
                .message, "hi", []
            ),
            ("m.emote", #""m.text": [{"body": "waves"}]"#, .action, "waves", []),
            ("m.notice", #""org.matrix.msc1767.text": "a bot""#, .notice, "a bot", []),
            (
                "org.example.own", #""m.text": [{"mimetype": "text/html", "body": "<i>own</i> words"}]"#, .message,
                "own words", []
            ),
            (
                "m.image",
                #""m.text": [{"body": "cat.png (2 KB)"}], "m.file": {"url": "mxc://x/1", "name": "cat.png"}"#,
                .message, "cat.png (2 KB)", ["mxc://x/1"]
            ),
            (
                "m.file",
                #""m.file": {"url": "mxc://x/2", "name": "a.pdf"}, "m.caption": {"m.text": [{"body": "the plan"}]}"#,
                .message, "the plan", ["mxc://x/2"]
            ),
            (
                "m.location", #""m.text": [{"body": "at home"}], "m.location": {"uri": "geo:52.5,13"}"#, .message,
                "at home\ngeo:52.5,13", []
            ),
        ] as [(String, String, MessageKind, String, [String])])
    func `an extensible event has its text and its file`(
        type: String, content: String, kind: MessageKind, body: String, files: [String]
    ) throws {
        let event = ElementTests.event(type, content)
        let message = try one(event)
        #expect((message.kind, message.body, message.files.map(\.path)) == (kind, body, files))
        let said = MatrixEvent.Said(kind: kind, body: body, flags: [], files: files)
        #expect(try MatrixEvent(Array(event.utf8), nameOf: { $0 }).meaning == .message(said, replyTo: nil))
        let state = ElementTests.event(type, content, #", "state_key": """#)
        #expect(try MatrixEvent(Array(state.utf8), nameOf: { $0 }).meaning == .nothing, "the room's state")
    }

    @Test(arguments: [
        (#"["$1"]"#, #"[]"#, "pinned a message"), (#"["$1", "$2", "$3"]"#, #"["$3"]"#, "pinned 2 messages"),
        (#"[]"#, #"["$1"]"#, "unpinned a message"), (#"["$2"]"#, #"["$1"]"#, "pinned a message and unpinned a message"),
        (#"["$1", "$2"]"#, #"["$2", "$1"]"#, "changed the pinned messages"),
        (#"["$1"]"#, nil, "changed the pinned messages"), (#"[]"#, nil, "unpinned all messages"),
        (#"7"#, #""x""#, "changed the pinned messages"),
    ])
    func `pins and unpins are told apart`(now: String, before: String?, words: String) throws {
        let more = before.map { #", "unsigned": {"prev_content": {"pinned": \#($0)}}"# } ?? ""
        let event = ElementTests.event("m.room.pinned_events", #""pinned": \#(now)"#, #", "state_key": """# + more)
        #expect(try one(event).body == words)
    }

    @Test func `a gallery has all its files`() throws {
        let items =
            #"[{"itemtype": "m.image", "body": "a", "url": "mxc://x/1"}, {"itemtype": "m.file", "file": {"url": "mxc://x/2"}}]"#
        for type in ["m.gallery", "dm.filament.gallery"] {
            let content = #""msgtype": "\#(type)", "body": "trip", "itemtypes": \#(items)"#
            let message = try one(ElementTests.event("m.room.message", content))
            #expect(message.body == "trip" && message.files.map(\.path) == ["mxc://x/1", "mxc://x/2"])
        }
    }

    @Test(arguments: [
        (
            #""body": "Here", "geo_uri": "geo:1,2", "m.location": {"uri": "geo:1,2", "description": "Cafe"}"#,
            "Here\nCafe\ngeo:1,2"
        ),
        (#""body": "Cafe geo:1,2", "geo_uri": "geo:1,2", "m.location": {"description": "Cafe"}"#, "Cafe geo:1,2"),
        (#""body": "Here", "org.matrix.msc3488.location": {"uri": "geo:1,2"}"#, "Here\ngeo:1,2"),
    ])
    func `a location has its description and its place`(content: String, shown: String) throws {
        #expect(try one(ElementTests.event("m.room.message", #""msgtype": "m.location", \#(content)"#)).body == shown)
    }

    @Test(arguments: [
        (#""displayname": "Pia""#, "m.text", "Pia: hi"), (#""displayname": "Pia""#, "m.emote", "Pia hi"),
        (#""displayname": "Pia", "has_fallback": true"#, "m.text", "hi"), (#""id": "x""#, "m.text", "hi"),
    ])
    func `a message of a person behind a relay has the person's name`(profile: String, type: String, shown: String)
        throws
    {
        for key in ["com.beeper.per_message_profile", "m.per_message_profile"] {
            let content = #""msgtype": "\#(type)", "body": "hi", "\#(key)": {\#(profile)}"#
            #expect(try one(ElementTests.event("m.room.message", content)).body == shown)
        }
    }
}
