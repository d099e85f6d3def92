import ChatModel
import Foundation
import Matrix
import TestSupport

/// Tests of a listener at a homeserver with a test's script, which does what a real one does seldom, or never should.
protocol MatrixScript {
    var archiving: MatrixArchiving { get }
}

/// The answers of the homeserver, with a room `!r:x`.
extension MatrixScript {
    typealias Answer = (awaits: String, says: String)

    func login(refresh: Bool = false) -> Answer {
        (
            "/v3/login",
            StalledServer.answer(
                #"{"access_token": "first", "user_id": "@bot:x", "device_id": "D"\#(refresh ? ", \"refresh_token\": \"r\"" : "")}"#
            )
        )
    }

    var direct: Answer { ("/account_data/m.direct", StalledServer.answer("{}")) }

    var ignored: Answer { ("/account_data/m.ignored_user_list", StalledServer.answer("{}")) }

    func event(_ number: Int, _ body: String, at time: Int = 1_795_000_000_000) -> String {
        """
        {"type": "m.room.message", "event_id": "$\(number)", "sender": "@alice:x", "origin_server_ts": \(time + number * 1000),
         "content": {"msgtype": "m.text", "body": "\(body)"}}
        """
    }

    func sync(
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

    var joined: Answer {
        (
            "/joined_rooms", StalledServer.answer(#"{"joined_rooms": ["!r:x", "!o:x"]}"#)
        )
    }

    var noHistory: Answer { ("/messages", StalledServer.answer(#"{"chunk": [], "start": "p"}"#)) }

    /// Refusals of requests for a room's facts, which change nothing.
    private var noFacts: [Answer] {
        (0..<5).map { _ in refusal("403 Forbidden", #"{"errcode": "M_FORBIDDEN"}"#, to: "/state/") }
    }

    func listening(
        to answers: [Answer], endsHistory: Bool = true,
        _ change: (inout MatrixListenerConfiguration) -> Void = { _ in }, _ body: () async throws -> Void
    ) async throws {
        var script = StalledServer.Script()
        // Each connection of the client has all answers, and the history is asked for on another one.
        script.routes = answers + [joined, ignored] + (endsHistory ? [noHistory] : []) + noFacts
        let server = try await StalledServer.start(script, .silent)
        defer { server.stop() }
        try await archiving.listening(
            to: "http://127.0.0.1:\(server.port)", as: MatrixCredentials(user: "@bot:x", password: "p"), change, body)
    }

    func refusal(_ status: String, _ body: String, to call: String = "/v3/sync") -> Answer {
        (call, StalledServer.answer(body, status: status))
    }

    var creation: String {
        """
        {"type": "m.room.create", "state_key": "", "event_id": "$create", "sender": "@alice:x",
         "origin_server_ts": 1794000000000, "content": {}}
        """
    }

    func page(
        _ events: [String], from: String = "/messages", end: String?, state: [String] = []
    ) -> Answer {
        let end = end.map { ", \"end\": \"\($0)\"" } ?? ""
        let (events, state) = (events.joined(separator: ","), state.joined(separator: ","))
        return (from, StalledServer.answer(#"{"chunk": [\#(events)], "state": [\#(state)], "start": "p"\#(end)}"#))
    }

    func redaction(_ number: Int, of target: String) -> String {
        """
        {"type": "m.room.redaction", "event_id": "$x\(number)", "sender": "@alice:x", "redacts": "\(target)",
         "origin_server_ts": \(1_795_000_000_000 + number * 1000), "content": {}}
        """
    }

    func edit(_ number: Int, of target: Int, _ body: String, by person: String = "alice") -> String {
        """
        {"type": "m.room.message", "event_id": "$\(number)", "sender": "@\(person):x",
         "origin_server_ts": \(1_795_000_000_000 + number * 1000), "content": {"msgtype": "m.text", "body": "* \(body)",
         "m.new_content": {"msgtype": "m.text", "body": "\(body)"},
         "m.relates_to": {"rel_type": "m.replace", "event_id": "$\(target)"}}}
        """
    }
}
