import Foundation
import SQLite
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct DurabilityTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `a stopped listener has stored every acknowledged message and leaves the room`(
        signal: Int32
    ) async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        let result = try await Traffic(alice).run {
            try await eventually("talk is stored") { scrollback.acknowledged.count > 200 ? true : nil }
            return try await listener.stop(signal)
        }
        #expect(result.status == 0, "\(result.errors)")
        try await alice.waitFor("archiver has left")
        let stored = try await scrollback.messages(in: "lobby")
        #expect(stored.map(\.id) == scrollback.acknowledged)
        #expect(isUnbroken(stored))
        let gaps = try await scrollback("gaps", "--format", "jsonl")
        #expect(gaps.output.contains(#""state": "current", "reason": "stopped""#))
    }

    @Test func `a killed listener continues with every acknowledged message once`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        let traffic = Traffic(alice)
        let kept = try await traffic.run {
            try await eventually("talk is stored") { scrollback.acknowledged.count > 200 ? true : nil }
            let killed = try await listener.stop(SIGKILL)
            #expect(killed.status == 128 + SIGKILL)
            let kept = scrollback.acknowledged
            let second = try await scrollback.startListener()
            try await eventually("talk is stored again") {
                scrollback.acknowledged.count > kept.count + 100 ? true : nil
            }
            #expect(try await second.stop().status == 0)
            return kept
        }
        let stored = try await scrollback.messages(in: "lobby")
        #expect(Set(stored.map(\.id)).isSuperset(of: scrollback.acknowledged))
        #expect(stored.map(\.id) == stored.map(\.id).sorted())
        let said = stored.filter { $0.kind == "message" }.map(\.body)
        #expect(Set(said).count == said.count, "nothing is doubled")
        #expect(isUnbroken(Array(stored.prefix(kept.count))), "nothing is missing up to the kill")
        let gaps = try await scrollback("gaps", "--format", "jsonl").output
        #expect(gaps.contains(#""state": "lost", "reason": "crashed""#))
    }

    @Test func `the next session reads what a killed one left in the journal`() async throws {
        let scrollback = try Program()
        let server = try RawServer()
        try scrollback.configure(ports: server.port)
        let listener = try await scrollback.startListener()
        let connection = try await server.accept()
        try connection.send("alice::whole\0alice::half of a")
        try await eventually("the bytes are in the journal", state: { listener.errors }) {
            try number("SELECT sum(length(bytes)) FROM chunk", scrollback) == 29 ? true : nil
        }
        _ = try await listener.stop(SIGKILL)
        #expect(try await scrollback.said(in: "lobby") == ["alice: whole"])
        let second = try await scrollback.startListener()
        try await eventually("the rest of the journal is read", state: { second.errors }) {
            try await scrollback.said(in: "lobby") == ["alice: whole", "alice: half of a"] ? true : nil
        }
        #expect(try await second.stop().status == 0)
        let third = try await scrollback.startListener()
        #expect(try await third.stop().status == 0)
        #expect(try await scrollback.said(in: "lobby") == ["alice: whole", "alice: half of a"])
    }

    /// By a reader of another process, as SQLite lets it.
    private func number(_ sql: String, _ scrollback: Program) throws -> Int? {
        let accounts = try FileManager.default.contentsOfDirectory(atPath: scrollback.data + "/accounts")
        let account = try #require(accounts.first { !$0.hasPrefix(".") })
        // Whoever opens the file first after a kill reads its log, while others wait.
        let queue = try DatabaseQueue(
            path: "\(scrollback.data)/accounts/\(account)/1.sqlite", isReadOnly: true, timeout: 5000)
        return try queue.read { try Int.fetchOne($0, sql: sql) }
    }

    /// `[00:00] <alice> old 1`, and so on, in a file for `import energymech`.
    private func writeLog(_ name: String, word: String, lines: Int, _ scrollback: Program) throws {
        let text = (0..<lines).map { index in
            String(format: "[%02d:%02d] <alice> \(word) \(index)\n", index / 60 % 24, index % 60)
        }
        // In order of time, as logs are.
        try scrollback.write(text.sorted { $0.prefix(7) < $1.prefix(7) }.joined(), to: name)
    }

    private func isHalfMade(_ scrollback: Program) throws -> Bool {
        try number("SELECT count(*) FROM search_index", scrollback) == 2
    }

    @Test(arguments: [true, false])
    func `a restart completes an index that a kill interrupted, with all later messages`(
        isListener: Bool
    ) async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        try writeLog("2025-01-01.log", word: "old", lines: 20_000, scrollback)
        try writeLog("2025-01-02.log", word: "late", lines: 3_000, scrollback)
        func imported(_ log: String) -> [String] { ["import", "energymech", log, "-a", "a1", "--room", "lobby"] }
        var listener: Run? = try await scrollback.startListener(witness: alice)
        if !isListener { listener = try await listener?.stop().status == 0 ? nil : listener }
        let old = try await scrollback.start(arguments: imported("2025-01-01.log")).result()
        #expect(old.status == 0, "\(old.errors)")

        let traffic = Traffic(alice)
        try await traffic.run {
            var reindex = try scrollback.start("archive", "reindex", "--rebuild")
            let maker = try await eventually("some of it is made") { () -> Run? in
                if !reindex.isRunning { reindex = try scrollback.start("archive", "reindex", "--rebuild") }
                let maker = listener ?? reindex
                guard try isHalfMade(scrollback) else { return nil }
                // A slow look may come too late: the next making is looked at.
                try await maker.halt()
                if try isHalfMade(scrollback) { return maker }
                maker.signal(SIGCONT)
                return nil
            }
            // Without the listener, the command makes the index itself.
            if isListener { _ = try await reindex.stop(SIGKILL) }
            _ = try await maker.stop(SIGKILL)
            #expect(try isHalfMade(scrollback))
            listener = try await scrollback.startListener()
            let late = try await scrollback.start(arguments: imported("2025-01-02.log")).result()
            #expect(late.status == 0, "\(late.errors)")
            try await eventually("the index is whole") {
                try number("SELECT count(*) FROM search_index", scrollback) == 1 ? true : nil
            }
        }
        let said = try await scrollback.said(in: "lobby").count { $0.hasPrefix("alice: word ") }
        for (word, count) in [("old", 20_000), ("late", 3_000), ("word", said)] {
            #expect(try await scrollback("search", word, "--count").output == "\(count)\n")
        }
        #expect(said > 0)
        #expect(try await listener?.stop().status == 0)
        let check = try await scrollback("archive", "check")
        #expect(check.status == 0, "\(check.output)")
        #expect(try number("SELECT from_us = -9223372036854775808 FROM search_index", scrollback) == 1)
    }

    @Test func `new data folders and new export folders are synced to disk`() async throws {
        var scrollback = try Program()
        scrollback.environment["CRASH_POINT_FOLDER"] = scrollback.home
        try writeLog("2025-01-01.log", word: "old", lines: 1, scrollback)
        let home = scrollback.home
        let wanted = [
            (["import", "energymech", "2025-01-01.log", "-a", "a1", "--room", "lobby"], [home + "/data"]),
            (["export", "--format", "html", "-o", "new/export"], [home, home + "/new", home + "/new/export"]),
        ]
        for (index, (arguments, parents)) in wanted.enumerated() {
            let record = scrollback.home + "/record\(index)"
            let result = try await scrollback.with(["RECORD": record]).start(arguments: arguments).result()
            #expect(result.status == 0, "\(result.errors)")
            let calls = try Data(contentsOf: URL(filePath: record))
            for parent in parents { #expect(calls.range(of: synchronization(of: parent)) != nil, "\(parent)") }
        }
    }

    /// An fsync in a record: its kind, the length of its path, three fields that are 0, and the path.
    private func synchronization(of path: String) -> Data {
        let path = Data(path.utf8)
        return Data([UInt8(ascii: "s"), UInt8(path.count & 0xff), UInt8(path.count >> 8)]) + Data(count: 18) + path
    }

    @Test func `a restarted server leaves a gap with its reason and is joined again`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let before = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: before)
        try await before.say("before", as: "alice")
        try await eventually("it is stored") { scrollback.acknowledged.isEmpty ? nil : true }
        _ = try await server.run.stop(SIGKILL)
        try await eventually("status tells") {
            try await scrollback("status", "--format", "jsonl").output.contains(#""connected""#) ? nil : true
        }
        let again = try await scrollback.startServer(port: server.port)
        let after = try await ChatSocket.joined("alice", port: again.port)
        try await eventually("what is said is stored again") {
            try await after.say("after", as: "alice")
            return try await scrollback.said(in: "lobby").last == "alice: after" ? true : nil
        }
        #expect(try await scrollback.said(in: "lobby").first == "alice: before")
        let gaps = try await scrollback("gaps", "--format", "jsonl").output
        #expect(gaps.contains(/"state": "lost", "reason": "(closed|lost)"/))
        let text = try await scrollback("history", "lobby")
        #expect(text.output.contains(/before\n\S+ \S+  -- gap \S+ \S+ to .*: .*nothing can fill it\n/))
        #expect(try await listener.stop().status == 0)
    }

    @Test func `a data folder has one listener, and a second is refused with the first one's process`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let first = try await scrollback.startListener(witness: alice)
        let second = try await scrollback("listen")
        #expect(second.status == 1)
        #expect(second.errors.contains("a running listener (process \(first.id)) uses data folder"))
        try await alice.say("hi", as: "alice")
        try await eventually("it is stored") { try await scrollback.said(in: "lobby").last == "alice: hi" ? true : nil }
        #expect(try await first.stop().status == 0)
    }

    /// A limit on the size of files stands for a full disk: writes fail, reads go on, and it can be lifted.
    @Test func `a full disk stops only storing, and nothing is lost when there is space again`()
        async throws
    {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try scrollback.start(
            arguments: ["listen", "--ack-fd", "3"],
            shell: #"trap '' XFSZ; ulimit -S -f 600; exec "$@" 3>>acknowledged"#)
        try await alice.waitFor("archiver has joined")
        let traffic = Traffic(alice, padding: 250)
        try await traffic.run {
            try await listener.says("the archive can't store events")
            // The first trouble may pass: the log that a new connection empties makes some room.
            try await eventually("status tells of it") {
                let status = try await scrollback("status", "--format", "jsonl")
                return status.output.contains("1.sqlite: the disk") ? true : nil
            }
            let acknowledged = scrollback.acknowledged
            #expect(!acknowledged.isEmpty)
            let stored = try await scrollback.messages(in: "lobby").map(\.id)
            #expect(Set(stored).isSuperset(of: acknowledged), "some acknowledged message is not stored")
            let lifted = try await scrollback.start(
                arguments: [], shell: "prlimit --pid \(listener.id) --fsize=unlimited:"
            ).result()
            #expect(lifted.status == 0, "\(lifted.errors)")
        }
        try await eventually(
            "everything is stored",
            state: { "\(scrollback.acknowledged.count) of \(traffic.count) \(listener.errors)" }
        ) {
            scrollback.acknowledged.count == traffic.count ? true : nil
        }
        #expect(try await listener.stop().status == 0)
        let messages = try await scrollback.messages(in: "lobby")
        #expect(messages.map(\.id) == scrollback.acknowledged)
        #expect(isUnbroken(messages))
        #expect(try await scrollback("search", "word", "--count").output == "\(traffic.count)\n")
        #expect(try await scrollback("archive", "check").status == 0)
    }

    /// `word 1`, `word 2`, … without a hole.
    private func isUnbroken(_ messages: [JSONMessage]) -> Bool {
        let numbers = messages.compactMap { message -> Int? in
            guard let body = message.body, body.hasPrefix("word ") else { return nil }
            return Int(body.dropFirst(5).prefix { $0.isNumber })
        }
        return !numbers.isEmpty && numbers == Array(1...numbers.count)
    }
}
