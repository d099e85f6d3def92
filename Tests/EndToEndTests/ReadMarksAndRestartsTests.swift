import Foundation
import SQLite
import TestSupport
import Testing

/// Living with an archive: what is unread, several accounts, and programs that are replaced under readers.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ReadMarksAndRestartsTests {
    private func unread(_ scrollback: Program) async throws -> [String] {
        try await scrollback("unread", "--all", "--format", "csv").output.split(separator: "\r\n").dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false).prefix(4).joined(separator: ",")
        }
    }

    @Test func `a room is marked as read through a running listener, and without one`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        try await alice.say("one", as: "alice")
        try await alice.say("two", as: "alice")
        try await eventually("stored") { scrollback.acknowledged.count == 2 ? true : nil }
        #expect(try await unread(scrollback) == ["a1,lobby,1,2"])

        let first = scrollback.acknowledged[0]
        let partly = try await scrollback("mark-read", "lobby", "--to", first)
        #expect(partly.status == 0 && partly.output.isEmpty)
        #expect(partly.errors == "a1/lobby: 1 unread\n")
        #expect(try await unread(scrollback) == ["a1,lobby,1,1"])
        try await alice.say("셋", as: "alice")
        try await eventually("stored") { scrollback.acknowledged.count == 3 ? true : nil }

        let history = try await scrollback("history", "lobby", "--unread")
        #expect(history.output.split(separator: "\n").map { $0.dropFirst(21) } == ["alice  two", "alice  셋"])
        let shown = try await scrollback("history", "lobby", "--unread", "--no-oneline").output
        let lines = shown.split(separator: "\n").dropFirst().map { $0.hasPrefix("===") ? $0 : $0.dropFirst(7) }
        #expect(lines.count == 4 && lines[0] == "alice  one" && lines[1].hasPrefix("=== 2 unread since "))
        #expect(lines.suffix(2) == ["alice  two", "alice  셋"])
        let last = try #require(scrollback.acknowledged.last)
        #expect(history.errors.contains("mark as read: scrollback mark-read a1/lobby --to \(last)\n"))
        let json = try await scrollback("history", "lobby", "--unread", "--format", "jsonl")
        #expect(json.output.split(separator: "\n").count == 2)

        #expect(try await listener.stop().status == 0)
        let all = try await scrollback("mark-read", "lobby")
        #expect(all.status == 0)
        #expect(all.errors == "a1/lobby: all read\n")
        let none = try await scrollback("history", "lobby", "--unread")
        #expect(none.status == 1 && none.errors.contains("no unread messages"))
        let quiet = try await scrollback("unread")
        #expect(quiet.output.isEmpty && quiet.errors.contains("no unread messages in \(scrollback.data)"))
    }

    @Test func `an account that the running listener lacks can be marked as read`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port, server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let both = try await scrollback.startListener(witness: alice)
        try await alice.say("hi", as: "alice")
        // Each account hears it, and the other one that joined.
        try await eventually("stored") { scrollback.acknowledged.count >= 2 ? true : nil }
        #expect(try await both.stop().status == 0)

        try scrollback.configure(ports: server.port)
        let one = try await scrollback.startListener(witness: alice)
        for account in ["a1", "a2"] {
            let marked = try await scrollback("mark-read", "\(account)/lobby")
            #expect(marked.status == 0)
            #expect(marked.errors == "\(account)/lobby: all read\n")
        }
        #expect(try await one.stop().status == 0)
    }

    @Test func `one room in two accounts has two complete histories with their own markers`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port, server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener()
        try await eventually("both have joined") {
            alice.text.components(separatedBy: "archiver has joined").count > 2 ? true : nil
        }
        try await alice.say("안녕", as: "alice")
        try await alice.say("bye", as: "alice")
        try await eventually("stored by both", state: { listener.errors }) { () -> Bool? in
            for account in ["a1", "a2"] {
                guard try await scrollback.said(in: "\(account)/lobby").count == 2 else { return nil }
            }
            return true
        }
        let ambiguous = try await scrollback("history", "lobby")
        #expect(ambiguous.status == 2)
        #expect(ambiguous.errors.contains("choose one: a1/lobby, a2/lobby"))
        let all = try await scrollback("history", "--all", "--hide", "joins", "--format", "jsonl")
        #expect(all.output.split(separator: "\n").count == 4)
        #expect(try await scrollback("mark-read", "a1/lobby").status == 0)
        #expect(try await unread(scrollback) == ["a1,lobby,1,0", "a2,lobby,1,2"])
        #expect(try await listener.stop().status == 0)
    }

    @Test func `old raw payloads are removed when the listener starts, and messages stay`()
        async throws
    {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let first = try await scrollback.startListener(witness: alice)
        try await alice.say("kept", as: "alice")
        try await eventually("stored") { scrollback.acknowledged.count == 1 ? true : nil }
        #expect(try await first.stop().status == 0)
        try await alice.waitFor("archiver has left")
        let file = try databaseFile(scrollback)
        func chunks() throws -> Int {
            let queue = try DatabaseQueue(path: file, isReadOnly: true)
            defer { try? queue.close() }
            return try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM chunk") } ?? -1
        }
        let queue = try DatabaseQueue(path: file)
        try queue.write { db in
            try db.execute(sql: "UPDATE chunk SET received_at_us = received_at_us - 7200000000")
        }
        try queue.close()
        #expect(try chunks() > 0)
        let configuration = try String(contentsOfFile: scrollback.home + "/scrollback.toml", encoding: .utf8)
        try scrollback.write(configuration + "raw_keep = \"1h\"\n", to: "scrollback.toml")
        let second = try await scrollback.startListener()
        try await eventually("they are gone") { try chunks() == 0 ? true : nil }
        #expect(try await second.stop().status == 0)
        #expect(try await scrollback.said(in: "lobby") == ["alice: kept"])
    }

    private func databaseFile(_ scrollback: Program) throws -> String {
        let accounts = scrollback.data + "/accounts"
        let folders = try FileManager.default.contentsOfDirectory(atPath: accounts)
        return try "\(accounts)/\(#require(folders.first { !$0.hasPrefix(".") }))/1.sqlite"
    }

    @Test func `a reader continues while its listener is restarted`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let first = try await scrollback.startListener(witness: alice)
        try await alice.say("before", as: "alice")
        try await eventually("stored") { scrollback.acknowledged.count == 1 ? true : nil }
        let reader = try scrollback.start("tail", "-f", "--format", "jsonl")
        try await eventually("the reader has it") { reader.output.contains("before") ? true : nil }
        #expect(try await first.stop().status == 0)
        try await alice.waitFor("archiver has left")
        let again = try await ChatSocket.joined("bob", port: server.port)
        let second = try await scrollback.startListener(witness: again)
        try await alice.say("after", as: "alice")
        try await eventually("the reader has it", state: { reader.errors }) {
            reader.output.contains("after") ? true : nil
        }
        #expect(reader.isRunning)
        #expect(try await second.stop().status == 0)
    }

    @Test func `a reader whose archive gets a newer schema says so and ends`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        try await alice.say("before", as: "alice")
        try await eventually("stored") { scrollback.acknowledged.count == 1 ? true : nil }
        let reader = try scrollback.start("tail", "-f")
        try await eventually("the reader has it") { reader.output.contains("before") ? true : nil }
        #expect(try await listener.stop().status == 0)
        let queue = try DatabaseQueue(path: try databaseFile(scrollback))
        try queue.write { db in try db.execute(sql: "CREATE TABLE novelty (id INTEGER); PRAGMA user_version = 99")
        }
        try queue.close()
        let result = try await reader.result()
        #expect(result.status == 1)
        #expect(result.errors.contains("has schema 99, but this scrollback supports only"))
        #expect(result.errors.contains("use the newer scrollback"))
    }
}
