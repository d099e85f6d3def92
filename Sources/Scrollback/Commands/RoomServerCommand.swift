import Options
import StreamChatWire

struct RoomServerCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "room-server",
        abstract: "Run a StreamChat server for tests: one room, kept in memory, without logins.",
        discussion: "EXAMPLE: scrollback room-server --port 5080 --framing nul")

    @Option("host", help: "The address to listen at.")
    var host = "127.0.0.1"

    @Option(Parameter("port", .number(0...65_535), "The port (0: the system chooses one)."))
    var port = 5080

    @Option("framing", help: "The end of a message to clients; chunk: none, as in 2021.")
    var framing = RoomServerFraming.chunk

    @Option("revision", help: "The revision of the protocol.")
    var revision = Revision.august2021

    @OptionGroup(title: "Logging") var logging: LoggingOptions

    func run() async throws {
        let work = try ServerProgram.work()
        logging.bootstrap()
        try await work.serveRoom(host: host, port: port, framing: framing.framing, revision: revision)
    }
}

/// The framings of a room server. It has no `end`, which is for clients of other servers.
enum RoomServerFraming: String, Sendable, CaseIterable, ExpressibleByArgument {
    case chunk, lf, nul

    var framing: Framing {
        switch self {
        case .chunk: .chunk
        case .lf: .lf
        case .nul: .nul
        }
    }
}

extension Revision: ExpressibleByArgument {}
