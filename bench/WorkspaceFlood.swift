import Foundation
import NIOPosix
import SLP
import SLPWire

/// Events sent as fast as possible to one of several clients.
struct WorkspaceFlood: Sendable {
    var events: Int
    var seconds: Double
    /// The processor time of the server, in seconds.
    var server: Double
    var client: Double

    var rate: Double { Double(events) / seconds }

    /// Measures a client that does not read the events.
    static func bare(_ server: WorkspaceServer, _ events: Int, _ way: WorkspaceServer.Way) async throws
        -> WorkspaceFlood
    {
        let socket = try BareWebSocket(port: server.port)
        try socket.join(server.namespaces)
        return try await measure(server, events) {
            try await server.send(events, way)
            try socket.count("42", to: events)
        }
    }

    /// Measures our Socket.IO client, which counts the events.
    static func client(
        _ server: WorkspaceServer, _ events: Int, _ way: WorkspaceServer.Way
    ) async throws -> WorkspaceFlood {
        let connector = SocketIOConnector(
            SocketIOConfiguration(host: "127.0.0.1", port: server.port, isSecure: false),
            group: MultiThreadedEventLoopGroup.singleton)
        return try await connector.withConnection { connection in
            for namespace in server.namespaces { _ = connection.connect(namespace) }
            var joined = 0
            var count = 0
            var begun: (at: ContinuousClock.Instant, used: Double, served: Double)?
            do {
                let flood = try await connection.forEachEvent { event -> Result<WorkspaceFlood, any Error>? in
                    switch event.content {
                    case .connected: joined += 1
                    case .event: count += 1
                    default: break
                    }
                    do {
                        if joined == server.namespaces.count, begun == nil {
                            begun = (.now, processor(), try await server.storm().total)
                            try await server.send(events, way)
                        }
                        guard count == events, let begun else { return nil }
                        let seconds = (ContinuousClock.now - begun.at) / .seconds(1)
                        let used = processor() - begun.used
                        return .success(
                            WorkspaceFlood(
                                events: events, seconds: seconds, server: try await server.storm().total - begun.served,
                                client: used))
                    } catch {
                        return .failure(error)
                    }
                }
                return flood ?? .failure(BenchmarkError("the server closed the connection"))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Measures `scrollback listen`, until all events are stored.
    static func listener(
        _ listener: WorkspaceListener, _ server: WorkspaceServer, _ events: Int, from first: Int,
        _ way: WorkspaceServer.Way
    ) async throws -> WorkspaceFlood {
        let used = try listener.process.processor()
        var flood = try await measure(server, events) {
            try await server.send(events, from: first, way)
            let last = "event \(first + events - 1):"
            let deadline = ContinuousClock.now + .seconds(120)
            while try listener.last()?.hasPrefix(last) != true {
                guard ContinuousClock.now < deadline else { throw BenchmarkError("not all events were stored") }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        flood.client = try listener.process.processor() - used
        return flood
    }

    private static func measure(
        _ server: WorkspaceServer, _ events: Int, _ body: () async throws -> Void
    ) async throws -> WorkspaceFlood {
        let served = try await server.storm().total
        let (start, used) = (ContinuousClock.now, processor())
        try await body()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let client = processor() - used
        return WorkspaceFlood(
            events: events, seconds: seconds, server: try await server.storm().total - served, client: client)
    }

    /// Returns the processor time of this process so far, in seconds.
    private static func processor() -> Double {
        Double(clock()) / 1e6
    }

    static func print(_ floods: [(name: String, flood: WorkspaceFlood)]) {
        func row(_ name: String, _ format: String, _ value: (WorkspaceFlood) -> Double) -> (String, [String]) {
            (name, floods.map { String(format: format, value($0.flood)) })
        }
        Table.columns(
            floods.map(\.name),
            [
                row("events a second", "%.0f") { $0.rate },
                row("µs of the server's processor, an event", "%.0f") { $0.server / Double($0.events) * 1e6 },
                row("µs of the client's processor, an event", "%.0f") { $0.client / Double($0.events) * 1e6 },
            ])
    }
}
