import Logging
import Rendering
import RoomServer
import Scrollback
import Service
import ServiceLifecycle
package import StreamChatWire

extension ServerCommandWork {
    package func serveRoom(host: String, port: Int, framing: Framing, revision: Revision) async throws {
        var configuration = RoomServerConfiguration()
        configuration.host = host
        configuration.port = port
        configuration.framing = framing
        configuration.revision = revision
        let signals = await ShutdownSignals()
        try await signals.run(
            ServiceGroup(
                services: [RoomService(configuration)], logger: Logger(label: "service")))
    }
}

/// The room server as a service, which runs until it is stopped.
private struct RoomService: Service {
    let server: RoomServer
    let logger = Logger(label: "room-server")

    init(_ configuration: RoomServerConfiguration) {
        server = RoomServer(configuration, logger: logger)
    }

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                try await server.run { port in
                    logger.info(
                        "room server ready", metadata: ["host": "\(server.configuration.host)", "port": "\(port)"])
                }
            }
        } catch let error as RoomServerError {
            throw CommandError(.address, error.detail, hint: "choose another port with --port (0: a free one)")
        } catch is CancellationError {
            return
        }
    }
}
