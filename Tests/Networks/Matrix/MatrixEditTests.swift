import Archive
import ChatModel
import Foundation
import Sessions
import TestSupport
import Testing

/// An edit that is removed leaves nothing, however the listener heard of it.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct MatrixEditTests: MatrixScript {
    let archiving: MatrixArchiving

    init() throws { archiving = try MatrixArchiving() }

    /// The rest of a removed edit, as history has it.
    private func gone(_ number: Int) -> String {
        """
        {"type": "m.room.message", "event_id": "$\(number)", "sender": "@alice:x", "content": {},
         "origin_server_ts": \(1_795_000_000_000 + number * 1000),
         "unsigned": {"redacted_because": {"sender": "@alice:x", "origin_server_ts": 1795000100000}}}
        """
    }

    /// A message with its newest edit, as servers add it.
    private func bundled(_ number: Int, _ body: String, edit: String) -> String {
        event(number, body).dropLast() + #", "unsigned": {"m.relations": {"m.replace": \#(edit)}}}"#
    }

    private func said() async throws -> [String] {
        try await archiving.messages().filter { $0.kind == .message }.map {
            ($0.body ?? "-") + ($0.editedAt == nil ? "" : " (edited)")
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a removed edit gives the message its text before the edit`() async throws {
        try await listening(to: [
            login(), direct, sync([event(1, "before"), edit(2, of: 1, "after")], next: "s1"),
            sync([redaction(3, of: "$2"), event(4, "end")], next: "s2"),
        ]) {
            try await archiving.wait(for: "end")
        }
        #expect(try await said() == ["before", "end"])
        #expect(try archiving.texts("SELECT body FROM message_version") == [])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a removed edit that an earlier connection heard is removed`() async throws {
        try await listening(to: [
            login(), direct,
            sync([event(1, "before"), edit(2, of: 1, "middle"), edit(3, of: 1, "after")], next: "s1"),
        ]) {
            try await archiving.wait(for: "after")
        }
        try await listening(to: [login(), direct, sync([redaction(5, of: "$2"), event(6, "end")], next: "s2")]) {
            try await archiving.wait(for: "end")
        }
        #expect(try await said() == ["after (edited)", "end"])
        #expect(try archiving.texts("SELECT body FROM message_version") == ["before"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a removed edit that only history has as removed is removed`() async throws {
        try await listening(to: [
            login(), direct, sync([event(1, "before"), edit(2, of: 1, "after")], next: "s1"),
            sync([event(9, "end")], next: "s2", limited: true),
            page([redaction(3, of: "$2"), gone(2), event(1, "before")], from: "from=ps2", end: nil),
        ]) {
            try await archiving.wait(for: "end")
            try await archiving.wait(for: "before")
        }
        #expect(try await said() == ["before", "end"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an edit that the server adds to its message is removed`() async throws {
        let after = edit(5, of: 1, "after")
        try await listening(to: [
            login(), direct, sync([after], next: "s1"),
            page([bundled(1, "before", edit: after), creation], from: "from=ps1", end: nil),
            sync([event(8, "middle")], next: "s2"), sync([redaction(6, of: "$5"), event(9, "end")], next: "s3"),
        ]) {
            try await archiving.wait(for: "before")
            try await archiving.wait(for: "end")
        }
        #expect(try await said().filter { $0.contains("after") } == [])
    }
}
