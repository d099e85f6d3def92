import Archive
import ChatModel
import Foundation
import Matrix
import Reading
import Sessions
import TestSupport
import Testing

/// A walk through a room's history ends where the archive continues, whatever the times say.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct MatrixHistoryTests: MatrixScript {
    let archiving: MatrixArchiving

    init() throws { archiving = try MatrixArchiving() }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a burst between two answers is a gap until its history is fetched`() async throws {
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

    @Test(.disabled(if: QuickCheck.isRunning))
    func `another server's wrong clock hides no gap`() async throws {
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

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an interrupted history continues where it stopped`() async throws {
        let older = (1...9).map { event($0, "older \($0)") }
        try await listening(
            to: [
                login(), direct, sync([event(10, "ten")], next: "s1"),
                page(Array(older[4...].reversed()), from: "from=ps1", end: "q1"),
            ], endsHistory: false
        ) {
            try await archiving.wait(for: "older 5")
        }
        // A client that began again would request another place, and get an empty history.
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

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a history position that the server forgot is given up`() async throws {
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

    @Test(.disabled(if: QuickCheck.isRunning))
    func `messages removed before the listener came stay a gap with a reason`() async throws {
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
                try await archiving.gaps().map(\.missing?.unfilled) == ["limit"] ? true : nil
            }
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `two people with one name are two people, even in history`() async throws {
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

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an edit in history waits for its message on a later page`() async throws {
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

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [30, 36_500])
    func `a room is archived since its creation, also if the horizon is before that`(days: Int) async throws {
        try await listening(
            to: [
                login(), direct, sync([event(10, "ten")], next: "s1"),
                page([event(9, "nine"), creation], from: "from=ps1", end: nil),
            ], endsHistory: false, { $0.horizon = .seconds(days * 86_400) }
        ) {
            try await archiving.wait(for: "nine")
            let created = Timestamp(milliseconds: 1_794_000_000_000)
            try await eventually("the room is archived since its creation") { () -> Bool? in
                try archiving.archive.reading().rooms().first?.coveredFrom == created ? true : nil
            }
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `times that a server invents end no gap`() async throws {
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
}
