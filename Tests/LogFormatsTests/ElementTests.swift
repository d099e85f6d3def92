import ChatModel
import Foundation
import Testing

@testable import LogFormats

struct ElementTests {
    static func document(_ events: String, name: String = "Example") -> String {
        """
        {
          "room_name": "\(name)", "room_creator": "alice", "topic": "", "export_date": "November 22, 2026", "exported_by": "alice",
          "messages": [
        \(events)
          ]
        }
        """
    }

    static func event(
        _ type: String, _ content: String, id: String = "$1", by sender: String = "@alice:example.org",
        at time: Int64 = 1_795_242_191_123, _ more: String = ""
    ) -> String {
        """
        {"type": "\(type)", "event_id": "\(id)", "sender": "\(sender)", "origin_server_ts": \(time), "room_id": "!r:example.org", \
        "content": {\(content)}\(more)}
        """
    }

    static func said(_ text: String, id: String = "$1", _ more: String = "") -> String {
        event("m.room.message", #""msgtype": "m.text", "body": "\#(text)""#, id: id, more)
    }

    private func one(_ event: String) throws -> ImportedMessage {
        let export = try Export(ElementFormat.self, Self.document(event))
        #expect(export.unreadable.isEmpty)
        return try #require(export.messages.first)
    }

    @Test func `a message without content is counted by its kind`() throws {
        let event = Self.event("m.room.message", #""msgtype": "org.example.new""#)
        #expect(try Export(ElementFormat.self, Self.document(event)).unknownKinds.counts == ["org.example.new": 1])
        #expect(try Export(ElementFormat.self, Self.document(Self.said("x"))).unknownKinds.counts == [:])
    }

    @Test func `a message has its ids, its time and its reply`() throws {
        let relation = #""m.relates_to": {"m.in_reply_to": {"event_id": "$0"}}"#
        let body = #""msgtype": "m.text", "body": "> <@bob:example.org> old\n> words\n\n민수, hi\n> x""#
        let time = try #require(Export.time("2026-11-21T06:23:11.123000Z"))
        #expect(
            try one(Self.event("m.room.message", "\(body), \(relation)"))
                == ImportedMessage(
                    room: "Example", roomKey: "!r:example.org", kind: .message, sender: "@alice:example.org",
                    senderKey: "@alice:example.org", body: "민수, hi\n> x", time: time, resolution: .microsecond,
                    remoteID: "$1", replyTo: "$0"))
        #expect(try one(Self.said("> x")).body == "> x", "no answer, no quote")
        func thread(_ more: String) throws -> String? {
            let relation =
                #""m.relates_to": {"rel_type": "m.thread", "event_id": "$root", "m.in_reply_to": {"event_id": "$0"}\#(more)}"#
            return try one(Self.event("m.room.message", #""msgtype": "m.text", "body": "x", \#(relation)"#)).replyTo
        }
        #expect(try (thread(""), thread(#", "is_falling_back": true"#)) == ("$0", "$root"))
    }

    @Test(
        arguments: [
            (#""msgtype": "m.emote", "body": "waves""#, .action, "waves", []),
            (#""msgtype": "m.notice", "body": "x""#, .notice, "x", []),
            (
                #""msgtype": "m.image", "body": "a.png", "url": "mxc://example.org/a", "info": {"size": 12}"#, .message,
                "a.png", ["mxc://example.org/a"]
            ),
            (
                #""msgtype": "m.file", "body": "a.pdf", "file": {"url": "mxc://example.org/b", "key": {}}"#, .message,
                "a.pdf", ["mxc://example.org/b"]
            ),
            (#""msgtype": "m.location", "body": "Cafe", "geo_uri": "geo:52.5,13""#, .message, "Cafe\ngeo:52.5,13", []),
        ] as [(String, MessageKind, String, [String])])
    func `each kind of message is read`(content: String, kind: MessageKind, body: String, files: [String]) throws {
        let message = try one(Self.event("m.room.message", content))
        #expect((message.kind, message.body, message.files.map(\.path)) == (kind, body, files))
    }

    @Test(
        arguments: [
            ("m.sticker", #""body": "👋", "url": "mxc://example.org/s""#, "", .message, "👋"),
            ("m.room.topic", #""topic": "new""#, "", .topic, "new"),
            ("m.room.name", #""name": "new""#, "", .action, "changed the room's name to new"),
            ("m.room.create", "", "", .action, "created the room"),
            (
                "m.room.create", #""predecessor": {"room_id": "!old:x"}"#, "", .action,
                "created the room, which continues !old:x"
            ),
            (
                "m.room.tombstone", #""body": "too old", "replacement_room": "!new:x""#, "", .action,
                "closed the room, which continues in !new:x: too old"
            ),
            ("m.room.avatar", #""url": "mxc://x/1""#, "", .action, "changed the room's picture"),
            ("m.call.invite", "", "", .action, "called"),
            ("m.rtc.notification", #""notification_type": "ring""#, "", .action, "called"),
            ("m.call.notify", #""notify_type": "ring""#, "", .action, "called"),
            ("m.room.encryption", #""algorithm": "x""#, "", .action, "turned on encryption"),
            (
                "m.policy.rule.user", #""entity": "@spam:x", "reason": "spam", "recommendation": "m.ban""#, "", .action,
                "added a rule against @spam:x: spam"
            ),
            (
                "org.matrix.mjolnir.rule.server", "", #", "unsigned": {"prev_content": {"entity": "evil.example"}}"#,
                .action, "removed the rule against evil.example"
            ),
            ("m.policy.rule.room", "", "", .action, "removed a rule"),
            (
                "org.matrix.msc3672.beacon_info", #""live": true, "description": "to work""#, "", .action,
                "shares a live location: to work"
            ),
            ("m.beacon_info", #""live": false"#, "", .action, "stopped sharing a live location"),
            ("im.vector.modular.widgets", #""name": "Etherpad""#, "", .action, "added the widget Etherpad"),
            ("m.widget", "", "", .action, "removed a widget"),
            (
                "org.matrix.msc3381.poll.start",
                #""org.matrix.msc3381.poll.start": {"question": {"org.matrix.msc1767.text": "when?"}, "answers": [{"id": "1", "org.matrix.msc1767.text": "now"}]}"#,
                "", .message, "when?\n- now"
            ),
            (
                "m.poll.start", #""m.poll": {"question": {"m.text": [{"body": "when?"}]}, "answers": []}"#, "",
                .message, "when?"
            ),
            ("m.room.member", #""membership": "join", "displayname": "alice""#, "", .join, nil),
            (
                "m.room.member", #""membership": "join", "displayname": "ally""#,
                #", "unsigned": {"prev_content": {"membership": "join", "displayname": "alice"}}"#, .rename, "ally"
            ),
            (
                "m.room.member", #""membership": "join", "displayname": "a""#,
                #", "unsigned": {"prev_content": {"membership": "join", "displayname": "a"}}"#, .action,
                "changed the avatar"
            ),
            (
                "m.room.member", #""membership": "invite", "displayname": "bob""#,
                #", "state_key": "@bob:example.org""#, .invite, "bob"
            ),
            (
                "m.room.member", #""membership": "leave", "reason": "bye""#, #", "state_key": "@alice:example.org""#,
                .leave, "bye"
            ),
            (
                "m.room.member", #""membership": "leave", "reason": "why""#, #", "state_key": "@bob:example.org""#,
                .kick, "@bob:example.org: why"
            ),
            (
                "m.room.member", #""membership": "ban""#, #", "state_key": "@bob:example.org""#, .kick,
                "@bob:example.org"
            ),
            (
                "m.room.member", #""membership": "leave""#,
                #", "state_key": "@bob:example.org", "unsigned": {"prev_content": {"membership": "ban"}}"#, .action,
                "unbanned @bob:example.org"
            ),
        ] as [(String, String, String, MessageKind, String?)])
    func `events are read as their kind`(type: String, content: String, more: String, kind: MessageKind, body: String?)
        throws
    {
        let message = try one(Self.event(type, content, more))
        #expect((message.kind, message.body, message.senderKey) == (kind, body, "@alice:example.org"))
    }

    @Test func `people have the names from memberships, from then on`() throws {
        let join = Self.event(
            "m.room.member", #""membership": "join", "displayname": "앨리스""#, id: "$2",
            #", "state_key": "@alice:example.org""#)
        let export = try Export(
            ElementFormat.self, Self.document([Self.said("a"), join, Self.said("b", id: "$3")].joined(separator: ",")))
        #expect(export.messages.map(\.sender) == ["@alice:example.org", "@alice:example.org", "앨리스"])
    }

    @Test func `an edit is a newer text of its message, or a reply to an unknown one`() throws {
        func edit(_ target: String, _ text: String, id: String) -> String {
            let new = #""m.new_content": {"msgtype": "m.text", "body": "\#(text)"}"#
            let relation = #""m.relates_to": {"rel_type": "m.replace", "event_id": "\#(target)"}"#
            return Self.event(
                "m.room.message", #""msgtype": "m.text", "body": "* \#(text)", \#(new), \#(relation)"#, id: id,
                at: 1_795_242_200_000)
        }
        let events = [Self.said("a"), edit("$1", "b", id: "$2"), edit("$9", "c", id: "$3")]
        let messages = try Export(ElementFormat.self, Self.document(events.joined(separator: ","))).messages
        #expect(messages.map(\.body) == ["a", "b", "c"])
        #expect(messages.map(\.remoteID) == ["$1", "$1", "$3"])
        #expect(messages.map { $0.editedAt == nil } == [true, false, true])
        #expect(messages[1].time == messages[0].time)
        #expect(messages[2].replyTo == "$9")
    }

    @Test func `an edit that the server bundles is read, with the earlier text if the export has it`() throws {
        func bundle(_ content: String) -> String {
            #", "unsigned": {"m.relations": {"m.replace": {"event_id": "$2", "origin_server_ts": 1795242200000\#(content)}}}"#
        }
        let new = #", "content": {"m.new_content": {"msgtype": "m.text", "body": "b"}}"#
        let edited = try one(Self.said("a", bundle(new)))
        #expect((edited.body, edited.versions.map(\.body)) == ("b", ["a"]))
        #expect(edited.editedAt == Export.time("2026-11-21T06:23:20.000000Z"))
        let same = try one(Self.said("b", bundle(new)))
        #expect((same.body, same.versions, same.editedAt) == ("b", [], edited.editedAt))
        #expect(try one(Self.said("b", bundle(""))).versions == [])
    }

    @Test func `reactions and deletions that are events apply to their messages`() throws {
        let reaction = Self.event(
            "m.reaction", #""m.relates_to": {"rel_type": "m.annotation", "event_id": "$1", "key": "👍"}"#, id: "$2")
        let redaction = Self.event("m.room.redaction", #""reason": "spam""#, id: "$3", #", "redacts": "$1""#)
        let text = Self.document([Self.said("a"), reaction, redaction].joined(separator: ","))
        let export = try Export(ElementFormat.self, text)
        let time = try #require(Export.time("2026-11-21T06:23:11.123000Z"))
        let room = "!r:example.org"
        #expect(
            export.parsed.dropFirst(2).prefix(2) == [
                .record(
                    .reaction(
                        ReactionRecord(
                            roomKey: room, remoteID: "$1",
                            reaction: .init(
                                text: "👍", user: .key("@alice:example.org"), at: time, removedAt: nil, ownID: "$2")))),
                .record(
                    .retraction(
                        RetractionRecord(
                            roomKey: room, remoteID: "$1", user: .key("@alice:example.org"), at: time, reason: "spam",
                            wipes: false))),
            ])
        let told = try Export(ElementFormat.self, text, room: "#told")
        #expect(told.messages.map(\.body) == ["a", "reacted 👍", "removed a message"])
        #expect(told.messages.map(\.replyTo) == [nil, "$1", "$1"])
        let removed = try one(
            Self.event(
                "m.room.message", "",
                #", "unsigned": {"redacted_because": {"origin_server_ts": 1795242200000, "sender": "@bob:example.org"}}"#
            ))
        #expect((removed.body, removed.deletedAt) == (nil, Export.time("2026-11-21T06:23:20.000000Z")))
        let counted = try Export(
            ElementFormat.self,
            Self.document(
                Self.said(
                    "a",
                    #", "unsigned": {"m.relations": {"m.annotation": {"chunk": [{"type": "m.reaction", "key": "👍", "count": 3}]}}}"#
                )))
        #expect(counted.assumptions == ["reactions skipped, because the export does not say whose they are: 3"])
    }

    @Test(arguments: [
        (#"{"type": "m.room.message"}"#, "it has no \"event_id\""), ("7", "it is not a JSON object"),
        (#"{"type": "m.room.message", "event_id": "$1"}"#, "it has no \"sender\""),
        (#"{"type": "m.room.message", "event_id": "$1", "sender": "@a:b"}"#, "it has no \"origin_server_ts\""),
        (#"{"type": "m.room.message", "event_id": "", "sender": "@a:b"}"#, "its \"event_id\" is empty"),
        (event("m.room.encrypted", #""algorithm": "m.megolm.v1.aes-sha2""#), "the export has it only encrypted"),
        (event("m.room.message", #""body": 7"#), "its \"content.body\" has the wrong type"),
    ])
    func `an invalid event is reported with the reason`(event: String, reason: String) throws {
        #expect(try Export(ElementFormat.self, Self.document(event)).unreadable == [reason])
    }

    @Test func `an Element export is recognised by its beginning`() {
        #expect(Export.recognising(Self.document(Self.said("a")), path: "matrix - Example.json") == ["element"])
        #expect(Export.recognising(Self.document(""), path: "export.json") == ["element"])
        #expect(Export.recognising(#"{"room_name": "x", "messages": []}"#, path: "export.json") == [])
    }

    @Test func `an export that ends at any byte gives its complete messages and one error`() throws {
        let bytes = Array(Self.document([Self.said("x"), Self.said("x", id: "$2")].joined(separator: ",\n")).utf8)
        for end in 1..<bytes.count {
            let export = try Export(ElementFormat.self, files: [(nil, Array(bytes[..<end]))])
            #expect(export.unreadable.count == 1, "\(end)")
            #expect(export.messages.allSatisfy { $0.body == "x" })
        }
    }

    @Test(arguments: 0..<300)
    func `a damaged sample never traps, and each piece gives a message or an error`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let events = [
            Self.said("a", #", "unsigned": {"m.relations": {"m.replace": {"origin_server_ts": 1, "content": {}}}}"#),
            Self.event("m.room.member", #""membership": "leave""#, #", "state_key": "@b:c""#),
            Self.event("m.reaction", #""m.relates_to": {"rel_type": "m.annotation", "event_id": "$1", "key": "👍"}"#),
        ]
        let bytes = Mutation.of(Array(Self.document(events.joined(separator: ",\n")).utf8), using: &random)
        let pieces = JSONPieces.cut(bytes, by: nil, ElementFormat.cutter())
        let export = try Export(ElementFormat.self, files: [(nil, bytes)])
        let records = export.parsed.count { if case .record = $0 { true } else { false } }
        let silent = export.parsed.count { if case .nothing = $0 { true } else { false } }
        #expect(export.messages.count + export.unreadable.count + records + silent >= pieces.count)
        #expect(export.parsed.count == pieces.count + 1)
    }
}
