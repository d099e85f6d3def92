import ChatModel
import Foundation
import Testing

@testable import LogFormats

struct JSONLinesTests {
    private func read(_ line: String, room: String? = nil) throws -> ParsedLine {
        var format = try JSONLinesFormat(LogSource(path: "", beginning: [], room: room, zone: .gmt))
        return format.parseLine(LogLine(number: 1, bytes: Array(line.utf8)[...]))
    }

    private static let id = #""id": "2026-11-21T06:23:11.123456Z""#

    @Test func `an export's files are ordered by its account and its months`() throws {
        let paths = [
            "a.jpg", "account.jsonl", "manifest.jsonl", "a-1/2026-11.jsonl", "a-1/2026-12.jsonl", "a-1/x.jsonl",
            "\u{301}-1/2026-11.jsonl",
        ]
        let files = try #require(JSONLinesFormat.files(among: paths))
        #expect(
            files.map { paths[$0] } == [
                "account.jsonl", "a-1/2026-11.jsonl", "a-1/2026-12.jsonl", "\u{301}-1/2026-11.jsonl",
            ])
    }

    @Test(arguments: [
        ["index.html", "manifest.jsonl", "a-1/2026-11.html"], ["account.jsonl", "a-1/2026-11.jsonl"],
        ["2026-11.jsonl", "manifest.jsonl", "a-1/b/2026-11.jsonl"], ["a/manifest.jsonl", "a/a-1/2026-11.jsonl"], [],
    ])
    func `another folder is not taken for an export`(paths: [String]) {
        #expect(JSONLinesFormat.files(among: paths) == nil)
    }

    @Test func `a line is a message as history writes it`() throws {
        let line = """
            {\(Self.id), "account": "demo", "network": "streamchat", "workspace": null, "room": "lobby", \
            "kind": "action", "sender": {"id": 7, "name": "alice"}, "body": "waves\\u0000", "remote_id": "3:1", \
            "received_at": "2026-11-21T06:23:12.000000Z", "edited_at": null, "deleted_at": null, "reply_to": null, \
            "attachments": [], "flags": ["to_the_minute", "oversize", "new_one"], "reply_to_remote_id": "m1"}
            """
        let place = try #require(Timestamp(cursor: "2026-11-21T06:23:11.123456Z"))
        let message = ImportedMessage(
            room: "lobby", kind: .action, sender: "alice", body: "waves\u{FFFD}",
            time: try #require(Timestamp(cursor: "2026-11-21T06:23:00.000000Z")), resolution: .minute, place: place,
            remoteID: "3:1", receivedAt: Timestamp(cursor: "2026-11-21T06:23:12.000000Z"),
            flags: [.toTheMinute, .oversize], replyTo: "m1")
        #expect(try read(line) == .message(message))
    }

    /// A message as a full export writes it.
    private static let exported = """
        {\(id),"account":"demo","network":"irc","workspace":null,"room_id":1,"room":"#example","kind":"message",\
        "sender":{"id":7,"name":"민수","is_self":false},"body":"so \\"é\\" \\u00e9 https:\\/\\/example.org","remote_id":"3:1",\
        "received_at":"2026-11-21T06:23:12.000000Z","edited_at":null,"deleted_at":null,"reply_to":null,"attachments":[],\
        "flags":["to_the_minute"],"reply_to_remote_id":null,"source_time":"2026-11-21T06:23:11.000000Z",\
        "room_key":"#example","room_kind":"channel","sender_key":"minsu","sender_is_self":true,"versions":[],\
        "reaction_list":[],"files":[]}
        """

    /// The parts of such a line, and those of another one.
    private static let usual = [
        ("", ""), ("\"room_key\"", "\"other_key\""), ("\"channel\"", "null"), ("\"minsu\"", "null"), ("true", "null"),
        ("\"source_time\":", "\"time\":"), (",\"files\":[]", ""), ("\"versions\":[]", "\"versions\":null"),
        ("\"room_id\":1", "\"body\":\"first\""), ("\"to_the_minute\"", ""), ("\"body\"", "\"b\\u006fdy\""),
        ("\"attachments\":[]", "\"new\":[{\"a\":[1.5e3,false]}]"),
    ]

    @Test(arguments: usual)
    func `a line as exports write most is read as Foundation's decoder reads it`(before: String, after: String) throws {
        let bytes = Array(before.isEmpty ? Self.exported.utf8 : Self.exported.replacing(before, with: after).utf8)
        let entry = JSONLinesFormat.Entry(usual: LogLine(number: 1, bytes: bytes[...]))
        #expect(entry != nil)
        #expect(entry == (try? JSONDecoder().decode(JSONLinesFormat.Entry.self, from: Data(bytes))))
    }

    @Test(arguments: [
        ("channel", "planet"), ("true", "1"), ("\"minsu\"", "7"), ("[],\"reaction", "[{}],\"reaction"),
        ("\"files\":[]", "\"files\":{}"), ("\"sender_key\":\"minsu\"", "\"sender_former\":{}"),
        ("https", "\\ud800"), ("https", "\\x41"), ("https", "\u{1}"),
        ("\"to_the_minute\"", "null"), ("\"to_the_minute\"", "1"), ("\"name\":\"민수\"", "\"name\":null"), ("}", ""),
        ("\"files\":[]}", "\"files\":[]}}"), ("\"room_id\":1", "\"record\":null"), ("\"room_id\":1", "\"room_id\":01"),
        ("06:23:11.000000Z", "06:23:11Z"),
    ])
    func `any other line is left to Foundation's decoder`(before: String, after: String) throws {
        let line = Self.exported.replacing(before, with: after)
        #expect(line != Self.exported)
        #expect(JSONLinesFormat.Entry(usual: LogLine(number: 1, bytes: Array(line.utf8)[...])) == nil)
    }

    @Test func `times of edit and deletion are read`() throws {
        let times = #""edited_at": "2026-11-21T06:24:11.000000Z", "deleted_at": "2026-11-21T06:25:11.000000Z""#
        guard
            case .message(let message) = try read("{\(Self.id), \"kind\": \"message\", \(times)}", room: "#given")
        else {
            Issue.record("not read")
            return
        }
        #expect(message.editedAt == Timestamp(cursor: "2026-11-21T06:24:11.000000Z"))
        #expect(message.deletedAt == Timestamp(cursor: "2026-11-21T06:25:11.000000Z"))
    }

    @Test func `an id, a kind and a room suffice`() throws {
        guard case .message(let message) = try read("{\(Self.id), \"kind\": \"join\"}", room: "#given") else {
            Issue.record("not read")
            return
        }
        #expect((message.room, message.sender, message.body, message.resolution) == ("#given", nil, nil, .microsecond))
    }

    @Test(arguments: [
        ("{", "it is not JSON"), ("[]", "it is not a JSON object"), ("{}", "it has no \"id\""),
        ("\u{1B}", "it is not JSON"),
        ("{\(id), \"kind\": \"shout\", \"room\": \"a\"}", "its kind"),
        ("{\(id), \"kind\": \"join\"}", "it has no room"),
        ("{\"id\": \"yesterday\", \"kind\": \"join\", \"room\": \"a\"}", "its id"),
        ("{\(id), \"kind\": \"message\", \"room\": \"a\", \"sender\": {}}", "it has no \"sender.name\""),
        ("{\(id), \"kind\": \"join\", \"room\": \"a\", \"edited_at\": \"now\"}", "its edited_at"),
        ("{\(id), \"kind\": \"join\", \"room\": \"a\", \"deleted_at\": \"\"}", "its deleted_at"),
        ("{\(id), \"kind\": 7, \"room\": \"a\"}", "its \"kind\" has the wrong type"),
    ])
    func `an invalid message is reported with the reason`(line: String, reason: String) throws {
        guard case .unreadable(let told) = try read(line) else {
            Issue.record("it was read")
            return
        }
        #expect(told.contains(reason), "\(told)")
    }

    private static let exact = """
        {\(id), "room": "talk", "kind": "message", "sender": {"id": 7, "name": "alice"}, "body": "hi", "remote_id": "m1", \
        "source_time": null, "room_key": "c1", "room_kind": "direct", "sender_key": "U1", "sender_is_self": true, \
        "versions": [{"at": "2026-11-21T06:23:11.123456Z", "body": "h"}], "reaction_list": [{"text": "+", \
        "user_former": {"name": "bob", "first_seen": "2026-11-21T06:00:00.000000Z"}, \
        "at": "2026-11-21T06:24:00.000000Z"}], "files": [{"path": "/f", "bytes": null, "state": "here"}]}
        """

    @Test func `a full export's message is read with all details, and with a given room like any other`() throws {
        guard case .message(let message) = try read(Self.exact) else { throw CancellationError() }
        let exact = try #require(message.exact)
        #expect((exact.roomKey, exact.roomKind, exact.sender) == ("c1", .direct, .key("U1")))
        #expect((exact.senderIsSelf, exact.versions.map(\.body), exact.files.map(\.path)) == (true, ["h"], ["/f"]))
        #expect(exact.reactions.map(\.user.former?.name) == ["bob"])
        let again = try JSONDecoder().decode(ExactMessage.self, from: JSONEncoder().encode(exact))
        #expect(again == exact)
        guard case .message(let other) = try read(Self.exact, room: "#given") else { throw CancellationError() }
        #expect((other.room, other.exact) == ("#given", nil))
    }

    @Test func `the sender's id is in the sender or beside it`() throws {
        let inside = Self.exact.replacing(#""sender_key": "U1", "#, with: "")
            .replacing(#""name": "alice""#, with: #""name": "alice", "key": "U1""#)
        guard case .message(let message) = try read(inside) else { throw CancellationError() }
        #expect(message.exact?.sender == .key("U1"))
        guard case .message(let other) = try read(inside, room: "#given") else { throw CancellationError() }
        #expect(other.senderKey == "U1")
        let former = inside.replacing(
            #""room_key": "c1""#,
            with: #""room_key": "c1", "sender_former": {"name": "al", "first_seen": "2026-11-21T06:00:00.000000Z"}"#)
        guard case .message(let gone) = try read(former) else { throw CancellationError() }
        #expect(gone.exact?.sender?.former?.name == "al")
    }

    @Test func `a line with a record is one, unless a room is given`() throws {
        let line =
            #"{"record": "coverage", "room_key": "c1", "from": "2026-11-21T06:00:00.000000Z", "to": "2026-11-21T07:00:00.000000Z"}"#
        guard case .record(.coverage(let span)) = try read(line) else { throw CancellationError() }
        #expect(span.roomKey == "c1")
        #expect(try read(line, room: "#given") == .nothing)
        for (bad, reason) in [(#"{"record": "dream"}"#, "\"record\""), (#"{"record": "room"}"#, "no \"key\"")] {
            guard case .unreadable(let told) = try read(bad) else { throw CancellationError() }
            #expect(told.contains(reason), "\(told)")
        }
    }

    @Test func `a full export names its account and is recognised`() throws {
        let first =
            #"{"record":"account","name":"demo","network":"irc","epoch":"e","created_at":"2026-11-21T06:00:00.000000Z"}"#
        let source = LogSource(path: "a.jsonl", beginning: Array((first + "\n{}").utf8), room: nil, zone: .gmt)
        #expect(JSONLinesFormat.account(in: source)?.network == "irc")
        #expect(JSONLinesFormat.recognises(source))
        let other = LogSource(path: "a.jsonl", beginning: Array(Self.exact.utf8), room: nil, zone: .gmt)
        #expect(JSONLinesFormat.account(in: other) == nil)
    }

    @Test func `an empty line is ignored`() throws {
        #expect(try read("") == .nothing)
        #expect(try read("  ") == .nothing)
    }
}
