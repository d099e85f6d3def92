import Archive
import ChatModel
import Foundation
import Reading
import Sessions
import TestSupport
import Testing

/// A name that people remove is not a room's name any longer, however the listener heard of the removal.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct MatrixFactTests: MatrixScript {
    let archiving: MatrixArchiving

    init() throws { archiving = try MatrixArchiving() }

    private func state(_ type: String, _ content: String, id: String, _ more: String = "", key: String = "") -> String {
        """
        {"type": "\(type)", "state_key": "\(key)", "event_id": "\(id)", "sender": "@alice:x",
         "origin_server_ts": 1795000050000, "content": \(content)\(more)}
        """
    }

    /// A sync without state, as one after a restart.
    private func quiet(_ events: [String], next: String, limited: Bool = false) -> Answer {
        let room = """
            {"timeline": {"events": [\(events.joined(separator: ","))], "limited": \(limited), "prev_batch": "p\(next)"}}
            """
        return ("/v3/sync", StalledServer.answer(#"{"next_batch": "\#(next)", "rooms": {"join": {"!r:x": \#(room)}}}"#))
    }

    private var members: Answer {
        ("/joined_members", StalledServer.answer(#"{"joined": {"@bot:x": {}, "@alice:x": {"display_name": "Alice"}}}"#))
    }

    private func missing(_ type: String) -> Answer {
        refusal("404 Not Found", #"{"errcode": "M_NOT_FOUND"}"#, to: "/state/\(type)")
    }

    private func waitForName(_ name: String) async throws {
        try await eventually("the room is called \(name)") { () -> Bool? in
            try archiving.archive.reading().rooms().contains { $0.name == name } ? true : nil
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a room whose name is removed is called after its members`() async throws {
        try await listening(to: [
            login(), direct, sync([event(1, "one")], next: "s1", name: "bad name"),
            quiet([redaction(2, of: "$name"), event(3, "two")], next: "s2"), members,
        ]) {
            try await archiving.wait(for: "two")
            try await waitForName("@alice:x")
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a room whose name is set to nothing is called by its address`() async throws {
        try await listening(to: [
            login(), direct, sync([event(1, "one")], next: "s1", name: "bad name"),
            quiet(
                [
                    state("m.room.canonical_alias", ##"{"alias": "#room:x"}"##, id: "$a"),
                    state("m.room.name", #"{"name": ""}"#, id: "$b"),
                ], next: "s2"),
        ]) {
            try await waitForName("#room:x")
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a name that is removed after a restart is removed`() async throws {
        try await listening(to: [login(), direct, sync([event(1, "one")], next: "s1", name: "bad name")]) {
            try await waitForName("bad name")
        }
        let gone = state("m.room.name", "{}", id: "$name", #", "unsigned": {"redacted_because": {}}"#)
        try await listening(to: [
            login(), direct, quiet([redaction(2, of: "$name"), event(3, "two")], next: "s2"),
            ("/state/m.room.name", StalledServer.answer(gone)), missing("m.room.avatar"),
            missing("m.room.canonical_alias"), members,
        ]) {
            try await archiving.wait(for: "two")
            try await waitForName("@alice:x")
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `another name stays when a message or an earlier name is removed after a restart`() async throws {
        try await listening(to: [login(), direct, sync([event(1, "one")], next: "s1", name: "good name")]) {
            try await waitForName("good name")
        }
        // This server gives the content alone.
        try await listening(to: [
            login(), direct, quiet([redaction(2, of: "$1"), event(3, "two")], next: "s2"),
            ("/state/m.room.name", StalledServer.answer(#"{"name": "good name"}"#)), missing("m.room.avatar"),
            missing("m.room.canonical_alias"),
        ]) {
            try await archiving.wait(for: "two")
        }
        #expect(try archiving.archive.reading().rooms().map(\.name) == ["good name"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a name whose removal only history has is removed`() async throws {
        try await listening(to: [
            login(), direct, sync([event(1, "one")], next: "s1", name: "bad name"),
            quiet([event(9, "end")], next: "s2", limited: true),
            page([redaction(2, of: "$name"), event(1, "one")], from: "from=ps2", end: nil), members,
        ]) {
            try await archiving.wait(for: "end")
            try await waitForName("@alice:x")
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a picture that is removed is not the room's picture`() async throws {
        let picture = state("m.room.avatar", #"{"url": "mxc://x/bad"}"#, id: "$p")
        func present() throws -> [String] {
            try archiving.texts("SELECT path FROM room_picture WHERE last_seen_us IS NULL AND path <> ''")
        }
        try await listening(to: [
            login(), direct, sync([event(1, "one"), picture], next: "s1"),
            quiet([redaction(2, of: "$p"), event(3, "two")], next: "s2"),
        ]) {
            try await archiving.wait(for: "two")
            try await eventually("the picture is gone") { () -> Bool? in try present().isEmpty ? true : nil }
        }
    }
}
