import ChatModel
import Foundation
import TestSupport

/// Events at a steady pace to `scrollback listen`, and the results.
struct WorkspacePace: Sendable {
    private var events: Int
    private var rate: Int
    private var storm: WorkspaceServer.Storm
    private var missing: Int
    private var twice: Int
    /// The seconds from sending the last event until it was seen in the archive.
    private var lag: Double
    /// The highest number of events that were sent and not yet stored, read once a second.
    private var backlog: Int
    /// The time of each event from sending it until it was read from the socket, in order.
    private var delays: [Duration]
    /// The resident memory, in KiB.
    private var memory: (before: Int, highest: Int)
    /// The processor time of the listener and of the server, in seconds.
    private var processor: (listen: Double, server: Double)

    static func measure(
        _ listener: WorkspaceListener, _ server: WorkspaceServer, _ namespaces: Int, events: Int, rate: Int,
        _ way: WorkspaceServer.Way
    ) async throws -> WorkspacePace {
        try await server.server.comesTo("all namespaces are heard") { state in
            server.namespaces.allSatisfy { state.namespaces[$0] == 1 }
        }
        try await listener.holds(0, within: .seconds(120))
        let before = try listener.process.memory("VmRSS")
        let used = try listener.process.processor()
        let served = try await server.storm().total
        try await server.send(events, rate: rate, way)
        let backlog = try await watch(listener, server, events, rate)
        let lag = try await waitForLast(listener, events)
        let storm = try await server.storm()
        let processor = (try listener.process.processor() - used, storm.total - served)
        let highest = try listener.process.memory("VmHWM")
        let messages = try listener.messages()
        let numbers = messages.compactMap { $0.body?.split(separator: " ").dropFirst().first?.dropLast() }.compactMap {
            Int($0)
        }
        let delays = messages.compactMap { message in
            message.receivedAt.since(message.sourceTime ?? message.id.time)
        }
        return WorkspacePace(
            events: events, rate: rate, storm: storm, missing: Set(0..<events).subtracting(numbers).count,
            twice: numbers.count - Set(numbers).count, lag: lag - storm.last, backlog: backlog, delays: delays.sorted(),
            memory: (before, highest), processor: processor)
    }

    /// Reads the figures until a second before the end.
    private static func watch(
        _ listener: WorkspaceListener, _ server: WorkspaceServer, _ events: Int, _ rate: Int
    ) async throws -> Int {
        var backlog = 0
        while true {
            let sent = try await server.storm().sent
            if sent >= events - rate { return backlog }
            let stored = try listener.last()?.split(separator: " ").dropFirst().first?.dropLast()
            backlog = max(backlog, sent - (stored.flatMap { Int($0) } ?? 0))
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Returns the time at which the last event was seen, in seconds since 1970.
    private static func waitForLast(_ listener: WorkspaceListener, _ events: Int) async throws -> Double {
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            if try listener.last()?.hasPrefix("event \(events - 1):") == true {
                return Date().timeIntervalSince1970
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw BenchmarkError("the last event was not stored within 120 s")
    }

    var failures: [String] {
        var failures: [String] = []
        if missing > 0 || twice > 0 { failures.append("\(missing) events are missing, \(twice) are there twice") }
        if storm.rate < Double(rate) * 0.99 {
            failures.append("the server sent \(Int(storm.rate)) events a second, not \(rate)")
        }
        return failures
    }

    func print() {
        func milliseconds(_ delay: Duration) -> Int { Int(delay / .milliseconds(1)) }
        Table.row("events sent, stored, missing, twice", "\(storm.sent), \(events - missing), \(missing), \(twice)")
        Table.row(
            "events a second, as the server sent them", "\(Int(storm.rate))",
            "behind its pace by \(storm.behind) at most")
        Table.row("from when the last one was sent until it was stored", "\(Int(lag * 1000)) ms")
        Table.row("sent and not yet stored, looked at once a second", "\(backlog) at most")
        if let last = delays.last {
            Table.row(
                "from when it was sent until it was read",
                "median \(milliseconds(delays[delays.count / 2])) ms, p99 \(milliseconds(delays[delays.count * 99 / 100])) ms",
                "at most \(milliseconds(last)) ms")
        }
        Table.row("resident before, and at most", "\(memory.before), \(memory.highest) KiB")
        Table.row(
            "processor time of listen, of the server",
            String(format: "%.1f s, %.1f s", processor.listen, processor.server),
            String(
                format: "%.0f and %.0f µs an event", processor.listen / Double(events) * 1e6,
                processor.server / Double(events) * 1e6))
    }
}
