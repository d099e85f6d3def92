import ChatModel
import Foundation
import TestSupport

/// `scrollback listen` in many rooms of one server.
struct IRCRooms: Sendable {
    /// The resident memory in KiB once all rooms are received, and its peak.
    private(set) var memory = (now: 0, highest: 0)
    /// The seconds from the start of the program until all rooms are received: with an empty archive, and with one that
    /// has the rooms.
    private(set) var first = 0.0
    private(set) var restart = 0.0
    /// The seconds from the stop to the end of the process.
    private(set) var stop = 0.0
    /// The processor time from the second start until all rooms are received, in seconds.
    private(set) var processor = 0.0
    private(set) var failures: [String] = []

    static func measure(_ count: Int) async throws -> IRCRooms {
        let server = try await IRCServer.start(.ngircd, more: "[Limits]\nMaxJoins = 0\n")
        let names = (0..<count).map { "#room-\($0)" }
        let listener = try IRCListener(port: server.port, rooms: names)
        var result = IRCRooms()
        var process = try listener.start()
        defer { process.end() }
        // One more is the server's own room.
        result.first = try await listener.waitFor(count + 1)
        let stopping = ContinuousClock.now
        try listener.end(process)
        result.stop = (ContinuousClock.now - stopping) / .seconds(1)
        process = try listener.start()
        result.restart = try await listener.waitFor(count + 1)
        result.processor = try process.processor()
        result.memory = (try process.memory("VmRSS"), try process.memory("VmHWM"))
        result.failures = try await missing(listener, names, port: server.port)
        try listener.end(process)
        return result
    }

    /// Sends a message in each room, and returns the rooms in which it is missing.
    private static func missing(_ listener: IRCListener, _ names: [String], port: Int) async throws -> [String] {
        let talker = try await IRCTalker("talker", port: port)
        for name in names { try talker.say("hello", to: name) }
        let deadline = ContinuousClock.now + .seconds(30)
        var heard = 0
        while heard < names.count, ContinuousClock.now < deadline {
            heard = Set(try listener.said().map(\.room)).count
        }
        return heard == names.count ? [] : ["of \(names.count) rooms, \(heard) are heard"]
    }

    func print() {
        Table.row("resident with all rooms heard, and at most", "\(memory.now) KiB, \(memory.highest) KiB")
        Table.row(
            "from the first start until the store has all as heard", String(format: "%.1f s", first),
            "5 lines of JOIN at once, then one in 2 s")
        Table.row("from SIGTERM to the end", String(format: "%.1f s", stop))
        Table.row("from the second start until all are covered again", String(format: "%.1f s", restart))
        Table.row("processor time of that", String(format: "%.2f s", processor))
    }
}

extension IRCListener {
    /// Returns when the store has this many rooms and receives all of them. Joins have the rate that RFC 1459 allows a
    /// client.
    ///
    /// - Returns: The seconds until then.
    fileprivate func waitFor(_ count: Int) async throws -> Double {
        let start = ContinuousClock.now
        while ContinuousClock.now < start + .seconds(180) {
            if let rooms = rooms(), rooms.all >= count, rooms.silent == 0 {
                return (ContinuousClock.now - start) / .seconds(1)
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw BenchmarkError("not all rooms are heard: \(String(describing: rooms()))")
    }
}
