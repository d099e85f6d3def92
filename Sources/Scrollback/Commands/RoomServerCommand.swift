import ArgumentParser
import Logging

struct RoomServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "room-server",
        abstract: "Run a StreamChat server: one room, kept in memory, for anyone who can connect.",
        discussion: "EXAMPLE: scrollback room-server --port 5080 --framing nul")

    @Option(help: "The address to listen at.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 lets the system choose one.")
    var port = 5080

    @Option(help: "What ends a message to clients; chunk is nothing, as in 2021.")
    var framing = RoomServerFraming.chunk

    @Option(help: "Of the protocol.")
    var revision = StreamChatSettings.Revision.august2021

    @OptionGroup(title: "Logging") var logging: LoggingOptions

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port takes 0 to 65535, not \(port)") }
    }

    func run() async throws {
        logging.bootstrap()
        try await runRoomServer(
            host: host, port: port, framing: framing, revision: revision, logger: Logger(label: "room-server"))
    }
}

enum RoomServerFraming: String, Sendable, CaseIterable, ExpressibleByArgument {
    case chunk, lf, nul
}

extension StreamChatSettings.Revision: ExpressibleByArgument {}
