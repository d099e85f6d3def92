import Foundation
import TestSupport
import Testing

/// The limits `keep_free` and `max_size`.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct QuotaTests {
    private let scrollback: Program

    init() throws {
        scrollback = try Program()
    }

    /// More than any disk has.
    private static let huge = "keep_free = \"900000TB\"\n"

    private func configure(_ size: String?, port: Int = 1, top: String = "") throws {
        try scrollback.write(
            """
            \(top)
            [[account]]
            name = "a1"
            network = "streamchat"
            server = "tcp://127.0.0.1:\(port)"
            nick = "archiver"
            framing = "nul"
            sign_of_life_seconds = 1
            \(size.map { "max_size = \"\($0)\"" } ?? "")
            """, to: "scrollback.toml")
    }

    private func log(_ lines: Int) throws {
        let text = (0..<lines).map { line in
            String(format: "[%02d:%02d:%02d] <alice> ", line / 3600, line / 60 % 60, line % 60) + "word \(line)\n"
        }
        try scrollback.write(text.joined(), to: "2026-11-20.log")
    }

    private func importLog(room: String = "lobby") async throws -> Run.Result {
        try await scrollback("import", "energymech", "2026-11-20.log", "-a", "a1", "--room", room)
    }

    private func size() throws -> Int {
        let accounts = scrollback.data + "/accounts"
        let folder = try #require(try FileManager.default.contentsOfDirectory(atPath: accounts).first)
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(accounts)/\(folder)")
        let file = try #require(names.first { $0.hasSuffix(".sqlite") })
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(accounts)/\(folder)/\(file)")
        return try #require(attributes[.size] as? Int)
    }

    @Test func `an import stops before max_size, and continues with a larger one`()
        async throws
    {
        try configure("1MB")
        try log(20_000)
        let full = try await importLog()
        #expect(full.status == 1 && full.errors.contains("its max_size is 1000000"), "\(full.errors)")
        #expect(full.errors.contains("[quota]"))
        #expect(try size() <= 1_000_000)
        #expect(try await scrollback("search", "word").output.contains("word 2999"), "the batches that fit are stored")
        #expect(try await scrollback("rooms").status == 0, "reading has no limit")
        #expect(try await scrollback("archive", "check").status == 0)
        try configure("1MB", top: "a_mistake = 1\n")
        #expect(try await importLog().errors.contains("its max_size is 1000000"), "another key has a mistake")
        try configure("100MB")
        let whole = try await importLog()
        #expect(whole.status == 0, "\(whole.errors)")
        #expect(try await scrollback("search", "19999").output.contains("word 19999"))
    }

    @Test func `nothing is written to a disk with less than keep_free, and everything is readable`() async throws {
        for account in ["demo", "cold"] {
            try await StoredRoom.store([StoredRoom.Said(name: "alice", text: "hi")], as: account, for: scrollback)
        }
        #expect(try await scrollback("archive", "compress", "cold").status == 0)
        try configure(nil, top: Self.huge)
        try log(3)
        for refused in [
            try await importLog(), try await scrollback("backup", "--all", "copies"),
            try await scrollback("backup", "restore", "data/scrollback", "--data", "new"),
        ] {
            #expect(refused.status == 1 && refused.errors.contains("keep_free leaves"), "\(refused.errors)")
        }
        #expect(try await scrollback("backup", "verify", "copies").status != 2)
        for account in ["demo", "cold"] {
            #expect(try await scrollback("history", account + "/lobby").output.contains("hi"), "\(account)")
            #expect(try await scrollback("archive", "compress", account).status == 0, "it makes room")
        }
    }

    @Test
    func `a listener disconnects a full account, records the gap, and returns when there is space`()
        async throws
    {
        let server = try await scrollback.startServer()
        try configure("1MB", port: server.port)
        try log(3000)
        #expect(try await importLog(room: "old").status == 0)
        #expect(try size() > 600_000, "little room is left")
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        _ = try await Traffic(alice, padding: 250).run {
            try await eventually("the account is full", state: { listener.errors }) {
                let status = try await scrollback("status", "--format", "jsonl").output
                return status.contains(#""state": "waiting""#) && status.contains("its max_size is 1000000")
                    ? true : nil
            }
        }
        #expect(try size() < 2_000_000, "the batch that was being stored has at most 1 MiB")
        let check = try await scrollback("status", "--check")
        #expect(check.status == 1 && check.output.contains("its max_size is 1000000"), "\(check)")
        let gaps = try await scrollback("gaps", "--format", "jsonl")
        #expect(gaps.output.contains(#""reason": "store""#), "\(gaps.output)")
        let stored = try await scrollback.said(in: "a1/lobby").count
        #expect(stored > 0)
        try configure("50MB", port: server.port)
        listener.signal(SIGHUP)
        try await eventually("it is connected again", state: { listener.errors }) {
            try await scrollback("status", "--format", "jsonl").output.contains(#""state": "waiting""#) ? nil : true
        }
        try await eventually("what is said is stored again", state: { listener.errors }) {
            try await alice.say("after", as: "alice")
            return try await scrollback("search", "after").output.contains("after") ? true : nil
        }
        #expect(try await listener.stop().status == 0)
        let closed = try await scrollback("gaps", "--format", "jsonl")
        #expect(closed.output.contains(#""reason": "store""#), "\(closed.output)")
        #expect(try await scrollback("archive", "check").status == 0)
    }
}
