import Archive
import ChatModel
import Foundation
import Listeners
import TestSupport
import Testing

/// A listener at a homeserver with a test's script, which does what a real one does seldom, or never should.
@Suite(.timeLimit(.minutes(2)))
struct MatrixScriptedTests {
    private let archiving: MatrixArchiving

    init() throws { archiving = try MatrixArchiving() }

    private typealias Answer = (awaits: String, says: String)

    private func login(refresh: Bool = false) -> Answer {
        (
            "/v3/login",
            StalledServer.answer(
                #"{"access_token": "first", "user_id": "@bot:x", "device_id": "D"\#(refresh ? ", \"refresh_token\": \"r\"" : "")}"#
            )
        )
    }

    private let direct: Answer = ("/account_data/m.direct", StalledServer.answer("{}"))
    private let ignored: Answer = ("/account_data/m.ignored_user_list", StalledServer.answer("{}"))

    private func event(_ number: Int, _ body: String, at time: Int = 1_795_000_000_000) -> String {
        """
        {"type": "m.room.message", "event_id": "$\(number)", "sender": "@alice:x", "origin_server_ts": \(time + number * 1000),
         "content": {"msgtype": "m.text", "body": "\(body)"}}
        """
    }

    private func sync(
        _ events: [String], next: String, limited: Bool = false, name: String = "r", room id: String = "!r:x"
    ) -> Answer {
        let state =
            #"{"type": "m.room.name", "state_key": "", "event_id": "$name", "sender": "@alice:x", "origin_server_ts": 1, "content": {"name": "\#(name)"}}"#
        let room = """
            {"timeline": {"events": [\(events.joined(separator: ","))], "limited": \(limited), "prev_batch": "p\(next)"},
             "state": {"events": [\(state)]}}
            """
        return (
            "/v3/sync", StalledServer.answer(#"{"next_batch": "\#(next)", "rooms": {"join": {"\#(id)": \#(room)}}}"#)
        )
    }

    private let joined: Answer = (
        "/joined_rooms", StalledServer.answer(#"{"joined_rooms": ["!r:x", "!o:x"]}"#)
    )
    private let noHistory: Answer = ("/messages", StalledServer.answer(#"{"chunk": [], "start": "p"}"#))

    private func listening(
        to answers: [Answer], endsHistory: Bool = true,
        _ change: (inout MatrixListenerConfiguration) -> Void = { _ in }, _ body: () async throws -> Void
    ) async throws {
        var script = StalledServer.Script()
        // Each connection of the client has all answers, and the history is asked for on another one.
        script.routes = answers + [joined, ignored] + (endsHistory ? [noHistory] : [])
        let server = try await StalledServer.start(script, .silent)
        defer { server.stop() }
        try await archiving.listening(
            to: "http://127.0.0.1:\(server.port)", as: MatrixCredentials(user: "@bot:x", password: "p"), change, body)
    }

    private func refusal(_ status: String, _ body: String, to call: String = "/v3/sync") -> Answer {
        (call, StalledServer.answer(body, status: status))
    }

    @Test func `the listener waits as the server asks, and loses nothing`() async throws {
        let slow = refusal("429 Too Many Requests", #"{"errcode": "M_LIMIT_EXCEEDED", "retry_after_ms": 20}"#)
        let broken = refusal("502 Bad Gateway", "<html>proxy</html>")
        try await listening(to: [login(), direct, slow, broken, sync([event(1, "one")], next: "s1")]) {
            try await archiving.wait(for: "one")
        }
        #expect(archiving.reports.value.allSatisfy { $0.state != .waiting }, "the connection stays")
    }

    @Test func `an expired token is refreshed, and the device stays`() async throws {
        let expired = refusal("401 Unauthorized", #"{"errcode": "M_UNKNOWN_TOKEN", "soft_logout": true}"#)
        let refreshed: Answer = (
            "/v3/refresh", StalledServer.answer(#"{"access_token": "second", "refresh_token": "r2"}"#)
        )
        try await listening(
            to: [
                login(refresh: true), direct, sync([event(1, "one")], next: "s1"), expired, refreshed,
                sync([event(2, "two")], next: "s2"),
                // The client may ask on either of two connections, each of which has all answers.
                refreshed,
            ]
        ) {
            try await archiving.wait(for: "two")
        }
        #expect(try await archiving.messages().compactMap(\.body) == ["one", "two"])
    }

    @Test func `a place that the server has forgotten is left, and nothing is stored twice`() async throws {
        try await listening(to: [login(), direct, sync([event(1, "one")], next: "s1")]) {
            try await archiving.wait(for: "one")
        }
        let forgotten = refusal("400 Bad Request", #"{"errcode": "M_INVALID_PARAM", "error": "no such since"}"#)
        try await listening(
            to: [login(), direct, forgotten, sync([event(1, "one"), event(2, "two")], next: "s9", limited: true)]
        ) {
            try await archiving.wait(for: "two")
        }
        #expect(try await archiving.messages().compactMap(\.body) == ["one", "two"])
    }

    @Test func `a room that was left meanwhile is no longer listed`() async throws {
        try await listening(to: [login(), direct, sync([event(1, "one")], next: "s1")]) {
            try await archiving.wait(for: "one")
        }
        let forgotten = refusal("400 Bad Request", #"{"errcode": "M_INVALID_PARAM", "error": "no such since"}"#)
        try await listening(
            to: [login(), direct, forgotten, sync([event(2, "elsewhere")], next: "s9", name: "other", room: "!o:x")]
        ) {
            try await archiving.wait(for: "elsewhere")
            try await eventually("the room is left") { () -> Bool? in
                try await archiving.archive.reading().rooms().contains { $0.name == "r" && $0.leftAt != nil }
                    ? true : nil
            }
        }
        #expect(try await archiving.messages(room: "r").compactMap(\.body) == ["one"], "its history stays")
    }

    @Test func `an event that can't be read is kept as such, and the others are stored`() async throws {
        let events = [
            event(1, "one"), #"{"type": "m.room.message", "sender": "@alice:x"}"#, "3", "null", #"{"type": 5}"#,
            #"{"type": "m.room.message", "event_id": "$big", "content": "\#(String(repeating: "x", count: 1_100_000))"}"#,
            String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000), event(2, "two"),
        ]
        try await listening(to: [login(), direct, sync(events, next: "s1")]) {
            try await archiving.wait(for: "two")
        }
        #expect(try await archiving.messages().compactMap(\.body) == ["one", "two"])
        let status = try await archiving.archive.reading().status()
        #expect(status.first?.failures == 6, "\(status)")
    }

    @Test(arguments: [
        ("302 Found\r\nLocation: http://127.0.0.1:1/", ""), ("200 OK", "[]"), ("200 OK", "{}"), ("200 OK", "not JSON"),
        ("200 OK", #"{"rooms": {"join": {"!r:x": {"timeline": {"events": [{"#), ("404 Not Found", "nothing here"),
    ])
    func `an answer of another kind ends the connection, which is tried again`(status: String, body: String)
        async throws
    {
        try await listening(to: [login(), direct, refusal(status, body)]) {
            await archiving.reports.wait { $0.contains { $0.state == .waiting && $0.lastError != nil } }
        }
        #expect(try await archiving.messages().isEmpty)
    }

    @Test func `what a redaction names is gone, whether it comes before or after`() async throws {
        func redaction(_ number: Int, of target: Int) -> String {
            #"{"type": "m.room.redaction", "event_id": "$x\#(number)", "sender": "@alice:x", "origin_server_ts": 1795000100000, "redacts": "$\#(target)", "content": {"reason": "oops"}}"#
        }
        try await listening(to: [
            login(), direct, sync([redaction(1, of: 2), event(1, "canary one")], next: "s1"),
            sync([event(2, "canary two"), redaction(2, of: 1), event(3, "end")], next: "s2"),
        ]) {
            try await archiving.wait(for: "end")
        }
        let messages = try await archiving.messages().filter { $0.kind == .message }
        #expect(messages.compactMap(\.body) == ["end"], "\(messages.map(\.body))")
    }

    @Test func `a burst between two answers is a gap until its history is there`() async throws {
        let burst = (3...9).map { event($0, "burst \($0)") }
        let history: Answer = (
            "/messages",
            StalledServer.answer(#"{"chunk": [\#(burst.reversed().joined(separator: ","))], "start": "p"}"#)
        )
        try await listening(
            to: [
                login(), direct, sync([event(1, "one")], next: "s1"),
                sync([event(10, "ten")], next: "s2", limited: true), history,
            ]
        ) {
            try await archiving.wait(for: "ten")
            try await archiving.wait(for: "burst 3")
        }
        #expect(
            try await archiving.messages().compactMap(\.body)
                == ["one"] + (3...9).map { "burst \($0)" } + ["ten"])
    }

    @Test func `a wrong clock of another server hides no gap`() async throws {
        // The events of the burst claim to be an hour older than what is known, and one to be of 1970.
        let hour = 3_600_000
        let burst = (3...9).map { event($0, "burst \($0)", at: 1_795_000_000_000 - hour) }
        let odd =
            #"{"type": "m.room.message", "event_id": "$odd", "sender": "@eve:y", "origin_server_ts": 1, "content": {"msgtype": "m.text", "body": "odd"}}"#
        try await listening(
            to: [
                login(), direct, sync([event(1, "one")], next: "s1"),
                sync([event(10, "ten"), odd], next: "s2", limited: true), page([burst[6], odd, burst[5]], end: "q1"),
                page(Array(burst[0...4].reversed()), end: "q2"), page([event(1, "one")], end: "q3"),
            ]
        ) {
            try await archiving.wait(for: "burst 3")
        }
        let bodies = try await archiving.messages().compactMap(\.body)
        #expect(Set(bodies) == Set(["one", "odd", "ten"] + (3...9).map { "burst \($0)" }), "\(bodies)")
    }

    private let creation = """
        {"type": "m.room.create", "state_key": "", "event_id": "$create", "sender": "@alice:x",
         "origin_server_ts": 1794000000000, "content": {}}
        """

    private func page(
        _ events: [String], from: String = "/messages", end: String?, state: [String] = []
    ) -> Answer {
        let end = end.map { ", \"end\": \"\($0)\"" } ?? ""
        let (events, state) = (events.joined(separator: ","), state.joined(separator: ","))
        return (from, StalledServer.answer(#"{"chunk": [\#(events)], "state": [\#(state)], "start": "p"\#(end)}"#))
    }

    @Test func `history that was interrupted continues where it stopped`() async throws {
        let older = (1...9).map { event($0, "older \($0)") }
        try await listening(
            to: [
                login(), direct, sync([event(10, "ten")], next: "s1"),
                page(Array(older[4...].reversed()), from: "from=ps1", end: "q1"),
            ], endsHistory: false
        ) {
            try await archiving.wait(for: "older 5")
        }
        // A client that began again would ask for another place, and be told that there is no history.
        try await listening(
            to: [
                login(), direct, sync([event(11, "eleven")], next: "s2"),
                page(Array(older[..<4].reversed()) + [creation], from: "from=q1", end: nil),
            ]
        ) {
            try await archiving.wait(for: "older 1")
            try await archiving.wait(for: "eleven")
        }
        let said = try await archiving.messages().filter { $0.kind == .message }.compactMap(\.body)
        #expect(said == (1...9).map { "older \($0)" } + ["ten", "eleven"])
        // Nothing is left to fetch.
        try await listening(
            to: [login(), direct, sync([event(12, "twelve")], next: "s3")], endsHistory: false
        ) {
            try await archiving.wait(for: "twelve")
            try await eventually("no history is fetched") { () -> Bool? in
                archiving.reports.value.last?.backfill == nil ? true : nil
            }
        }
    }

    @Test func `a place in the history that the server has forgotten is left`() async throws {
        try await listening(
            to: [
                login(), direct, sync([event(10, "ten")], next: "s1"), page([event(9, "nine")], end: "q1"),
            ], endsHistory: false
        ) {
            try await archiving.wait(for: "nine")
        }
        let forgotten = refusal("400 Bad Request", #"{"errcode": "M_INVALID_PARAM"}"#, to: "from=q1")
        try await listening(
            to: [
                login(), direct, sync([event(11, "eleven")], next: "s2"), forgotten,
                page([event(9, "nine"), event(8, "eight"), creation], end: nil),
            ]
        ) {
            try await archiving.wait(for: "eight")
        }
        let said = try await archiving.messages().filter { $0.kind == .message }.compactMap(\.body)
        #expect(said == ["eight", "nine", "ten", "eleven"])
    }

    @Test func `what the server removed before the listener came stays a gap with its reason`() async throws {
        try await listening(to: [login(), direct, sync([event(1, "one")], next: "s1")]) {
            try await archiving.wait(for: "one")
        }
        let now = Int(Timestamp.now().microseconds / 1000)
        let kept = (6...9).reversed().map { event($0, "kept \($0)", at: now - $0 * 1000 + $0) }
        try await listening(
            to: [login(), direct, sync([event(10, "ten")], next: "s2", limited: true), page(kept, end: nil)]
        ) {
            try await archiving.wait(for: "kept 6")
            try await eventually("the gap has its reason") { () -> Bool? in
                try await archiving.gaps().map(\.unfilled) == ["limit"] ? true : nil
            }
        }
    }

    @Test func `events of one person in one millisecond, and the same event again`() async throws {
        let same = (1...3).map { event($0, "same \($0)", at: 1_795_000_000_000 - $0 * 1000) }
        try await listening(to: [
            login(), direct, sync(same + [same[0]], next: "s1"), sync([same[1], event(4, "end")], next: "s2"),
        ]) {
            try await archiving.wait(for: "end")
        }
        let messages = try await archiving.messages().filter { $0.kind == .message }
        #expect(messages.compactMap(\.body) == ["same 1", "same 2", "same 3", "end"])
        #expect(Set(messages.prefix(3).compactMap(\.sourceTime)).count == 1)
    }

    @Test func `two people of one name are two people, also in history`() async throws {
        func said(_ number: Int, by person: String) -> String {
            """
            {"type": "m.room.message", "event_id": "$\(number)", "sender": "@\(person):x",
             "origin_server_ts": \(1_795_000_000_000 + number * 1000), "content": {"msgtype": "m.text", "body": "\(number)"}}
            """
        }
        func member(_ number: Int, _ person: String, _ name: String) -> String {
            """
            {"type": "m.room.member", "event_id": "$\(number)", "sender": "@\(person):x", "state_key": "@\(person):x",
             "origin_server_ts": \(1_795_000_000_000 + number * 1000),
             "content": {"membership": "join", "displayname": "\(name)"},
             "unsigned": {"prev_content": {"membership": "join", "displayname": "Alex"}}}
            """
        }
        // Both were called Alex; one of them got another name.
        try await listening(to: [
            login(), direct, sync([member(5, "one", "Sasha"), said(6, by: "one"), said(7, by: "two")], next: "s1"),
            page(
                [said(4, by: "one"), said(3, by: "two"), creation], end: nil, state: [member(1, "one", "Alex")]),
        ]) {
            try await archiving.wait(for: "3")
        }
        let senders = try await archiving.messages().filter { $0.kind == .message }
        let numbers = Dictionary(grouping: senders, by: { $0.sender?.id }).values.map { $0.compactMap(\.body).sorted() }
        #expect(Set(numbers) == [["3", "7"], ["4", "6"]])
        #expect(senders.first { $0.body == "4" }?.sender?.name == "Alex")
    }

    @Test func `a message that comes late from another server is shown in its place, and counts as late`() async throws
    {
        try await listening(to: [
            login(), direct, sync([event(100, "before"), event(300, "after")], next: "s1"),
            sync([event(200, "late"), event(400, "end")], next: "s2"),
        ]) {
            try await archiving.wait(for: "end")
        }
        let messages = try await archiving.messages().filter { $0.kind == .message }
        #expect(messages.compactMap(\.body) == ["before", "late", "after", "end"])
        #expect(try archiving.texts("SELECT body FROM late JOIN message ON message.id = message_id") == ["late"])
        var stored: [String] = []
        for try await batch in archiving.archive.reading().feed(of: ["matrix"], follows: false) {
            for change in batch where change.kind == .stored {
                if case .message(_, let message?) = change.subject { stored += message.body.map { [$0] } ?? [] }
            }
        }
        #expect(stored.suffix(2) == ["late", "end"], "the feed reports it when it comes: \(stored)")
    }

    private func edit(_ number: Int, of target: Int, _ body: String, by person: String = "alice") -> String {
        """
        {"type": "m.room.message", "event_id": "$\(number)", "sender": "@\(person):x",
         "origin_server_ts": \(1_795_000_000_000 + number * 1000), "content": {"msgtype": "m.text", "body": "* \(body)",
         "m.new_content": {"msgtype": "m.text", "body": "\(body)"},
         "m.relates_to": {"rel_type": "m.replace", "event_id": "$\(target)"}}}
        """
    }

    @Test func `only its author edits a message; other edits are messages of their own`() async throws {
        try await listening(to: [
            login(), direct,
            sync(
                [event(1, "one"), edit(2, of: 1, "forged", by: "eve"), edit(3, of: 77, "forged, too", by: "eve")],
                next: "s1"),
            sync([edit(4, of: 1, "one, better"), event(77, "seventy-seven"), event(99, "end")], next: "s2"),
        ]) {
            try await archiving.wait(for: "end")
        }
        let messages = try await archiving.messages().filter { $0.kind == .message }
        #expect(
            messages.map { "\($0.sender?.name.dropFirst().first ?? "-") \($0.body ?? "-")" } == [
                "a one, better", "e * forged", "e * forged, too", "a seventy-seven", "a end",
            ])
    }

    @Test func `an edit in history waits for its message on a later page`() async throws {
        try await listening(
            to: [
                login(), direct, sync([event(10, "ten")], next: "s1"),
                page([edit(9, of: 3, "third, again"), edit(8, of: 3, "third")], end: "q1"),
                page([event(3, "thrid"), event(2, "two"), creation], from: "from=q1", end: nil),
            ], endsHistory: false
        ) {
            try await archiving.wait(for: "two")
            try await eventually("it is edited") { () -> Bool? in
                try await archiving.messages().contains { $0.body == "third, again" } ? true : nil
            }
        }
        let messages = try await archiving.messages().filter { $0.kind == .message }
        #expect(messages.compactMap(\.body) == ["two", "third, again", "ten"])
        #expect(try archiving.texts("SELECT body FROM message_version ORDER BY at_us") == ["thrid", "third"])
    }

    @Test func `times that a server invents end no gap`() async throws {
        // A whole page claims to be of 1970.
        let invented = (20...29).map { event($0, "invented \($0)", at: -$0 * 1000 + $0) }
        try await listening(
            to: [
                login(), direct, sync([event(1, "one")], next: "s1"),
                sync([event(40, "forty")], next: "s2", limited: true),
                page([creation], from: "from=ps1", end: nil), page(invented.reversed(), from: "from=ps2", end: "q1"),
                page([event(5, "five"), event(1, "one")], from: "from=q1", end: "q2"),
            ], endsHistory: false
        ) {
            try await archiving.wait(for: "five")
        }
    }

    @Test func `a receipt of an impossible time is harmless`() async throws {
        let receipt = #"{"type": "m.receipt", "content": {"$1": {"m.read": {"@bot:x": {"ts": 9223372036854775807}}}}}"#
        let answer = StalledServer.answer(
            #"{"next_batch": "s1", "rooms": {"join": {"!r:x": {"timeline": {"events": [\#(event(1, "one"))]}, "ephemeral": {"events": [\#(receipt)]}}}}}"#
        )
        try await listening(to: [login(), direct, ("/v3/sync", answer), sync([event(2, "two")], next: "s2")]) {
            try await archiving.wait(for: "two")
        }
    }
}
