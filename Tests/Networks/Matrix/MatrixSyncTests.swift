import Foundation
import TestSupport
import Testing

@testable import MatrixWire

/// A sync is read room by room, wherever its bytes are split.
struct MatrixSyncTests {
    private static let answer = #"""
        {"next_batch": "s72_\u0031", "account_data": {"events": [{"type": "m.direct"}]}, "presence": {"events": [1]},
         "rooms": {"invite": {"!i:x": {"invite_state": {"events": [{"a": 1}]}}}, "join": {
          "!a:x": {"timeline": {"events": [{"event_id": "$1"}, {"event_id": "$2"}], "prev_batch": "t1", "limited": true},
                   "state": {"events": [{"s": 1}]}, "summary": {"m.heroes": ["@a:x", "@b:x"], "m.joined_member_count": 2},
                   "unread_notifications": {"notification_count": 5, "highlight_count": 1}},
          "!b:x": {"timeline": {"events": []}}, "!c:x": {"timeline": {"events": [{"event_id": "$3"}]}}},
         "leave": {"!a:x": {"timeline": {"events": [{"event_id": "$4"}]}}}}}
        """#

    private func items(_ parts: [[UInt8]]) throws -> [MatrixSync.Item] {
        var sync = MatrixSync()
        var items: [MatrixSync.Item] = []
        for part in parts { items += try sync.readItems(part) }
        return items + (try sync.finish())
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `rooms and the next position are read at every split`() throws {
        let bytes = Array(Self.answer.utf8)
        let expected = try items([bytes])
        for place in 0...bytes.count {
            #expect(try items([Array(bytes[..<place]), Array(bytes[place...])]) == expected, "split at \(place)")
        }
        let rooms = expected.compactMap { item in if case .room(let room) = item { room } else { nil } }
        #expect(rooms.map(\.id) == ["!i:x", "!a:x", "!c:x", "!a:x"])
        #expect(rooms.map(\.section) == [.invite, .join, .join, .leave])
        let first = rooms[1]
        #expect(first.timeline.count == 2 && first.isLimited && first.previousBatch == "t1")
        #expect(first.heroes == ["@a:x", "@b:x"] && first.state.count == 1)
        #expect(expected.last == .next("s72_1"))
    }

    @Test(arguments: ["{}", "", "{\"next_batch\": 5}", "{\"next_batch\": \"s\"", "[]", "{\"rooms\": []}"])
    func `an answer without a position is an error`(text: String) {
        #expect(throws: MatrixFormError.self) { try items([Array(text.utf8)]) }
    }

    @Test func `a room that is too large is cut, and its history fetches the rest`() throws {
        var sync = MatrixSync()
        _ = try sync.readItems(Array(#"{"rooms": {"join": {"!a:x": {"timeline": {"prev_batch": "p", "events": ["#.utf8))
        let event = Array("{\"a\": \"\(String(repeating: "x", count: 900_000))\"},".utf8)
        for _ in 0..<100 { #expect(try sync.readItems(event).isEmpty) }
        _ = try sync.readItems(Array(#"3], "limited": false}}}}, "next_batch": "n"}"#.utf8))
        let rooms = try sync.finish().compactMap { item in if case .room(let room) = item { room } else { nil } }
        let room = try #require(rooms.first)
        #expect(room.isLimited && room.previousBatch == nil && room.timeline.count < 20)
    }

    @Test func `a room has at most 100 heroes`() throws {
        let names = (0..<1000).map { "\"@\($0):x\"" }.joined(separator: ", ")
        let summary = #"{"summary": {"m.heroes": [\#(names)]}}"#
        let read = try items([Array(#"{"rooms": {"join": {"!a:x": \#(summary)}}, "next_batch": "n"}"#.utf8)])
        guard case .room(let room) = read.first else { throw CancellationError() }
        #expect(room.heroes == (0..<100).map { "@\($0):x" })
    }

    @Test func `errors say what to do`() {
        func refusal(_ status: Int, _ body: String, _ retry: String? = nil) -> MatrixRefusal {
            MatrixRefusal(status: status, body: Array(body.utf8), retryAfter: retry)
        }
        let limited = refusal(429, #"{"errcode": "M_LIMIT_EXCEEDED", "retry_after_ms": 1500}"#)
        #expect(limited.reaction == .wait && limited.retryAfter == .milliseconds(1500))
        #expect(refusal(429, "", "7").retryAfter == .seconds(7))
        #expect(refusal(429, #"{"retry_after_ms": 99999999999999}"#).retryAfter == .seconds(3600))
        #expect(refusal(429, #"{"retry_after_ms": -5}"#).retryAfter == .zero)
        #expect(refusal(401, #"{"errcode": "M_UNKNOWN_TOKEN", "soft_logout": true}"#).isSoftLogout)
        #expect(refusal(403, #"{"errcode": "M_FORBIDDEN", "error": "no"}"#).text == "M_FORBIDDEN: no")
        #expect(refusal(502, "<html>").reaction == .retry && refusal(502, "<html>").text == "status 502")
        #expect(refusal(403, #"{"errcode": "M_USER_DEACTIVATED"}"#).reaction == .stop)
    }
}
