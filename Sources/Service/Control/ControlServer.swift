import Arrivals
import Bytes
import FoundationEssentials
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Settings

/// Answers requests of other processes while a listener runs, at a socket that only its owner can open.
///
/// The caller holds the data folder's lock, so an existing socket belongs to a dead process.
struct ControlServer: Service {
    /// The limit of connections at once; a further one waits. Each command has one connection, for an instant or while
    /// it waits. A script that does not close its connections must not use up the listener's descriptors.
    static let maximumConnections = 64

    private let folder: String
    private let server: NIOAsyncChannel<Arrivals.Connection, Never>
    private let arrivals: Arrivals
    private let logger: Logger
    private let answer: @Sendable (ControlRequest) async -> ControlReply

    /// Creates the server, which accepts connections from now on and answers them once it runs.
    init(
        folder: String, logger: Logger, answer: @escaping @Sendable (ControlRequest) async -> ControlReply
    ) async throws {
        (self.folder, self.logger, self.answer) = (folder, logger, answer)
        let arrivals = Arrivals()
        self.arrivals = arrivals
        server = try await ControlSocket.withPath(folder: folder) { path in
            unlink(path)
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(unixDomainSocketPath: path) { channel in
                    channel.eventLoop.makeCompletedFuture { try arrivals.wrap(channel) }
                }
            chmod(path, 0o600)
            return server
        }
    }

    /// Runs until graceful shutdown.
    func run() async throws {
        defer { unlink(folder + "/" + ControlSocket.name) }
        do {
            try await cancelWhenGracefulShutdown { try await accept() }
        } catch is CancellationError {
            // Cancellation ends the server, also with open connections.
        } catch {
            await arrivals.close()
            throw error
        }
        await arrivals.close()
    }

    private func accept() async throws {
        try await server.executeThenClose { connections in
            try await withThrowingTaskGroup(of: Void.self) { group in
                var served = 0
                for try await connection in connections {
                    if served == Self.maximumConnections { try await group.next() } else { served += 1 }
                    arrivals.take(connection)
                    group.addTask { await serve(connection) }
                }
            }
        }
    }

    /// Handles one connection. Its errors affect no other connection.
    private func serve(_ connection: Arrivals.Connection) async {
        do {
            try await connection.executeThenClose { inbound, outbound in
                var lines = LineBuffer(limit: ControlRequest.maximumSize)
                for try await part in inbound {
                    var bytes = Array(buffer: part)[...]
                    while let line = lines.next(in: &bytes) {
                        guard !line.isCut else { return try await outbound.write(Self.line(Self.tooLong)) }
                        try await outbound.write(Self.line(await reply(to: line.bytes)))
                    }
                    guard !lines.pending.isCut else { return try await outbound.write(Self.line(Self.tooLong)) }
                }
            }
        } catch {
            logger.debug("control connection lost", metadata: ["error": "\(error)"])
        }
    }

    private static let tooLong = ControlReply(error: "the request is too long")

    private func reply(to line: [UInt8]) async -> ControlReply {
        do {
            return await answer(try JSONDecoder().decode(ControlRequest.self, from: Data(line)))
        } catch let error as ControlRequest.UnknownCommand {
            return ControlReply(
                error: "no command \"\(error.name)\" in version \(ProgramVersion.current); "
                    + "restart the listener if a newer one is installed")
        } catch {
            return ControlReply(error: "not a request; expected {\"command\": ...}")
        }
    }

    private static func line(_ reply: ControlReply) throws -> ByteBuffer {
        ByteBuffer(bytes: try JSONEncoder().encode(reply) + [UInt8(ascii: "\n")])
    }
}
