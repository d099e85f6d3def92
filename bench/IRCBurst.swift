import ChatModel
import Foundation
import TestSupport

/// Lines of several people as fast as the server takes them, to whoever is in the room.
struct IRCBurst: Sendable {
    private static let room = "#burst"
    /// Lines of a talker in one write.
    private static let chunk = 100
    /// Without a line for so long, nothing more comes.
    fileprivate static let timeout = Duration.seconds(20)

    var lines: Int
    var seconds: Double
    /// Of the processor, by whoever takes them.
    var processor: Double
    /// KiB resident at most; nil for what is a thread of ours.
    var memory: Int?
    /// Lines.
    var missing = 0
    var failures: [String] = []

    /// To a client that counts them and keeps none.
    static func bare(_ lines: Int, talkers: Int) async throws -> IRCBurst {
        let server = try await IRCServer.start(.ngircd)
        let reader = try await IRCTalker(IRCListener.nick, port: server.port, channels: room)
        let talking = try await Self.talkers(lines, talkers, port: server.port)
        let start = ContinuousClock.now
        talk(talking)
        let (count, processor) = await reader.count(lines, timeout: timeout)
        var burst = IRCBurst(lines: lines, seconds: (ContinuousClock.now - start) / .seconds(1), processor: processor)
        burst.missing = lines - count
        if count < lines { burst.failures.append("a bare reader was sent \(count) of \(lines) lines") }
        withExtendedLifetime((server, talking)) {}
        return burst
    }

    /// To `scrollback listen`, until all is stored.
    ///
    /// - Parameter buffer: Bytes that may wait to be stored; nil for as many as by default.
    static func listener(_ lines: Int, talkers: Int, buffer: Int? = nil) async throws -> IRCBurst {
        let server = try await IRCServer.start(.ngircd)
        let listener = try IRCListener(
            port: server.port, rooms: [room], more: buffer.map { "buffer_bytes = \($0)" } ?? "")
        let witness = try await IRCTalker("witness", port: server.port, channels: room)
        let process = try listener.start()
        defer { process.end() }
        try await witness.waitFor(":\(IRCListener.nick)!")
        // What is left in it for us to read would fill up.
        try witness.send("PART \(room)")
        let used = try process.processor()
        let talking = try await Self.talkers(lines, talkers, port: server.port)
        let start = ContinuousClock.now
        talk(talking)
        let seconds = (await listener.stores(lines) - start) / .seconds(1)
        var burst = IRCBurst(lines: lines, seconds: seconds, processor: try process.processor() - used)
        burst.memory = try process.memory("VmHWM")
        try await burst.check(listener, talkers, server)
        withExtendedLifetime((server, talking)) {}
        try listener.end(process)
        return burst
    }

    /// People who are about to talk; they are not in the room, and so are told nothing.
    private static func talkers(_ lines: Int, _ count: Int, port: Int) async throws -> [(IRCTalker, [[UInt8]])] {
        var talkers: [(IRCTalker, [[UInt8]])] = []
        for number in 0..<count {
            let chunks = stride(from: 0, to: lines / count, by: chunk).map { start in
                let texts = (start..<min(start + chunk, lines / count)).map {
                    "PRIVMSG \(room) :\($0) 안녕하세요, this is a line as people write them"
                }
                return Array(texts.joined(separator: "\r\n").utf8)
            }
            talkers.append((try await IRCTalker("talker\(number)", port: port), chunks))
        }
        return talkers
    }

    private static func talk(_ talkers: [(IRCTalker, [[UInt8]])]) {
        for (talker, chunks) in talkers {
            // Writing waits for the server.
            Thread.detachNewThread {
                for chunk in chunks {
                    guard (try? talker.send(bytes: chunk)) != nil else { return }
                }
            }
        }
    }

    /// What is missing, or stands in another order than its sender's.
    private mutating func check(_ listener: IRCListener, _ talkers: Int, _ server: IRCServer) async throws {
        var (last, count, late): ([String: Int], Int, Int) = ([:], 0, 0)
        for message in try await listener.said() {
            guard let name = message.sender?.name, let number = message.body?.prefix(while: \.isNumber).description,
                let number = Int(number)
            else { continue }
            count += 1
            if number <= last[name] ?? -1 { late += 1 }
            last[name] = number
        }
        missing = lines - count
        if missing != 0 { failures.append("of \(lines) lines, \(missing) are missing") }
        if late > 0 { failures.append("\(late) lines stand before what their sender said before") }
        guard try await !listener.gaps().isEmpty else { return }
        // It tells the reason in its log alone, beside those who hung up themselves.
        let said = (server.run.output + server.run.errors).split(separator: "\n").first {
            $0.contains("Shutting down") && !$0.contains("Client closed connection")
        }
        failures.append("the server hung up: \(said ?? "it does not say why")")
    }

    static func print(_ bursts: [(name: String, burst: IRCBurst)]) {
        func row(_ name: String, _ value: (IRCBurst) -> String) -> (String, [String]) {
            (name, bursts.map { value($0.burst) })
        }
        Table.columns(
            bursts.map(\.name),
            [
                row("lines missing") { "\($0.missing)" },
                row("lines a second") { String(format: "%.0f", Double($0.lines - $0.missing) / $0.seconds) },
                row("processor time, s") { String(format: "%.3f", $0.processor) },
                row("µs of the processor, a line") {
                    String(format: "%.2f", $0.processor / Double($0.lines - $0.missing) * 1e6)
                },
                row("resident at most, KiB") { $0.memory.map(String.init) ?? "-" },
            ])
    }
}

extension IRCListener {
    /// Returns when it has so many messages and a second nothing more comes, or nothing comes for a while.
    ///
    /// - Returns: when the last one was seen.
    fileprivate func stores(_ lines: Int) async -> ContinuousClock.Instant {
        var (best, since) = (0, ContinuousClock.now)
        while ContinuousClock.now < since + (best < lines ? IRCBurst.timeout : .seconds(1)) {
            try? await Task.sleep(for: .milliseconds(50))
            let count = await count() ?? 0
            if count > best { (best, since) = (count, .now) }
        }
        return since
    }
}
