import Logging
import RoomServer
import StreamChatWire

/// Runs a server on a free port while `body` runs, and waits for its end.
func withRoomServer(
    _ framing: Framing = .nul, _ revision: Revision = .august2021,
    log: EventLog = EventLog(), configure: (inout RoomServerConfiguration) -> Void = { _ in },
    _ body: (_ port: Int) async throws -> Void
) async throws {
    var configuration = RoomServerConfiguration()
    configuration.port = 0
    configuration.framing = framing
    configuration.revision = revision
    configure(&configuration)
    let server = RoomServer(configuration, logger: Logger(label: "test") { _ in log })
    let (ports, ready) = AsyncStream.makeStream(of: Int.self)
    try await withThrowingTaskGroup { tasks in
        tasks.addTask {
            defer { ready.finish() }
            try await server.run { ready.yield($0) }
        }
        if let port = await ports.first(where: { _ in true }) { try await body(port) }
        tasks.cancelAll()
        try await tasks.waitForAll()
    }
}
