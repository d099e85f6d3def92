import ChatModel
import FoundationEssentials
import Options
import Rendering
import Settings
import StreamChatWire

struct ChatCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Join a StreamChat room to talk, or to let a script talk.",
        discussion: """
            EXAMPLE: scrollback chat tcp://127.0.0.1:5080 --name alice
            EXAMPLE: echo hello | scrollback chat tcp://127.0.0.1:5080 --name robot

            On a terminal, Enter sends the typed line of at most 300 characters. /quit leaves, /me TEXT sends *TEXT*, \
            /help lists the commands; //x sends /x. Ctrl-D on an empty line leaves, Ctrl-C at any time, Ctrl-Z suspends. \
            Left, Right, Home, End, Delete, Ctrl-A, -E, -U, -K, -W and -L edit. Line breaks in a paste become spaces, so \
            a paste sends nothing.

            In a pipe, each line of stdin is a message, also with a / in front. It waits until the server has returned \
            the previous one. Received messages go to stdout. A line that can't be sent is reported on stderr, and the \
            exit status is 1. After the last line the command leaves, unless --stay is given.

            Nothing is stored: "scrollback listen" does that.
            """)

    @Argument("server", help: "The server: tcp://HOST:PORT.", transform: Self.address)
    var server: ServerAddress

    @Option("name", help: "The name to join under (1 to 10 characters, without \"::\").")
    var name: String

    @Option("framing", help: "The end of a message from the server; chunk: none, as in 2021.")
    var framing = Framing.chunk

    @Option("revision", help: "The revision of the protocol.")
    var revision = Revision.august2021

    @Flag("stay", help: "In a pipe, keep receiving after the end of stdin, until interrupted.")
    var stay = false

    @Flag("utc", help: "Show times in UTC (default: the local zone, TZ).")
    var utc = false

    @Option("color", help: "Colour text; auto respects NO_COLOR.")
    var color = ColorChoice.auto

    func validate() throws {
        if let problem = ChatText.problem(name: name) { throw ValidationError(problem) }
    }

    func run() async throws {
        try await ServerProgram.work().chat(
            ChatConfiguration(
                server: server, name: name, framing: framing, revision: revision, zone: utc ? .gmt : .local,
                style: Style(color, terminal: .standardOutput),
                width: { Terminal.standardOutput?.width() }, keepsListening: stay))
    }

    private static func address(_ text: String) throws -> ServerAddress {
        guard let address = ServerAddress(text) else {
            throw ValidationError("\"\(text)\" is not a server address; use tcp://HOST:PORT")
        }
        return address
    }
}

extension Framing: ExpressibleByArgument {}
