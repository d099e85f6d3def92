import Options

struct DemoCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show what Scrollback does, in a room with people who talk.",
        discussion: """
            EXAMPLE: scrollback demo

            Takes some seconds, connects only to itself, and leaves nothing behind.
            """)

    @Flag(
        "keep-running", help: "Keep the room and the listener running until Ctrl-C, and show the archive in a browser.")
    var keepRunning = false

    func run() async throws {
        try await ServerProgram.work().demonstrate(keepsRunning: keepRunning) { arguments in
            // A person reads the demo, also through a pipe.
            let isPage = arguments.first == "history"
            try await ScrollbackCommand.run(arguments + (isPage ? ["--no-oneline"] : []))
        }
    }
}
