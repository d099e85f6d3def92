import Archive
import ChatModel
import Foundation
import Sessions
import TestSupport
import Testing

/// Messages have the names of the server's order, whatever their times say.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct MatrixNameTests: MatrixScript {
    let archiving: MatrixArchiving

    init() throws { archiving = try MatrixArchiving() }

    /// - Parameter time: In milliseconds after the messages' first second.
    private func said(_ body: String, at time: Int) -> String {
        event(0, body, at: time + Self.start).replacing("$0", with: "$\(body)")
    }

    private static let start = 1_795_000_000_000

    private func renamed(_ old: String, to new: String, at time: Int) -> String {
        """
        {"type": "m.room.member", "event_id": "$r\(time)\(new)", "sender": "@alice:x", "state_key": "@alice:x",
         "origin_server_ts": \(time + Self.start), "content": {"membership": "join", "displayname": "\(new)"},
         "unsigned": {"prev_content": {"membership": "join", "displayname": "\(old)"}}}
        """
    }

    private func names() async throws -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: try await archiving.messages().filter { $0.kind == .message }.map {
                ($0.body ?? "", $0.sender?.name ?? "")
            })
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a message after a rename has the new name, though its time is earlier`() async throws {
        try await listening(to: [
            login(), direct,
            sync(
                [
                    renamed("x", to: "Pia", at: 0), said("a", at: 5010), renamed("Pia", to: "Mia", at: 5000),
                    said("b", at: 4990), said("c", at: 5005), said("d", at: 6000), said("e", at: 4995),
                ], next: "s1"),
            sync(
                [
                    renamed("Mia", to: "Pia", at: 7000), said("f", at: 6999), renamed("Pia", to: "Mia", at: 7000),
                    said("g", at: 6998), said("end", at: 9000),
                ], next: "s2"),
        ]) {
            try await archiving.wait(for: "end")
        }
        #expect(
            try await names() == [
                "a": "Pia", "b": "Mia", "c": "Mia", "d": "Mia", "e": "Mia", "f": "Pia", "g": "Mia", "end": "Mia",
            ])
        let renames = try await archiving.messages().filter { $0.kind == .rename }
        #expect(
            renames.map { "\($0.sender?.name ?? "") \($0.body ?? "")" } == ["x Pia", "Pia Mia", "Mia Pia", "Pia Mia"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a bridge that renames itself before each message has the right name at each, even of long ago`() async throws
    {
        let names = (0..<6).map { "Person \($0)" }
        let events = names.indices.flatMap { index in
            [
                renamed(index == 0 ? "Relay" : names[index - 1], to: names[index], at: 1000 * index + 3),
                said("m\(index)", at: index == 4 ? -200_000_000 : 1000 * index),
            ]
        }
        try await listening(to: [login(), direct, sync(events + [said("end", at: 20_000)], next: "s1")]) {
            try await archiving.wait(for: "end")
        }
        let found = try await self.names()
        for index in names.indices { #expect(found["m\(index)"] == names[index], "\(index)") }
    }
}
