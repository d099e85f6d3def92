import ChatModel
import Foundation
import TestSupport

/// Lines of several people, sent as fast as the server accepts them, to a client in the room.
struct IRCBurst: Sendable {
    private static let room = "#burst"
    /// The number of lines of a talker in one write.
    private static let chunk = 100
    /// The time without a line after which no more lines are expected.
    fileprivate static let timeout = Duration.seconds(20)

    var lines: Int
    var seconds: Double
    /// The processor time of the receiver, in seconds.
    var processor: Double
    /// The peak resident memory in KiB; nil for a thread of this process.
    var memory: Int?
    /// The number of missing lines.
    var missing = 0
    var failures: [String] = []

    /// Measures a client that counts the lines and keeps none.
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

    /// Measures `scrollback listen` until all lines are stored.
    ///
    /// - Parameter buffer: The bytes that may wait to be stored; nil for the default.
    static func listener(_ lines: Int, talkers: Int, buffer: Int? = nil) async throws -> IRCBurst {
        let server = try await IRCServer.start(.ngircd)
        let listener = try IRCListener(
            port: server.port, rooms: [room], more: buffer.map { "buffer_bytes = \($0)" } ?? "")
        let witness = try await IRCTalker("witness", port: server.port, channels: room)
        let process = try listener.start()
        defer { process.end() }
        try await witness.waitFor(":\(IRCListener.nick)!")
        // Leaves the room, because the witness's unread lines would fill its buffer.
        try witness.send("PART \(room)")
        let used = try process.processor()
        let talking = try await Self.talkers(lines, talkers, port: server.port)
        let start = ContinuousClock.now
        talk(talking)
        let seconds = (await listener.stores(lines) - start) / .seconds(1)
        var burst = IRCBurst(lines: lines, seconds: seconds, processor: try process.processor() - used)
        burst.memory = try process.memory("VmHWM")
        try burst.check(listener, talkers, server)
        withExtendedLifetime((server, talking)) {}
        try listener.end(process)
        return burst
    }

    /// Returns people who are about to talk. They are not in the room, so the server sends them nothing.
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
            // Writes in a separate thread, because writing waits for the server.
            Thread.detachNewThread {
                for chunk in chunks {
                    guard (try? talker.send(bytes: chunk)) != nil else { return }
                }
            }
        }
    }

    /// Counts the lines that are missing, or are not in the order of their sender.
    private mutating func check(_ listener: IRCListener, _ talkers: Int, _ server: IRCServer) throws {
        var (last, count, late): ([String: Int], Int, Int) = ([:], 0, 0)
        for message in try listener.said() {
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
        guard try !listener.gaps().isEmpty else { return }
        // The server logs only here why it disconnected a client, among the clients that disconnected themselves.
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
    /// Returns when this many messages are stored and no more arrive for a second, or when nothing arrives for
    /// ``timeout``.
    ///
    /// - Returns: The time at which the last message was seen.
    fileprivate func stores(_ lines: Int) async -> ContinuousClock.Instant {
        var (best, since) = (0, ContinuousClock.now)
        while ContinuousClock.now < since + (best < lines ? IRCBurst.timeout : .seconds(1)) {
            try? await Task.sleep(for: .milliseconds(50))
            let count = count() ?? 0
            if count > best { (best, since) = (count, .now) }
        }
        return since
    }
}
