import Archive
import ChatModel
import Foundation
import Reading
import Sessions
import TestSupport
import Testing

/// What was said before the account left a room, or was removed from it, is archived as far as the server shows it.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct MatrixLeavingTests: MatrixScript {
    let archiving: MatrixArchiving

    init() throws { archiving = try MatrixArchiving() }

    private func leave(_ number: Int, by person: String, _ membership: String = "leave") -> String {
        """
        {"type": "m.room.member", "event_id": "$\(number)", "sender": "@\(person):x", "state_key": "@bot:x",
         "origin_server_ts": \(1_795_000_000_000 + number * 1000), "content": {"membership": "\(membership)"}}
        """
    }

    private func left(_ events: [String], next: String, limited: Bool) -> Answer {
        let room = """
            {"timeline": {"events": [\(events.joined(separator: ","))], "limited": \(limited), "prev_batch": "p\(next)"}}
            """
        return (
            "/v3/sync", StalledServer.answer(#"{"next_batch": "\#(next)", "rooms": {"leave": {"!r:x": \#(room)}}}"#)
        )
    }

    private var nowhere: Answer { ("/joined_rooms", StalledServer.answer(#"{"joined_rooms": []}"#)) }

    private func said() async throws -> [String] {
        try await archiving.messages(room: "r").filter { $0.kind == .message }.compactMap(\.body)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [("bot", "leave"), ("alice", "leave"), ("alice", "ban")])
    func `what was said while the listener was stopped is fetched after the end of the membership`(
        person: String, membership: String
    ) async throws {
        try await listening(to: [login(), direct, sync([event(1, "one")], next: "s1")]) {
            try await archiving.wait(for: "one")
        }
        let burst = (2...8).map { event($0, "burst \($0)") }
        try await listening(
            to: [
                login(), direct, nowhere,
                left([burst[6], leave(9, by: person, membership)], next: "s2", limited: true),
                page(Array(burst[3...5].reversed()), from: "from=ps2", end: "q1"),
                page(Array(burst[0...2].reversed()) + [event(1, "one")], from: "from=q1", end: nil),
            ], endsHistory: false
        ) {
            try await archiving.wait(for: "burst 2")
            try await eventually("the gap is closed") { () -> Bool? in
                try await archiving.gaps().isEmpty ? true : nil
            }
        }
        #expect(try await said() == ["one"] + (2...8).map { "burst \($0)" })
        let room = try #require(try archiving.archive.reading().rooms().first)
        #expect(room.name == "r" && room.leftAt != nil)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a burst before a kick is fetched while the listener runs`() async throws {
        let burst = (2...8).map { event($0, "burst \($0)") }
        try await listening(
            to: [
                login(), direct, sync([event(1, "one")], next: "s1"),
                left([burst[6], leave(9, by: "alice")], next: "s2", limited: true),
                page([event(1, "one"), creation], from: "from=ps1", end: nil),
                page(Array(burst[0...5].reversed()) + [event(1, "one")], from: "from=ps2", end: nil),
            ], endsHistory: false
        ) {
            try await archiving.wait(for: "burst 2")
        }
        #expect(try await said() == ["one"] + (2...8).map { "burst \($0)" })
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a server that shows nothing after a ban leaves a gap with its words`() async throws {
        try await listening(to: [login(), direct, sync([event(1, "one")], next: "s1")]) {
            try await archiving.wait(for: "one")
        }
        let refused = refusal(
            "403 Forbidden", #"{"errcode": "M_FORBIDDEN", "error": "You are banned"}"#, to: "/messages")
        try await listening(
            to: [
                login(), direct, nowhere,
                left([event(8, "eight"), leave(9, by: "alice", "ban")], next: "s2", limited: true), refused,
            ], endsHistory: false
        ) {
            try await archiving.wait(for: "eight")
            await archiving.reports.wait { $0.contains { $0.lastError?.contains("You are banned") ?? false } }
        }
        #expect(try await said() == ["one", "eight"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a room that the account joins again is archived on`() async throws {
        try await listening(
            to: [
                login(), direct, sync([event(1, "one")], next: "s1"),
                left([event(2, "two"), leave(3, by: "alice")], next: "s2", limited: false),
                sync([event(4, "four")], next: "s3"),
            ]
        ) {
            try await archiving.wait(for: "four")
        }
        #expect(try await said() == ["one", "two", "four"])
        #expect(try archiving.archive.reading().rooms().map { $0.leftAt == nil } == [true])
    }
}
