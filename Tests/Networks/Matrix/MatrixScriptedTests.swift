import Archive
import ChatModel
import Foundation
import Reading
import Sessions
import TestSupport
import Testing

/// A listener takes whatever a homeserver answers, and stores what it says once.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct MatrixScriptedTests: MatrixScript {
    let archiving: MatrixArchiving

    init() throws { archiving = try MatrixArchiving() }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `the listener waits as the server demands, and loses nothing`() async throws {
        let slow = refusal("429 Too Many Requests", #"{"errcode": "M_LIMIT_EXCEEDED", "retry_after_ms": 20}"#)
        let broken = refusal("502 Bad Gateway", "<html>proxy</html>")
        try await listening(to: [login(), direct, slow, broken, sync([event(1, "one")], next: "s1")]) {
            try await archiving.wait(for: "one")
        }
        #expect(archiving.reports.value.allSatisfy { $0.state != .waiting }, "the connection stays")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an expired token is refreshed, and the device stays`() async throws {
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

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a sync position that the server forgot is given up, and nothing is stored twice`() async throws {
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

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a room that was left meanwhile is no longer listed`() async throws {
        try await listening(to: [login(), direct, sync([event(1, "one")], next: "s1")]) {
            try await archiving.wait(for: "one")
        }
        let forgotten = refusal("400 Bad Request", #"{"errcode": "M_INVALID_PARAM", "error": "no such since"}"#)
        try await listening(
            to: [login(), direct, forgotten, sync([event(2, "elsewhere")], next: "s9", name: "other", room: "!o:x")]
        ) {
            try await archiving.wait(for: "elsewhere")
            try await eventually("the room is left") { () -> Bool? in
                try archiving.archive.reading().rooms().contains { $0.name == "r" && $0.leftAt != nil }
                    ? true : nil
            }
        }
        #expect(try await archiving.messages(room: "r").compactMap(\.body) == ["one"], "its history stays")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an unreadable event is kept as one, and the others are stored`() async throws {
        let events = [
            event(1, "one"), #"{"type": "m.room.message", "sender": "@alice:x"}"#, "3", "null", #"{"type": 5}"#,
            #"{"type": "m.room.message", "event_id": "$big", "content": "\#(String(repeating: "x", count: 1_100_000))"}"#,
            String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000), event(2, "two"),
        ]
        try await listening(to: [login(), direct, sync(events, next: "s1")]) {
            try await archiving.wait(for: "two")
        }
        #expect(try await archiving.messages().compactMap(\.body) == ["one", "two"])
        let status = try archiving.archive.reading().status()
        #expect(status.first?.failures == 6, "\(status)")
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            ("302 Found\r\nLocation: http://127.0.0.1:1/", ""), ("200 OK", "[]"), ("200 OK", "{}"),
            ("200 OK", "not JSON"),
            ("200 OK", #"{"rooms": {"join": {"!r:x": {"timeline": {"events": [{"#), ("404 Not Found", "nothing here"),
        ])
    func `an unexpected answer ends the connection, which is retried`(status: String, body: String)
        async throws
    {
        try await listening(to: [login(), direct, refusal(status, body)]) {
            await archiving.reports.wait { $0.contains { $0.state == .waiting && $0.lastError != nil } }
        }
        #expect(try await archiving.messages().isEmpty)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a redacted message is removed, whether the redaction comes before or after it`() async throws {
        try await listening(to: [
            login(), direct, sync([redaction(1, of: "$2"), event(1, "canary one")], next: "s1"),
            sync([event(2, "canary two"), redaction(2, of: "$1"), event(3, "end")], next: "s2"),
        ]) {
            try await archiving.wait(for: "end")
        }
        let messages = try await archiving.messages().filter { $0.kind == .message }
        #expect(messages.compactMap(\.body) == ["end"], "\(messages.map(\.body))")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `events of one millisecond are all stored, and a repeated event once`() async throws {
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

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a message that arrives late from another server is shown in place, and counts as late`() async throws {
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
        var feed = archiving.archive.reading().feeds.changes(of: ["matrix"])
        while let batch = try feed.next() {
            for change in batch where change.kind == .stored {
                if case .message(_, let message?) = change.subject { stored += message.body.map { [$0] } ?? [] }
            }
        }
        #expect(stored.suffix(2) == ["late", "end"], "the feed reports it when it comes: \(stored)")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `only its author edits a message, and other edits are separate messages`() async throws {
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

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a receipt with an impossible time is harmless`() async throws {
        let receipt = #"{"type": "m.receipt", "content": {"$1": {"m.read": {"@bot:x": {"ts": 9223372036854775807}}}}}"#
        let answer = StalledServer.answer(
            #"{"next_batch": "s1", "rooms": {"join": {"!r:x": {"timeline": {"events": [\#(event(1, "one"))]}, "ephemeral": {"events": [\#(receipt)]}}}}}"#
        )
        try await listening(to: [login(), direct, ("/v3/sync", answer), sync([event(2, "two")], next: "s2")]) {
            try await archiving.wait(for: "two")
        }
    }
}
