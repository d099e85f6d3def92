import Logging
import RoomServer
import StreamChatWire

/// Runs a room server on a free port for as long as `body`.
func withRoomServer<Result: Sendable>(
    _ framing: Framing, _ body: @escaping @Sendable (_ port: Int) async throws -> Result
) async throws -> Result {
    var configuration = RoomServerConfiguration()
    configuration.port = 0
    configuration.framing = framing
    let server = RoomServer(configuration, logger: RoomLoadRun.silent)
    let (ports, ready) = AsyncStream<Int>.makeStream()
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await server.run { ready.yield($0) } }
        defer { group.cancelAll() }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next(isolation: #isolation) else {
            throw BenchmarkError("the room server did not start")
        }
        return try await body(port)
    }
}
